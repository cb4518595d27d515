"""One SQLite file → a hot pack and cold index files (the layout that was measured: FACTS of the format are in the manual).

Cold are the pages that hold posting leaves, one leaf to a page, in order. Hot is everything else: the schema, interior pages,
the term index, the row sizes that bm25 reads for every hit, doclist indexes, and the first leaf.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranvier.store.docsize import decode, encode, leaf_page

from ranvier_builder.errors import OutputError
from ranvier_builder.write.btree import Pages, read_varint
from ranvier_builder.write.snapshot import PAGE_SIZE

COLUMNS = 4
# Pages in an index file, by the size of the database: small files save bytes, large ones save requests.
_PAGES_PER_FILE = ((8 << 20, 2), (64 << 20, 4))
_PAGES_PER_LARGE = 8


@dataclass(frozen=True, slots=True)
class SplitSnapshot:
    """The pieces, before they are packed. `hot` goes into the hot pack, `head` into the manifest."""

    head: dict[str, Any]
    hot: dict[str, Any]
    files: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Leaf:
    page: int
    leaf: int


def split_snapshot(file: Path, pages_per_file: int | None = None) -> SplitSnapshot:
    """Split a snapshot that `write_snapshot` made."""
    data = file.read_bytes()
    pages = Pages(data, PAGE_SIZE)
    per = pages_per_file or next((count for limit, count in _PAGES_PER_FILE if len(data) <= limit), _PAGES_PER_LARGE)
    with closing(sqlite3.connect(file)) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall())
        cold = _cold(pages, roots["chunk_fts_data"])
        edges = _edges(db, [leaf.leaf for leaf in cold], per)
    numbers = [leaf.page for leaf in cold]
    docsize, raw = _docsize(pages, roots["chunk_fts_docsize"])
    hot = sorted({*range(1, pages.count + 1)} - {*numbers} - {page for page, _, _ in docsize["pages"]} | raw)
    return SplitSnapshot(
        head={
            "page_size": PAGE_SIZE,
            "page_count": pages.count,
            "cold_pages": numbers,
            "first_leaf": [leaf.leaf for leaf in cold],
            "pages_per_file": per,
            "last_leaf": max((leaf.leaf for leaf in cold), default=1),
        },
        hot={"pages": _runs(pages, hot), "docsize": docsize, "edges": edges},
        files=tuple(b"".join(map(pages.page, numbers[at : at + per])) for at in range(0, len(numbers), per)),
    )


def _cold(pages: Pages, root: int) -> list[_Leaf]:
    """Find the pages of `%_data` that hold nothing but posting leaves, but for the first: rows 1 and 10 are beside it."""
    found = []
    for page in pages.leaves(root):
        rows = [cell.row for cell in pages.cells(page)]
        # A row's id is segment << 37 | is doclist index << 36 | height << 31 | leaf number (fts5_index.c).
        if rows and all(row >> 37 and not row >> 31 & 0x3F for row in rows):
            found.append(_Leaf(page, rows[0] & 0x7FFFFFFF))
    if found != sorted(found, key=lambda leaf: leaf.page):
        raise OutputError("the snapshot's posting pages are out of order", cure="report this with your SQLite version")
    return found


def _edges(db: sqlite3.Connection, first_leaf: list[int], per: int) -> list[list[Any]]:
    """Name the last term of each leaf after which FTS5 must read on in another file, to see whether the term goes on there."""
    db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'chunk_fts', 'row')")
    terms = [term.encode() for (term,) in db.execute("SELECT term FROM temp.vocabulary ORDER BY term")]
    index = db.execute("SELECT term, pgno >> 1 FROM chunk_fts_idx ORDER BY term").fetchall()
    last = max(first_leaf, default=1)
    if not index:
        return []

    def file_of(leaf: int) -> int:
        return (bisect_left(first_leaf, leaf + 1) - 1) // per

    out, before = [], 0
    for (_, leaf), (separator, following) in zip(index, [*index[1:], (None, last)], strict=True):
        if len({file_of(one) for one in range(leaf, following + 1)}) > 1:
            at = len(terms) if separator is None else bisect_left(terms, separator[1:])
            out.append([leaf - before, terms[at - 1].decode()])
            before = leaf
    return out


def _docsize(pages: Pages, root: int) -> tuple[dict[str, Any], set[int]]:
    """Lay the row sizes out by column; return that, and the leaves that are not as expected and stay as they are."""
    packed, raw, sizes = [], set[int](), list[tuple[int, ...]]()
    for page in pages.leaves(root):
        cells = pages.cells(page)
        rows = [_counts(cell.record[3:]) for cell in cells]
        blobs = decode(COLUMNS, *encode(COLUMNS, rows)) if all(len(row) == COLUMNS for row in rows) and rows else []
        first = cells[0].row if cells else 0
        if page == root or not blobs or not _same(leaf_page(pages.size, first, blobs), pages, page):
            raw.add(page)  # a root page may hold what we do not build
        else:
            packed.append([page, first, len(rows)])
            sizes += rows
    plane, large = encode(COLUMNS, sizes)
    return {"columns": COLUMNS, "pages": packed, "plane": plane, "large": large}, raw


def _same(built: bytes, pages: Pages, number: int) -> bool:
    return Pages(built, pages.size).cells(1) == pages.cells(number)


def _counts(blob: bytes) -> tuple[int, ...]:
    out, at = [], 0
    while at < len(blob):
        value, at = read_varint(blob, at)
        out.append(value)
    return tuple(out)


def _runs(pages: Pages, numbers: list[int]) -> list[list[Any]]:
    runs: list[list[Any]] = []
    for number in numbers:
        if runs and runs[-1][0] + len(runs[-1][1]) // pages.size == number:
            runs[-1][1] += pages.page(number)
        else:
            runs.append([number, pages.page(number)])
    return runs
