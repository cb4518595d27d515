"""Reads the b-trees of a SQLite file (file format, §1.6): which page belongs to which table. Not all builds have `dbstat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import SEEK_END
from pathlib import Path
from typing import Any

# Page types: of a table (keys are row ids) and of an index (also used by tables WITHOUT ROWID).
INTERIOR, LEAF = 5, 13
INDEX_INTERIOR, INDEX_LEAF = 2, 10
_CACHE_SIZE = 1024  # pages in memory


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of a table leaf: its id, and the part of its record that is on the page."""

    row: int
    record: bytes


class Pages:
    """A database as pages, numbered from 1. A file is read page by page: it is several times as large as the site."""

    def __init__(self, file: Path, size: int) -> None:
        self.size = size
        self._path = file
        self._file = file.open("rb", buffering=0)
        self.count = self._file.seek(0, SEEK_END) // size
        self._cache: dict[int, bytes] = {}

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def page(self, number: int) -> bytes:
        """Return the bytes of a page."""
        data = self._cache.get(number)
        if data is None:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._file.seek((number - 1) * self.size)
            data = self._cache[number] = _without_leftovers(self._file.read(self.size) or b"", _start(number))
        return data

    def files(self, numbers: Sequence[Sequence[int]]) -> Sequence[bytes]:
        """Return files that each contain some pages; they are read on access, also after `close`."""
        return _PageFiles(self._path, self.size, numbers)

    def leaves(self, root: int) -> Iterator[int]:
        """Yield the leaf pages of a table's b-tree in key order."""
        return (number for number in self._walk(root) if self.page(number)[_start(number)] == LEAF)

    def all_pages(self, root: int) -> Iterator[int]:
        """Yield all pages of a b-tree, of a table or an index: interior pages, leaves, and overflow pages."""
        for number in self._walk(root):
            yield number
            yield from self._overflow_pages(number)

    def parents(self, root: int) -> dict[int, int]:
        """Return the parent of each page of a table's b-tree; the root has none."""
        return {child: number for number in self._walk(root) for child in self._children(number)}

    def interior_cell(self, number: int) -> int:
        """Return the size of a middle cell of an interior page of a table; 0 for other pages and for page 1."""
        page = self.page(number)
        if number == 1 or page[0] != INTERIOR:
            return 0
        pointers = _pointers(page, 0, 12)
        cell = pointers[len(pointers) // 2]
        return read_varint(page, cell + 4)[1] - cell

    def index_leaves(self, root: int) -> list[tuple[int, int, int]]:
        """Return the leaves of an index in key order: page, number of its first row, rows. Interior rows count, too."""
        out: list[tuple[int, int, int]] = []

        def visit(number: int, at: int) -> int:
            children = self._children(number)
            if not children:
                count = len(_pointers(self.page(number), _start(number), 8))
                out.append((number, at, count))
                return at + count
            for child in children:
                at = visit(child, at) + 1  # the row between two children
            return at - 1

        visit(root, 0)
        return out

    def cells(self, number: int) -> list[Cell]:
        """Read the rows of a table leaf, in key order."""
        return read_cells(self.page(number))

    def _walk(self, root: int) -> Iterator[int]:
        yield root
        for child in self._children(root):
            yield from self._walk(child)

    def _children(self, number: int) -> list[int]:
        page, at = self.page(number), _start(number)
        if page[at] not in (INTERIOR, INDEX_INTERIOR):
            return []
        pointers = (*_pointers(page, at, 12), at + 8)  # the last child is in the header
        return [int.from_bytes(page[pointer : pointer + 4], "big") for pointer in pointers]

    def _overflow_pages(self, number: int) -> Iterator[int]:
        page, at = self.page(number), _start(number)
        kind = page[at]
        if kind == INTERIOR:  # only keys
            return
        for pointer in _pointers(page, at, 12 if kind == INDEX_INTERIOR else 8):
            length, start = read_varint(page, pointer + (4 if kind == INDEX_INTERIOR else 0))
            if kind == LEAF:
                _, start = read_varint(page, start)
            local = self._local(length, kind)
            following = int.from_bytes(page[start + local : start + local + 4], "big") if local < length else 0
            while following:
                yield following
                following = int.from_bytes(self.page(following)[:4], "big")

    def _local(self, length: int, kind: int) -> int:
        """Return how many bytes of a record are on its own page (§1.6, for pages without reserved space)."""
        max_local = self.size - 35 if kind == LEAF else (self.size - 12) * 64 // 255 - 23
        if length <= max_local:
            return length
        min_local = (self.size - 12) * 32 // 255 - 23
        local = min_local + (length - min_local) % (self.size - 4)
        return local if local <= max_local else min_local


class _PageFiles(Sequence[bytes]):
    """Files that each contain some pages of a database; read on access."""

    def __init__(self, file: Path, size: int, numbers: Sequence[Sequence[int]]) -> None:
        self._file = file
        self._size = size
        self._numbers = numbers

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        """Return the bytes of a file."""
        numbers = self._numbers[at]
        with closing(Pages(self._file, self._size)) as pages:
            return b"".join(map(pages.page, numbers))


def read_cells(leaf: bytes) -> list[Cell]:
    """Read the rows of a leaf of a table, in key order; it is not page 1."""
    out = []
    for pointer in _pointers(leaf, 0, 8):
        length, at = read_varint(leaf, pointer)
        row, at = read_varint(leaf, at)
        out.append(Cell(row, leaf[at : at + length]))
    return out


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read SQLite's big-endian varint; return it and the offset after it."""
    value = 0
    for count in range(8):
        byte = data[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return value << 8 | data[at + 8], at + 9


def varints(data: bytes) -> tuple[int, ...]:
    """Read all varints of some bytes: the counts of a row of sizes."""
    out, at = [], 0
    while at < len(data):
        value, at = read_varint(data, at)
        out.append(value)
    return tuple(out)


def _without_leftovers(page: bytes, at: int) -> bytes:
    """Clear the bytes between the pointers and the cells of a b-tree page: their content depends on the SQLite version.

    An overflow page starts with the number of the next one; in a file of less than 128 GB, its first byte is 0 or 1.
    """
    if not page or page[at] not in (INTERIOR, LEAF, INDEX_INTERIOR, INDEX_LEAF):
        return page
    pointers = at + (12 if page[at] in (INTERIOR, INDEX_INTERIOR) else 8)
    start = pointers + 2 * int.from_bytes(page[at + 3 : at + 5], "big")
    end = int.from_bytes(page[at + 5 : at + 7], "big")
    return page[:start] + bytes(end - start) + page[end:]


def _start(number: int) -> int:
    return 100 if number == 1 else 0  # page 1 starts with the file header


def _pointers(page: bytes, at: int, head: int) -> list[int]:
    count = int.from_bytes(page[at + 3 : at + 5], "big")
    start = at + head
    return [int.from_bytes(page[start + 2 * n : start + 2 * n + 2], "big") for n in range(count)]
