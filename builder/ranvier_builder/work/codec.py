"""Encode and decode values of the build stages, for the working database.

Msgpack and not pickle: a cache from another source must not run code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import msgpack

from ranvier_builder.model import Block, Section, StoredText

T = TypeVar("T")


def pack(value: Any) -> bytes:
    """Encode dataclasses as lists of their field values, and stored texts as texts."""
    data: bytes = msgpack.packb(value, default=_plain, unicode_errors="surrogatepass")
    return data


def unpack(data: bytes) -> Any:
    """Decode the result of `pack`; lists become tuples."""
    return msgpack.unpackb(data, use_list=False, unicode_errors="surrogatepass", strict_map_key=False)


def decoded(kind: Callable[..., T], rows: Any) -> tuple[T, ...]:
    """Return objects of a class, given the field values of each."""
    return tuple(kind(*row) for row in rows)


def sections(rows: Any) -> tuple[Section, ...]:
    """Decode sections with their blocks."""
    return tuple(Section(anchor, headings, levels, decoded(Block, blocks)) for anchor, headings, levels, blocks in rows)


def _plain(value: Any) -> str | list[Any]:
    return str(value) if isinstance(value, StoredText) else [getattr(value, field.name) for field in fields(value)]
