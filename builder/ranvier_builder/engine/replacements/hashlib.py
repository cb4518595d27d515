"""A replacement for hashlib, with SHA-256 only. The original imports all algorithms."""

from _sha2 import sha256  # type: ignore[import-not-found]

__all__ = ["sha256"]
