"""Site pages (G1): the parts around the text, and nothing of withheld pages (A2)."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from selectolax.lexbor import LexborHTMLParser
from support.content import build_tree, html_of
from support.pdf import pdf
from support.shared import site_fixture

PUBLIC = "---\naudience: public\n"
FILES: dict[str, str | bytes] = {
    "index.md": f"{PUBLIC}---\n# Home\n\n[a](a.md), [again](a.md) and [folder](notes/) and [[Thornmere|words]]\n",
    "a.md": f"{PUBLIC}title: Alpha\ncreated: 2026-01-02\nupdated: 2026-03-04\ntags: [axon]\nproduct: Ranvier\n---\n"
    "[self](a.md) [[b]]\n",
    "b.md": f"{PUBLIC}title: Beta\nparent: Thornmere\n---\n[[Alpha]] ![[scan.pdf]]\n",
    "c.md": f"{PUBLIC}title: Gamma\nparent: Alpha\nnoindex: true\n---\n[[Alpha]]\n",
    "notes/index.md": f"{PUBLIC}title: Notes\ntags: [log]\nupdated: 2026-05-06\n---\nAll of them. [[Alpha]]\n\n"
    "## Old ones\n\n## New ones\n",
    "notes/2026-01-01.md": f"{PUBLIC}---\nold\n",
    "notes/2026-02-01.md": f"{PUBLIC}title: A long day\n---\nnew\n",
    "secret/thornmere.md": "---\naudience: curator\ntitle: Thornmere\nparent: Alpha\ntags: [hidden-tag]\n---\n"
    "[[Alpha]] [[b]]\n",
    "scan.md": "---\naudience: curator\n---\nprivate scan\n",
    "scan.pdf": pdf(["What thornmere is."], title="Thornmere scanned"),
}
site = site_fixture(build_tree, FILES, Config(search_fields=("product",)))


def texts(result: LexborHTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in result.css(selector)]


def test_scripts_of_a_page_have_no_digests(site: Path) -> None:
    """G1: the box, and the API in parallel. A digest of them would stop the search behind a proxy that rewrites scripts."""
    (box,) = html_of(site, "a").css("script[type=module]")
    (preload,) = html_of(site, "a").css("link[rel=modulepreload]")
    assert (box.attributes["src"] or "").endswith("/web-0/ui/search-box.js")
    assert (preload.attributes["href"] or "").endswith("/web-0/api.js")
    assert not any("integrity" in node.attributes for node in (box, preload))


def test_backlinks_of_a_page_are_listed(site: Path) -> None:
    """N4, S2, G1: by title, each once, without the page itself, noindex pages and withheld pages."""
    assert texts(html_of(site, "a"), ".backlinks h2") == ["Linked from"]
    assert texts(html_of(site, "a"), ".backlinks a") == ["Beta", "Home", "Notes"]
    assert [node.attributes["href"] for node in html_of(site, "a").css(".backlinks a")] == ["../b/", "../", "../notes/"]
    assert texts(html_of(site, "notes"), ".backlinks a") == ["Home"]
    assert texts(html_of(site, "c"), ".backlinks") == []


def test_page_facts_are_shown(site: Path) -> None:
    """N3: tags, days and configured fields."""
    assert texts(html_of(site, "a"), ".facts .tags li") == ["#axon"]
    assert texts(html_of(site, "a"), ".facts .dates span") == ["Written 2026-01-02", "Last changed 2026-03-04"]
    assert texts(html_of(site, "a"), ".facts dl") == ["productRanvier"]
    assert texts(html_of(site, "notes"), ".facts .dates span") == ["Last changed 2026-05-06"]
    assert texts(html_of(site, "notes"), ".facts .tags li") == ["#log"]
    assert texts(html_of(site, "b"), ".facts") == []


def test_navigation_tree_is_shown(site: Path) -> None:
    """N5, N6: with named and withheld parents, and daily notes by day."""
    assert texts(html_of(site, "a"), ".children a") == ["Gamma"]
    assert texts(html_of(site, "c"), ".crumbs a") == ["Home", "Alpha"]
    assert texts(html_of(site, "b"), ".crumbs a") == ["Home"]
    assert texts(html_of(site, "notes"), ".children a") == ["A long day", "2026-01-01"]
    assert texts(html_of(site, "notes"), ".children time") == ["2026-02-01"]
    assert texts(html_of(site, "notes/2026-02-01"), ".steps .next") == ["Next 2026-01-01"]
    assert texts(html_of(site, "c"), ".menu .section") == ["Notes"], "a closed section differs from a page"


def test_section_page_lists_its_headings_and_has_steps(site: Path) -> None:
    """G1, N5: as other pages; a reader who goes from page to page does not stop at a section."""
    assert texts(html_of(site, "notes"), ".toc a") == ["Old ones", "New ones"]
    assert texts(html_of(site, "notes"), ".steps .prev") == ["Previous Gamma"]
    assert texts(html_of(site, "notes"), ".steps .next") == ["Next A long day"]


def test_steps_do_not_lead_to_a_folder_that_no_menu_lists(tmp_path: Path) -> None:
    nav = "site_name: S\ndocs_dir: .\nnav: [One: [use/a.md], Two: [use/b.md]]\n"
    out = build_tree(tmp_path, {"mkdocs.yml": nav, "use/a.md": "# A", "use/b.md": "# B"})
    assert texts(html_of(out, "use/b"), ".steps .prev") == ["Previous Two"]
    assert not [*texts(html_of(out, "use/b"), ".steps .next"), *texts(html_of(out, "use"), ".steps a")]


def test_withheld_pages_leave_no_trace_on_site_pages(site: Path) -> None:
    """A2: in no page, file name or list; media of withheld pages is not copied."""
    for file in site.rglob("*"):
        assert "hornmere" not in file.name
        assert not file.name.endswith(".pdf")
        if file.suffix in (".html", ".xml"):
            html = file.read_text("utf-8")
            assert "hornmere" not in html, file
            assert "hidden-tag" not in html
            assert "private scan" not in html
    assert "words" in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("words\n\n# 1. Use it\n\n# 2. Learn it", ["Burnout", "1. Use it", "2. Learn it"]),
        ("words\n\n# Burnout", ["Burnout"]),
        ("# 1. Use it\n\nwords", ["1. Use it"]),
        ("<div><img src='https://e.example/a.png' alt='A nerve'></div>\n\n# 1. Use it\n\nwords", ["1. Use it"]),
    ],
)
def test_title_is_above_a_text_that_begins_without_one(tmp_path: Path, text: str, titles: list[str]) -> None:
    """N5: as in Jekyll, Docusaurus and Starlight; in the Markdown of the page, too."""
    out = build_tree(tmp_path, {"a.md": f"---\ntitle: Burnout\n---\n{text}\n", "b.md": "words"})
    assert [node.text() for node in html_of(out, "a").css("article h1")] == titles
    lines = (out / "a/index.md").read_text("utf-8").splitlines()
    assert [line.removeprefix("# ").replace("\\", "") for line in lines if line.startswith("# ")] == titles


def test_title_has_an_anchor_unless_a_heading_has_it(tmp_path: Path) -> None:
    """`[[#Title]]` and `page.md#title` lead to the title; no id is on a page twice."""
    texts: dict[str, str | bytes] = {
        "plain.md": "# The Node\n\n[[#The Node]]\n",
        "twice.md": "# Content\n\nA.\n\n## Content\n\nB.\n",
        "folder/index.md": "# All of it\n",
        "label.md": "(label)=\n\n# Label\n",
        "folder/a.md": "A.\n",
    }
    out = build_tree(tmp_path, texts)
    assert html_of(out, "plain").css_first("h1#the-node") is not None
    assert html_of(out, "plain").css_first('article a[href="#the-node"]') is not None
    assert html_of(out, "folder").css_first("h1#all-of-it") is not None
    for file in out.rglob("*.html"):
        ids = [node.attributes["id"] for node in LexborHTMLParser(file.read_text("utf-8")).css("[id]")]
        assert len(ids) == len(set(ids)), file
