"""PNG: chunks with a length, a name and a checksum each (W3C, PNG, third edition); animated ones too."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from ranvier_builder.media import exif
from ranvier_builder.media.refused import RefusedError

_START = 8  # bytes of the signature
_CRITICAL = frozenset((b"IHDR", b"PLTE", b"IDAT", b"IEND"))
# Colours, transparency, the shape of a pixel, frames of an animation. Not `sPLT`: it contains a name, and no browser uses it.
_ALLOWED = _CRITICAL | {*(b"tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT".split())}


def parts(data: bytes) -> Iterator[bytes | memoryview]:
    """Yield the visible parts of a PNG; data after its end are skipped."""
    view = memoryview(data)
    yield view[:_START]
    at, name, chunk_names = _START, b"", set[bytes]()
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", data, at) if at + 12 <= len(data) else (0, b"")
        end = at + 12 + length
        if not name or end > len(data) or (not chunk_names and (name, length) != (b"IHDR", 13)):
            raise RefusedError("it is damaged or incomplete")
        chunk_names.add(name)
        if name in _ALLOWED:
            yield view[at:end]
        elif name == b"eXIf":
            yield _chunk(name, exif.orientation_only(data[at + 8 : end - 4]))
        elif not name[0] & 0x20:  # an upper-case first letter: an unknown critical chunk
            raise RefusedError("it is not a PNG file that browsers show")
        at = end
    if b"IDAT" not in chunk_names:
        raise RefusedError("it is damaged and contains no picture")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) if body else b""
