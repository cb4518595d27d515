"""The leaves of an FTS5 table that hold a term, computed before any of them is fetched."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from ranvier.errors import FormatError
from ranvier.store.manifest import Leaves

_CACHE_MAX = 4096  # terms
_MAIN = b"0"  # FTS5 writes this byte before every term of the main index


@dataclass(frozen=True, slots=True)
class TermLookup:
    """A term or a prefix to look up, and the table to look in."""

    term: str
    prefix: bool = False
    table: str = "chunk_fts"


@dataclass(frozen=True, slots=True)
class Postings:
    """One FTS5 table whose interior pages are loaded. `edges` are the last terms of leaves, by leaf number."""

    table: str
    leaves: Leaves
    edges: dict[int, bytes]
    segment: int
    _cache: dict[TermLookup, frozenset[int]] = field(default_factory=dict, compare=False, repr=False)

    def files(self, db: sqlite3.Connection, lookup: TermLookup) -> frozenset[int]:
        """Return the files of all leaves that FTS5 reads for a term. Results are cached, because a search repeats them.

        FTS5 starts at the last leaf whose separator is not above the term. It reads the next leaf only if the term, or the last
        term with the prefix, is the last one of its leaf.
        """
        rows = self._cache.get(lookup)
        if rows is None:
            if len(self._cache) >= _CACHE_MAX:
                self._cache.clear()
            rows = self._cache[lookup] = self._files(db, lookup)
        return rows

    def _files(self, db: sqlite3.Connection, lookup: TermLookup) -> frozenset[int]:
        low = _MAIN + lookup.term.encode()
        high = low + b"\xff" if lookup.prefix else low
        first, last = self._leaf(db, low)[0], self._leaf(db, high)
        edge = self.edges.get(last[0])
        runs_on = edge is not None and (edge <= high if lookup.prefix else edge == low)
        leaves = range(first, (last[1] if runs_on else last[0]) + 1)
        return frozenset(number for leaf in leaves if (number := self.leaves.file_of_leaf(leaf)) >= 0)

    def _leaf(self, db: sqlite3.Connection, term: bytes) -> tuple[int, int]:
        """Return the leaf in which a term would start, and the next leaf in which any term starts."""
        start_sql = f"SELECT pgno >> 1 FROM {self.table}_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1"
        next_sql = f"SELECT pgno >> 1 FROM {self.table}_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1"
        start_row = db.execute(start_sql, (self.segment, term)).fetchone()
        next_row = db.execute(next_sql, (self.segment, term)).fetchone()
        start = start_row[0] if start_row else 1
        return start, next_row[0] if next_row else max(start, self.leaves.last_leaf)


def read_postings(db: sqlite3.Connection, table: str, leaves: Leaves, edges: list[Any]) -> Postings:
    """Read a table whose interior pages are here; raise `FormatError` if it has more than one segment."""
    if not table.replace("_", "").isalpha():
        raise FormatError(f"no table is called {table!r}")
    rows = db.execute(f"SELECT DISTINCT segid FROM {table}_idx").fetchall()
    if len(rows) > 1:
        raise FormatError("the index has more than one segment: it was not optimised when it was built")
    leaf, parts = 0, {}
    for step, term in edges:
        leaf += step
        parts[leaf] = _MAIN + term.encode()
    return Postings(table, leaves, parts, rows[0][0] if rows else 0)
