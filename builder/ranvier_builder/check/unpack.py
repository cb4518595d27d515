"""Bytes of a written file → its texts: archives are unpacked, JSON and msgpack are split into strings (A3)."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import msgpack

_TEXT_RUN = re.compile(rb"[\x20-\x7e\x80-\xf4]{6,}")  # text in binary data
_MAX_DEPTH = 4  # nested archives
_MAX_UNPACKED = 1 << 28  # maximum unpacked bytes of an archive


def texts_of(data: bytes, depth: int = 0) -> Iterator[str]:
    """Yield every text in a file: archives are unpacked, JSON and msgpack are split into strings, bytes are decoded."""
    members = [*_unpack(data)] if depth < _MAX_DEPTH else []
    for part in members:
        yield from texts_of(part, depth + 1)
    if members:
        return
    if data[:1] and (0x80 <= data[0] <= 0x9F or 0xDC <= data[0] <= 0xDF):
        with suppress(Exception):  # msgpack raises errors of many types; then the data is not msgpack
            yield from _strings(msgpack.unpackb(data, raw=False, strict_map_key=False, unicode_errors="replace"), depth)
            return
    text = _decode(data)
    with suppress(ValueError, RecursionError):
        if text[:1] in ("{", "["):
            yield from _strings(json.loads(text), depth)
            return
    yield text


def _decode(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\n\n".join(run.decode("utf-8", "replace") for run in _TEXT_RUN.findall(data))


def _unpack(data: bytes) -> Iterator[bytes]:
    if data[:2] == b"\x1f\x8b" or (len(data) > 6 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0):
        with suppress(zlib.error):
            engine = zlib.decompressobj(47)
            yield engine.decompress(data, _MAX_UNPACKED)
            if engine.unused_data:
                yield engine.unused_data
    elif data[:4] == b"PK\x03\x04":
        with suppress(zipfile.BadZipFile, OSError, ValueError, RuntimeError), zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                yield member.filename.encode("utf-8", "replace")
                yield archive.read(member) if member.file_size < _MAX_UNPACKED else b""


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Yield the strings in a tree of lists and maps, including keys."""
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, bytes):
            yield from texts_of(item, depth + 1)
        elif isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, (list, tuple)):
            stack += item


def lines(data: bytes) -> Iterable[str]:
    """Yield the lines of all texts in a file, for a comparison that people read."""
    for text in texts_of(data):
        yield from filter(None, (" ".join(line.split()) for line in text.splitlines()))
