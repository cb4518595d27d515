"""The only EXIF data that change the look of a picture: its orientation."""

from __future__ import annotations

import struct

_ORIENTATION = 0x0112
_SHORT = 3
_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
EMPTY = b"MM\0*\0\0\0\x08" + bytes(6)  # EXIF data without entries


def orientation_only(tiff: bytes) -> bytes:
    """Return EXIF data with only the orientation of `tiff`; empty if the picture is upright, or has no orientation."""
    orientation = _orientation(tiff)
    entry = struct.pack(">HHIHH", _ORIENTATION, _SHORT, 1, orientation, 0)
    return b"MM\0*\0\0\0\x08\0\x01" + entry + bytes(4) if orientation > 1 else b""


def _orientation(tiff: bytes) -> int:
    """Return the orientation, 1 to 8, from the first directory; 1 if it is missing or invalid."""
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
    except struct.error:  # truncated
        pass
    return 1
