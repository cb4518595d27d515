"""The collections of Astro: pages that no pattern of their folder includes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from ranvier_builder.markdown.javascript import literal
from ranvier_builder.read.ignored import anchored, lines_of_others
from ranvier_builder.read.settings import script, strings_at, values_at

_FILES = tuple(f"{stem}.{ending}" for stem in ("src/content.config", "src/content/config") for ending in ("ts", "js", "mjs"))
_CALL = re.compile(r"\bglob\(\s*")
_CHARACTERS_MAX = 2000  # of the options of a call


def astro_lines(place: Path) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the settings files, each with the folder of a collection and lines in the syntax of `.gitignore`.

    A folder counts if one collection has it and its patterns are literals: another one may have what these leave out.
    """
    for name in _FILES:
        text = script(place / name)
        calls = [literal(text[match.end() : match.end() + _CHARACTERS_MAX]) for match in _CALL.finditer(text)]
        bases = [posixpath.normpath(next(strings_at(call, "base"), ".")) for call in calls]
        bases += ["src/content/docs"] if "docsLoader(" in text else []  # of Starlight
        for base, call in zip(bases, calls, strict=False):
            nested = [other for other in bases if PurePosixPath(other).is_relative_to(base) or base.startswith(f"{other}/")]
            if (globs := _globs(call)) and len(nested) == 1 and "." not in bases and not base.startswith(".."):
                yield name, base, _lines(globs)


def _globs(call: object) -> list[str]:
    """Return the patterns of a collection; none if one is no literal or no plain glob, or if they are not for Markdown."""
    globs = [*strings_at(call, "pattern")]
    size = len([*values_at(call, "pattern")])
    return globs if size == len(globs) and any("md" in glob for glob in globs) and "(" not in "".join(globs) else []


def _lines(globs: list[str]) -> Iterator[str]:
    yield from lines_of_others(glob for glob in globs if not glob.startswith("!"))
    yield from anchored(glob[1:] for glob in globs if glob.startswith("!"))
