"""The one thing in a picture's EXIF data that changes how it looks: which way up it is."""

from __future__ import annotations

import struct

_ORIENTATION = 0x0112
_SHORT = 3
_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
EMPTY = b"MM\0*\0\0\0\x08" + bytes(6)  # EXIF data that say nothing


def kept(tiff: bytes) -> bytes:
    """Return EXIF data that hold nothing but the orientation of `tiff`; empty where the picture is upright, or says nothing."""
    turned = _orientation(tiff)
    entry = struct.pack(">HHIHH", _ORIENTATION, _SHORT, 1, turned, 0)
    return b"MM\0*\0\0\0\x08\0\x01" + entry + bytes(4) if turned > 1 else b""


def _orientation(tiff: bytes) -> int:
    """Read the orientation, 1 to 8, out of the first directory; 1 where there is none or it cannot be read."""
    order = _ORDERS.get(tiff[:4])
    try:
        if order is None:
            return 1
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for number in range(count):
            tag, kind, values, value = struct.unpack_from(f"{order}HHIH", tiff, at + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if kind == _SHORT and values == 1 and value in range(1, 9) else 1
    except struct.error:  # it ends in the middle
        pass
    return 1
