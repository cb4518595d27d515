"""Finds the line of a value in a TOML file: `tomllib` does not report it, and users need it to find a mistake."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

Path = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def line_of(text: str, path: Path) -> int | None:
    """Return the line of a value, else of its table: `("pins", 1, "query")` → the line of the second pin's query."""
    best: tuple[int, int] | None = None
    for candidate, line in _headers_and_keys(text):
        depth = len(candidate)
        if candidate == path[:depth] and (best is None or depth > best[0]):
            best = depth, line
    return best[1] if best else None


def _headers_and_keys(text: str) -> Iterator[tuple[Path, int]]:
    """Yield all headers and keys with their paths. A line of a multi-line string may match: then a line number is wrong."""
    table: Path = ()
    array_lengths: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _with_indexes(_parts(header[2]), array_lengths, is_array=header[1] == "[[")
            yield table, number
            if len(table) > 1 and isinstance(table[-1], int):
                yield table[:-1], number
        elif key := _KEY.match(line):
            yield (*table, *_parts(key[1])), number


def _with_indexes(names: tuple[str, ...], array_lengths: Counter[tuple[str, ...]], *, is_array: bool) -> Path:
    """Insert the index after the name of each array of tables."""
    if is_array:
        array_lengths[names] += 1
    path: list[str | int] = []
    for at, name in enumerate(names, 1):
        path.append(name)
        if array_lengths[names[:at]]:
            path.append(array_lengths[names[:at]] - 1)
    return tuple(path)


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
