"""Patterns in the syntax of `.gitignore` → the files that settings of other systems keep out of a site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from ranvier_builder.markdown.javascript import objects
from ranvier_builder.paths import PAGES, suffix

_ESCAPE = re.compile(r"\\(.)")
_BRACES = re.compile(r"\{([^{}]*)\}")
_GLOBS_MAX = 1000  # globs that a glob with braces stands for
_BRACES_MAX = 10  # braces of a glob: one with more excludes nothing


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A line in the syntax of `.gitignore`. `names`: of folders and of the file; `**` stands for any number of folders."""

    names: tuple[str, ...]
    excludes: bool  # otherwise the line begins with `!`
    is_folder: bool  # it matches only what is in a folder


def patterns(texts: Iterable[str], folder: str) -> tuple[PathPattern, ...]:
    """Return the patterns of all lines of texts; `folder` is that of the pages, relative to the content folder."""
    lines = (line.strip() for text in texts for line in text.splitlines())
    return tuple(_patterns(lines, () if folder == "." else tuple(folder.split("/"))))


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


def anchored(globs: Iterable[str]) -> Iterator[str]:
    """Yield globs of paths as lines of a `.gitignore`, where a name without a slash has no fixed folder."""
    return (f"/{glob.removeprefix('./').lstrip('/')}" for glob in braced(globs))


def deep(globs: Iterable[str]) -> Iterator[str]:
    """Yield globs of Hugo and Sphinx, where `**` at the start of a name stands for folders, too: `**.md` → `**/*.md`."""
    return (re.sub(r"(?<![^/])\*\*(?=[^/])", "**/*", glob) for glob in globs)


def lines_of_others(globs: Iterable[str]) -> Iterator[str]:
    """Yield the lines for the pages that no glob in a list matches; none for an empty list."""
    lines = [f"!{line}" for line in anchored(globs)]
    yield from (f"*{ending}" for ending in PAGES if lines)
    yield from lines


def braced(globs: Iterable[str]) -> Iterator[str]:
    """Yield the globs that globs with braces stand for: `a.{b,c}` → `a.b`, `a.c`."""
    for glob in globs:
        yield from islice(_braces(glob), _GLOBS_MAX)


def literal_paths(paths: Iterable[str]) -> Iterator[str]:
    """Yield paths as lines of a `.gitignore`: their signs have no meaning."""
    return (literal(f"/{path.removeprefix('./').lstrip('/')}") for path in paths)


def literal(path: str) -> str:
    """Return the pattern of a path."""
    return re.sub(r"[\\*?^\[\]]", r"\\\g<0>", path)


def lines_outside(toc: Any) -> Iterator[str]:
    """Yield the lines for the pages that a table of contents of MyST or a Jupyter Book does not name; it may have globs."""
    files = [*_values(toc, ("root", "file"))]
    globs = [*anchored(_values(toc, ("pattern", "glob")))]
    yield from (f"*{ending}" for ending in PAGES if files)
    yield from (f"!{line}" if suffix(line) in PAGES else f"!{line}.*" for line in literal_paths(files))
    yield from (f"!{line}" for line in globs)


def _values(item: Any, keys: Iterable[str]) -> Iterator[str]:
    """Yield the strings of some keys, at any depth."""
    return (value for inner in objects(item) for key in keys if isinstance(value := inner.get(key), str))


def _braces(glob: str) -> Iterator[str]:
    if not (braces := _BRACES.search(glob)) or glob.count("{") > _BRACES_MAX:
        yield glob
        return
    for part in braces[1].split(","):
        yield from _braces(f"{glob[: braces.start()]}{part}{glob[braces.end() :]}")
