"""A1, A3: the check's own verdict on who may be published, read from the bytes of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.check.leaks.sources import read_content
from support.content import write_tree

OPEN = Config(default_audience="public")


def withheld(tmp_path: Path, text: str | bytes, config: Config = OPEN, path: str = "a.md") -> bool:
    found = read_content(write_tree(tmp_path, {path: text}), config)
    assert len(found.published) + len(found.withheld) == 1
    return bool(found.withheld)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Text.", False),
        ("---\naudience: public\n---\nText.", False),
        ("---\nAudience: Public\n---\nText.", False),
        ("---\naudience: [curator, public]\n---\n", False),
        ("---\naudience: partners, public\n---\n", False),
        ("---\naudience: curator\n---\n", True),
        ("---\naudience: tool\n---\n", True),
        ("---\naudience: partners\n---\n", True),
        ("---\naudience:\n---\n", True),
        ("---\naudience: []\n---\n", True),
        ("---\naudience: {public: yes}\n---\n", True),
        ("---\naudience: [[public]]\n---\n", True),
        ("---\naudience: public\nAudience: curator\n---\n", True),
        ("---\naudience: public\naudience: public\n---\n", True),
        ("---\ntitle: [a\naudience: public\n---\n", True),
        ("---\naudience: public\n", True),
        ("audience: curator\n\nText.", True),
        ("---\naudiences: public\n---\n", True),
        ("---\naudianse: public\n---\n", True),  # two letters are wrong
        ("---\ntarget_audience: public\n---\n", True),
        ("---\nms: {audience: public}\n---\n", True),
        ("---\ndate: 2024-13-45\n---\n", False),
        ("---\n- a\n- b\n---\n", True),
        ("---\n---\nText.", False),
        ('+++\naudience = "curator"\n+++\n', True),
        ('+++\naudience = ["public"]\n+++\n', False),
        ("+++\naudience = public\n+++\n", True),
        ('{"audience": "curator"}\nText.', True),
        ('{"audience": "public"}\nText.', False),
        ('{"a": 1, "A": 2}\nText.', True),
        ("\ufeff\n---\r\naudience: curator\r\n---\r\n", True),
        ("---\raudience: curator\r---\rText.", True),
        ("---\naudience: curator\n---\n".encode("utf-16"), True),
        ("---\naudience: public\n---\n".encode("utf-16"), False),
        (b"---\naudience: pub\0lic\n---\n", False),
        # Said, though not in a way that is read.
        ('{"title": "x", "audience": "curator",}\nText.', True),
        ("{'audience': 'curator'}\nText.", True),
        ('{title: "x", audience: "curator"}\nText.', True),
        ('{"audience": "curator"} Text.', True),
        ('---json\n{"title": "x", "audience": "curator"}\n---\nText.', True),
        (';;;\n{"title": "x", "audience": "curator"}\n;;;\nText.', True),
        ('----\n{"title": "x", "audience": "curator"}\n----\nText.', True),
        ("---\nmeta: {deep: {audience: curator}}\n---\n", True),
        ("---\nmeta: [{audience: curator}]\n---\n", True),
        ('+++\nextra={a={audience="curator"}}\n+++\n', True),
        ("---\ntargetAudience: curator\n---\n", True),
        ("---\naudienceLevel: curator\n---\n", True),
        ("---\nａｕｄｉｅｎｃｅ: curator\n---\n", True),
        ("---\nａｕｄｉｅｎｃｅ: public\n---\n", False),
        ("title: x\naudience：curator\n\nText.", True),
        ("<!--\n" + "a licence\n" * 50 + "-->\n---\naudience: curator\n---\n", True),
        ("--- x\n" + "".join(f"k{at}: 1\n" for at in range(60)) + "audience: curator\n---\n", True),
        # Nobody is named, and nothing is meant.
        ("---\nmeta: {kind: [a, {b: c}]}\n---\nText.", False),
        ("{{< include >}}\n\nWritten for an audience: all.", False),
        ("---\n---\nWritten for an audience: all.", False),
        ("Audience\n========\n\nText.", False),
        # Held back by the words of other systems, unless an audience is named.
        ("---\ndraft: true\n---\n", True),
        ("---\ndraft: false\n---\n", False),
        ("---\ndraft:\n---\n", False),
        ("---\npublished: false\n---\n", True),
        ("---\npublished: 2024-01-02\n---\n", False),
        ("---\npublish: no\n---\n", True),
        ("---\nprivate: true\n---\n", True),
        ("---\nvisibility: private\n---\n", True),
        ("---\nvisibility: public\n---\n", False),
        ("---\ndraft: true\naudience: public\n---\n", False),
        ("+++\ndraft = true\n+++\n", True),
    ],
)
def test_the_verdict(text: str | bytes, expected: bool, tmp_path: Path) -> None:
    assert withheld(tmp_path, text) == expected


def test_without_a_default_who_says_nothing_is_withheld(tmp_path: Path) -> None:
    assert withheld(tmp_path, "Text.", Config())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nms.audience: ITPro\n---\n", False),
        ("---\nms: {audience: itpro}\n---\n", False),
        ("---\nms.audience: Admin\n---\n", True),
        ("---\nms.audience: ITPro\naudience: curator\n---\n", True),
        ("---\nms.audience: ITPro\naudience: public\n---\n", True),  # two that differ name nobody
    ],
)
def test_other_names(text: str, expected: bool, tmp_path: Path) -> None:
    config = Config(audience={"itpro": "public", "admin": "curator"}, audience_fields=("ms.audience",))
    assert withheld(tmp_path, text, config) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [(".x/a.md", True), ("drafts/a.md", True), (".in/a.md", False), ("a.mdx", False)]
)
def test_what_is_no_content_is_withheld(path: str, expected: bool, tmp_path: Path) -> None:
    config = Config(default_audience="public", exclude=("drafts/*",), include=(".in/*",))
    assert withheld(tmp_path, "Text.", config, path) == expected


def test_files_of_a_page_are_ruled_by_it(tmp_path: Path) -> None:
    """N7: a same-named page decides about a recording and its transcript; else the default does."""
    tree = {"a.md": "---\naudience: curator\n---\n", "a.mp3": b"", "a.vtt": "secret", "b.md": "", "b.mp3": b"", "c.vtt": "said"}
    found = read_content(write_tree(tmp_path, tree), OPEN)
    assert found.media_withheld == {"a.mp3", "a.vtt"}
    assert found.media_published == {"b.mp3"}
    assert [one.path for one in found.withheld] == ["a.md", "a.vtt"]
    assert [one.path for one in found.published] == ["b.md", "c.vtt"]
    assert [one.path for one in read_content(tmp_path, Config()).published] == []


@pytest.mark.parametrize(
    "files",
    [
        {"talk.md": True, "talk.mp3": True, "talk.en.vtt": True, "talk.csv": True, "talks.mp3": False},
        {"paper.pdf.md": True, "paper.pdf": True, "paper.png": False},
        {"talk.md": False, "talk.mdx": True, "talk.vtt": True},
        {"d/ta\u0308.md": True, "d/t\u00e4.png": True, "t\u00e4.png": False},
    ],
)
def test_a_page_rules_what_begins_with_its_name(files: dict[str, bool], tmp_path: Path) -> None:
    pages = (".md", ".mdx")
    tree = {name: f"---\naudience: {'curator' if shut else 'public'}\n---\n" for name, shut in files.items()}
    found = read_content(write_tree(tmp_path, tree), OPEN)
    assert found.media_withheld == {name for name, shut in files.items() if shut and not name.endswith(pages)}


def test_a_link_to_a_withheld_file_is_that_file(tmp_path: Path) -> None:
    content = write_tree(tmp_path, {"a.md": "---\naudience: curator\n---\n", "a.pdf": b"%PDF", "b.md": "", "b.png": b"x"})
    (content / "b.pdf").symlink_to("a.pdf")
    (content / "c.png").hardlink_to(content / "a.pdf")
    found = read_content(content, OPEN)
    assert found.media_withheld == {"a.pdf", "b.pdf", "c.png"}
    assert found.media_published == {"b.png"}


@pytest.mark.parametrize(
    "glob", ["drafts", "drafts/", "./drafts/*", "/drafts/*", "**/drafts/**", "u\u0308ber/**/*.md", "drafts/**/*"]
)
def test_globs_are_read_as_people_mean_them(glob: str, tmp_path: Path) -> None:
    tree = {name: "Text." for name in ("drafts/a.md", "drafts/b/c.md", "a/drafts.md", "draft.md", "\u00fcber/a.md")}
    found = read_content(write_tree(tmp_path, tree), Config(default_audience="public", exclude=(glob,)))
    shut = {"\u00fcber/a.md"} if "ber" in glob else {"drafts/a.md", "drafts/b/c.md"}
    assert {one.path for one in found.withheld} == shut


def test_a_link_out_of_the_folder_and_an_output_within_it(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "content", {"a.md": "", "public/b.md": ""})
    (tmp_path / "outside.md").write_text("Text.")
    (content / "c.md").symlink_to(tmp_path / "outside.md")
    found = read_content(content, OPEN, content / "public")
    assert [(one.path, one.withheld) for one in found.withheld] == [("c.md", "outside of the folder")]
    assert [one.path for one in found.published] == ["a.md"]
