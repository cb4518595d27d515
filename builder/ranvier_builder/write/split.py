"""One SQLite file → a hot pack, packs of whole tables, and cold index files (layout chosen by measurement: see the manual).

Cold pages hold posting leaves, one leaf per page. Leaves of both word indexes go into files by term range, leaves of
substrings into files of a fixed number of pages. Packs contain the tables that only some queries read, and on a large site
the pages that SQLite reads on the way to the leaves of some terms. All other pages are hot.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from ranvier.store.compact import leaf_page, varint
from ranvier.store.manifest import SUBSTRING
from ranvier.store.tables import SUBSTRINGS, WORDS
from ranvier.store.terms import BEYOND

from ranvier_builder.errors import OutputError
from ranvier_builder.write.btree import Pages, read_cells, varints
from ranvier_builder.write.compact import differences, encode
from ranvier_builder.write.leaves import last_term
from ranvier_builder.write.snapshot import INDEXES, PAGE_SIZE
from ranvier_builder.write.terms import Index, TermList, term_lists

# Tables, with their indexes, that are fetched whole on first use.
PACKS = {"neuron": ("neuron", "name"), "tag": ("tag",), "link": ("link", "link_target", "derived"), "note": ("note",)}
_LEAF_NUMBER = 0x7FFFFFFF  # mask of the leaf number in a row's id
_SHADOWS = ("data", "idx", "docsize", "config")
HOT_ROWS = 12_000  # up to this number of rows of words, their sizes are hot; above it …
ROWS = 16_384  # … they are in files of about this many rows
# For substrings: a query reads many neighbours. A large site has larger files, because hosts limit the number of files.
_PAGES_PER_FILE, _MANY, _PAGES_PER_LARGE = 8, 16 << 10, 16


@dataclass(frozen=True, slots=True)
class SubstringFiles:
    """The posting leaves of substrings: `head` describes them, `files` hold them.

    `first` has the first term of each file; `last` has the term that continues in the next file, if any.
    """

    head: dict[str, Any]
    files: Sequence[bytes]
    first: tuple[bytes, ...]
    last: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SplitSnapshot:
    """The pieces, before they are packed. A pack has the format of the hot pack, for some tables.

    `lists`: the files of words; a single list has its own pages in the hot pack. `sizes`: the row sizes of words, if they
    are too many for the hot pack.
    """

    page_count: int
    lists: tuple[TermList, ...]
    list_pages: tuple[dict[str, Any], ...]
    sizes: dict[str, list[dict[str, Any]]]
    substrings: SubstringFiles
    hot: dict[str, Any]
    packs: dict[str, dict[str, Any]]

    def runs(self, name: str) -> list[tuple[int, int]]:
        """Return the pages of a pack as runs: first page, and number of pages."""
        return page_runs(page_numbers(self.packs[name]))


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Leaves of row sizes, `[page, first row, rows]` each, and the total of each row."""

    columns: int
    pages: list[list[int]]
    totals: list[int]

    @property
    def replaced(self) -> set[int]:
        """Return the pages that the row sizes replace."""
        return {page for page, _, _ in self.pages}

    def layout(self) -> dict[str, Any]:
        """Return the data from which a reader rebuilds the leaves."""
        return {"columns": self.columns, "pages": self.pages, "totals": encode(self.totals)}

    def cut(self, rows: int) -> list[_Sizes]:
        """Cut them into parts of about `rows` rows."""
        out, at = [], 0
        for _, group in groupby(self.pages, lambda page: page[1] // rows):
            some = list(group)
            count = sum(page[2] for page in some)
            out.append(_Sizes(self.columns, some, self.totals[at : at + count]))
            at += count
        return out


@dataclass(frozen=True, slots=True)
class _Part:
    """An FTS5 table taken apart: its cold leaves, by number, its row sizes, and all other pages."""

    cold: dict[int, int]
    own_pages: frozenset[int]
    sizes: _Sizes


def split_snapshot(
    file: Path, pages_per_file: int | None = None, files_per_list: int | None = None, most_rows: int = HOT_ROWS
) -> SplitSnapshot:
    """Split a snapshot of `write_snapshot`; `files_per_list`: files of words per list; `most_rows`: limit for hot sizes."""
    with closing(Pages(file, PAGE_SIZE)) as pages, closing(sqlite3.connect(file)) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall())
        parts = {name: _part(pages, roots, name) for name in INDEXES}
        indexes = [_index(pages, roots, name, parts[name].cold) for name in WORDS]
        lists = term_lists(db, pages, indexes, pages_per_file, files_per_list)
        pack_names = [name for name, tables in PACKS.items() if _any_rows(db, tables)]
        owned = {name: {page for pack in PACKS[name] for page in pages.all_pages(roots[pack])} for name in pack_names}
        packs = {name: layout(pages, page_set) for name, page_set in owned.items()}
        docsize = {name: part.sizes.layout() for name, part in parts.items()}
        if _any_rows(db, (f"{SUBSTRINGS}_docsize",)):
            owned[SUBSTRING] = {*parts[SUBSTRINGS].own_pages}
            packs[SUBSTRING] = {**layout(pages, owned[SUBSTRING]), "docsize": {SUBSTRINGS: docsize.pop(SUBSTRINGS)}}
        not_hot = {page for page_set in owned.values() for page in page_set}
        not_hot |= {page for part in parts.values() for page in (*part.sizes.replaced, *part.cold.values())}
        not_hot |= {page for part in lists for page in part.own_pages} if len(lists) > 1 else set()
        sizes_in_files = sum(len(parts[name].sizes.totals) for name in WORDS) > most_rows
        sizes = {name: [part.layout() for part in parts[name].sizes.cut(ROWS)] for name in WORDS} if sizes_in_files else {}
        hot = {
            **layout(pages, {*range(1, pages.count + 1)} - not_hot),
            "docsize": {name: rows for name, rows in docsize.items() if name not in sizes},
        }
        substrings = _substring_files(db, pages, parts[SUBSTRINGS].cold, pages_per_file)
        list_pages = tuple(layout(pages, part.own_pages if len(lists) > 1 else ()) for part in lists)
        return SplitSnapshot(pages.count, tuple(lists), list_pages, sizes, substrings, hot, packs)


