"""JPEG: segments with a length each, and the coded picture between them (ITU-T T.81, annex B)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from ranvier_builder.media import exif
from ranvier_builder.media.refused import RefusedError

_SOI, _EOI, _SOS, _EXIF = 0xD8, 0xD9, 0xDA, b"Exif\0\0"
_APP0, _APP1, _APP2, _APP14 = 0xE0, 0xE1, 0xE2, 0xEE
_FRAMES = frozenset((*range(0xC0, 0xD0),)) - {0xC4, 0xC8, 0xCC}
# Markers needed for decoding: frames, tables, scans, numbers of lines, restarts.
_ALLOWED = _FRAMES | {0xC4, 0xCC, _SOS, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF}
_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD8)))  # markers without a length
_NEXT = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")  # a marker that ends a scan; a restart does not


def parts(data: bytes) -> Iterator[bytes | memoryview]:
    """Yield the visible parts of a JPEG; data after its end are skipped."""
    view = memoryview(data)
    at, has_frame, has_scan, has_exif = 2, False, False, False
    yield view[:2]
    while True:
        marker, at = _marker(data, at)
        if marker == _EOI:
            break
        if marker in _WITHOUT_LENGTH:
            continue
        end = at + _length(data, at)
        if marker in _ALLOWED:
            has_frame, has_scan = has_frame or marker in _FRAMES, has_scan or marker == _SOS
            yield bytes((0xFF, marker))
            yield view[at:end]
        elif marker == _APP1 and data.startswith(_EXIF, at + 2) and not has_exif:
            has_exif = True
            yield _segment(_APP1, _EXIF, exif.orientation_only(data[at + 2 + len(_EXIF) : end]))
        else:
            yield _application(marker, data[at + 2 : end])
        at = end
        if marker == _SOS:
            following = _NEXT.search(data, at)
            yield view[at : following.start() if following else None]
            if following is None:  # browsers show a picture without an end marker
                break
            at = following.start()
    if not (has_frame and has_scan):
        raise RefusedError("it is damaged and contains no picture")
    yield bytes((0xFF, _EOI))


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """Return the marker at an offset, and the offset after it. Any number of 0xFF can precede it."""
    if data[at : at + 1] != b"\xff":
        raise RefusedError("it is damaged or incomplete")
    while data[at : at + 1] == b"\xff":
        at += 1
    if at >= len(data):
        raise RefusedError("it is incomplete")
    return data[at], at + 1


def _length(data: bytes, at: int) -> int:
    length = int.from_bytes(data[at : at + 2], "big")
    if length < 2 or at + length > len(data):
        raise RefusedError("it is damaged or incomplete")
    return length


def _application(marker: int, body: bytes) -> bytes:
    """Keep colour data, and the pixel shape without the thumbnail beside it."""
    if marker == _APP0 and body.startswith(b"JFIF\0") and len(body) >= 14:
        return _segment(marker, body[:12] + b"\0\0")
    if marker == _APP2 and body.startswith(b"ICC_PROFILE\0"):
        return _segment(marker, body)
    if marker == _APP14 and body.startswith(b"Adobe") and len(body) >= 12:
        return _segment(marker, body[:12])
    return b""


def _segment(marker: int, *body: bytes) -> bytes:
    content = b"".join(body) if all(body) else b""
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content if content else b""
