"""Filters inside a query: `[[Title]]`, `#tag`, `tag:`, `time:FROM..TO`, `path:`, `kind:`, `lang:` (Q6, [004]).

A minus before a tag, a path, a kind or a language leaves these pages out: `-#draft`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import NamedTuple

from ranvier.requests import Scope

# Quoted text is searched as written: it is matched first and kept.
_FILTER = re.compile(
    r'"[^"]*"?'
    r"|\[\[(?P<title>[^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]"
    r"|(?<!\S)(?P<minus>-?)(?:"
    r"\#(?P<tag>[^\W\d_][\w/-]*)(?=[.,;:!?…]*(?!\S))"  # `#one, #two?`
    r'|(?P<field>time|path|kind|lang|tag):(?:"(?P<quoted>[^"]+)"|(?P<value>[^\s"]+)))'
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Filters(NamedTuple):
    """The scope of the filters in a query, the remaining words, and each filter as written."""

    scope: Scope
    rest: str
    texts: tuple[str, ...]


def take_filters(query: str, exclusions: bool = True) -> Filters:
    """Take the filters out of a query: `#api -#old how to` → tags=("api", "-old"), "how to"; an invalid time stays a word.

    `exclusions`: whether filters with a minus are filters.
    """
    values_by_field: dict[str, list[str]] = {"titles": [], "tags": [], "path": [], "kind": [], "lang": [], "time": []}
    texts = []

    def take(match: re.Match[str]) -> str:
        name, value = _field_and_value(match)
        if not (name and value) or (name == "time" and not days(value)) or (match["minus"] and not exclusions):
            return match.group()
        values_by_field[name].append(value)
        texts.append(match.group())
        return " "

    rest = _FILTER.sub(take, query) if any(sign in query for sign in ("[[", "#", ":")) else query
    if not texts:
        return Filters(Scope(), query, ())
    time = values_by_field.pop("time")
    lists = {name: tuple(values) for name, values in values_by_field.items()}
    scope = replace(Scope(time=time[-1] if time else ""), **lists)  # type: ignore[arg-type] # only the fields that are rows
    return Filters(scope, rest, tuple(texts))


def tag_key(tag: str) -> str:
    """Return the normalised form of a tag: `#Project/Alpha` → `project/alpha`."""
    return unicodedata.normalize("NFC", tag.strip().lstrip("#")).casefold().strip("/")


def days(time: str) -> tuple[str, str] | None:
    """Read `FROM..TO`, `FROM..`, `..TO` or one day: `("2026-01-01", "9999-12-31")`; `None` if it is not a time."""
    start, dots, end = time.strip().partition("..")
    if not dots:
        end = start
    if not (start or end) or any(day and not _is_day(day) for day in (start, end)):
        return None
    bounds = start or "0000-00-00", end or "9999-12-31"
    return bounds if bounds[0] <= bounds[1] else None


def _is_day(text: str) -> bool:
    """Return whether a text is a day of the calendar; the core does without `datetime`."""
    if not _DAY.fullmatch(text):
        return False
    year, month, day = map(int, text.split("-"))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1] and (is_leap or (month, day) != (2, 29))


def _field_and_value(match: re.Match[str]) -> tuple[str, str]:
    if match["title"]:
        return "titles", match["title"].strip()
    minus, field = match["minus"] or "", match["field"] or ""
    value = match["tag"] or match["quoted"] or match["value"] or ""
    if value[:1] == "-" and not minus:
        minus = "/"  # the name itself begins with a minus: `path:-inbox`
    return "tags" if match["tag"] or field == "tag" else field, minus + value
