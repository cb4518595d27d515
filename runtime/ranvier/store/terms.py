"""The files of the postings of words, ordered by term, each with leaves of both indexes, and the lists that name them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ranvier.store.files import Files, read_files, totals

BEYOND = b"\xff"  # above every term


@dataclass(frozen=True, slots=True)
class TermLookup:
    """A term or a prefix to look up, and the table to look in."""

    term: str
    prefix: bool = False
    table: str = "chunk_fts"


@dataclass(frozen=True, slots=True)
class TermTable:
    """The leaves of one FTS5 table in the files of a list, and the other files that a lookup in each file reads.

    `edges`: the last term on the last leaf; a lookup of it also reads the file `reach` positions further; 0: no other file.
    `until`: a lookup of a prefix below it starts at the leaf before the file's own, which is in the `back` files before.
    """

    pages: tuple[int, ...]  # of the database
    places: tuple[tuple[int, ...], ...]  # by file: indices of its `pages`, in order
    edges: tuple[bytes, ...]
    reach: tuple[int, ...]
    until: tuple[bytes, ...]
    back: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TermList:
    """Consecutive files. `first`: the first term of each file."""

    first: tuple[bytes, ...]
    files: Files
    tables: dict[str, TermTable]

    def files_of(self, table: str, term: str, *, prefix: bool = False) -> set[int]:
        """Return the files of this list that FTS5 reads for a term or a prefix."""
        if not self.first:
            return set()
        low = term.encode()
        high = low + BEYOND if prefix else low
        start, end = start_of(self.first, low), max(bisect_right(self.first, high) - 1, 0)
        files, table_leaves = {*range(start, end + 1)}, self.tables[table]
        edge = table_leaves.edges[end]
        if edge and (edge <= high if prefix else edge == low):
            files.add(end + table_leaves.reach[end])
        if prefix and low < table_leaves.until[start]:
            files.update(range(start - table_leaves.back[start], start))
        return files

    def pages_of(self, number: int) -> list[int]:
        """Return the database pages that a file holds, in order."""
        return [table.pages[place] for table in self.tables.values() for place in table.places[number]]

    def files_with(self, page: int) -> Iterator[int]:
        """Yield the files that hold a database page."""
        for table in self.tables.values():
            at = bisect_left(table.pages, page)
            if at < len(table.pages) and table.pages[at] == page:
                yield from (number for number, places in enumerate(table.places) if at in places)


@dataclass(frozen=True, slots=True)
class TermFiles:
    """The files of words in the manifest: the only list, or the files and first terms of the lists."""

    whole: tuple[TermList, ...]
    first: tuple[bytes, ...]
    lists: Files

    def lists_of(self, term: str, *, prefix: bool = False) -> range:
        """Return the lists that name the files of a term or a prefix."""
        if not self.first:
            return range(len(self.whole))
        low = term.encode()
        high = low + BEYOND if prefix else low
        return range(start_of(self.first, low), max(bisect_right(self.first, high), 1))


def start_of(first: Sequence[bytes], term: bytes) -> int:
    """Return the first file that may contain a term, given the first terms of the files; several files may share one."""
    at = bisect_left(first, term)
    return at if at < len(first) and first[at] == term else max(at - 1, 0)


def read_term_list(raw: Any) -> TermList:
    """Decode a list from the manifest or a pack."""
    tables = {
        name: TermTable(
            pages=totals(table["pages"]),
            places=tuple(map(totals, table["places"])),
            **{key: tuple(table[key]) for key in ("edges", "reach", "until", "back")},
        )
        for name, table in raw["tables"].items()
    }
    return TermList(tuple(raw["first"]), read_files("index", raw["files"]), tables)
