"""Front matter without a `---` above it (N1, A1)."""

import time
from pathlib import Path

import pytest
from ranvier_builder.check.unfenced import unfenced_fields
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.neuron import read_neuron
from support.content import OPEN, Tree, build_without_engine, html_of
from support.pictures import PNG, another


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("Title: A\nDate: 2020-01-01\nTags: a, b\n\nText", {"title": "A", "date": "2020-01-01", "tags": "a, b"}, "Text"),
        ("\ufeff\nTitle:A #1\n  \nText", {"title": "A #1"}, "Text"),
        ('title: "A: b"\n\nText', {"title": "A: b"}, "Text"),
        ("Title: A\nSummary: Two\n    lines: B\nTag: a\n\nText", {"title": "A", "summary": "Two lines: B", "tag": "a"}, "Text"),
        ("Title: A\nCategory: c\nCover: x.png\n\nText", {"title": "A", "category": "c", "cover": "x.png"}, "Text"),
        ("description: How\nkeywords: a\n\n# B\n", {"description": "How", "keywords": "a"}, "# B\n"),
        ("title: A\ndate: 2013-07-13 20:46:25\n---\nText", {"title": "A", "date": "2013-07-13 20:46:25"}, "Text"),
        ("title: 'A'\ntags:\n- a\n- b: c\n\n# words\n---\nText", {"title": "A", "tags": ["a", {"b": "c"}]}, "Text"),
        ("title: A: b\ntags: a\n---\nText", {"title": "A: b", "tags": "a"}, "Text"),  # invalid YAML
        ("Title: A\n...\nText", {"title": "A"}, "Text"),
    ],
)  # fmt: skip
def test_fields_without_fence_are_metadata(text: str, fields: dict[str, object], body: str) -> None:
    result = split(text)
    values = {name: value if isinstance(value, list) else str(value) for name, value in result.fields.items()}
    assert (values, result.body, result.problem) == (fields, body, "")
    assert result.body_line == text.count("\n", 0, len(text) - len(body)) + 1


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is prose.\nTitle: x\n\nText",
        "Warning: hot\n\nText",
        "Q: Why?\nA: Because.\n\nText",
        "Date: 3 May\nFrom: Ann\nTo: Bob\nSubject: Boats\n\nDear Bob",
        "Date: 3 May\nAuthor: Ann\n\nDear Bob",
        "Title: Weekly meeting\nDate: 3 May\nAttendees: Ann, Bob\n\nText",
        "Title: Pancakes\nServes: 4\n\nText",
        "Status: accepted\nDate: 2020-01-01\n\nText",  # of a decision
        "Title: A\nand a line of text\n\nText",
        "Title: A\nTags: #a #b\n\nText",  # of a note
        "Title: A\nTags: [[A]]\n\nText",
        "Title: A <!-- words\n\nText -->",
        "title: A\u2028audience: public\n---\nText",  # a line break of YAML
        "title:: A\ntags:: a\n\nText",
        "    title: A\n    tags: a\n\nText",  # a block of code
        "Tags:\n- a\n- b\n\nText",
        "Title: A\nTitle: B\n\nText",
        "Title: A\nDate: 2020-01-01\n",
        "Title: A",
        "Title: A\n" + "Tag: b\n" * 1200 + "\nText",
        "Text\nTitle: A\n\nText",
        "https://example.com\n\nText",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    result = split(text)
    assert (result.fields, result.body, result.problem) == ({}, text, "")


def test_page_of_pelican_is_shown_without_its_fields(tree: Tree, tmp_path: Path) -> None:
    site = tmp_path / "site"
    content = tree(
        {
            "a/post.md": b"\xef\xbb\xbfTitle: Harbour\r\nTags: x\r\n\r\n[x]({filename}b.md) [x](|filename|/a/b.md#x) "
            b"![x]({attach}x.png) ![x]({static}/y.png).\r\n",
            "a/b.md": "title: Boats\n---\nText\n",
            "a/x.png": PNG,
            "y.png": another(1),
            "c.md": "Title: Hidden\nStatus: hidden\n\nText\n",
            "d.md": "Title: Secret\nStatus: draft\n\nText\n",
        }
    )  # fmt: skip
    report = build_without_engine(content, site)
    page = html_of(site, "a/post")
    assert not [str(warning) for warning in report.warnings if "link" in warning.message]
    article = page.css_first("article")
    assert article is not None
    assert "Harbour" in article.text()
    assert "Title" not in article.text()
    assert [link.attributes["href"] for link in article.css("a")] == ["../../a/b/", "../../a/b/#x"]
    assert len(article.css("img[src]")) == 2
    assert (site / "c/index.html").is_file()
    assert "Hidden" not in (site / "index.html").read_text()
    assert not (site / "d").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((f"Title: A\nStatus: {word}\n\nText", "withheld because of `status`") for word in ("draft", "skip", "private")),
        ("Note: prose\n  Private: yes\n\nText", "withheld because of `private`"),
        ("Title: A\nAudience: public\n\nText", "put a line of `---` above and below"),
    ],
)
def test_warning_names_the_field_and_its_line(tree: Tree, text: str, words: str) -> None:
    _, (warning,) = read_neuron(tree({"a.md": text}), "a.md", OPEN)
    assert words in warning.message
    assert (warning.kind, warning.line) == ("audience", 2)


@pytest.mark.parametrize(
    "text", ["a" * 9**6, "title: x\n" + " " * 9**6, "\n" * 9**6, "a:" + "-" * 9**6, "tags: #" * 9**5, 'a:"' * 9**5]
)
def test_lines_are_read_in_linear_time(text: str) -> None:
    begin = time.process_time()
    split(text)
    unfenced_fields(text, 0)
    assert time.process_time() - begin < 5
