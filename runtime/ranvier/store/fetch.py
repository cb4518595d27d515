"""Asking for files: whatever a generator yields is fetched in one round, and checked before any of it is used."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TypeVar

from ranvier.errors import FetchError
from ranvier.store.format import checked
from ranvier.types import Need

T = TypeVar("T")
Steps = Generator[Need, Mapping[str, bytes], T]


def fetch(seals: Mapping[str, bytes]) -> Steps[dict[str, bytes]]:
    """Ask for files, name → digest, in one round; return their inflated contents by name. No file, no round."""
    if not seals:
        return {}
    got = yield Need(tuple(seals))
    out = {}
    for name, digest in seals.items():
        if name not in got:
            raise FetchError(name, "was not delivered")
        out[name] = checked(name, got[name], digest)
    return out
