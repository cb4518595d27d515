"""Edits one array of tables of a TOML file as text, to keep its comments, order and blank lines.

A table includes the comments right above it. The text is not parsed as TOML: the caller must compare the result with the
intended values, with a TOML parser.
"""

from __future__ import annotations

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from pathlib import Path

from ranvier_builder.errors import ConfigError

_VALUE = r"""(\s*{key}\s*=\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*')(.*)"""


class Tables:
    """The tables `[[name]]` of a text, and the lines between them."""

    def __init__(self, text: str, name: str) -> None:
        self._name = name
        self._newline = "\r\n" if "\r\n" in text else "\n"
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += self._newline
        self._parts = [*self._split(lines)]  # runs of lines: table n is part 2n + 1, the others are between the tables

    def __len__(self) -> int:
        return len(self._parts) // 2

    def __str__(self) -> str:
        return "".join(line for part in self._parts for line in part)

    def change(self, number: int, values: Mapping[str, str]) -> None:
        """Change values of a table; keys that are not given stay."""
        lines = self._parts[2 * number + 1]
        for key, value in values.items():
            pattern = re.compile(_VALUE.format(key=re.escape(key)), re.DOTALL)
            for at, line in enumerate(lines):
                if match := pattern.fullmatch(line):
                    lines[at] = f"{match[1]}{toml_string(value)}{match[2]}"
                    break
            else:
                lines.append(f"{key} = {toml_string(value)}{self._newline}")

    def insert(self, number: int, values: Mapping[str, str]) -> None:
        """Insert a new table before the table with this number, or after the last one, or at the end of the text."""
        lines = [f"[[{self._name}]]", *(f"{key} = {toml_string(value)}" for key, value in values.items())]
        self._put(number, [f"{line}{self._newline}" for line in lines])

    def move(self, number: int, new_number: int) -> None:
        """Move a table to another position among the tables."""
        if number != new_number:
            self._put(new_number, self.remove(number))

    def remove(self, number: int) -> list[str]:
        """Remove a table, with the blank lines after it; return its lines."""
        before, lines, after = self._parts[2 * number : 2 * number + 3]
        self._parts[2 * number : 2 * number + 3] = [[*before, *dropwhile(str.isspace, after)]]
        return lines

    def _put(self, number: int, lines: list[str]) -> None:
        blank = [self._newline]
        if number < len(self):
            self._parts[2 * number + 1 : 2 * number + 1] = [lines, blank]
        elif len(self):
            self._parts[-1:-1] = [blank, lines]
        else:
            self._parts = [[*self._parts[0], *(blank if str(self).strip() else [])], lines, []]

    def _split(self, lines: list[str]) -> Iterator[list[str]]:
        header = re.compile(rf"\s*\[\[\s*{re.escape(self._name)}\s*\]\]")
        between: list[str] = []
        at = 0
        while at < len(lines):
            if not header.match(lines[at]):
                between.append(lines[at])
                at += 1
                continue
            end = end_of_table(lines, at)
            comments: list[str] = []
            while between and between[-1].lstrip().startswith("#"):
                comments.insert(0, between.pop())
            yield between
            yield [*comments, *lines[at:end]]
            between, at = [], end
        yield between


def read_text(file: Path) -> str:
    """Return the text of a file, with its line ends and without a byte order mark."""
    return file.read_bytes().decode("utf-8-sig")


def replace_text(file: Path, text: str) -> None:
    """Replace the text of a file but not its byte order mark, or leave the file unchanged and raise `ConfigError`.

    A link is kept: the file that it leads to changes.
    """
    file = Path(os.path.realpath(file))
    temporary = file.with_name(f".{file.name}.new")
    try:
        mark = BOM_UTF8 if file.read_bytes().startswith(BOM_UTF8) else b""
        temporary.write_bytes(mark + text.encode())
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        cure = "check the permissions of its folder, and whether the disk is full"
        raise ConfigError(f"cannot be written: {error.strerror}", file=file, cure=cure) from None


def toml_string(value: str) -> str:
    """Return a string as TOML; strings with backslashes, such as patterns, in single quotes if possible."""
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def end_of_table(lines: Sequence[str], header: int) -> int:
    """Return the line after the last non-empty line of a table. Comments above the next header belong to that header."""
    end = next((at for at in range(header + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    while not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return end
