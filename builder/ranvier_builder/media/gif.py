"""GIF: blocks, each a chain of parts of at most 255 bytes (CompuServe, GIF89a)."""

from __future__ import annotations

from collections.abc import Iterator

from ranvier_builder.media.refused import RefusedError

_IMAGE, _EXTENSION, _TRAILER = 0x2C, 0x21, 0x3B
_CONTROL, _APPLICATION = 0xF9, 0xFF
_ALLOWED = frozenset((b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"))  # the number of loops, and the colour profile


def parts(data: bytes) -> Iterator[bytes | memoryview]:
    """Yield the visible parts of a GIF; data after its end are skipped."""
    view = memoryview(data)
    at, has_image = _after_table(data, 10, 13), False
    yield view[:at]
    while at < len(data) and data[at] != _TRAILER:  # browsers show a GIF without an end marker
        if data[at] == _IMAGE:
            start = _after_table(data, at + 9, at + 10) + 1  # one byte has the code size of the picture
            has_image = True
        elif data[at] == _EXTENSION:
            start = at + 2
        else:
            raise RefusedError("it is damaged")
        end = _after_chain(data, start)
        if data[at] == _IMAGE or _is_allowed(data, at):
            yield view[at:end]
        at = end
    if not has_image:
        raise RefusedError("it is damaged and contains no picture")
    yield bytes((_TRAILER,))


def _is_allowed(data: bytes, at: int) -> bool:
    return data[at + 1] == _CONTROL or (data[at + 1] == _APPLICATION and data[at + 3 : at + 14] in _ALLOWED)


def _after_table(data: bytes, flags: int, start: int) -> int:
    """Return the offset after a colour table, if the flags indicate one."""
    if flags >= len(data):
        raise RefusedError("it is incomplete")
    return start + (3 << ((data[flags] & 7) + 1) if data[flags] & 0x80 else 0)


def _after_chain(data: bytes, at: int) -> int:
    while at < len(data) and data[at]:
        at += 1 + data[at]
    if at >= len(data):
        raise RefusedError("it is incomplete")
    return at + 1
