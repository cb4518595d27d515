"""AVIF: nested boxes (ISO/IEC 14496-12, 23008-12). It contains offsets in the file, so private data are overwritten in place.

The orientation of a picture is a property of its own, not part of the EXIF data.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from ranvier_builder.media import exif
from ranvier_builder.media.refused import RefusedError

_DAMAGED = "it is damaged, or of a kind that cannot be read here"
_TOP = frozenset((b"ftyp", b"meta", b"mdat", b"moov", b"free", b"skip"))
_FREE = frozenset((b"free", b"skip"))
_PICTURES = frozenset((b"av01", b"grid", b"iden", b"iovl", b"tmap"))  # kinds of items; `Exif` and `mime`, XMP, are others
_PRIVATE = frozenset((b"udta", b"meta", b"uuid"))  # boxes of a film with place, time and author
_TIMED = frozenset((b"mvhd", b"tkhd", b"mdhd"))  # they begin with the times of creation and of the last change


class _Box(NamedTuple):
    name: bytes
    start: int  # of the box
    body: int
    end: int


def parts(data: bytes) -> Iterator[bytes]:
    """Yield an AVIF of the same length with its metadata overwritten; its offsets must be in a format that can be read here."""
    out = bytearray(data)
    try:
        boxes = [*_boxes(data, 0, len(data))]
        if not {b"meta", b"moov"} & {box.name for box in boxes}:
            raise RefusedError("it is damaged and contains no picture")
        for box in boxes:
            if box.name == b"meta":
                _clean_meta(data, out, box)
            elif box.name == b"moov":
                _clean_film(data, out, box)
            elif box.name in _FREE or box.name not in _TOP:
                _blank_out(out, box)
    except (struct.error, LookupError, RecursionError):
        raise RefusedError(_DAMAGED) from None
    yield bytes(out)


def _boxes(data: bytes, at: int, end: int) -> Iterator[_Box]:
    while at < end:
        size, name = struct.unpack_from(">I4s", data, at)
        body = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, body)
            body += 8
        stop = at + size if size else end
        if not body <= stop <= end:
            raise RefusedError(_DAMAGED)
        yield _Box(name, at, body, stop)
        at = stop


def _blank_out(out: bytearray, box: _Box) -> None:
    """Overwrite a box with a free box."""
    out[box.start + 4 : box.start + 8] = b"free"
    out[box.body : box.end] = bytes(box.end - box.body)


def _clean_film(data: bytes, out: bytearray, box: _Box) -> None:
    for inner in _boxes(data, box.body, box.end):
        if inner.name == b"meta":
            _clean_meta(data, out, inner)  # its items are stored elsewhere
        if inner.name in _PRIVATE:
            _blank_out(out, inner)
        elif inner.name in _TIMED:
            start, size = inner.body + 4, 16 if data[inner.body] else 8
            out[start : start + size] = bytes(size)
        elif inner.name in (b"trak", b"mdia"):
            _clean_film(data, out, inner)


def _clean_meta(data: bytes, out: bytearray, meta: _Box) -> None:
    boxes = [*_boxes(data, meta.body + 4, meta.end)]
    by_name = {box.name: box for box in boxes}
    for box in boxes:
        if box.name in _FREE or box.name == b"uuid":
            _blank_out(out, box)
        elif box.name == b"iprp":
            _clean_properties(data, out, box)
    kinds = dict(_items(data, by_name[b"iinf"]))
    idat = by_name[b"idat"].body if b"idat" in by_name else None
    private = [
        (item, extents) for item, extents in _locations(data, by_name[b"iloc"].body, idat) if kinds[item] not in _PICTURES
    ]
    if sum(length for _, extents in private for _, length in extents) > len(data):
        raise RefusedError(_DAMAGED)
    for item, extents in private:
        _overwrite(out, extents, kinds[item])


def _clean_properties(data: bytes, out: bytearray, iprp: _Box) -> None:
    for ipco in _boxes(data, iprp.body, iprp.end):
        for box in _boxes(data, ipco.body, ipco.end) if ipco.name == b"ipco" else ():
            if box.name in (b"udes", b"uuid"):  # descriptions of the picture
                _blank_out(out, box)


def _overwrite(out: bytearray, extents: list[tuple[int, int]], kind: bytes) -> None:
    """Overwrite EXIF with valid, empty EXIF data, and other kinds with blanks: a decoder may reject invalid data."""
    size = sum(length for _, length in extents)
    if any(start + length > len(out) for start, length in extents):
        raise RefusedError(_DAMAGED)
    filler = (bytes(4) + exif.EMPTY if kind == b"Exif" else b"").ljust(size, b"\0" if kind == b"Exif" else b" ")[:size]
    for start, length in extents:
        out[start : start + length], filler = filler[:length], filler[length:]


def _items(data: bytes, iinf: _Box) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the kind of each item."""
    list_version = data[iinf.body]
    for box in _boxes(data, iinf.body + (8 if list_version else 6), iinf.end):
        version = data[box.body]
        if box.name != b"infe" or version not in (2, 3):
            raise RefusedError(_DAMAGED)
        number, _, kind = struct.unpack_from(">HH4s" if version == 2 else ">IH4s", data, box.body + 4)
        yield number, kind


def _locations(data: bytes, at: int, idat: int | None) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield the number of each item, with the offset and the length of each of its pieces."""
    table = BytesIO(data)
    table.seek(at)

    def number(width: int) -> int:
        digits = table.read(width)
        if len(digits) < width:
            raise RefusedError(_DAMAGED)
        return int.from_bytes(digits, "big")

    version = number(4) >> 24
    widths = number(2)
    offset, length, base, index = (widths >> shift & 15 for shift in (12, 8, 4, 0))
    if version > 2 or not length:
        raise RefusedError(_DAMAGED)
    for _ in range(number(4 if version == 2 else 2)):
        item = number(4 if version == 2 else 2)
        method = number(2) & 15 if version else 0
        number(2)  # the file of the pieces: this one
        if method > 1 or (method and idat is None):
            raise RefusedError(_DAMAGED)
        start = number(base) + (idat or 0 if method else 0)
        extents = []
        for _ in range(number(2)):
            number(index if version else 0)
            extents.append((start + number(offset), number(length)))
        yield item, extents
