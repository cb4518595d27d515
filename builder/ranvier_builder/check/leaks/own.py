"""Which of the written files are the program's own, byte for byte: there is nothing of anybody's content in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from ranvier_themes import theme_path

from ranvier_builder.assets import pack_core
from ranvier_builder.engine import pinned


@cache
def own_digests(theme: str) -> frozenset[str]:
    """Return the SHA-256 of every file that a build copies from the installed packages."""
    found = {sha256(data).hexdigest() for data in _below(files("ranvier_web"))}
    found |= {sha256(data).hexdigest() for data in _below(theme_path(theme).joinpath("static"))}
    return frozenset({*found, sha256(pack_core()).hexdigest(), *pinned.FILES.values()})


def _below(folder: Traversable) -> Iterator[bytes]:
    for item in folder.iterdir():
        if not item.is_dir():
            yield item.read_bytes()
        elif item.name not in ("vendor", "__pycache__"):
            yield from _below(item)
