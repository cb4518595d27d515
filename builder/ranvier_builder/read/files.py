"""Walks a content folder in one order on every machine, and never out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from ranvier_builder.errors import ReadError

MARKDOWN = (".md", ".markdown")


def content_files(folder: Path, exclude: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the Markdown files below a folder as relative paths with slashes, sorted.

    Folders and files whose names begin with a dot are an editor's or a tool's business (`.obsidian`, `.trash`, `.git`).
    A symbolic link is followed only to a file inside the folder.

    Raises:
        ReadError: there is no such folder.

    """
    if not folder.is_dir():
        raise ReadError("is not a folder", file=folder, cure="name the folder that holds your Markdown files")
    root = folder.resolve()
    found = []
    for at, folders, files in os.walk(root, onerror=_unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            file = Path(at, name)
            path = file.relative_to(root).as_posix()
            if name.startswith(".") or file.suffix.lower() not in MARKDOWN or any(fnmatch(path, glob) for glob in exclude):
                continue
            if file.is_file() and inside(file, root):
                found.append(_spelled(path))
    yield from sorted(found)


def _unreadable(error: OSError) -> None:
    raise ReadError(
        f"cannot be read: {error.strerror}", file=error.filename, cure="make it readable, or list it under `exclude`"
    )


def _spelled(path: str) -> str:
    try:
        path.encode()
    except UnicodeEncodeError:
        name = path.encode("utf-8", "backslashreplace").decode()
        raise ReadError("has a name that is not UTF-8", file=name, cure="rename it, or list it under `exclude`") from None
    return path


def inside(file: Path, root: Path) -> bool:
    """Tell whether a file, links followed, lies below a folder."""
    return file.resolve().is_relative_to(root.resolve())
