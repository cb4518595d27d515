"""Encode and decode values of the build stages, for the working database.

Msgpack and not pickle: a cache from another source must not run code.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgpack

from ranvier_builder.model import Block, Chunk, Link, Neuron, Section, StoredText, Warn


def pack(value: Any) -> bytes:
    """Encode dataclasses as lists of their field values, and stored texts as texts."""
    data: bytes = msgpack.packb(value, default=_plain, unicode_errors="surrogatepass")
    return data


def unpack(data: bytes) -> Any:
    """Decode the result of `pack`; lists become tuples."""
    return msgpack.unpackb(data, use_list=False, unicode_errors="surrogatepass", strict_map_key=False)


def neuron(data: bytes) -> Neuron:
    """Decode a Neuron."""
    return Neuron(*unpack(data))


def warns(rows: Any) -> tuple[Warn, ...]:
    """Decode warnings."""
    return tuple(Warn(*row) for row in rows)


def sections(rows: Any) -> tuple[Section, ...]:
    """Decode sections with their blocks."""
    return tuple(
        Section(anchor, headings, levels, tuple(Block(*block) for block in blocks)) for anchor, headings, levels, blocks in rows
    )


def chunks(rows: Any) -> tuple[Chunk, ...]:
    """Decode chunks."""
    return tuple(Chunk(*row) for row in rows)


def links(rows: Any) -> tuple[Link, ...]:
    """Decode rows of the link table."""
    return tuple(Link(*row) for row in rows)


def _plain(value: Any) -> str | list[Any]:
    return str(value) if isinstance(value, StoredText) else [getattr(value, field.name) for field in fields(value)]
