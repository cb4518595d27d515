"""A scope is part of the SQL that searches (S1, A5)."""

from ranvier import Library
from ranvier.query.scope import ScopeFilter
from ranvier.store.tables import NEURONS


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