def _index(pages: Pages, roots: Mapping[str, int], name: str, cold: dict[int, int]) -> Index:
    root = roots[f"{name}_data"]
    skips: dict[int, list[int]] = {}
    for page in pages.leaves(root):
        rows = [cell.row for cell in pages.cells(page)]
        if rows and all(row >> 36 & 1 for row in rows):  # doclist indexes
            for leaf in {row & _LEAF_NUMBER for row in rows}:
                skips.setdefault(leaf, []).append(page)
    parents = pages.parents(root)
    filed = {*cold.values(), *(page for some in skips.values() for page in some)}
    hot = frozenset(parents[page] for page in pages.leaves(root) if page not in filed and page != root)
    return Index(name, cold, max(cold, default=1), root, roots[f"{name}_idx"], parents, hot, skips)


def _any_rows(db: sqlite3.Connection, names: Iterable[str]) -> bool:
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return any(db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in names if name in tables)


def _part(pages: Pages, roots: Mapping[str, int], name: str) -> _Part:
    table_pages = {page for shadow in _SHADOWS for page in pages.all_pages(roots[f"{name}_{shadow}"])}
    cold = _cold_leaves(pages, roots[f"{name}_data"])
    sizes = _docsize(pages, roots[f"{name}_docsize"], len(INDEXES[name]))
    return _Part(cold, frozenset(table_pages - {*cold.values()} - sizes.replaced), sizes)


def _substring_files(
    db: sqlite3.Connection, pages: Pages, cold: Mapping[int, int], pages_per_file: int | None
) -> SubstringFiles:
    numbers = [*cold.values()]
    per = pages_per_file or (_PAGES_PER_FILE if len(numbers) <= _MANY else _PAGES_PER_LARGE)
    files = pages.files([numbers[at : at + per] for at in range(0, len(numbers), per)])
    return SubstringFiles({"pages": numbers, "pages_per_file": per}, files, *_bounds(db, [*cold], per))


