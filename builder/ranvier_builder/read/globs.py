"""Globs of content paths, with tolerant spelling: `./drafts/`, `/drafts/*` and `drafts` are one folder."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import translate
from typing import Self

_ANY_FOLDERS = "\ue000"  # placeholder for `**/` during translation; not used in names


class Located(str):
    """A text of the settings, with its file and line for a message."""

    location: tuple[str, int]

    def __new__(cls, text: str, location: tuple[str, int] = ("ranvier.toml", 0)) -> Self:
        """Add the location to the text."""
        located = super().__new__(cls, text)
        located.location = location
        return located


class Globs:
    """Matches paths with globs, and tracks the globs without a match."""

    def __init__(self, globs: Iterable[str]) -> None:
        self._patterns = {glob if isinstance(glob, Located) else Located(glob): _pattern(glob) for glob in globs}
        self._idle = dict.fromkeys(self._patterns)

    @property
    def idle(self) -> tuple[Located, ...]:
        """The globs without a match so far."""
        return tuple(self._idle)

    def match(self, path: str) -> bool:
        """Return whether a path, or one of its folders, matches one of the globs."""
        composed = unicodedata.normalize("NFC", path).rstrip("/")
        matching = [glob for glob, pattern in self._patterns.items() if pattern.match(composed)]
        for glob in matching:
            self._idle.pop(glob, None)
        return bool(matching)


def _pattern(glob: str) -> re.Pattern[str]:
    """Translate a glob: `*` also matches slashes, `**/` matches zero or more folders, and a folder matches all its contents."""
    plain = unicodedata.normalize("NFC", glob).replace("\\", "/").removeprefix("./").strip("/")
    masked = re.sub(r"(?:(?<=/)|\A)(?:\*\*/)+", _ANY_FOLDERS, plain)
    whole = translate(masked).replace(_ANY_FOLDERS, "(?:.*/)?")
    folder = translate(f"{masked}/*").replace(_ANY_FOLDERS, "(?:.*/)?")
    return re.compile(f"{whole}|{folder}") if plain else re.compile(r"(?!)")
