"""The `docsize` b-tree leaves of FTS5, as one number for each row.

bm25 reads one `%_docsize` row for each hit, and of it only the sum over all columns. SQLite's own pages compress badly, because
row ids and cell pointers differ in every row. So only a run of row ids and the total of each row are stored; the page is built
again on arrival, in one canonical layout: the total spread over the columns so that no row is longer than SQLite's own, and
cells in order from the end of the page downwards (SQLite file format, §1.6: the order of cells in a page is free).
"""

from __future__ import annotations

from itertools import accumulate
from struct import pack

LEAF = 13  # page type of a table b-tree leaf
ESCAPE = 255  # a higher byte that stands for the next number in a list: totals from 65,280 on
_ONE_BYTE = 127  # the largest varint of one byte


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


def encode(totals: list[int]) -> tuple[bytes, list[int]]:
    """Lay totals out as all lower bytes, then all higher bytes; from 65,280 on a total's higher part goes to the list."""
    high = [total >> 8 for total in totals]
    plane = bytes(total & 0xFF for total in totals) + bytes(min(part, ESCAPE) for part in high)
    return plane, [part for part in high if part >= ESCAPE]


def decode(columns: int, plane: bytes, large: list[int]) -> list[bytes]:
    """Return each row's blob of varints: as many as there are columns, which add up to the total that `encode` was given."""
    rows = len(plane) // 2
    rest = iter(large)
    pages = dict[int, bytes]()
    out = []
    for low, high in zip(plane[:rows], plane[rows:], strict=True):
        total = low | (high if high < ESCAPE else next(rest)) << 8
        if total not in pages:
            pages[total] = spread(columns, total)
        out.append(pages[total])
    return out


def spread(columns: int, total: int) -> bytes:
    """Write varints that add up to a total, in the fewest bytes: all but the last are of one byte."""
    before = columns - 1
    full, part = divmod(min(total, before * _ONE_BYTE), _ONE_BYTE)
    counts = [*[_ONE_BYTE] * full, part, *[0] * before][:before]
    return bytes(counts) + varint(total - sum(counts))
