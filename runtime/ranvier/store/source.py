"""The file source of a server: a folder. The browser has its own source in JavaScript. Both only read files."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ranvier.errors import FetchError, FormatError
from ranvier.store.format import FORMAT
from ranvier.types import Need


class FolderSource:
    """The `_ranvier` folder of a built site, or the site's folder itself."""

    def __init__(self, folder: Path) -> None:
        inner = folder / "_ranvier"
        self.base = inner if inner.is_dir() else folder

    def read(self, name: str) -> bytes:
        """Read a file of the snapshot."""
        try:
            return (self.base / name).read_bytes()
        except OSError as error:
            raise FetchError(name, error.strerror or str(error)) from None

    def answer(self, need: Need) -> dict[str, bytes]:
        """Read all files of a need."""
        return {name: self.read(name) for name in need.files}

    def entry(self) -> dict[str, Any]:
        """Read the entry file; raise `FormatError` for another format, and for a damaged file."""
        try:
            entry: Any = json.loads(self.read("entry.json"))
        except ValueError:
            entry = None
        if isinstance(entry, dict) and entry.get("format") != FORMAT:
            raise FormatError(f"{self.base / 'entry.json'} is not of format {FORMAT}: build the site again")
        if not (isinstance(entry, dict) and all(_is_file_name(kind, entry.get(kind)) for kind in ("manifest", "hot"))):
            raise FormatError(f"{self.base / 'entry.json'} is damaged: build the site again")
        result: dict[str, Any] = entry
        return result


def _is_file_name(kind: str, name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(rf"{kind}-[0-9a-f]{{24}}\.bin", name) is not None


class SparseFile:
    """A sparse temporary file with the size of the database; a page is a hole until it is written."""

    def __init__(self) -> None:
        self._size = 0
        self._absent: set[int] = set()
        self._file = tempfile.NamedTemporaryFile(prefix="ranvier-", suffix=".db", buffering=0)

    @property
    def path(self) -> str:
        """The path for SQLite."""
        return quote(self._file.name)

    def reserve(self, page_size: int, page_count: int) -> None:
        """Make a sparse file with the size of the whole database."""
        self._size = page_size
        self._absent = set(range(1, page_count + 1))
        self._file.truncate(page_size * page_count)

    def put(self, first_page: int, data: bytes) -> None:
        """Write a run of pages."""
        self._file.seek((first_page - 1) * self._size)
        self._file.write(data)
        self._absent.difference_update(range(first_page, first_page + len(data) // self._size))

    def take_misses(self) -> list[int]:
        """Return all missing pages: a plain file cannot tell which of them was read."""
        return sorted(self._absent)

    def require_open(self) -> None:
        """Raise `ValueError` if the file is removed."""
        if self._file.closed:
            raise ValueError("the library is closed")

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
