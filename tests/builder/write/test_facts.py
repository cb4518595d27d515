"""The tables of facts about Neurons: nothing of withheld or unsearched pages (N1, N2, N3, N4, N5, N6, A2, A4, A6)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Chunk, Link, Neuron, Page, Rendered
from ranvier_builder.write.facts import Collection
from support.content import build_tree, drive, index_without_engine, write_tree
from support.shared import site_fixture
from support.stores import make_store, open_store

CONFIG = Config(title="Garden", default_audience="public", audience={"staff": "tool"}, publish_for="curator", lang="en-GB")
TREE: dict[str, str | bytes] = {
    "index.md": "# Home\n\nSee [[Axon]] and [[hidden/secret]] and [home](index.md) and [gone](gone.md).\n",
    "cells/index.md": "---\ntitle: Cells\nweight: 2.5\nid: cells-id\n---\nAll [[axon]], [[axon|again]].\n",
    "cells/axon.md": (
        "---\ntitle: The Axon\naliases: [Nerve Fibre]\ntags: [Bio/Cell, bio, Ångström]\nlang: de-AT\nkind: note\n"
        "role: definition\n"
        "created: 2024-01-05\nupdated: 2025-02-03\nsource_type: paper\nconfidence: 0.75\n"
        "derived_from: [cells-id, '[[Myelin]]', nowhere]\n"
        "user_note: Shared with all {#claim-ab12cd34}\nuser_note_shared: true\n---\nLang.\n"
    ),
    "cells/deep/er/myelin.md": "---\ntitle: Myelin\nuser_note: mine alone\naudience: [staff]\n---\nFat. [[../../axon]]\n",
    "2024-05-06.md": "A day. [[The Axon]]\n",
    "moved.md": "---\nparent: The Axon\naudience: [curator, tool]\nderived_from: moved\n---\nMoved.\n",
    "hidden/secret.md": (
        "---\nnoindex: true\naliases: [Cloak]\ntags: [dagger]\nuser_note: psst\nuser_note_shared: true\n---\n"
        "Not searched. [[Axon]]\n"
    ),
    "private.md": "---\naudience: []\n---\nWithheld. [[Axon]]\n",
}
site = site_fixture(build_tree, TREE, CONFIG)


def rows(site: Path, sql: str, *packs: str) -> list[Any]:
    with open_store(site) as reader:
        return reader.rows(sql, (), *packs)


@pytest.fixture(scope="module")
def numbers(site: Path) -> dict[str, int]:
    return {path: number for path, number in rows(site, "SELECT path, n FROM neuron ORDER BY n", "neuron")}


def test_neurons_are_numbered_in_the_order_of_chunks(site: Path, numbers: dict[str, int]) -> None:
    """Withheld and unsearched pages have no number."""
    assert sorted(numbers) == sorted(path for path in TREE if path not in ("hidden/secret.md", "private.md"))
    assert sorted(numbers.values()) == list(range(1, 7))
    with open_store(site) as reader:
        assert reader.snapshot.manifest.neuron_count == 6
        assert reader.snapshot.manifest.langs == ("en", "de")


def test_fields_of_a_neuron_row(site: Path, numbers: dict[str, int]) -> None:
    columns = "id, slug, title, url, folder, kind, modality, lang, role, level, day"
    columns += ", created, updated, source_type, confidence, weight"
    results = {path: rest for path, *rest in rows(site, f"SELECT path, {columns} FROM neuron", "neuron")}
    assert results["cells/axon.md"] == [
        *("cells/axon.md", "cells/axon", "The Axon", "cells/axon/", "cells", "note", "text", "de", "definition", 0, ""),
        *("2024-01-05", "2025-02-03", "paper", 0.75, 1.0),
    ]
    assert results["2024-05-06.md"][4:11] == ["", "daily", "text", "en", "", 0, "2024-05-06"]
    assert results["cells/index.md"][0] == "cells-id"
    assert results["cells/index.md"][-1] == 2.5


def test_level_of_a_neuron_is_its_least_audience(site: Path) -> None:
    """A1, A5: also with configured names of audiences."""
    results = dict(rows(site, "SELECT path, level FROM neuron", "neuron"))
    assert {path: level for path, level in results.items() if level} == {"cells/deep/er/myelin.md": 1, "moved.md": 1}


def test_parent_is_the_nearest_page_above(site: Path, numbers: dict[str, int]) -> None:
    """N5, S1: by folder, unless the frontmatter names a parent. A folder without a page is skipped."""
    names = {number: path for path, number in numbers.items()} | {None: ""}
    results = {path: names[parent] for path, parent in rows(site, "SELECT path, parent FROM neuron", "neuron")}
    below = dict.fromkeys(("cells/index.md", "2024-05-06.md"), "index.md") | {"moved.md": "cells/axon.md", "index.md": ""}
    assert results == below | dict.fromkeys(("cells/axon.md", "cells/deep/er/myelin.md"), "cells/index.md")


def test_names_are_stored_as_whole_terms(site: Path, numbers: dict[str, int]) -> None:
    """Title, aliases, file name and address, without stemming."""
    names = rows(site, f"SELECT name FROM name WHERE n = {numbers['cells/axon.md']}", "neuron")
    assert {*names} == {("the=axon=",), ("nerve=fibre=",), ("axon=",), ("cells=axon=",)}


def test_tags_are_stored_with_every_prefix(site: Path, numbers: dict[str, int]) -> None:
    """N2."""
    axon = numbers["cells/axon.md"]
    assert rows(site, "SELECT tag, n, own FROM tag", "tag") == [("bio", axon, 1), ("bio/cell", axon, 1), ("ångström", axon, 1)]


def test_links_between_searched_pages_are_stored_once(site: Path, numbers: dict[str, int]) -> None:
    """N4: resolved, and not to the page itself."""
    result = rows(site, "SELECT source, target FROM link", "link")
    axon = numbers["cells/axon.md"]
    sources = ("index.md", "cells/index.md", "cells/deep/er/myelin.md", "2024-05-06.md")
    assert sorted(result) == sorted((numbers[path], axon) for path in sources)
    assert rows(site, f"SELECT count(*) FROM link INDEXED BY link_target WHERE target = {axon}", "link") == [(4,)]
    with open_store(site) as reader:
        assert [reader.snapshot.linked[number - 1] for number in numbers.values()] == [
            4 * (n == axon) for n in numbers.values()
        ]


def test_derived_from_is_resolved_to_published_pages(site: Path, numbers: dict[str, int]) -> None:
    """R1: by id, path or name. Unknown names and the page itself are dropped."""
    axon = numbers["cells/axon.md"]
    expected = sorted([(axon, numbers["cells/index.md"]), (axon, numbers["cells/deep/er/myelin.md"])])
    assert rows(site, "SELECT n, source FROM derived", "link") == expected


def test_only_shared_notes_are_stored_without_claim_anchors(site: Path, numbers: dict[str, int]) -> None:
    """A4, A6."""
    assert rows(site, "SELECT n, text FROM note", "note") == [(numbers["cells/axon.md"], "Shared with all")]


def test_vocabulary_has_folded_words_of_searched_pages(site: Path) -> None:
    """Numbers are left out."""
    with open_store(site) as reader:
        words = drive(reader.snapshot.vocabulary.words([""]), reader.source)[0]
    assert {"axon", "fibre", "nerve", "angstrom", "myelin", "moved"} <= words.keys()
    assert words["axon"] == 5, "the number of Neurons, not of occurrences"
    assert not words.keys() & {"cloak", "dagger", "psst", "withheld", "searched", "private", "2024"}


def test_indexed_html_site_has_the_same_tables(tmp_path: Path) -> None:
    """N8."""
    page = "<html lang={}><head><title>{}</title></head><body><main><h1>{}</h1><p>{}</p></main></body></html>"
    files = {
        "index.html": page.format("en", "Home", "Home", "Welcome to everybody."),
        "guide/index.html": page.format("en", "Guide", "Guide", "How it goes."),
        "guide/sub/start.html": page.format("fr", "Départ", "Départ", "Commencer ici."),
    }
    index_without_engine(write_tree(tmp_path, dict(files)))
    result = {row[0]: row[1:] for row in rows(tmp_path, "SELECT path, n, parent, lang, folder, level FROM neuron", "neuron")}
    (home, *home_fields), (guide, *guide_fields), (_, *start_fields) = (result[path] for path in files)
    assert home_fields == [None, "en", "", 0]
    assert guide_fields == [home, "en", "guide", 0]
    assert start_fields == [guide, "fr", "guide/sub", 0]


def one_page(path: str = "a.md", **values: Any) -> Rendered:
    slug = path.removesuffix(".md")
    neuron = replace(Neuron(path, "T", "", id=path), **values)
    return Rendered(Page(neuron, 1, f"site_{slug}", slug, f"{slug}/", False), "", (), (Chunk("", (), "text"),))


def test_weights_that_are_an_order_are_stored_as_one(tmp_path: Path) -> None:
    make_store(tmp_path, [one_page(f"p{at}.md", weight=weight) for at, weight in enumerate((1.0, 10.5, 3.0))])
    with open_store(tmp_path / "base") as reader:
        assert [*reader.snapshot.weights] == [16, 16, 16]


def test_link_count_is_capped_to_a_byte(tmp_path: Path) -> None:
    pages = [one_page(f"p{at}.md") for at in range(300)]
    make_store(tmp_path, [replace(page, links=(Link("p0", "p0"),)) for page in pages])
    with open_store(tmp_path / "base") as reader:
        assert reader.snapshot.linked[0] == 255
        assert reader.rows("SELECT count(*) FROM link", (), "link") == [(299,)]


def test_tag_of_thousands_of_levels_takes_linear_time(tmp_path: Path) -> None:
    make_store(tmp_path, [one_page(tags=("/".join(["t"] * 5000),))])
    with open_store(tmp_path / "base") as reader:
        assert reader.rows("SELECT count(*), sum(own), max(length(tag)) FROM tag", (), "tag") == [(32, 1, 9999)]


def test_pages_with_equal_names_are_both_stored(tmp_path: Path) -> None:
    make_store(tmp_path, [one_page("a/x.md"), one_page("b/x.md")], collection=Collection("site"))
    with open_store(tmp_path / "base") as reader:
        assert reader.rows("SELECT n FROM name WHERE name = 'x='", (), "neuron") == [(1,), (2,)]
