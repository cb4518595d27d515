"""Patterns in the syntax of `.gitignore` → the files that settings of other systems keep out of a site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A line in the syntax of `.gitignore`. `names`: of folders and of the file; `**` stands for any number of folders."""

    names: tuple[str, ...]
    excludes: bool  # otherwise the line begins with `!`
    is_folder: bool  # it matches only what is in a folder


def patterns(text: object, folder: str) -> tuple[PathPattern, ...]:
    """Return the patterns of a text; `folder` is that of the pages, relative to the content folder."""
    lines = text.splitlines() if isinstance(text, str) else []
    return tuple(_patterns(map(str.strip, lines), () if folder == "." else tuple(folder.split("/"))))


def is_ignored(path: str, rules: Sequence[PathPattern]) -> bool:
    """Return whether the last pattern that matches a path, or a folder of it, excludes it."""
    names = path.split("/")
    return next((rule.excludes for rule in reversed(rules) if _matches(rule, names)), False)


def _matches(rule: PathPattern, path: Sequence[str]) -> bool:
    """Return whether a pattern matches a file, or a folder above it."""
    ends = {0}  # numbers of the path's names that the pattern's names up to here can match
    for name in rule.names:
        if name == "**":
            ends = {*range(min(ends), len(path))}
        else:
            ends = {end + 1 for end in ends if end < len(path) and fnmatchcase(path[end], name)}
        if not ends:
            return False
    return not rule.is_folder or min(ends) < len(path)


def _patterns(lines: Iterable[str], above: tuple[str, ...]) -> Iterator[PathPattern]:
    for line in lines:
        glob = line.removeprefix("!")
        names = _ESCAPE.sub(_literal, glob.replace("[^", "[!")).strip("/").split("/")
        if not any(names) or glob.startswith("#"):
            continue
        if "/" not in glob.rstrip("/"):  # in any folder
            names = ["**", *names]
        is_folder = glob.endswith("/")
        if is_folder and names[-1] == "**":  # folders at any depth, but not the files beside them
            names.append("*")
        yield PathPattern((*above, *names), glob == line, is_folder)


def _literal(escape: re.Match[str]) -> str:
    """Return the pattern of a character after a backslash."""
    return f"[{escape[1]}]" if escape[1] in "*?[" else escape[1]
