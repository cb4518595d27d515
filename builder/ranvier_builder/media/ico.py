"""Icons: a list of pictures, each a PNG file or a BMP file without its file header."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ranvier_builder.media import png
from ranvier_builder.media.kinds import kind_of
from ranvier_builder.media.refused import RefusedError

_ENTRY = struct.Struct("<8sII")  # appearance, size, offset


def parts(data: bytes) -> Iterator[bytes]:
    """Yield the visible parts of an icon, picture by picture."""
    (count,) = struct.unpack_from("<H", data, 4) if len(data) > 6 else (0,)
    start = 6 + count * _ENTRY.size
    if not count or len(data) < start:
        raise RefusedError("it is damaged and contains no picture")
    entries = [_ENTRY.unpack_from(data, 6 + number * _ENTRY.size) for number in range(count)]
    if sum(size for _, size, _ in entries) > len(data):  # overlapping pictures
        raise RefusedError("it is damaged, its pictures overlap")
    pictures = [_picture(data[at : at + size], size) for _, size, at in entries]
    yield data[:6]
    for (appearance, _, _), picture in zip(entries, pictures, strict=True):
        yield _ENTRY.pack(appearance, len(picture), start)
        start += len(picture)
    yield from pictures


def _picture(data: bytes, size: int) -> bytes:
    if not data or len(data) < size:
        raise RefusedError("it is incomplete")
    return b"".join(png.parts(data)) if kind_of(data) == ".png" else data
