"""G1, N4, A2, A3, C1: a page shows the text of the notes that it embeds, and only of published ones."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from ranvier_builder import Config, build, publish
from ranvier_builder.errors import LeakError
from ranvier_builder.model import Page, Rendered
from ranvier_builder.pipeline import survey
from ranvier_builder.render import transclusion
from ranvier_builder.work import render as rendering
from ranvier_builder.work.database import Memory
from support.content import OPEN, build_without_engine, read_tree, stub_assets, write_tree
from support.pictures import PNG
from support.rendered import surveyed

SECRET = "SECRETWORDS"
NOTE = """# Note

Opening words.

## First part

Alpha words. ^alpha

- one
- two ^two
  - below two
- three

1. numbered

^list

### Below

Beta words.

## Last part

Gamma words.
"""


def rendered_page(folder: Path, files: dict[str, Any], path: str = "a.md", config: Config = OPEN) -> Rendered:
    """Return the rendered page of a file."""
    return surveyed(folder, files, config)[path]


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@pytest.mark.parametrize(
    ("embed", "expected"),
    [
        ("![[note]]", "note Opening words. First part Alpha words. one two below two three numbered Below Beta words."),
        (
            "![[note#Note]]",
            "note > Note Opening words. First part Alpha words. one two below two three numbered Below Beta words.",
        ),
        ("![[note#Last part]]", "note > Last part Last part Gamma words."),
        ("![[note#First part#Below|Look]]", "Look Below Beta words."),
        ("![[note#^alpha]]", "note > alpha Alpha words."),
        ("![[note#^two]]", "note > two two below two"),
        ("![[note#^list]]", "note > list numbered"),
        ("- ![[note#Last part]]", "note > Last part Last part Gamma words."),
        ("> [!tip] Box\n> ![[note#^alpha]]", "Box note > alpha Alpha words."),
        ("Before\n![[note#^alpha]]\n![[note#^two]]\nafter", "Before note > alpha Alpha words. note > two two below two after"),
        ("In a ![[note#^alpha]] line", "In a note > alpha line"),
        ("| a | b |\n|---|---|\n| ![[note#^alpha]] | b ![[note#^two]] |", "a b note > alpha Alpha words. b note > two"),
        ("![[note#No such part]]", "note > No such part"),
        ("![[note#^none]]", "note > none"),
        ("`![[note]]`", "![[note]]"),
        ("[![[note]]](note.md)", "note"),
    ],
)
def test_embed_shows_a_note_a_section_or_a_block(tmp_path: Path, embed: str, expected: str) -> None:
    """G1, N4."""
    assert text(rendered_page(tmp_path, {"a.md": f"# A\n\n{embed}\n", "note.md": NOTE}).html).startswith(expected)


def test_embedded_text_keeps_the_structure_of_the_page(tmp_path: Path) -> None:
    """G1: headings are below the heading above them; there are no ids of the other page, and its links lead where they led."""
    links = "[Up](#first-part) [[#First part]] [near](near.md#x) [[near]]"
    note = f'# Note\n\n{links} <b id=own>b</b>\n\n<h1>Raw</h1>\n\n## First part\n\n![](pic.png)\n\n=== "T"\n\n    tab\n'
    files: dict[str, Any] = {
        "a.md": '# A\n\n## Part\n\n![[note]]\n\n## First part\n\n=== "T"\n\n    tab\n',
        "deep/note.md": note,
        "deep/near.md": "# Near\n",
        "deep/pic.png": PNG,
    }
    page = rendered_page(tmp_path, files)
    headings = ['<h2 id="part">Part', "<h3>Raw", "<h4>First part", '<h2 id="first-part">First part']
    assert re.findall(r"<h\d[^>]*>[^<]*", page.html) == headings
    hrefs = re.findall(r'href="\.\./deep/([^"]*)"', page.html)
    assert hrefs == ["note/", "note/#first-part", "note/#First%20part", "near/#x", "near/"]
    assert "own" not in page.html
    assert page.html.count('name="tabs-1"') == 1
    assert re.search(r'src="\.\./_media/[^"]*pic\.png"', page.html)
    assert page.media == ("deep/pic.png",)
    assert [link.to for link in page.links] == ["deep/note"]


def test_footnotes_of_an_embedded_text_have_their_own_numbers(tmp_path: Path) -> None:
    """G1: also of a section, which has only its own."""
    note = "# Note\n\nOne[^a].\n\n## Part\n\nTwo[^b].\n\n[^a]: First.\n[^b]: Second.\n"
    html = rendered_page(tmp_path, {"a.md": "# A\n\nMine[^1].\n\n![[note#Part]]\n\n[^1]: Own.\n", "note.md": note}).html
    ids = re.findall(r'id="([^"]*)"', html)
    assert ids == ["fnref1", "fnref-e1-2", "fn-e1-2", "fn1"]
    assert {target for target in re.findall(r'href="#([^"]*)"', html)} == {*ids}
    assert "Second." in html
    assert "First." not in html


def test_embedded_text_is_searched_only_on_its_own_page(tmp_path: Path) -> None:
    """C1, A5: so a page has no words that only another audience may find."""
    page = rendered_page(tmp_path, {"a.md": "# A\n\nOwn.\n\n![[note|Look]]\n\n## End\n", "note.md": NOTE})
    assert [(section.headings, [block.text for block in section.blocks]) for section in page.sections] == [
        ((), ["Own.", "Look"]),
        (("End",), []),
    ]


@pytest.mark.parametrize(
    ("target", "redact"),
    [
        ("withheld", False),
        ("withheld#Part", False),
        ("withheld#^block", True),
        ("withheld", True),
        ("missing", True),
        ("draft", False),
    ],
)
def test_withheld_note_is_embedded_like_a_missing_one(tmp_path: Path, target: str, redact: bool) -> None:
    """A2, A3: the build passes its proof, and the page shows what a link to it shows."""
    config = replace(OPEN, redact_private_links=redact)
    secret = f"# Withheld\n\n{SECRET}\n\n## Part\n\n{SECRET} ^block\n\n![[a]]\n"
    files: dict[str, Any] = {
        "a.md": f"# A\n\n![[{target}]]\n\nEnd.\n",
        "b.md": f"# B\n\n[[{target}]]\n\n![[a]]\n",
        "withheld.md": f"---\naudience: curator\n---\n{secret}",
        "draft.md": f"---\ndraft: true\n---\n{secret}",
    }
    content = write_tree(tmp_path / "docs", files)
    build_without_engine(content, tmp_path / "out", config)
    site_text = "".join(file.read_text(errors="replace") for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert SECRET not in site_text
    html, other = (rendered_page(tmp_path / "docs", {}, name, config).html for name in ("a.md", "b.md"))
    assert re.sub(r' class="embed"', "", html).split("\n")[0] == other.split("\n")[0]


def test_proof_finds_an_embedded_text_that_is_withheld(tmp_path: Path) -> None:
    """A3."""
    files = {"a.md": "# A\n\n![[b]]\n", "b.md": "# B\n", "x.md": f"---\naudience: curator\n---\n# X\n\n{SECRET}\n"}
    content, embedded_pages = write_tree(tmp_path / "docs", files), transclusion.embedded_pages

    def leak_embedded(pages: list[Page], links: Any) -> dict[str, tuple[Page, ...]]:
        secret = links.media._root / "x.md"
        leak = secret.read_text() if secret.is_file() else ""
        return {
            path: tuple(replace(page, neuron=replace(page.neuron, markdown=page.neuron.body + leak)) for page in embedded)
            for path, embedded in embedded_pages(pages, links).items()
        }

    with patch.object(rendering, "embedded_pages", leak_embedded), pytest.raises(LeakError):
        build_without_engine(content, tmp_path / "out")


@pytest.mark.parametrize("link", ["![[#Part]]", "![[a]]", "![[b]]", "![[a#Part]]"])
def test_cycles_end(tmp_path: Path, link: str) -> None:
    """N9."""
    page = rendered_page(tmp_path, {"a.md": f"# A\n\nWords.\n\n## Part\n\n{link}\n", "b.md": "# B\n\n![[a]]\n\n![[b]]\n"})
    assert page.html.count('class="embedded"') == (0 if link == "![[a]]" else 1)


def test_size_and_depth_of_embeds_have_limits(tmp_path: Path) -> None:
    """N9: the rest are links, with one warning that names the line."""
    files = {f"n{at}.md": f"# N{at}\n\nlevel{at} {'x' * 150_000}\n\n![[n{at + 1}]]\n" for at in range(12)}
    files["a.md"] = "# A\n\n![[n0]]\n\n![[n0]]\n\n![[n0]]\n"
    files["wide.md"] = "# Wide\n\n" + "![[small]]\n\n" * 300
    files["small.md"] = "# Small\n\nwords\n"
    result = survey(write_tree(tmp_path, files), OPEN)
    pages = {page.page.neuron.path: page.html for page in result.rendered}
    assert "level4" in pages["a.md"]
    assert "level5" not in pages["a.md"]
    assert len(pages["a.md"]) < 1_100_000
    assert pages["wide.md"].count('class="embedded"') == 200
    limits = [(warning.file, warning.line) for warning in result.warnings if warning.kind == "limit"]
    assert limits == [("a.md", 5), ("wide.md", 403)]


def test_change_of_an_embedded_note_renders_its_pages_again(tmp_path: Path) -> None:
    """I3: also through another embed; and only these pages."""
    files = {"a.md": "# A\n\n![[b]]\n", "b.md": "# B\n\n![[c]]\n", "c.md": "# C\n\nold\n", "d.md": "# D\n"}
    content, paths, draw = write_tree(tmp_path / "docs", files), list[str](), rendering.render_page

    def watched(page: Page, *rest: Any) -> rendering.RenderedPage:
        paths.append(page.neuron.path)
        return draw(page, *rest)

    def build_pages(out: str, memory: Memory | None) -> dict[str, bytes]:
        with patch.object(publish, "write_assets", stub_assets), patch.object(rendering, "render_page", watched):
            build(content, tmp_path / out, OPEN, memory=memory)
        return read_tree(tmp_path / out)

    build_pages("public", Memory(tmp_path / "cache"))
    (content / "c.md").write_text("# C\n\nnew\n")
    paths.clear()
    second_build = build_pages("public", Memory(tmp_path / "cache"))
    assert sorted(paths) == ["a.md", "b.md", "c.md"]
    assert "new" in second_build["a/index.html"].decode()
    assert second_build == build_pages("clean", None)


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "<a id=_content>x</a>"]
)
def test_embedded_text_is_sanitised(tmp_path: Path, hostile: str) -> None:
    """G1, A2."""
    html = rendered_page(tmp_path, {"a.md": "# A\n\n![[note]]\n", "note.md": f"# Note\n\n{hostile}\n"}).html
    for word in ("<script", "onerror", "javascript:", "_content"):
        assert word not in html


def test_trusted_pages_embed_without_colliding_ids(tmp_path: Path) -> None:
    """G1."""
    config = replace(OPEN, trusted_html=True)
    files = {"a.md": "# A\n\n## P\n\n![[note]]\n", "note.md": "# Note\n\n## P\n\n<form id=f><button>b</button></form>\n"}
    html = rendered_page(tmp_path, files, config=config).html
    assert "<button>b</button>" in html
    assert re.findall(r'id="([^"]*)"', html) == ["p"]


def test_sign_at_the_end_of_a_heading_is_no_part_of_an_embed(tmp_path: Path) -> None:
    """`![[note#C#]]` is the section `C#`, not one whose heading has no letters."""
    note = "# Note\n\n## 🎉\n\nparty\n\n## C#\n\nsharp\n"
    html = rendered_page(tmp_path, {"a.md": "# A\n\n![[note#C#]]\n", "note.md": note}).html
    assert "sharp" in html
    assert "party" not in html


def test_links_within_an_embedded_text_are_resolved_once(tmp_path: Path) -> None:
    """They lead to its page; they are no links of the page that embeds it."""
    note = "# Note\n\n[x](#sec:one) [y](#Second%20part)\n\n## One {#sec:one}\n\n## Second part\n"
    page = rendered_page(tmp_path, {"a.md": "# A\n\n![[deep/note]]\n", "deep/note.md": note})
    assert re.findall(r'href="([^"]*#[^"]*)"', page.html) == ["../deep/note/#sec:one", "../deep/note/#Second%20part"]
    assert [link.to for link in page.links] == ["deep/note"]


@pytest.mark.parametrize("target", ["note#TheName", "note#the words", "note#The words"])
def test_section_is_embedded_by_its_name_or_its_words(tmp_path: Path, target: str) -> None:
    note = "# Note\n\n## Before\n\nabove\n\n## The words {#TheName}\n\ninside\n\n## After\n\nbelow\n"
    html = rendered_page(tmp_path, {"a.md": f"# A\n\n![[{target}]]\n", "note.md": note}).html
    assert "inside" in html
    assert not {"above", "below"} & {*re.findall(r"\w+", html)}


@pytest.mark.parametrize(("setting", "expected"), [(True, "<p>One<br>\ntwo</p>"), (False, "<p>One\ntwo</p>")])
def test_line_breaks_are_a_setting_also_of_embedded_text(tmp_path: Path, setting: bool, expected: str) -> None:
    files = {"a.md": "One\ntwo\n\n![[b]]\n", "b.md": "One\ntwo\n"}
    page = rendered_page(tmp_path, files, config=Config(default_audience="public", line_breaks=setting))
    assert page.html.count(expected) == 2
