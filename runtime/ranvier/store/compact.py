"""SQLite's pages, built from fewer bytes: the `docsize` leaves of FTS5, and interior pages.

bm25 reads one `%_docsize` row for each hit and uses only the sum over all columns. SQLite's pages compress badly, because row
ids and cell pointers differ in every row. So files contain only runs of row ids and the total of each row; the page is rebuilt
after the fetch in one canonical layout: the total is spread over the columns so that no row is longer than SQLite's own, and
cells are in order at the end of the page (SQLite file format, §1.6: the order of cells in a page is free).
"""

from __future__ import annotations

from itertools import accumulate
from struct import pack

LEAF = 13  # page type of a table b-tree leaf
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
    if len(set(map(len, blobs))) == 1:
        cells, widths = _equal_cells(first_row, blobs)
    else:
        cells = [_cell(row, len(blob)) + blob for row, blob in enumerate(blobs, first_row)]
        widths = list(map(len, cells))
    content = b"".join(cells)
    starts = list(accumulate(widths[:-1], initial=size - len(content)))
    head = pack(">BHHHB", LEAF, 0, len(blobs), starts[0], 0) + pack(f">{len(widths)}H", *starts[: len(widths)])
    return head + bytes(starts[0] - len(head)) + content


def _equal_cells(first_row: int, blobs: list[bytes]) -> tuple[list[bytes], list[int]]:
    """Return the cells of rows whose blobs have the same length, in runs of rows that differ in the last byte of their id.

    A large site reads 100,000 sizes for a first answer. This writes them a column of bytes at a time.
    """
    length, data = len(blobs[0]), b"".join(blobs)
    runs, widths, last = [], list[int](), first_row + len(blobs)
    for row in range(first_row & ~0x7F, last, 128):
        start, end = max(row, first_row), min(row + 128, last)
        cell = _cell(start, length)
        width, count, at = len(cell) + length, end - start, (start - first_row) * length
        run = bytearray((cell + bytes(length)) * count)
        # The last byte of the id is before the three bytes of the record's header.
        run[len(cell) - 4 :: width] = bytes(range(start - row, end - row))
        for column in range(length):
            run[len(cell) + column :: width] = data[at + column : at + count * length : length]
        runs.append(bytes(run))
        widths += [width] * count
    return runs, widths


def _cell(row: int, length: int) -> bytes:
    """Return the part of a row's cell before its blob."""
    return varint(length + 3) + varint(row) + bytes((3, 0, 12 + 2 * length))


def decode(columns: int, codes: bytes) -> list[bytes]:
    """Return each row's blob of varints: one for each column; their sum is the total."""
    blobs = {code: spread(columns, total_of(code)) for code in set(codes)}
    return [blobs[code] for code in codes]


def total_of(code: int) -> int:
    """Return the total of a byte: five bits are its size, three are the bits after its highest one."""
    return code if code < 16 else (8 | code & 7) << (code >> 3) - 1


def spread(columns: int, total: int) -> bytes:
    """Write varints whose sum is a total, in the fewest bytes: all but the last have one byte."""
    before = columns - 1
    full, part = divmod(min(total, before * _ONE_BYTE), _ONE_BYTE)
    counts = [*[_ONE_BYTE] * full, part, *[0] * before][:before]
    return bytes(counts) + varint(total - sum(counts))


def restored(data: bytes, step: int) -> bytes:
    """Return an interior page of which each byte is written less the byte `step` before it, modulo 256."""
    page = list(data)
    for at in range(step, len(page)):
        page[at] = (page[at] + page[at - step]) & 0xFF
    return bytes(page)
