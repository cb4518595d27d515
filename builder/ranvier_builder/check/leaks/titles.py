"""The root of a larger site's names: it says which file has what begins so, in pieces of words.

A piece of a published word may be a withheld page's name. So what the root says is compared with the files that it leads to: a
beginning that a name there really has says nothing more than that file, which is searched like any other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ranvier.text.keys import beginnings

TITLES = "_ranvier/titles/"


def explained(out: Path, data: bytes) -> frozenset[str]:
    """Return the beginnings in a root that names in its files have; none where the data are no root."""
    root = _read(data)
    try:
        starts = [*root["heads"], *root["runs"]]
        names = [f"{TITLES}{digest}.json" for digest in root["files"]]
    except (KeyError, TypeError):
        return frozenset()
    return frozenset(start for start, name in zip(starts, names, strict=False) if _begins(out / name, start))


def _begins(file: Path, start: str) -> bool:
    try:
        columns = _read(file.read_bytes())
        said = [name for kind in ("titles", "aliases", "headings", "tags") for name in columns[kind]]
        return any(one.startswith(start) for name in said for one in beginnings(name))
    except (OSError, KeyError, TypeError, AttributeError):
        return False


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
