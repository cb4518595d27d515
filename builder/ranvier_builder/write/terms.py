"""Posting leaves of the word indexes → files by term range: usually one file has all data of a term.

A query looks up each term in both indexes. So a file holds the leaves of both between two terms. A leaf at the edge with
earlier terms is also in the file before. Lists name the files, and hold the pages that SQLite reads on the way to them.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ranvier.store.files import steps

from ranvier_builder.write.btree import Pages
from ranvier_builder.write.leaves import last_term

AFTER_ALL_TERMS = b"\xff" * 8  # above every term
WHOLE = 384  # up to this number of files there is a single list, in the manifest; above it …
LISTED = 128  # … each list names this many
LONG = 64  # maximum of pages in a file for one term's postings: a lookup of the term reads all of them
# Pages per file, by the pages of both indexes: small files save bytes, large ones save requests.
_PAGES_PER_FILE = ((2 << 10, 3), (16 << 10, 4))
_PAGES_PER_LARGE = 6


@dataclass(frozen=True, slots=True)
class Index:
    """One FTS5 table. `cold`: posting leaf → page, for the leaves that go into files; the roots are those of its b-trees."""

    name: str
    cold: Mapping[int, int]
    last_leaf: int
    data_root: int
    idx_root: int
    parents: Mapping[int, int]  # page → parent
    hot: frozenset[int]  # pages above leaves that are in no file
    skips: Mapping[int, list[int]]  # posting leaf → pages with doclist indexes that start there


@dataclass(slots=True)
class _File:
    """A file: its first term, and for each table its leaves and the other files that must be read.

    `edges`: the last term on the last leaf; `reach`: distance to the file with the next leaf, 0 for none.
    `until`: the lookup of smaller prefixes starts at a leaf before the file's own; the leaves between start `back` files
    earlier.
    """

    first: bytes
    leaves: dict[str, list[int]] = field(default_factory=dict)
    edges: dict[str, bytes] = field(default_factory=dict)
    reach: dict[str, int] = field(default_factory=dict)
    until: dict[str, bytes] = field(default_factory=dict)
    back: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TermList:
    """Consecutive files, and the pages that SQLite reads before theirs. `head`: the description for the reader."""

    first: bytes
    head: dict[str, Any]
    files: Sequence[bytes]
    own_pages: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Item:
    """Leaves of one table. `begins`: a single leaf on which terms start; else leaves that continue the term `key`."""

    key: bytes
    table: str
    begins: bool
    leaves: list[int]


@dataclass(slots=True)
class _Table:
    """Where terms start: sorted separators, the leaf of each, and the last term on this leaf.

    `split_rows`: leaf → the leaves after it that the first row of its last term continues on. After the terms with a prefix,
    FTS5 reads the term that follows them, with its first row. So a file has these leaves, too.
    """

    index: Index
    separators: list[bytes] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    last: list[bytes] = field(default_factory=list)
    split_rows: dict[int, range] = field(default_factory=dict)

    def with_rows(self, leaves: Iterable[int]) -> list[int]:
        """Return the cold ones of some leaves, and of those that their last terms' first rows continue on."""
        every = {page for leaf in leaves for page in (leaf, *self.split_rows.get(leaf, ()))}
        return sorted(every & self.index.cold.keys())


def term_lists(
    db: sqlite3.Connection,
    pages: Pages,
    indexes: Sequence[Index],
    per_file: int | None,
    files_per_list: int | None,
) -> list[TermList]:
    """Distribute the cold leaves of the indexes over files, and the files over lists."""
    tables = {index.name: _read(db, index) for index in indexes}
    total = sum(len(index.cold) for index in indexes)
    per = per_file or next((count for limit, count in _PAGES_PER_FILE if total <= limit), _PAGES_PER_LARGE)
    files = _finish([*_cut(_items(tables.values()), per)], tables)
    files_per_list = files_per_list or (len(files) if len(files) <= WHOLE else LISTED)
    not_first = _not_first(files)
    lists, at = [], 0
    while at < len(files):
        end = min(at + files_per_list, len(files))
        while end in not_first:
            end += 1
        _complete(files[end - 1], tables)
        lists.append(_list(pages, tables, files[at:end], files[end].first if end < len(files) else None))
        at = end
    return lists


def _not_first(files: list[_File]) -> set[int]:
    """Return the numbers of the files that cannot start a list: an earlier file needs them, or they need an earlier file.

    The last file of a list gets what it needs of the next file (`_complete`).
    """
    not_first = {number for number in range(1, len(files)) if files[number].first == files[number - 1].first}
    for number, file in enumerate(files):
        not_first.update(range(number + 2, number + max(file.reach.values()) + 1))
        not_first.update(range(number - max(file.back.values()) + 1, number + 1))
    return not_first


def _read(db: sqlite3.Connection, index: Index) -> _Table:
    out = _Table(index)
    for segment, term, leaf in db.execute(f"SELECT segid, term, pgno >> 1 FROM {index.name}_idx ORDER BY segid, term"):
        (block,) = db.execute(f"SELECT block FROM {index.name}_data WHERE id = ?", (segment << 37 | leaf,)).fetchone()
        out.separators.append(bytes(term)[1:])
        out.leaves.append(leaf)
        last, continued = last_term(block)
        out.last.append(last[1:])
        if continued:
            out.split_rows[leaf] = range(leaf + 1, leaf + 1 + continued)
    return out


