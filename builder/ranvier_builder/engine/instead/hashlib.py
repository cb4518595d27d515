"""Stands in for hashlib with the one digest that is used: the original imports those of all its algorithms."""

from _sha2 import sha256  # type: ignore[import-not-found]

__all__ = ["sha256"]
