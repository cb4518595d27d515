"""An opened snapshot: SQLite over pages that arrive when they are needed.

Nothing here reads a file or a socket. What is missing is *asked for*: methods are generators that yield a `Need` and are sent
the bytes. Before a query runs, the hot pages tell which posting leaves its terms lie in, so that all of them are fetched in one
parallel round. A page that was not foreseen makes SQLite's read fail; it is asked for, and the query runs again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, TypeVar

from ranvier.errors import FetchError, FormatError
from ranvier.store.docsize import decode, leaf_page
from ranvier.store.format import checked, unpack
from ranvier.store.manifest import Files, Manifest
from ranvier.types import Need

T = TypeVar("T")
Steps = Generator[Need, Mapping[str, bytes], T]

_MAIN = b"0"  # FTS5 writes this byte before every term of the main index


class PageFile(Protocol):
    """A database file of which only some pages are there. Page numbers are SQLite's, from 1."""

    @property
    def path(self) -> str:
        """Where SQLite opens it, quoted for a URI."""

    def reserve(self, page_size: int, page_count: int) -> None:
        """Make the file as large as the whole database, with nothing in it yet."""

    def put(self, first_page: int, data: bytes) -> None:
        """Keep a run of pages."""

    def take_misses(self) -> list[int]:
        """Return the pages that were read but not there since the last call, or all that may have been."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A term to look up: as it stands in the index, or as the start of one."""

    term: str
    prefix: bool = False


class Snapshot:
    """The posting half of a snapshot. `rounds` and `misses` count what was asked for, and what was not foreseen."""

    def __init__(self, manifest: Manifest, hot: bytes, pages: PageFile) -> None:
        self.manifest = manifest
        self.rounds = 0
        self.misses = 0
        self._pages = pages
        self._loaded: set[int] = set()
        pages.reserve(manifest.page_size, manifest.page_count)
        self._edges = self._keep_hot(unpack("the hot pack", hot))
        self._db = self._connect()
        self._segment = self._one_segment()

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def query(self, sql: str, parameters: tuple[Any, ...], sought: Iterable[Sought]) -> Steps[list[Any]]:
        """Run a query, having fetched what its terms will read."""
        yield from self._have({number for one in sought for number in self._files(one)})
        while True:
            try:
                return self._db.execute(sql, parameters).fetchall()
            except sqlite3.DatabaseError:
                missed = {self.manifest.file_of_page(page) for page in self._pages.take_misses()} - self._loaded
                if not missed:
                    raise
            # A page that failed may sit in SQLite's cache as it was; a new connection has none.
            self.misses += len(missed)
            self._db.close()
            self._db = self._connect()
            yield from self._have(missed)

    def _have(self, wanted: set[int]) -> Steps[None]:
        files = self.manifest.index
        todo = sorted(wanted - self._loaded)
        got = yield from fetch(files, todo)
        self.rounds += bool(todo)
        for number, data in zip(todo, got, strict=True):
            self._put(self.manifest.pages_of(number), data)
            self._loaded.add(number)

    def _put(self, numbers: tuple[int, ...], data: bytes) -> None:
        size = self.manifest.page_size
        for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
            pairs = list(run)
            self._pages.put(pairs[0][1], data[pairs[0][0] * size : (pairs[-1][0] + 1) * size])

    def _keep_hot(self, hot: Any) -> dict[int, bytes]:
        for first, data in hot["pages"]:
            self._pages.put(first, data)
        sizes = hot["docsize"]
        blobs = decode(sizes["columns"], sizes["plane"], sizes["large"])
        at = 0
        for page, first_row, rows in sizes["pages"]:
            self._pages.put(page, leaf_page(self.manifest.page_size, first_row, blobs[at : at + rows]))
            at += rows
        leaf, edges = 0, {}
        for step, term in hot["edges"]:
            leaf += step
            edges[leaf] = _MAIN + term.encode()
        return edges

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._pages.path}?mode=ro&immutable=1", uri=True)

    def _one_segment(self) -> int:
        rows = self._db.execute("SELECT DISTINCT segid FROM chunk_fts_idx").fetchall()
        if len(rows) > 1:
            raise FormatError("the index has more than one segment: it was not optimised when it was built")
        return rows[0][0] if rows else 0

    def _files(self, sought: Sought) -> set[int]:
        """Return the index files that hold every leaf which FTS5 reads for a term.

        It starts at the last leaf whose separator is not above the term, and goes on to the next leaf only where nothing
        on this one ends the search: where the term, or the last with this prefix, is the last on its leaf.
        """
        low = _MAIN + sought.term.encode()
        high = low + b"\xff" if sought.prefix else low
        first, last = self._leaf(low)[0], self._leaf(high)
        edge = self._edges.get(last[0])
        runs_on = edge is not None and (edge <= high if sought.prefix else edge == low)
        leaves = range(first, (last[1] if runs_on else last[0]) + 1)
        return {number for leaf in leaves if (number := self.manifest.file_of_leaf(leaf)) >= 0}

    def _leaf(self, term: bytes) -> tuple[int, int]:
        """Return the leaf in which a term would start, and the next one in which any term starts."""
        at = "SELECT pgno >> 1 FROM chunk_fts_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1"
        after = "SELECT pgno >> 1 FROM chunk_fts_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1"
        here = self._db.execute(at, (self._segment, term)).fetchone()
        then = self._db.execute(after, (self._segment, term)).fetchone()
        start = here[0] if here else 1
        return start, then[0] if then else max(start, self.manifest.last_leaf)


def fetch(files: Files, numbers: list[int]) -> Steps[list[bytes]]:
    """Ask for files in one round; return their checked, inflated contents in the same order."""
    if not numbers:
        return []
    names = [files.name(number) for number in numbers]
    got = yield Need(tuple(names))
    out = []
    for number, name in zip(numbers, names, strict=True):
        if name not in got:
            raise FetchError(name, "was not delivered")
        out.append(checked(name, got[name], files.digest(number)))
    return out
