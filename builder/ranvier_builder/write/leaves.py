"""Reads the posting leaves of FTS5."""

from __future__ import annotations

from ranvier_builder.write.btree import read_varint


def last_term(block: bytes) -> bytes:
    """Read the last term of a posting leaf. The index after the postings has the offsets of terms (fts5_index.c)."""
    at, offset, term = int.from_bytes(block[2:4], "big"), 0, b""
    while at < len(block):
        step, at = read_varint(block, at)
        first, offset = not offset, offset + step
        kept, start = (0, offset) if first else read_varint(block, offset)
        length, start = read_varint(block, start)
        term = term[:kept] + block[start : start + length]
    return term
