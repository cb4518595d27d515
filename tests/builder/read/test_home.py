"""Home pages of VitePress, VuePress and Starlight have their words in the front matter."""

from dataclasses import replace
from pathlib import Path

import pytest
from ranvier_builder import build
from ranvier_builder.pipeline import survey
from support.content import OPEN, build_tree, write_tree
from support.rendered import surveyed

VITEPRESS = """---
layout: home
hero:
  name: "<i>Vite</i> *Thing*"  # merganser
  text: A tool
  tagline: Fast
  actions: [{theme: brand, text: Start, link: /a}, {text: No link}]
features:
  - {icon: x, title: Quick, details: Really, link: /a}
  - {details: Small}
---
"""


def home(folder: Path, text: str) -> tuple[str, str]:
    page = surveyed(folder, {"index.md": text, "a.md": "# A"})["index.md"]
    return page.page.neuron.title, page.html


def test_home_page_of_vitepress(tmp_path: Path) -> None:
    """N1."""
    title, html = home(tmp_path, VITEPRESS)
    assert title == "Vite *Thing*"
    for part in ("<p>A tool</p>", "<p>Fast</p>", 'href="a/"', ">Start</a> · No link", "Quick</a></strong>: Really", "Small"):
        assert part in html


def test_home_page_of_vuepress(tmp_path: Path) -> None:
    """N1."""
    title, html = home(tmp_path, "---\nhome: true\nheroText: T\ntagline: Fast\nactionText: Go\nactionLink: /a/\n---\n")
    assert (title, html.count("<p>")) == ("T", 2)


def test_hero_of_starlight_is_above_the_text(tmp_path: Path) -> None:
    """N1."""
    title, html = home(tmp_path, "---\ntitle: T\nhero:\n  tagline: Fast\n---\nWords, and [a link](gone.md).\n")
    assert title == "T"
    assert html.index("Fast") < html.index("Words")


def test_warning_about_a_home_page_has_no_line_before_the_first(tmp_path: Path) -> None:
    """N9."""
    features = "{title: A, link: /gone}" + ", {title: B}" * 4
    text = f"---\nhero: {{name: T}}\nfeatures: [{features}]\n---\n[x](gone.md)\n"
    warnings = survey(write_tree(tmp_path, {"index.md": text}), OPEN).warnings
    assert [warning.line for warning in warnings] == [0, 5]


@pytest.mark.parametrize(
    "fields",
    ["hero: x", "hero: [x]", "tagline: x", "features: [{title: x}]", "hero: {actions: x}", "home: true\nname: x\ntext: x"],
)
def test_other_fields_are_not_shown(tmp_path: Path, fields: str) -> None:
    """A2."""
    assert "x" not in home(tmp_path, f"---\n{fields}\n---\n# T\n")[1]


def test_proof_knows_the_fields(tmp_path: Path) -> None:
    """A3: a comment in them is private."""
    content = write_tree(tmp_path / "c", {"index.md": VITEPRESS, "b.md": "---\naudience: curator\n---\n# B\n"})
    build(content, tmp_path / "out", OPEN)
    assert "Quick" in (tmp_path / "out/index.html").read_text("utf-8")
    assert not [path for path in (tmp_path / "out").glob("*.*") if b"merganser" in path.read_bytes()]


def test_comments_and_private_links_are_removed_from_a_home_page(tmp_path: Path) -> None:
    """A2, A3: the build passes its proof."""
    text = '---\nhero: {name: "A {>> one <<}", tagline: "x <!-- a <b>two</b> c --> y %% three %%", text: "see [[Plan]]"}\n---\n'
    files = {"index.md": text, "Plan.md": "---\naudience: curator\n---\nx\n"}
    page = (build_tree(tmp_path, files, replace(OPEN, redact_private_links=True)) / "index.html").read_text()
    for part in ("<p>see private note</p>", "<p>x y</p>", ">A</h1>"):
        assert part in page


def test_redacted_links_in_properties_pass_the_proof(tmp_path: Path) -> None:
    """A2, A3: the brackets of other links are removed."""
    text = "title:: About [[Plan]]\nalias:: [[Plan]] note\ntags:: [[Plan]], [[b]]\n\nx\n"
    files = {"index.md": text, "Plan.md": "---\naudience: curator\n---\nx\n"}
    site = build_tree(tmp_path, files, replace(OPEN, redact_private_links=True))
    assert "About private note" in (site / "index.html").read_text()
