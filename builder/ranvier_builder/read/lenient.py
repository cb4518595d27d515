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
HOLDING = ("draft", "private")
SHOWING = ("published", "publish", "dg-publish", "visibility")
CHARACTERS_MAX = 20_000  # of a front matter; a longer one is not a small mistake of its author
_ENTRY = re.compile(r"(?P<key>[A-Za-z_](?:[\w. -]{0,80}[\w.-])?):(?:[ \t]+(?P<value>.*))?", re.ASCII)
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
# Anchors, aliases and tags: they refer to other entries, or expand to other values.
_MARKED = re.compile(r"(?:^|[\s\[{,:-])[&*!][^\s]", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_HIDDEN = ("Cf", "Mn", "Me")  # categories of invisible characters
_PAIRS = {"[": "]", "{": "}"}
_WORD = re.compile(r"\b\w{8}(?=\W{0,20}[:=])")


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: str  # on the line of the key
    lines: tuple[str, ...]  # all lines, including that of the key
    at: int  # line of the front matter, from 1

    @property
    def below(self) -> list[str]:
        return [line for line in self.lines[1:] if line.strip()]


class Unclear(ValueError):
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
        Unclear: the text has lines outside of entries, or a duplicate key, or could hide one of `guards`.

    """
    guards = {part for name in guards for part in (name.lower(), name.lower().partition(".")[0])}
    fields: dict[str, Any] = {}
    entries = list(_entries(head))
    first = is_open = 0
    for entry in entries:
        key = entry.key.lower()
        if key in fields:
            raise Unclear(f"the key {key!r} appears twice", entry.at)
        try:
            fields[key] = _parsed(entry, parse)
        except Exception:  # the YAML library raises many kinds of errors
            if is_guard(key, guards) or _hides(entry, guards):
                raise Unclear(f"`{entry.key}` may name an audience, but is not valid YAML", entry.at) from None
            first = first or entry.at
            is_open = is_open or entry.at * _is_open(entry)
            fields[key] = _texts(entry)
    if is_open and any(is_guard(key, guards) for key in fields):
        raise Unclear("a quote or a bracket is not closed here, and another line names an audience", is_open)
    return {key: value for key, value in fields.items() if value is not None}, first


def is_guard(key: str, guards: Collection[str]) -> bool:
    """Return whether a key determines the audience, or is similar to `audience`."""
    return key in guards or "audience" in key or _is_near(key)


def _entries(head: str) -> Iterator[_Entry]:
    if len(head) > CHARACTERS_MAX:
        raise Unclear(f"it has more than {CHARACTERS_MAX:,} characters", 1)
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
            raise Unclear("a line is neither `key: value` nor part of one", at)


def _parsed(entry: _Entry, parse: Callable[[str], Any]) -> Any:
    text = "\n".join((*entry.lines, ""))
    if _MARKED.search(text):
        raise ValueError(text)
    fields = parse(text)
    if not isinstance(fields, dict) or [*fields] != [entry.key]:
        raise ValueError(text)
    return "" if fields[entry.key] is None else fields[entry.key]


def _texts(entry: _Entry) -> str | list[str] | None:
    """Read an entry that is invalid YAML: one line is a text, list lines are a list of texts."""
    if not entry.below:
        return _text(entry.value)
    items = [_ITEM.fullmatch(line) for line in entry.below]
    if entry.value.strip() or not all(items):
        return None
    return [_text(item["value"]) for item in items if item]


def _text(value: str) -> str:
    """Remove the quotes around a text, or a comment."""
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text.count(text[0]) == 2:
        return text[1:-1]
    return _COMMENT.sub("", text).strip()


def _hides(entry: _Entry, guards: Collection[str]) -> bool:
    """Return whether an invalid entry could contain a field that determines the audience."""
    plain = "".join(sign for sign in composed("\n".join((entry.value, *entry.lines[1:])), "NFKC") if not _is_hidden(sign))
    plain = plain.casefold()
    if any(name in plain for name in guards) if entry.below else "audience" in plain:
        return True
    names = "|".join(map(re.escape, sorted(guards)))
    return re.search(rf"(?:{names})\W{{0,20}}[:=]", plain) is not None or any(map(_is_near, _WORD.findall(plain)))


def _is_hidden(sign: str) -> bool:
    return not sign.isascii() and unicodedata.category(sign) in _HIDDEN


def _is_near(word: str) -> bool:
    """Return whether a word differs from `audience` in at most two letters."""
    return len(word) == 8 and sum(a != b for a, b in zip(word, "audience", strict=True)) <= 2


def _is_open(entry: _Entry) -> bool:
    """Return whether an entry may continue in lines that look like other entries."""
    text = entry.value.strip()
    if entry.below:
        return True
    if text[:1] in ("'", '"'):
        return len(text) < 2 or text[-1] != text[0] or text.count(text[0]) != 2
    if text[:1] in _PAIRS:
        return any(text.count(begin) != text.count(end) for begin, end in _PAIRS.items()) or text.count('"') % 2 == 1
    return text[:1] in ("|", ">", "?")
