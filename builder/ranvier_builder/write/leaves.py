"""Reads the posting leaves of FTS5."""

from __future__ import annotations

from ranvier_builder.write.btree import read_varint

_LEAF = 4000  # bytes of postings on a leaf without terms, at least


def last_term(block: bytes) -> tuple[bytes, int]:
    """Return the last term of a posting leaf, and the number of further leaves with the rest of its first row, mostly 0.

    The index after the postings has the offsets of terms (fts5_index.c).
    """
    end = at = int.from_bytes(block[2:4], "big")
    offset, term, row = 0, b"", 0
    while at < len(block):
        step, at = read_varint(block, at)
        first, offset = not offset, offset + step
        kept, start = (0, offset) if first else read_varint(block, offset)
        length, start = read_varint(block, start)
        row = start + length
        term = term[:kept] + block[start:row]
    _, size_at = read_varint(block, row)
    if size_at >= end:
        return term, 1
    size, start = read_varint(block, size_at)  # twice the bytes of its positions, and a flag
    return term, max(0, -(-(start + size // 2 - end) // _LEAF))
