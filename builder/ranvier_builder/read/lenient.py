"""A front matter that is no YAML, read entry by entry: `title: {#if}` is a title all the same.

An entry is a line `key: value` and the indented lines, or lines of a list, below it. An entry that is YAML by itself is read
as that; of any other, one line is a text, lines of a list are texts, and the rest is left out. Who may read a file is never
guessed at: where a field that decides it could be hidden in what is not read, there is no reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ranvier_builder.composed import composed

# Fields by which other systems hold a page back: the first unless they say no, the second unless they say yes, or a date.
HOLDING = ("draft", "private")
SHOWING = ("published", "publish", "dg-publish", "visibility")
CHARACTERS_MAX = 20_000  # of a front matter; a longer one is no slip of an author's
_ENTRY = re.compile(r"(?P<key>[A-Za-z_](?:[\w. -]{0,80}[\w.-])?):(?:[ \t]+(?P<value>.*))?", re.ASCII)
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
# Anchors, aliases and tags: they mean something in other entries, or stand for more than they are.
_MARKED = re.compile(r"(?:^|[\s\[{,:-])[&*!][^\s]", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_HIDDEN = ("Cf", "Mn", "Me")  # categories of characters that a reader of the file does not see by themselves
_PAIRS = {"[": "]", "{": "}"}
_WORD = re.compile(r"\b\w{8}(?=\W{0,20}[:=])")


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: str  # on the key's own line
    lines: tuple[str, ...]  # all of them, the key's own too
    at: int  # line of the front matter, from 1

    @property
    def below(self) -> list[str]:
        return [line for line in self.lines[1:] if line.strip()]


class Unclear(ValueError):
    """What the entries are, or who may read the file, is not clear. `line` counts from 1 in the front matter."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


def read_entries(head: str, guards: Collection[str], parse: Callable[[str], Any]) -> tuple[dict[str, Any], int]:
    """Read the entries of a front matter that is no YAML; also return the line of the first that is none by itself.

    Args:
        head: the text between the fences.
        guards: the fields that decide who may read the file.
        parse: reads YAML; raises any `Exception` where it is none.

    Raises:
        Unclear: the text has other lines than entries, says a key twice, or may hide one of `guards`.

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
        except Exception:  # the YAML library lets errors of many kinds out
            if is_guard(key, guards) or _hides(entry, guards):
                raise Unclear(f"who may read this may be said in `{entry.key}`, which is no YAML", entry.at) from None
            first = first or entry.at
            is_open = is_open or entry.at * _is_open(entry)
            fields[key] = _texts(entry)
    if is_open and any(is_guard(key, guards) for key in fields):
        raise Unclear("a quote or a bracket is not closed here, and who may read this is said elsewhere", is_open)
    return {key: value for key, value in fields.items() if value is not None}, first


def is_guard(key: str, guards: Collection[str]) -> bool:
    """Tell whether a key decides who may read a file, or is nearly `audience`."""
    return key in guards or "audience" in key or _is_near(key)


def _entries(head: str) -> Iterator[_Entry]:
    if len(head) > CHARACTERS_MAX:
        raise Unclear(f"it has more than {CHARACTERS_MAX:,} characters", 1)
    begun: tuple[int, re.Match[str]] | None = None
    lines: list[str] = []
    for at, line in enumerate([*head.split("\n"), None], 1):
        entry = _ENTRY.fullmatch(line) if line is not None else None
        if entry or line is None:
            if begun:
                yield _Entry(begun[1]["key"], begun[1]["value"] or "", tuple(lines), begun[0])
            if entry:
                begun, lines = (at, entry), [entry.group()]
        elif not line.strip() or line.startswith("#"):
            lines.append("")
        elif begun and (line[0] in " \t" or _ITEM.fullmatch(line)):
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
    """Read what is no YAML: one line is a text, a list of lines a list of texts."""
    if not entry.below:
        return _text(entry.value)
    items = [_ITEM.fullmatch(line) for line in entry.below]
    if entry.value.strip() or not all(items):
        return None
    return [_text(item["value"]) for item in items if item]


def _text(value: str) -> str:
    """Take quotes off a text, or a comment."""
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text.count(text[0]) == 2:
        return text[1:-1]
    return _COMMENT.sub("", text).strip()


def _hides(entry: _Entry, guards: Collection[str]) -> bool:
    """Tell whether what is not read could hold a field that decides who may read the file."""
    plain = "".join(sign for sign in composed("\n".join((entry.value, *entry.lines[1:])), "NFKC") if not _is_hidden(sign))
    plain = plain.casefold()
    if any(name in plain for name in guards) if entry.below else "audience" in plain:
        return True
    names = "|".join(map(re.escape, sorted(guards)))
    return re.search(rf"(?:{names})\W{{0,20}}[:=]", plain) is not None or any(map(_is_near, _WORD.findall(plain)))


def _is_hidden(sign: str) -> bool:
    return not sign.isascii() and unicodedata.category(sign) in _HIDDEN


def _is_near(word: str) -> bool:
    """Tell whether a word is `audience` but for two of its letters."""
    return len(word) == 8 and sum(a != b for a, b in zip(word, "audience", strict=True)) <= 2


def _is_open(entry: _Entry) -> bool:
    """Tell whether an entry may go on in lines that look like others."""
    text = entry.value.strip()
    if entry.below:
        return True
    if text[:1] in ("'", '"'):
        return len(text) < 2 or text[-1] != text[0] or text.count(text[0]) != 2
    if text[:1] in _PAIRS:
        return any(text.count(begin) != text.count(end) for begin, end in _PAIRS.items()) or text.count('"') % 2 == 1
    return text[:1] in ("|", ">", "?")
