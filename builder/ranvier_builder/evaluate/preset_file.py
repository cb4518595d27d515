"""Numbers → the table `[search.preset]` of `ranvier.toml`; comments, order and layout of the file are kept.

The file is edited as text, without parsing: the result is parsed with `tomllib` and compared with the intended values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ranvier_builder.errors import ConfigError
from ranvier_builder.read.settings import value_at
from ranvier_builder.toml_edit import end_of_table, read_text, replace_text, toml_string
from ranvier_builder.toml_lines import line_of

_TABLE = ("search", "preset")
_HEADER = re.compile(r"\s*\[\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*\]\s*(?:#.*)?")
_NAME = re.compile(r"[\w-]+", re.ASCII)
# `key = value # comment`: dotted or simple key, value on one line without `#`.
_PAIR = re.compile(r"(\s*[\w-]+(?:\s*\.\s*[\w-]+)*\s*=\s*)([^#\r\n]*?)(\s*(?:#.*)?)")

Changes = Mapping[tuple[str, ...], Any]  # ("fuse", "k") → 10


def toml_of(changes: Changes) -> str:
    """Return numbers as TOML tables to paste: `[search.preset.fuse]` and below it `k = 10`."""
    tables: dict[tuple[str, ...], list[str]] = {}
    for path, value in sorted(changes.items(), key=lambda item: item[0]):
        tables.setdefault((*_TABLE, *path[:-1]), []).append(f"{path[-1]} = {value_of(value)}")
    return "\n\n".join("\n".join((f"[{'.'.join(table)}]", *lines)) for table, lines in tables.items()) + "\n"


def value_of(value: Any) -> str:
    """Return a number, a boolean, a string or a list of them as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    return f"[{', '.join(map(value_of, value))}]" if isinstance(value, Sequence) else repr(value)


def write_numbers(file: Path, changes: Changes) -> None:
    """Set numbers in a configuration file.

    Raises:
        ConfigError: the existing numbers have a form that cannot be edited here, or the file cannot be written; the file is
            unchanged.

    """
    text = read_text(file)
    expected = tomllib.loads(text)
    for path, value in changes.items():
        _set_value(expected, (*_TABLE, *path), value)
    try:
        new_text = text
        for path, value in sorted(changes.items(), key=lambda item: item[0]):
            new_text = _edit_text(new_text, (*_TABLE, *path), value_of(value))
        is_correct = tomllib.loads(new_text) == expected
    except (ValueError, LookupError):
        is_correct = False
    if not is_correct:
        cure = "add these numbers by hand:\n\n" + toml_of(changes)
        raise ConfigError("search.preset is written in a form that ranvier cannot edit", file=file, cure=cure)
    replace_text(file, new_text)


def _set_value(tables: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        if not isinstance(tables.get(name), dict):
            tables[name] = {}
        tables = tables[name]
    tables[path[-1]] = value


def _edit_text(text: str, path: tuple[str, ...], value: str) -> str:
    """Change the line of a number; if missing, add it to its table; if there is no table, add both at the end."""
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if "\r\n" in text else "\n"
    if value_at(tomllib.loads(text), ".".join(path)) is not None:
        at = (line_of(text, path) or 0) - 1
        pair = _PAIR.fullmatch(lines[at].rstrip("\r\n"))
        if pair is None:
            raise LookupError(path)
        lines[at] = f"{pair[1]}{value}{pair[3]}{newline}"
        return "".join(lines)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += newline
    headers = _headers(lines)
    if own := [at for at, name in headers if name == path[:-1]]:
        end = end_of_table(lines, own[0])
        return "".join((*lines[:end], f"{path[-1]} = {value}{newline}", *lines[end:]))
    tables = [at for at, name in headers if name[:1] == _TABLE[:1]]  # of `[search]`
    at = end_of_table(lines, tables[-1]) if tables else len(lines)
    blank = [newline] if at else []
    table = [f"[{'.'.join(path[:-1])}]{newline}", f"{path[-1]} = {value}{newline}"]
    return "".join((*lines[:at], *blank, *table, *lines[at:]))


def _headers(lines: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
    headers = ((at, _HEADER.fullmatch(line.rstrip("\r\n"))) for at, line in enumerate(lines))
    return [(at, tuple(_NAME.findall(match[1]))) for at, match in headers if match is not None]
