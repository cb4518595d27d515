"""The files of installed packages, in the same order on every machine."""

from __future__ import annotations

from collections.abc import Container, Iterator
from importlib.resources.abc import Traversable


def read_files(
    folder: Traversable, endings: tuple[str, ...] = ("",), prefix: str = "", *, skipped: Container[str] = ("__pycache__",)
) -> Iterator[tuple[str, bytes]]:
    """Yield the name, after `prefix`, and the content of each file below a folder; `skipped` are names of folders."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name) if folder.is_dir() else ():
        if item.is_dir():
            if item.name not in skipped:
                yield from read_files(item, endings, f"{prefix}{item.name}/", skipped=skipped)
        elif item.name.endswith(endings):
            yield f"{prefix}{item.name}", item.read_bytes()
