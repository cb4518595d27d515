"""Tag pages (G3)."""

from pathlib import Path

from ranvier_builder import Config
from ranvier_builder.model import Neuron, Page
from ranvier_builder.render.node import Node
from ranvier_builder.site.tags import free_folder, tags_of
from selectolax.lexbor import LexborHTMLParser
from support.content import build_tree, html_of


def node(slug: str, *tags: str) -> Node:
    page = Page(Neuron(f"{slug}.md", slug, "", tags=tags), 1, "s_1", slug, f"{slug}/", False)
    return Node(slug, slug, page)


def links(page: LexborHTMLParser, selector: str) -> list[tuple[str, str]]:
    return [(" ".join(link.text().split()), str(link.attributes["href"])) for link in page.css(selector)]


def test_spellings_of_a_tag_are_one_tag() -> None:
    """G3: the most frequent spelling is its name."""
    nodes = node("a", "python", "é"), node("b", "Python"), node("c", "Python", "python"), node("d", "É", "é", "é", "x")
    tags = [(tag.name, tag.slug, [node.slug for node in tag.nodes]) for tag in tags_of([*nodes]).values()]
    assert tags == [("Python", "python", ["a", "b", "c"]), ("x", "x", ["d"]), ("é", "é", ["a", "d"])]


def test_each_tag_has_an_address_of_its_own() -> None:
    """G3: in every script, also if nothing of it can stand in an address."""
    names = ("c", "c#", "C!", "c-2", "c 2", "a/b", "a-b", "日本語", "عربي", "!!!", "???", "con", "x" * 300, "../up", "page")
    tags = tags_of([node("n", *names)])
    slugs = {tag.name: tag.slug for tag in tags.values()}
    assert len(set(slugs.values())) == len(names)
    assert slugs["c"] == "c"
    assert (slugs["c 2"], slugs["c-2"], slugs["C!"]) == ("c-2", "c-2-2", "c-3")
    assert slugs["日本語"] == "日本語"
    assert slugs["con"] != "con", "Windows forbids it"
    assert not any(set(slug) & set("./\\#?") or len(slug.encode()) > 210 for slug in slugs.values())
    assert tags_of([node("n", *reversed(names))]).keys() == tags.keys()


def test_tag_pages_list_published_pages(tmp_path: Path) -> None:
    """G3, A2: a page names its tags, a tag its pages; tags of withheld pages appear nowhere."""
    files: dict[str, str | bytes] = {
        "a.md": '---\naudience: public\ntitle: "<A> & b"\ntags: [Axon, "<i>&"]\ncreated: 2026-01-02\n---\nText.\n',
        "b/index.md": "---\naudience: public\ntitle: B\ntags: [axon]\n---\nText.\n",
        "c.md": "---\naudience: curator\ntitle: C\ntags: [axon, thornmere]\n---\nText.\n",
    }
    out = build_tree(tmp_path, files, Config())
    assert links(html_of(out, "a"), ".facts .tags a") == [("#Axon", "../tags/axon/"), ("#<i>&", "../tags/i/")]
    assert links(html_of(out, "tags"), ".all-tags a") == [("#<i>& 1", "i/"), ("#Axon 2", "axon/")]
    assert links(html_of(out, "tags/axon"), ".children a") == [("<A> & b", "../../a/"), ("B", "../../b/")]
    assert html_of(out, "tags/i").css_first("h1").text() == "#<i>&"
    assert links(html_of(out, "tags/axon"), ".crumbs a")[1:] == [("Tags", "../")]
    assert links(html_of(out, "a"), ".bottom a") == [("Tags", "../tags/")]
    assert sorted(folder.name for folder in (out / "tags").iterdir()) == ["axon", "i", "index.html"]
    assert not [file for file in out.rglob("*.html") if "hornmere" in file.read_text("utf-8")]


def test_folder_of_the_content_keeps_its_address(tmp_path: Path) -> None:
    """G3: a page at `tags/` or below it moves the generated pages to `_tags/`."""
    assert free_folder("tags", ["", "a", "tagsoup"]) == "tags"
    assert free_folder("tags", ["tags"]) == "_tags"
    files: dict[str, str | bytes] = {"tags/axon.md": "---\ntitle: Mine\ntags: [axon]\nparent: a\n---\nText.\n", "a.md": "# A\n"}
    out = build_tree(tmp_path, files)
    assert html_of(out, "tags/axon").css_first("h1").text() == "Mine"
    assert links(html_of(out, "tags/axon"), ".tags a") == [("#axon", "../../_tags/axon/")]
    assert links(html_of(out, "_tags/axon"), ".children a") == [("Mine", "../../tags/axon/")]


def test_site_without_tags_has_no_tag_pages(tmp_path: Path) -> None:
    """G3."""
    out = build_tree(tmp_path, {"a.md": "# A\n"})
    assert not (out / "tags").exists()
    assert links(html_of(out, "a"), ".bottom a") == []
