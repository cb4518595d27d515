"""A scope is part of the SQL that searches (S1, A5)."""

from __future__ import annotations

from ranvier import Library
from ranvier.query.scope import ScopeFilter


def test_scope_needs_one_full_text_search(library: Library) -> None:
    """S1, A5: SQLite filters the rows of one search; it does not search again for each rowid."""
    narrowed, values = ScopeFilter(range(1, 60)).of_neurons()
    sql = f"EXPLAIN QUERY PLAN SELECT rowid FROM neuron_fts WHERE neuron_fts MATCH ?{narrowed} ORDER BY rank"
    plan = library.run(library.engine.snapshot.query(sql, ('"kestrel"', *values)))
    scan = next(line for *_, line in plan if "neuron_fts" in line)
    assert "=" not in scan.partition("INDEX")[2], "the plan of a virtual table has `=` where SQLite passes a rowid"
