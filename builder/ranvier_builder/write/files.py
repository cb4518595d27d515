"""Write files named by their digests. Only this module of the builder names such files."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ranvier.store.format import DIGEST, deflate, digest


def put(folder: Path, contents: Iterable[bytes]) -> list[Any]:
    """Write files named by their digests, in order; return the concatenated digests, and the sizes."""
    digests, sizes = [], []
    for data in contents:
        folder.mkdir(parents=True, exist_ok=True)  # here: without contents there is no folder
        digests.append(digest(data))
        sizes.append(len(data))
        (folder / f"{digests[-1].hex()}.bin").write_bytes(data)
    return [b"".join(digests), sizes]


def write_hashed(folder: Path, kind: str, data: bytes, ending: str = ".bin", size: int = DIGEST) -> str:
    """Write a file named by its kind and the first `size` bytes of its digest; return its name."""
    name = f"{kind}-{digest(data)[:size].hex()}{ending}"
    (folder / name).write_bytes(data)
    return name


def compact_json(value: Any) -> bytes:
    """Return JSON without blanks and with sorted keys; lone surrogates become question marks."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")


def deflated_json(value: Any) -> bytes:
    """Return deflated compact JSON, for the scripts of a page."""
    return deflate(compact_json(value))


def size_and_integrity(data: bytes) -> list[Any]:
    """Return a file's size, and its SHA-256 in the format of browsers (subresource integrity)."""
    return [len(data), f"sha256-{b64encode(sha256(data).digest()).decode()}"]
