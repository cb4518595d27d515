"""How files of a snapshot are named, packed and checked. No other module depends on this.

A file is deflated (so that it is small on hosts that compress nothing) and named by the first 96 bits of the SHA-256 of its
deflated bytes: a changed file has a new name, and the name verifies the file.
"""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import Any

import msgpack

from ranvier.errors import FormatError, IntegrityError

FORMAT = 10
DIGEST = 12  # bytes; a manifest holds one for each file, and digests do not compress
INFLATED_MAX = 1 << 28  # far above any file of a snapshot; a limit against decompression bombs


def digest(data: bytes) -> bytes:
    """Return the 12 bytes that name and check a file."""
    return sha256(data).digest()[:DIGEST]


def deflate(data: bytes, level: int = 9) -> bytes:
    """Deflate at the highest level; level 6 takes a third of the time and gives 1 % more."""
    return zlib.compress(data, level)


def inflate(name: str, data: bytes) -> bytes:
    """Unpack; raise `IntegrityError` for data that `deflate` did not make."""
    engine = zlib.decompressobj()
    try:
        out = engine.decompress(data, INFLATED_MAX)
    except zlib.error as error:
        raise IntegrityError(name, f"does not unpack ({error})") from None
    if not engine.eof or engine.unused_data:
        raise IntegrityError(name, "is incomplete or has extra bytes at its end")
    return out


def checked(name: str, data: bytes, expected: bytes) -> bytes:
    """Compare a file with its digest and unpack it; raise `IntegrityError` if they differ."""
    if digest(data) != expected:
        raise IntegrityError(name, f"does not match its digest ({len(data)} bytes)")
    return inflate(name, data)


def checked_by_name(name: str, data: bytes) -> bytes:
    """Unpack a file whose digest is in its own name: `manifest-<24 hex>.bin`."""
    try:
        expected = bytes.fromhex(name.rpartition("-")[2].partition(".")[0])
    except ValueError:
        raise FormatError(f"{name} does not end in a digest") from None
    return checked(name, data, expected)


def pack(value: Any) -> bytes:
    """Write a value as deflated msgpack."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return deflate(packed)


def unpack(name: str, data: bytes) -> Any:
    """Decode msgpack; raise `FormatError` for other data."""
    try:
        return msgpack.unpackb(data, raw=False, strict_map_key=False)
    except Exception as error:
        raise FormatError(f"{name} is not msgpack: {error}") from None
