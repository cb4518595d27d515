"""The files of `ranvier index --pagefind` (N8): the data that Pagefind's API returns of each page."""

import json
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config
from ranvier_builder.check.stored import check_stored
from ranvier_builder.errors import OutputError
from ranvier_builder.pagefind import pagefind_files, write_module
from ranvier_builder.web.page import read_page
from ranvier_builder.web.site import site_text
from support.content import Tree, index_without_engine, read_tree, write_tree

KNOTS = """<html lang="en-GB"><main><h1>Knots</h1><p>Ropes  made fast.</p><img src=data:x><img src=/bend.png>
<h2 id=reef>Reef</h2><p>Flat <b>and</b> square.</p><h2>No anchor</h2><p>End.</p></main>
<meta data-pagefind-meta="author:Ada" data-pagefind-sort="weight:10" data-pagefind-filter="kind:Bend">"""


def data(pages: dict[str, str], lang: str = "en") -> dict[str, Any]:
    text = site_text([read_page(path, html.encode()) for path, html in sorted(pages.items())], Config(lang=lang))
    contents = pagefind_files(text.pages, text.rendered, lang)
    return {name: json.loads(content) for name, content in contents.items() if name.endswith(".json")}


def page_data(files: dict[str, Any], path: str) -> dict[str, Any]:
    (data,) = (pages[path] for name, pages in files.items() if name.startswith("pages/") and path in pages)
    return dict(data)


def sorts(values: list[str]) -> list[str]:
    pages = {f"{at}.html": f"<main><h1>{at}</h1><p data-pagefind-sort='key:{value}'>x" for at, value in enumerate(values)}
    return [values[int(path.removesuffix(".html"))] for path in data(pages)["sorts.json"]["key"]]


def test_data_of_a_page() -> None:
    """N8: content, words, anchors with their word, picture, properties and filters."""
    page = page_data(data({"knots/index.html": KNOTS}), "knots/index.html")
    assert page["raw_url"] == "/knots/"
    assert page["content"] == "Knots Ropes made fast. Reef Flat and square. No anchor End."
    assert page["word_count"] == 11
    assert page["anchors"] == [{"element": "h2", "id": "reef", "text": "Reef", "location": 4}]
    assert page["content"].split()[4] == "Reef"
    assert page["meta"] == {"title": "Knots", "image": "/bend.png", "author": "Ada"}
    assert page["filters"] == {"kind": ["Bend"]}


def test_meta_of_the_author_wins_and_keeps_its_names() -> None:
    """Fields that Ranvier understands, such as `date`, too."""
    html = """<main><h1>A</h1><img src=a.png><img src=b.png data-pagefind-meta="image[src], date:2026-01-02">
    <p data-pagefind-meta="title">Said</p><p data-pagefind-default-meta="author:Nobody">"""
    meta = page_data(data({"a.html": html}), "a.html")["meta"]
    assert meta == {"title": "Said", "image": "b.png", "date": "2026-01-02", "author": "Nobody"}


def test_ignored_parts_are_not_in_the_data() -> None:
    """A2: their text, pictures, filters and properties."""
    html = """<main><h1>A</h1><p>seen</p><div data-pagefind-ignore=all><img src=secret.png>secret
    <b data-pagefind-meta="x">secret</b><b data-pagefind-filter="x">secret</b><b data-pagefind-sort="x">secret</b></div>
    <h2 id=secret data-pagefind-ignore>secret</h2></main><footer>secret</footer>"""
    files = data({"a.html": html, "b.html": "<meta name=robots content=noindex><main>secret"})
    assert "secret" not in json.dumps(files)
    assert "seen" in json.dumps(files)


def test_filters_of_a_site_by_language() -> None:
    """With the number of pages of each value, and its tag in the search."""
    pages = {
        "a.html": "<html lang=de-AT><main><h1>A</h1><p data-pagefind-filter='Art'>Straße</p>",
        "b.html": "<html lang=de><main><h1>B</h1><p data-pagefind-filter='Art'>Straße</p><p data-pagefind-filter=Art>a/b</p>",
        "c.html": "<html lang=en><main><h1>C</h1>",
        "d.html": "<main><h1>D</h1><p data-pagefind-filter='kind:Bend'>",
    }
    langs = {"de-at": "de", "de": "de", "en": "en", "nb": "no"}
    german = [["Art", "Straße", "art/strasse", 2], ["Art", "a/b", "art/a/b", 1]]
    filters = {"de": german, "en": [], "no": [["kind", "Bend", "kind/bend", 1]]}
    assert data(pages, lang="nb")["site.json"] == {"langs": langs, "main": "de", "filters": filters}


