"""Globs of content paths, read as people mean them: `./drafts/`, `/drafts/*` and `drafts` are one folder."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import translate

_ANY_FOLDERS = "\ue000"  # stands for `**/` while the rest is translated; no name has it


class Globs:
    """Compares paths with patterns, and knows in the end which patterns nothing fitted."""

    def __init__(self, globs: Iterable[str]) -> None:
        self._patterns = {glob: _pattern(glob) for glob in globs}
        self._idle = dict.fromkeys(self._patterns)

    @property
    def idle(self) -> tuple[str, ...]:
        """The globs that have matched nothing so far."""
        return tuple(self._idle)

    def match(self, path: str) -> bool:
        """Tell whether a path, or a folder that it lies in, fits one of the globs."""
        composed = unicodedata.normalize("NFC", path).rstrip("/")
        matching = [glob for glob, pattern in self._patterns.items() if pattern.match(composed)]
        for glob in matching:
            self._idle.pop(glob, None)
        return bool(matching)


def _pattern(glob: str) -> re.Pattern[str]:
    """`*` matches slashes, too, and `**/` no folder or any; a folder's name means all that is in it."""
    plain = unicodedata.normalize("NFC", glob).replace("\\", "/").removeprefix("./").strip("/")
    marked = re.sub(r"(?:(?<=/)|\A)(?:\*\*/)+", _ANY_FOLDERS, plain)
    whole = translate(marked).replace(_ANY_FOLDERS, "(?:.*/)?")
    folder = translate(f"{marked}/*").replace(_ANY_FOLDERS, "(?:.*/)?")
    return re.compile(f"{whole}|{folder}") if plain else re.compile(r"(?!)")
