"""Pages of SQLite in fewer bytes: the opposite of `ranvier.store.compact`."""

from __future__ import annotations


def encode(totals: list[int]) -> bytes:
    """Write a total below 2**34 in one byte: five bits for its size, and three for the bits after its highest one.

    A total keeps its four highest bits, as in Lucene's norms: it is exact below 16, and at most a ninth smaller from there on.
    """
    shifts = (max(total.bit_length() - 4, 0) for total in totals)
    return bytes((shift << 3) + (total >> shift) for shift, total in zip(shifts, totals, strict=True))


def differences(page: bytes, step: int) -> bytes:
    """Return each byte less the byte `step` before it, modulo 256; the first `step` bytes stay.

    A cell of an interior page is the number of a child page and the last row id in it. Most cells have the same size and nearly
    the same bytes as the cell before. So the differences between bytes one cell apart have few distinct values, and a full page
    deflates to a tenth.
    """
    return bytes([(byte - before) & 0xFF for byte, before in zip(page, bytes(step) + page, strict=False)])
