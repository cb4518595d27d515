"""A scope is part of the SQL that searches (S1, A5)."""

from pathlib import Path
from typing import Any

import pytest
from ranvier import Caller, Library
from ranvier.query.scope import ScopeFilter
from ranvier.store.tables import NEURONS
from support.whole_site import open_site, whole_site


def test_scope_needs_one_full_text_search(library: Library) -> None:
    """S1, A5: SQLite filters the rows of one search; it does not search again for each rowid."""
    narrowed, values = ScopeFilter(range(1, 60)).condition(NEURONS, library.engine.snapshot.manifest.chunks_of)
    sql = f"EXPLAIN QUERY PLAN SELECT rowid FROM neuron_fts WHERE neuron_fts MATCH ?{narrowed} ORDER BY rank"
    plan = library.run(library.engine.snapshot.query(sql, ('"kestrel"', *values)))
    scan = next(line for *_, line in plan if "neuron_fts" in line)
    assert "=" not in scan.partition("INDEX")[2], "the plan of a virtual table has `=` where SQLite passes a rowid"


def test_invalid_time_finds_no_page(library: Library) -> None:
    """S1: not those without a date either."""
    assert library.search("", return_all=True).hits
    result = library.search("", return_all=True, time="2026-02-30")
    assert (result.hits, [notice.code for notice in result.notices]) == ((), ["bad-time"])


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        ("-#NERVE", {"tags": ("-nerve",)}),
        ("-#nerve -tag:setup", {"tags": ("-nerve", "-setup")}),
        ("-path:guide", {"path": ("-guide",)}),
        ("-kind:guide -lang:de", {"kind": ("-guide",), "lang": ("-de",)}),
    ],
)
def test_filter_with_a_minus_leaves_pages_out(library: Library, query: str, scope: dict[str, tuple[str, ...]]) -> None:
    """The pages without it and those with it are all pages of the site; the query and the options of a call are alike."""

    def paths(query: str, **options: Any) -> list[str]:
        return [hit.path for hit in library.search(query, return_all=True, **options).hits]

    without = paths(query)
    assert without == paths("", **scope)
    assert 0 < len(without) < len(paths(""))
    within = {path for name, values in scope.items() for path in paths("", **{name: [value[1:] for value in values]})}
    assert sorted([*without, *within]) == sorted(paths(""))


def test_name_that_begins_with_a_minus_is_no_exclusion(library: Library) -> None:
    """The box writes `path:-inbox` for the folder -inbox: its pages, or those that the preset `vault` shows first."""
    assert library.search("nerve path:-inbox").hits == library.search("nerve path:inbox").hits
    assert not any(hit.is_filter_result for hit in library.search("nerve tag:-inbox", preset="vault").hits)


@pytest.mark.parametrize("query", ["nerve -path:*", "nerve #nerve -#nerve"])
def test_filters_that_leave_out_all_pages_find_nothing(library: Library, query: str) -> None:
    """They were searched as words, which found the pages that they leave out."""
    result = library.search(query)
    assert (result.hits, result.notices) == ((), ())


def test_query_for_a_page_has_priority_over_the_title_of_a_scope(library: Library) -> None:
    """The title has a minus at its beginning, which is no sign of an exclusion."""
    assert not library.search("[[-nothing]]", titles=library.search("nerve").hits[0].title).hits


def test_filter_with_a_minus_is_added_to_the_scope_of_the_call(library: Library) -> None:
    """Another filter replaces it."""

    def paths(query: str) -> set[str]:
        return {hit.path for hit in library.search(query, return_all=True, path="guide").hits}

    assert paths("-path:guide/install.md") == paths("") - {"guide/install.md"}
    assert paths("path:guide/install.md -path:guide/upgrade.md") == {"guide/install.md"}
    assert len(paths("")) > 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("path:api", "de/api/c.md en/api/a.md en/api/b.md"),
        ("-path:api", "en/api.md guide/d.md guide/en/e.md"),
        ("path:API/c.md", ""),
        ("path:api/c.md", "de/api/c.md"),
        ("path:b.md", "en/api/b.md"),
        ("path:api/*b*", "en/api/b.md"),
        ("path:en -path:api", "en/api.md"),  # the first folder, not guide/en
        ("-path:en", "de/api/c.md guide/d.md guide/en/e.md"),
        ("path:guide path:api/a.md", "en/api/a.md guide/d.md guide/en/e.md"),
    ],
)
def test_path_that_no_page_begins_with_is_of_a_deeper_folder(tmp_path: Path, query: str, expected: str) -> None:
    """S1, A5: `-path:api` left out nothing. What the caller may not see changes nothing."""
    files = {f"{path}.md": "---\naudience: public\n---\n# A quay\n" for path in ("en/api/a", "en/api/b", "en/api", "de/api/c")}
    files |= {f"guide/{path}.md": "---\naudience: public\n---\n# A quay\n" for path in ("d", "en/e")}
    files |= {"api/secret.md": "# A quay\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        result = library.search(f"quay {query}", caller=Caller("public"))
        if expected:
            assert " ".join(sorted(hit.path for hit in result.hits)) == expected
        else:
            assert [notice.code for notice in result.notices][:1] == ["unknown-filter"]
        if "-" not in query:  # which is a word in this preset
            hits = library.search(query, caller=Caller("public"), preset="vault").hits
            assert {hit.path for hit in hits} >= set(expected.split()), "its filters guarantee, and do not narrow"
