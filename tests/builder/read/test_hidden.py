"""Pages that settings of other systems keep out of their search or their menus."""

from pathlib import Path

import pytest
from ranvier_builder.pipeline import survey
from support.content import OPEN, build_tree, write_tree

_NEXTRA = '{"index": "Home", "a": {"title": "A", "display": "hidden"}, "b": {"display": "hidden"}, "c": {"display": "normal"}}'
_GROUPS = '{"groups": [{"group": "X", "pages": ["index", "c"]}, {"group": "Y", "hidden": true, "pages": ["a"]}]}'
_DEFAULTS = """
defaults:
- {scope: {path: b}, values: {search_exclude: true}}
- {scope: {path: a.md}, values: {nav_exclude: true}}
"""
_CASCADE = "---\ncascade: {build: {list: never}}\n---\n"
_TARGET = "---\ncascade: [{target: {path: '/b/**'}, params: {bookSearchExclude: true}}, {target: {kind: x}, noindex: 1}]\n---\n"
_SETTINGS = "baseURL = '/'\n[[cascade]]\ntoc_hide = true\ntarget = {path = '/{a,c}'}\n"


@pytest.mark.parametrize(
    ("files", "unsearched", "unlisted"),
    [
        ({"_meta.json": _NEXTRA}, "", "a b/d b/index"),
        ({"_meta.ts": f"export default {_NEXTRA}"}, "", "a b/d b/index"),
        ({"b/_meta.js": "export default { d: { display: 'hidden' } }"}, "", "b/d"),
        ({"_meta.json": '{"FAQ": {"display": "hidden"}}', "FAQ.md": ""}, "", "FAQ"),
        ({"docs.json": '{"navigation": ["index", "a", "c", "b/index", "b/d"]}', "b.md": ""}, "b", "b"),
        ({"b/.meta.yml": "search: {exclude: true}", "b.md": ""}, "b/d b/index", ""),
        (
            {"docs.json": '{"navigation": ["a", "c.md", "b/d", "b/index"]}', "mint.json": '{"navigation": "a"}'},
            "index",
            "index",
        ),
        ({"docs.json": f'{{"navigation": {_GROUPS}}}'}, "a b/d b/index", "a b/d b/index"),
        ({"docs.json": f'{{"navigation": {_GROUPS}, "seo": {{"indexing": "all"}}}}'}, "", "a b/d b/index"),
        ({"docs.json": '{"navigation": {"pages": ["x"]}}'}, "", ""),
        ({"docs.json": '{"navigation": {"pages": ["a", {"$ref": "b.json"}]}}'}, "", ""),
        ({"b/.meta.yml": "search: {exclude: true}"}, "b/d b/index", ""),
        ({"b/b.json": '{"eleventyExcludeFromCollections": true}'}, "", "b/d b/index"),
        ({"b/.pages": "hide: true"}, "", "b/d b/index"),
        ({"../mkdocs.yml": "plugins: [{exclude-search: {exclude: [a.md, 'b/*']}}]"}, "a b/d b/index", ""),
        ({"_config.yml": _DEFAULTS}, "b/d b/index", "a"),
        ({"../hugo.toml": "title = 'x'", "e/_index.md": _CASCADE, "e/f.md": ""}, "e/_index e/f", "e/_index e/f"),
        ({"../hugo.toml": "title = 'x'", "_index.md": _TARGET}, "b/index", ""),
        ({"../hugo.toml": _SETTINGS}, "", "a c"),
    ],
)
def test_settings_hide_pages(tmp_path: Path, files: dict[str, str], unsearched: str, unlisted: str) -> None:
    """N1: the pages are published."""
    pages = dict.fromkeys(("index.md", "a.md", "c.md", "b/index.md", "b/d.md"), "# Page\n")
    rendered = survey(write_tree(tmp_path / "x" / "content", pages | files), OPEN).rendered
    neurons = {page.page.neuron.path.removesuffix(".md"): page.page.neuron for page in rendered}
    assert sorted(name for name, neuron in neurons.items() if neuron.noindex) == unsearched.split()
    assert sorted(name for name, neuron in neurons.items() if neuron.unlisted) == unlisted.split()


def test_page_is_hidden_in_the_next_build(tmp_path: Path) -> None:
    """N5: its file is the same. The proof compares the site with one of the public files."""
    files = {"index.md": "# Home\n", "a.md": "# Kestrel\n", "p.md": "---\naudience: curator\n---\n# P\n"}
    assert "Kestrel" in (build_tree(tmp_path, files) / "index.html").read_text()
    site = build_tree(tmp_path, files | {"_meta.json": '{"a": {"display": "hidden"}}'})
    assert "Kestrel" not in (site / "index.html").read_text()
    assert "Kestrel" in (site / "a" / "index.html").read_text()
