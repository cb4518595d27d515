"""Home pages of VitePress, VuePress and Starlight have their words in the front matter."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranvier_builder import Config, build
from ranvier_builder.pipeline import survey
from support.content import write_tree

OPEN = Config(default_audience="public")
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
    pages = {
        page.page.neuron.path: page for page in survey(write_tree(folder, {"index.md": text, "a.md": "# A"}), OPEN).rendered
    }
    return pages["index.md"].page.neuron.title, pages["index.md"].html


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


@pytest.mark.parametrize("fields", ["hero: x", "hero: [x]", "tagline: x", "features: [{title: x}]", "hero: {actions: x}"])
def test_other_fields_are_not_shown(tmp_path: Path, fields: str) -> None:
    """A2."""
    assert "x" not in home(tmp_path, f"---\n{fields}\n---\n# T\n")[1]


def test_proof_knows_the_fields(tmp_path: Path) -> None:
    """A3: a comment in them is private."""
    content = write_tree(tmp_path / "c", {"index.md": VITEPRESS, "b.md": "---\naudience: curator\n---\n# B\n"})
    build(content, tmp_path / "out", OPEN)
    assert "Quick" in (tmp_path / "out/index.html").read_text("utf-8")
    assert not [path for path in (tmp_path / "out").glob("*.*") if b"merganser" in path.read_bytes()]
