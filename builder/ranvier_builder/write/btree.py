"""Reads the b-trees of a SQLite file (file format, §1.6): which page belongs to what. `dbstat` is not in every build."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LEAF = 13  # page type of a table b-tree leaf


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of a table leaf: its id, and its record as far as it lies on the page."""

    row: int
    record: bytes


class Pages:
    """A database file cut into pages, numbered from 1."""

    def __init__(self, data: bytes, size: int) -> None:
        self.size = size
        self.count = len(data) // size
        self._data = data

    def page(self, number: int) -> bytes:
        """Return the bytes of a page."""
        return self._data[(number - 1) * self.size : number * self.size]

    def leaves(self, root: int) -> Iterator[int]:
        """Yield the leaf pages of a table's b-tree in key order."""
        page = self.page(root)
        at = 100 if root == 1 else 0
        if page[at] == LEAF:
            yield root
            return
        for pointer in _pointers(page, at, 12):
            yield from self.leaves(int.from_bytes(page[pointer : pointer + 4], "big"))
        yield from self.leaves(int.from_bytes(page[at + 8 : at + 12], "big"))

    def cells(self, number: int) -> list[Cell]:
        """Read the rows of a table leaf, in key order."""
        page = self.page(number)
        out = []
        for pointer in _pointers(page, 0, 8):
            length, at = read_varint(page, pointer)
            row, at = read_varint(page, at)
            out.append(Cell(row, page[at : at + length]))
        return out


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read SQLite's big-endian varint; return it with the offset after it."""
    value = 0
    for count in range(8):
        byte = data[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return value << 8 | data[at + 8], at + 9


def _pointers(page: bytes, at: int, head: int) -> list[int]:
    count = int.from_bytes(page[at + 3 : at + 5], "big")
    start = at + head
    return [int.from_bytes(page[start + 2 * n : start + 2 * n + 2], "big") for n in range(count)]
