"""Reads a front matter that is invalid YAML entry by entry: `title: {#if}` is accepted as a title.

An entry is a line `key: value` and the indented lines, or list lines, below it. An entry that is valid YAML is read as YAML. In
other entries, a single line becomes a text, list lines become texts, and anything else is skipped. The audience is never
guessed: if skipped text could contain a field for it, reading fails.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ranvier_builder.composed import composed

# Fields of other systems that withhold a page: the first unless the value is no, the second unless it is yes or a date.
WITHHOLDING = ("draft", "private", "expirydate", "unpublishdate")
PUBLISHING = ("published", "publish", "dg-publish", "public", "visibility", "routable")
CHARACTERS_MAX = 20_000  # of a front matter; a longer one is not a small mistake of its author
_ENTRY = re.compile(r"(?P<key>[A-Za-z_](?:[\w. -]{0,80}[\w.-])?):(?:[ \t]+(?P<value>.*))?", re.ASCII)
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
# Anchors, aliases and tags: they refer to other entries, or expand to other values.
_REFERENCE = re.compile(r"(?:^|[\s\[{,:-])[&*!][^\s]", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_INVISIBLE = ("Cf", "Mn", "Me")  # categories of invisible characters
_PAIRS = {"[": "]", "{": "}"}
_WORD = re.compile(r"\b\w{8}(?=\W{0,20}[:=])")


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: str  # on the line of the key
    lines: tuple[str, ...]  # all lines, including that of the key
    line: int  # line of the front matter, from 1

    @property
    def continuation(self) -> list[str]:
        return [line for line in self.lines[1:] if line.strip()]


class UnclearError(ValueError):
    """The entries, or the audience of the file, are unclear. `line` counts from 1 in the front matter."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


def read_entries(head: str, guards: Collection[str], parse: Callable[[str], Any]) -> tuple[dict[str, Any], int]:
    """Read the entries of a front matter that is invalid YAML; also return the line of the first invalid entry.

    Args:
        head: the text between the fences.
        guards: the fields that determine the audience.
        parse: reads YAML; raises any `Exception` if it is invalid.

    Raises:
        UnclearError: the text has lines outside of entries, or a duplicate key, or could hide one of `guards`.

    """
    guards = {part for name in guards for part in (name.lower(), name.lower().partition(".")[0])}
    fields: dict[str, Any] = {}
    entries = list(_entries(head))
    first_error = open_line = 0
    for entry in entries:
        key = entry.key.lower()
        if key in fields:
            raise UnclearError(f"the key {key!r} appears twice", entry.line)
        try:
            fields[key] = _parse(entry, parse)
        except Exception:  # the YAML library raises many kinds of errors
            if is_guard(key, guards) or _may_hide(entry, guards):
                raise UnclearError(f"`{entry.key}` may name an audience, but is not valid YAML", entry.line) from None
            first_error = first_error or entry.line
            open_line = open_line or entry.line * _may_continue(entry)
            fields[key] = _texts(entry)
    if open_line and any(is_guard(key, guards) for key in fields):
        raise UnclearError("a quote or a bracket is not closed here, and another line names an audience", open_line)
    return {key: value for key, value in fields.items() if value is not None}, first_error


def is_guard(key: str, guards: Collection[str]) -> bool:
    """Return whether a key determines the audience, or is similar to `audience`."""
    return key in guards or "audience" in key or resembles_audience(key)


def _entries(head: str) -> Iterator[_Entry]:
    if len(head) > CHARACTERS_MAX:
        raise UnclearError(f"it has more than {CHARACTERS_MAX:,} characters", 1)
    current: tuple[int, re.Match[str]] | None = None
    lines: list[str] = []
    for at, line in enumerate([*head.split("\n"), None], 1):
        entry = _ENTRY.fullmatch(line) if line is not None else None
        if entry or line is None:
            if current:
                yield _Entry(current[1]["key"], current[1]["value"] or "", tuple(lines), current[0])
            if entry:
                current, lines = (at, entry), [entry.group()]
        elif not line.strip() or line.startswith("#"):
            lines.append("")
        elif current and (line[0] in " \t" or _ITEM.fullmatch(line)):
            lines.append(line)
        else:
            raise UnclearError("a line is neither `key: value` nor part of one", at)


def _parse(entry: _Entry, parse: Callable[[str], Any]) -> Any:
    text = "\n".join((*entry.lines, ""))
    if _REFERENCE.search(text):
        raise ValueError(text)
    fields = parse(text)
    if not isinstance(fields, dict) or [*fields] != [entry.key]:
        raise ValueError(text)
    return "" if fields[entry.key] is None else fields[entry.key]


def _texts(entry: _Entry) -> str | list[str] | None:
    """Read an entry that is invalid YAML: one line is a text, list lines are a list of texts."""
    if not entry.continuation:
        return _text(entry.value)
    items = [_ITEM.fullmatch(line) for line in entry.continuation]
    if entry.value.strip() or not all(items):
        return None
    return [_text(item["value"]) for item in items if item]


def _text(value: str) -> str:
    """Remove the quotes around a text, or a comment."""
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text.count(text[0]) == 2:
        return text[1:-1]
    return _COMMENT.sub("", text).strip()


def _may_hide(entry: _Entry, guards: Collection[str]) -> bool:
    """Return whether an invalid entry could contain a field that determines the audience."""
    text = composed("\n".join((entry.value, *entry.lines[1:])), "NFKC")
    plain = "".join(char for char in text if char.isascii() or unicodedata.category(char) not in _INVISIBLE).casefold()
    if any(name in plain for name in guards) if entry.continuation else "audience" in plain:
        return True
    names = "|".join(map(re.escape, sorted(guards)))
    return re.search(rf"(?:{names})\W{{0,20}}[:=]", plain) is not None or any(map(resembles_audience, _WORD.findall(plain)))


def resembles_audience(word: str) -> bool:
    """Return whether a word differs from `audience` in at most two letters."""
    return len(word) == 8 and sum(a != b for a, b in zip(word, "audience", strict=True)) <= 2


def _may_continue(entry: _Entry) -> bool:
    """Return whether an entry may continue in lines that look like other entries."""
    text = entry.value.strip()
    if entry.continuation:
        return True
    if text[:1] in ("'", '"'):
        return len(text) < 2 or text[-1] != text[0] or text.count(text[0]) != 2
    if text[:1] in _PAIRS:
        return any(text.count(begin) != text.count(end) for begin, end in _PAIRS.items()) or text.count('"') % 2 == 1
    return text[:1] in ("|", ">", "?")
