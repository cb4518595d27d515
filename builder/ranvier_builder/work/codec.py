"""The stages' values ↔ bytes, for the working database.

Msgpack and not pickle: a cache that came from elsewhere must not run.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import msgpack

from ranvier_builder.model import Block, Chunk, Link, Neuron, Section, Warn


def pack(value: Any) -> bytes:
    """Write dataclasses as rows of their fields, and what they hold as it is."""
    data: bytes = msgpack.packb(_plain(value), unicode_errors="surrogatepass")
    return data


def unpack(data: bytes) -> Any:
    """Read what `pack` wrote; every list comes back as a tuple."""
    return msgpack.unpackb(data, use_list=False, unicode_errors="surrogatepass", strict_map_key=False)


def neuron(data: bytes) -> Neuron:
    """Read a Neuron."""
    return Neuron(*unpack(data))


def warns(rows: Any) -> tuple[Warn, ...]:
    """Read warnings."""
    return tuple(Warn(*row) for row in rows)


def sections(rows: Any) -> tuple[Section, ...]:
    """Read sections with their blocks."""
    return tuple(
        Section(anchor, headings, levels, tuple(Block(*block) for block in blocks)) for anchor, headings, levels, blocks in rows
    )


def chunks(rows: Any) -> tuple[Chunk, ...]:
    """Read chunks."""
    return tuple(Chunk(*row) for row in rows)


def links(rows: Any) -> tuple[Link, ...]:
    """Read rows of the link table."""
    return tuple(Link(*row) for row in rows)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
