"""Reads the posting leaves of FTS5."""

from __future__ import annotations

from ranvier_builder.write.btree import read_varint


def last_term(block: bytes) -> bytes:
    """Return the last term of a posting leaf."""
    return _last_terms(block)[1]


def edge_term(block: bytes, separator: bytes) -> bytes:
    """Return the first term of a leaf whose lookup also reads the next leaf, without the byte in front; never empty.

    `separator` is at most the leaf's first term. The edge is the last term, or the term before it, if the positions of the last
    term in its first row continue on the next leaf: FTS5 also reads the term after all terms with a prefix, with its first row.
    """
    before, last, row = _last_terms(block)
    end = int.from_bytes(block[2:4], "big")
    _, row = read_varint(block, row)
    size, start = read_varint(block, row) if row < end else (0, end + 1)
    return (last if start + size // 2 <= end else before or separator)[1:] or b"\0"


def _last_terms(block: bytes) -> tuple[bytes, bytes, int]:
    """Return the last two terms of a leaf (b"" if it has one), and where the postings of the last begin.

    The index after the postings has the offsets of terms (fts5_index.c).
    """
    at, offset, before, term, start = int.from_bytes(block[2:4], "big"), 0, b"", b"", 0
    while at < len(block):
        step, at = read_varint(block, at)
        first, offset = not offset, offset + step
        kept, start = (0, offset) if first else read_varint(block, offset)
        length, start = read_varint(block, start)
        before, term, start = term, term[:kept] + block[start : start + length], start + length
    return before, term, start
