"""Interior pages of table b-trees, from the differences of their bytes."""

from __future__ import annotations


def restored(data: bytes, step: int) -> bytes:
    """Return a page of which each byte is written less the byte `step` before it, modulo 256."""
    page = list(data)
    for at in range(step, len(page)):
        page[at] = (page[at] + page[at - step]) & 0xFF
    return bytes(page)
