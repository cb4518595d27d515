"""WebP: chunks of a RIFF file (RFC 9649)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ranvier_builder.media import exif
from ranvier_builder.media.refused import RefusedError

Part = bytes | memoryview
_STILL = frozenset((b"ALPH", b"VP8 ", b"VP8L"))
_ALLOWED = _STILL | {b"ICCP", b"ANIM"}
_HAS_EXIF, _HAS_XMP = 0x08, 0x04
_FRAME = 16  # bytes of a frame before its chunks


def parts(data: bytes) -> Iterator[Part]:
    """Yield the visible parts of a WebP; data after its end are skipped."""
    (size,) = struct.unpack_from("<I", data, 4)
    if size + 8 > len(data) + 1:  # some encoders omit the last byte, which is padding
        raise RefusedError("it is incomplete")
    chunks = [*_chunks(memoryview(data)[12 : size + 8])]
    names = {name for name, _ in chunks}
    if not names & {b"VP8 ", b"VP8L", b"ANMF"}:
        raise RefusedError("it is damaged and contains no picture")
    exif_data = next(
        (exif.orientation_only(bytes(body).removeprefix(b"Exif\0\0")) for name, body in chunks if name == b"EXIF"), b""
    )
    out = [part for name, body in chunks for part in _part(name, body, bool(exif_data))]
    if b"VP8X" in names:
        out += _chunk(b"EXIF", exif_data) if exif_data else ()
    yield b"RIFF" + struct.pack("<I", 4 + sum(map(len, out))) + b"WEBP"
    yield from out


def _part(name: bytes, body: memoryview, has_exif: bool) -> list[Part]:
    if name == b"VP8X":
        return _chunk(name, bytes((body[0] & ~(_HAS_EXIF | _HAS_XMP) | (_HAS_EXIF if has_exif else 0),)), body[1:])
    if name == b"ANMF":
        frame = [part for name, body in _chunks(body[_FRAME:]) if name in _STILL for part in _chunk(name, body)]
        return _chunk(b"ANMF", body[:_FRAME], *frame)
    return _chunk(name, body) if name in _ALLOWED else []


def _chunks(view: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    at = 0
    while at + 8 <= len(view):
        name, size = struct.unpack_from("<4sI", view, at)
        body = view[at + 8 : at + 8 + size]
        if len(body) < size or (name == b"VP8X" and size < 10):
            raise RefusedError("it is damaged or incomplete")
        yield name, body
        at += 8 + size + size % 2


def _chunk(name: bytes, *body: Part) -> list[Part]:
    size = sum(map(len, body))
    return [name + struct.pack("<I", size), *body, bytes(size % 2)]