def test_sort_keys_order_numbers_as_numbers_and_other_values_as_text() -> None:
    assert sorts(["10", "9", "-1.5"]) == ["-1.5", "9", "10"]
    assert sorts(["10", "9", "x"]) == ["10", "9", "x"]
    assert sorts(["nan", "2", "10"]) == ["10", "2", "nan"]
    assert data({"a.html": "<main><h1>A"})["sorts.json"] == {}


def test_index_writes_one_module_outside_of_its_folder(tree: Tree) -> None:
    """G1: it replaces Pagefind's, keeps the other files there, and a second run writes the same bytes."""
    site = tree({"a.html": KNOTS, "pagefind/pagefind.js": "theirs", "pagefind/pagefind-ui.js": "theirs"})
    before = read_tree(site)
    index_without_engine(site, pagefind=True)
    first = read_tree(site)
    outside = {name: text for name, text in first.items() if not name.startswith("_ranvier/")}
    changed_files = {name for name, text in outside.items() if before.get(name) != text}
    assert changed_files == {"pagefind/pagefind.js"}
    assert outside.keys() == before.keys()
    target = outside["pagefind/pagefind.js"].decode().removeprefix('export * from "../').removesuffix('";\n')
    assert target.startswith("_ranvier/pagefind-")
    assert b"createInstance" in first[target]
    assert target.removeprefix("_ranvier/") in first["_ranvier/written.txt"].decode().splitlines()
    index_without_engine(site, pagefind=True)
    assert read_tree(site) == first


def test_check_lists_the_files_and_finds_a_change(tree: Tree) -> None:
    """M1."""
    site = tree({"a.html": KNOTS})
    index_without_engine(site, pagefind=True)
    base = site / "_ranvier"

    def findings() -> list[tuple[str, str]]:
        findings = check_stored(base, lambda stage, count: None).findings
        return [(finding.check, finding.file) for finding in findings if "pagefind" in finding.file]

    assert findings() == []
    (module,) = base.glob("pagefind-*/search.js")
    module.write_bytes(module.read_bytes() + b"x")
    assert findings() == [("damaged_file", f"{module.parent.name}/")]


def test_no_module_is_written_unless_requested(tree: Tree) -> None:
    site = tree({"a.html": KNOTS})
    index_without_engine(site)
    assert [name for name in read_tree(site) if "pagefind" in name] == []


def test_index_without_pagefind_removes_an_older_module_of_its_own(tree: Tree) -> None:
    """G1: its target is gone. A module of Pagefind stays, and so do other files of the folder."""
    site = tree({"a.html": KNOTS})
    index_without_engine(site)
    without = read_tree(site)
    index_without_engine(site, pagefind=True)
    index_without_engine(site)
    assert read_tree(site) == without
    assert not (site / "pagefind").exists()
    write_tree(site, {"pagefind/pagefind.js": 'export * from "../other.js";\n', "pagefind/pagefind-ui.js": "theirs"})
    index_without_engine(site)
    assert (site / "pagefind/pagefind.js").exists()
    index_without_engine(site, pagefind=True)
    index_without_engine(site)
    assert [file.name for file in (site / "pagefind").iterdir()] == ["pagefind-ui.js"]


def test_module_leaves_the_site_by_no_link(tmp_path: Path) -> None:
    outside = write_tree(tmp_path / "outside", {"kept.js": "kept"})
    site = write_tree(tmp_path / "site", {"a.html": "x"})
    (site / "pagefind").symlink_to(outside)
    with pytest.raises(OutputError, match="symbolic link"):
        write_module(site, "_ranvier/pagefind-1/pagefind.js")
    (site / "pagefind").unlink()
    (site / "pagefind").mkdir()
    (site / "pagefind/pagefind.js").symlink_to(outside / "kept.js")
    write_module(site, "_ranvier/pagefind-1/pagefind.js")
    assert (outside / "kept.js").read_text() == "kept"
    assert (site / "pagefind/pagefind.js").read_text() == 'export * from "../_ranvier/pagefind-1/pagefind.js";\n'


@pytest.mark.parametrize("path", ["pagefind", "pagefind/pagefind.js/a.txt"])
def test_module_that_cannot_be_written_is_a_clear_error(tree: Tree, path: str) -> None:
    site = tree({"a.html": KNOTS, path: "mine"})
    with pytest.raises(OutputError, match=r"pagefind/pagefind.js: cannot be written: .*\n  cure: move away what has its name"):
        index_without_engine(site, pagefind=True)
    assert sorted(read_tree(site)) == ["a.html", path]


def test_pages_with_equal_digits_share_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier_builder.web.site.seq_id", lambda site, neuron: f"{site}_0badcafe")
    files = data({"a.html": "<main><h1>A", "b.html": "<main><h1>B"})
    titles = {path: page["meta"]["title"] for path, page in files["pages/0badcafe.json"].items()}
    assert titles == {"a.html": "A", "b.html": "B"}
