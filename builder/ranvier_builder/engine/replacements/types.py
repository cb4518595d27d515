"""A replacement for types: the types, without the functions that make classes."""

from _types import *  # type: ignore[import-not-found] # noqa: F403