def _items(tables: Iterable[_Table]) -> list[_Item]:
    items = []
    for table in tables:
        name, cold = table.index.name, table.index.cold
        following = [*table.leaves, table.index.last_leaf + 1][1:]
        for separator, leaf, last, after in zip(table.separators, table.leaves, table.last, following, strict=True):
            items.append(_Item(separator, name, True, [leaf] if leaf in cold else []))
            items.append(_Item(last, name, False, [page for page in range(leaf + 1, after) if page in cold]))
    return sorted((item for item in items if item.leaves), key=lambda item: (item.key, item.table, not item.begins))


def _cut(items: list[_Item], per: int) -> Iterator[tuple[bytes, list[_Item]]]:
    """Group items of neighbouring terms while they fit; the leaves of a single term are cut into files of at most `LONG`."""
    run: list[_Item] = []
    count = 0
    for key, group in groupby(items, lambda item: item.key):
        items_of_key = list(group)
        size = sum(len(item.leaves) for item in items_of_key)
        if run and count + size > per:
            yield run[0].key, run
            run, count = [], 0
        while size > LONG:
            part, items_of_key = _split_items(items_of_key)
            yield key, part
            size -= LONG
        run += items_of_key
        count += size
    if run:
        yield run[0].key, run


def _split_items(items: list[_Item]) -> tuple[list[_Item], list[_Item]]:
    """Take the first `LONG` leaves of some items; return them, and the rest."""
    part, rest, room = [], [], LONG
    for item in items:
        taken, more = item.leaves[:room], item.leaves[room:]
        room -= len(taken)
        part += [_Item(item.key, item.table, item.begins, taken)] if taken else []
        rest += [_Item(item.key, item.table, item.begins, more)] if more else []
    return part, rest


def _finish(runs: list[tuple[bytes, list[_Item]]], tables: Mapping[str, _Table]) -> list[_File]:
    """Add to each file the leaf on which its first terms may start, and store what other files hold."""
    home = {(item.table, leaf): number for number, (_, items) in enumerate(runs) for item in items for leaf in item.leaves}
    out = []
    for number, (first, items) in enumerate(runs):
        file = _File(first)
        after = max(runs[number + 1][0], first + b"\0") if number + 1 < len(runs) else None
        for name, table in tables.items():
            own_leaves = [leaf for item in items if item.table == name for leaf in item.leaves]
            _add_leaves(file, table, own_leaves, home, number)
            last = (len(table.separators) if after is None else bisect_left(table.separators, after)) - 1
            following = table.leaves[last + 1] if 0 <= last < len(table.leaves) - 1 else 0
            further = home.get((name, following), number) - number  # a leaf in no file is hot
            file.edges[name], file.reach[name] = table.last[last] if further else b"", further
        out.append(file)
    return out


def _add_leaves(file: _File, table: _Table, own_leaves: list[int], home: Mapping[tuple[str, int], int], number: int) -> None:
    """Add the leaves of one table to a file: its own, and the leaf before them, which may have terms of the file."""
    name = table.index.name
    at = bisect_right(table.separators, file.first) - 1
    leaf = table.leaves[at] if at >= 0 else 0
    file.leaves[name] = table.with_rows((leaf, *own_leaves))
    after = table.leaves[at + 1] if 0 <= at < len(table.leaves) - 1 else table.index.last_leaf + 1
    between = [page for page in range(leaf + 1, after) if (name, page) in home and home[name, page] < number] if leaf else []
    file.back[name] = number - home[name, between[0]] if between else 0
    ends = table.separators[at + 1] if at + 1 < len(table.separators) else AFTER_ALL_TERMS
    file.until[name] = ends if between else b""


def _complete(file: _File, tables: Mapping[str, _Table]) -> None:
    """Add to the last file of a list the leaf after its last one, so that no file of another list is needed."""
    for name, table in tables.items():
        if file.reach[name]:
            at = table.last.index(file.edges[name])
            file.leaves[name] = table.with_rows((*file.leaves[name], table.leaves[at + 1]))
            file.edges[name], file.reach[name] = b"", 0


def _list(pages: Pages, tables: Mapping[str, _Table], files: list[_File], after: bytes | None) -> TermList:
    head: dict[str, Any] = {"first": [file.first for file in files], "tables": {}}
    own_pages: set[int] = set()
    for name, table in tables.items():
        leaves = sorted({leaf for file in files for leaf in file.leaves[name]})
        places = {leaf: place for place, leaf in enumerate(leaves)}
        head["tables"][name] = {
            "pages": steps(table.index.cold[leaf] for leaf in leaves),
            "places": [steps(places[leaf] for leaf in file.leaves[name]) for file in files],
            **{key: [getattr(file, key)[name] for file in files] for key in ("edges", "reach", "until", "back")},
        }
        own_pages |= _pages_above(pages, table.index, leaves) | _separators(pages, table, files[0].first, after)
    numbers = [[table.index.cold[leaf] for name, table in tables.items() for leaf in file.leaves[name]] for file in files]
    return TermList(files[0].first, head, pages.files(numbers), frozenset(own_pages))


def _pages_above(pages: Pages, index: Index, leaves: list[int]) -> set[int]:
    """Return the pages above some leaves, except the root, and the doclist indexes of their terms."""
    numbers = {index.cold[leaf] for leaf in leaves} | {page for leaf in leaves for page in index.skips.get(leaf, ())}
    above = {index.parents[page] for page in numbers} - {index.data_root} - index.hot
    return above | (numbers - {*index.cold.values()})


def _separators(pages: Pages, table: _Table, first: bytes, after: bytes | None) -> set[int]:
    """Return the leaves of the term index for terms from `first`, and before `after`."""
    low = max(bisect_right(table.separators, first) - 1, 0)
    high = bisect_left(table.separators, after) if after is not None else len(table.separators)
    leaves = pages.index_leaves(table.index.idx_root)
    return {page for page, at, count in leaves if at <= high and low < at + count} - {table.index.idx_root}
