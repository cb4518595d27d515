"""Files on disk, each named by its digest. Only this module of the builder names them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ranvier.store.format import digest


def put(folder: Path, contents: Iterable[bytes], ending: str = ".bin") -> list[Any]:
    """Write files named by their digests, in order; return the concatenated digests, and the sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    digests, sizes = [], []
    for data in contents:
        digests.append(digest(data))
        sizes.append(len(data))
        (folder / f"{digests[-1].hex()}{ending}").write_bytes(data)
    return [b"".join(digests), sizes]
