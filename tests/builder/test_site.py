"""The pages of a site (G1): what stands around a page's text, and nothing of what is withheld (A2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder import Config
from selectolax.lexbor import LexborHTMLParser
from support.content import build_without_engine
from support.pdf import pdf

Tree = Callable[[dict[str, str | bytes]], Path]
PUBLIC = "---\naudience: public\n"
FILES: dict[str, str | bytes] = {
    "index.md": f"{PUBLIC}---\n# Home\n\n[a](a.md) and [folder](notes/) and [[Thornmere|words]]\n",
    "a.md": f"{PUBLIC}title: Alpha\ncreated: 2026-01-02\nupdated: 2026-03-04\ntags: [axon]\nproduct: Ranvier\n---\n"
    "[self](a.md) [[b]]\n",
    "b.md": f"{PUBLIC}title: Beta\nparent: Thornmere\n---\n[[Alpha]] ![[scan.pdf]]\n",
    "c.md": f"{PUBLIC}title: Gamma\nparent: Alpha\nnoindex: true\n---\n[[Alpha]]\n",
    "notes/index.md": f"{PUBLIC}title: Notes\ntags: [log]\nupdated: 2026-05-06\n---\nAll of them. [[Alpha]]\n",
    "notes/2026-01-01.md": f"{PUBLIC}---\nold\n",
    "notes/2026-02-01.md": f"{PUBLIC}title: A long day\n---\nnew\n",
    "secret/thornmere.md": "---\naudience: curator\ntitle: Thornmere\nparent: Alpha\ntags: [hidden-tag]\n---\n"
    "[[Alpha]] [[b]]\n",
    "scan.md": "---\naudience: curator\n---\nprivate scan\n",
    "scan.pdf": pdf(["What thornmere is."], title="Thornmere scanned"),
}


@pytest.fixture
def site(tree: Tree, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    build_without_engine(tree(FILES), out, Config(search_fields=("product",)))
    return out


def page(site: Path, slug: str) -> LexborHTMLParser:
    return LexborHTMLParser((site / slug / "index.html").read_text("utf-8"))


def texts(result: LexborHTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in result.css(selector)]


def test_scripts(site: Path) -> None:
    """G1: the box, and the API in parallel. A digest of them would stop the search behind a proxy that rewrites scripts."""
    (box,) = page(site, "a").css("script[src]")
    (preload,) = page(site, "a").css("link[rel=modulepreload]")
    assert (box.attributes["src"] or "").endswith("/web-0/ui/search-box.js")
    assert (preload.attributes["href"] or "").endswith("/web-0/api.js")
    assert not any("integrity" in node.attributes for node in (box, preload))


def test_linked_from(site: Path) -> None:
    """N4, G1: sorted by title; neither itself, nor what is not to be indexed, nor what is withheld."""
    assert texts(page(site, "a"), ".backlinks h2") == ["Linked from"]
    assert texts(page(site, "a"), ".backlinks a") == ["Beta", "Home", "Notes"]
    assert [node.attributes["href"] for node in page(site, "a").css(".backlinks a")] == ["../b/", "../", "../notes/"]
    assert texts(page(site, "notes"), ".backlinks a") == ["Home"]
    assert texts(page(site, "c"), ".backlinks") == []


def test_facts(site: Path) -> None:
    """N3: tags, days and the fields that the config names."""
    assert texts(page(site, "a"), ".facts .tags li") == ["#axon"]
    assert texts(page(site, "a"), ".facts .dates span") == ["Written 2026-01-02", "Last changed 2026-03-04"]
    assert texts(page(site, "a"), ".facts dl") == ["productRanvier"]
    assert texts(page(site, "notes"), ".facts .dates span") == ["Last changed 2026-05-06"]
    assert texts(page(site, "notes"), ".facts .tags li") == ["#log"]
    assert texts(page(site, "b"), ".facts") == []


def test_the_tree(site: Path) -> None:
    """N5, N6: a parent that is named, a parent that is withheld, daily notes by their day."""
    assert texts(page(site, "a"), ".children a") == ["Gamma"]
    assert texts(page(site, "c"), ".crumbs a") == ["Home", "Alpha"]
    assert texts(page(site, "b"), ".crumbs a") == ["Home"]
    assert texts(page(site, "notes"), ".children a") == ["A long day", "2026-01-01"]
    assert texts(page(site, "notes"), ".children time") == ["2026-02-01"]
    assert texts(page(site, "notes/2026-02-01"), ".steps .next") == ["Next 2026-01-01"]


def test_no_trace_of_what_is_withheld(site: Path) -> None:
    """A2: in no page, no file's name, no list; its media is not copied, though a public page embeds it."""
    for file in site.rglob("*"):
        assert "hornmere" not in file.name
        assert not file.name.endswith(".pdf")
        if file.suffix in (".html", ".xml"):
            html = file.read_text("utf-8")
            assert "hornmere" not in html, file
            assert "hidden-tag" not in html
            assert "private scan" not in html
    assert "words" in (site / "index.html").read_text("utf-8")


def test_a_title_is_an_anchor_unless_a_heading_is(tree: Tree, tmp_path: Path) -> None:
    """`[[#Title]]` and `page.md#title` lead to the title, which the theme shows; no id stands twice on a page."""
    texts: dict[str, str | bytes] = {
        "plain.md": "# The Node\n\n[[#The Node]]\n",
        "twice.md": "# Content\n\nA.\n\n## Content\n\nB.\n",
        "folder/index.md": "# All of it\n",
        "folder/a.md": "A.\n",
    }
    out = tmp_path / "out"
    build_without_engine(tree(texts), out)
    assert page(out, "plain").css_first("h1#the-node") is not None
    assert page(out, "plain").css_first('article a[href="#the-node"]') is not None
    assert page(out, "folder").css_first("h1#all-of-it") is not None
    for file in out.rglob("*.html"):
        ids = [node.attributes["id"] for node in LexborHTMLParser(file.read_text("utf-8")).css("[id]")]
        assert len(ids) == len(set(ids)), file
