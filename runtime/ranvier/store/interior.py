"""Interior pages of table b-trees, as differences of their bytes.

A cell of such a page is the number of a child page and the last row id in it. Most cells have the same size and nearly the same
bytes as the cell before. So the differences between bytes one cell apart have few distinct values, and a full page deflates to
a tenth.
"""

from __future__ import annotations


def differences(page: bytes, step: int) -> bytes:
    """Return each byte less the byte `step` before it, modulo 256; the first `step` bytes stay."""
    return bytes([(byte - before) & 0xFF for byte, before in zip(page, bytes(step) + page, strict=False)])


def restored(data: bytes, step: int) -> bytes:
    """Return the original page of `differences`."""
    page = list(data)
    for at in range(step, len(page)):
        page[at] = (page[at] + page[at - step]) & 0xFF
    return bytes(page)