def _cold_leaves(pages: Pages, root: int) -> dict[int, int]:
    """Return the pages of `%_data` that hold only posting leaves, by the number of the leaf.

    The first one is skipped: it also holds rows 1 and 10.
    """
    leaves = {}
    for page in pages.leaves(root):
        rows = [cell.row for cell in pages.cells(page)]
        # A row's id is segment << 37 | is doclist index << 36 | height << 31 | leaf number (fts5_index.c).
        if rows and all(row >> 37 and not row >> 31 & 0x3F for row in rows):
            leaves[rows[0] & _LEAF_NUMBER] = page
    if [*leaves.values()] != sorted(leaves.values()):
        raise OutputError("the snapshot's posting pages are out of order", cure="report this with your SQLite version")
    return leaves


def _bounds(db: sqlite3.Connection, leaves: list[int], per: int) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return for each file its first term, as far as terms separate leaves, and the term that may continue in the next file.

    A file in which no term starts gets the first term of the next file. FTS5 reads the next leaf in which a term starts, to
    check whether the last term of a leaf continues there.
    """

    def file_of(leaf: int) -> int:
        return (bisect_right(leaves, leaf) - 1) // per  # -1: the first leaf is in no file

    count = -(-len(leaves) // per)
    first, last = [BEYOND] * count, [b""] * count
    index = db.execute(f"SELECT segid, term, pgno >> 1 FROM {SUBSTRINGS}_idx ORDER BY term").fetchall()
    following = max(leaves, default=1)
    for segment, term, leaf in reversed(index):
        if (number := file_of(leaf)) >= 0:
            first[number] = bytes(term)[1:]
            if file_of(following) != number:
                (block,) = db.execute(f"SELECT block FROM {SUBSTRINGS}_data WHERE id = ?", (segment << 37 | leaf,)).fetchone()
                last[number] = last_term(block)[0][1:]
        following = leaf
    for number in reversed(range(count - 1)):
        if first[number] == BEYOND:
            first[number] = first[number + 1]
    return tuple(first), tuple(last)


def _docsize(pages: Pages, root: int, columns: int) -> _Sizes:
    """Return the total of each row, and the leaves that the totals replace. The other leaves stay as they are."""
    packed, totals = [], list[int]()
    for page in pages.leaves(root):
        cells = pages.cells(page)
        rows = [varints(cell.record[3:]) for cell in cells]
        blobs = [b"".join(map(varint, row)) for row in rows] if all(len(row) == columns for row in rows) else []
        first = cells[0].row if cells else 0
        # The root page may have content that cannot be rebuilt.
        if page != root and blobs and read_cells(leaf_page(pages.size, first, blobs)) == cells:
            packed.append([page, first, len(rows)])
            totals += map(sum, rows)
    return _Sizes(columns, packed, totals)


def layout(pages: Pages, numbers: Iterable[int]) -> dict[str, Any]:
    """Return `pages`, the runs as `[first page, bytes]`, and `interior`, each page as `[page, size of a cell, differences]`."""
    cells = {number: pages.interior_cell(number) for number in sorted(numbers)}
    runs = page_runs(number for number, size in cells.items() if not size)
    return {
        "pages": [[first, b"".join(map(pages.page, range(first, first + count)))] for first, count in runs],
        "interior": [[number, size, differences(pages.page(number), size)] for number, size in cells.items() if size],
    }


def page_numbers(raw: Mapping[str, Any]) -> list[int]:
    """Return the pages in a layout, in order."""
    runs = [number for first, data in raw["pages"] for number in range(first, first + len(data) // PAGE_SIZE)]
    return sorted([*runs, *(number for number, _, _ in raw["interior"])])


def page_runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first of each run of consecutive numbers, and its length."""
    runs = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        runs.append((run[0], len(run)))
    return runs
