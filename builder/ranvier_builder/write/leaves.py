"""Reads the posting leaves of FTS5."""

from __future__ import annotations

from ranvier_builder.write.btree import read_varint

_LEAF = 4000  # bytes of postings on a leaf without terms, at least


def last_term(block: bytes) -> bytes:
    """Return the last term of a posting leaf."""
    return _last(block)[0]


def leaves_of_split_row(block: bytes) -> int:
    """Return the number of further leaves that the positions of the last term in its first row continue on; mostly 0."""
    _, row = _last(block)
    end = int.from_bytes(block[2:4], "big")
    _, size_at = read_varint(block, row)
    if size_at >= end:
        return 1
    size, start = read_varint(block, size_at)  # twice the bytes, and a flag
    return max(0, -(-(start + size // 2 - end) // _LEAF))


def _last(block: bytes) -> tuple[bytes, int]:
    """Return the last term, and where its postings begin.

    The index after the postings has the offsets of terms (fts5_index.c).
    """
    at, offset, term, end = int.from_bytes(block[2:4], "big"), 0, b"", 0
    while at < len(block):
        step, at = read_varint(block, at)
        first, offset = not offset, offset + step
        kept, start = (0, offset) if first else read_varint(block, offset)
        length, start = read_varint(block, start)
        end = start + length
        term = term[:kept] + block[start:end]
    return term, end
