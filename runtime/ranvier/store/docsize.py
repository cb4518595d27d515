"""The `docsize` b-tree leaves of FTS5, column by column.

bm25 reads one `%_docsize` row for each hit, so all of them are in the hot pack; and they compress badly as SQLite lays them
out, because row ids and cell pointers differ in every row. What a leaf says is only: a run of row ids, and for each row
the token counts of the columns. That is what is stored; the page is built again on arrival, in one canonical layout:
cells in order from the end of the page downwards (SQLite file format, §1.6: the order of cells in a page is free).
"""

from __future__ import annotations

from itertools import accumulate
from struct import pack

LEAF = 13  # page type of a table b-tree leaf
ESCAPE = 255  # counts above 254 go into a list of their own


def varint(value: int) -> bytes:
    """Write SQLite's big-endian variable-length integer: `300` → `b"\\x82\\x2c"`."""
    out = [value & 0x7F]
    while value := value >> 7:
        out.append(0x80 | (value & 0x7F))
    return bytes(reversed(out))


def leaf_page(size: int, first_row: int, blobs: list[bytes]) -> bytes:
    """Build a table leaf of `size` bytes whose row i has id `first_row + i` and the single column `blobs[i]`.

    The record of `(id INTEGER PRIMARY KEY, sz BLOB)` is: header length 3, NULL for the id, 12 + 2·length for the blob.
    """
    heads = {length: (varint(length + 3), bytes((3, 0, 12 + 2 * length))) for length in {len(b) for b in blobs}}
    cells = []
    for row, blob in enumerate(blobs, first_row):
        payload, header = heads[len(blob)]
        cells.append(payload + varint(row) + header + blob)
    starts = [size - used for used in accumulate(map(len, cells))]
    top = starts[-1] if starts else size
    head = pack(">BHHHB", LEAF, 0, len(cells), top, 0) + pack(f">{len(starts)}H", *starts)
    return head + bytes(top - len(head)) + b"".join(reversed(cells))


def encode(columns: int, sizes: list[tuple[int, ...]]) -> tuple[bytes, list[int]]:
    """Lay counts out column by column, one byte each; counts from 255 on go to the list, in the same order."""
    plane, large = bytearray(), []
    for column in range(columns):
        for row in sizes:
            count = row[column]
            plane.append(min(count, ESCAPE))
            if count >= ESCAPE:
                large.append(count)
    return bytes(plane), large


def decode(columns: int, plane: bytes, large: list[int]) -> list[bytes]:
    """Give back each row's blob of varints, the inverse of `encode`."""
    rows = len(plane) // columns
    if not rows:
        return []
    small = [varint(count) for count in range(ESCAPE)]
    rest = iter(large)
    each = [
        [small[count] if count < ESCAPE else varint(next(rest)) for count in plane[at : at + rows]]
        for at in range(0, rows * columns, rows)
    ]
    return [b"".join(row) for row in zip(*each, strict=True)]
