"""The audience that a file names, and fields of other systems that withhold a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from ranvier_builder.composed import composed
from ranvier_builder.config import Config
from ranvier_builder.paths import suffix
from ranvier_builder.read.exports import exported_fields
from ranvier_builder.read.frontmatter import Split, field_value, split
from ranvier_builder.read.lenient import PUBLISHING, WITHHOLDING
from ranvier_builder.read.scalars import spelling_of
from ranvier_builder.read.settings import folded
from ranvier_builder.read.snippets import cascades
from ranvier_builder.read.unfenced import status_of
from ranvier_builder.read.values import Fields, text_of

_HOLDING = frozenset((*WITHHOLDING, "password"))  # plugins of other systems encrypt a page with one
_PUBLISHING = frozenset(name.replace("-", "") for name in PUBLISHING)
_NO = frozenset(("false", "no", "off", "0"))
_NEVER = re.compile(r"0001-01-01(?:[t ]00:00:00(?:\.0+)?(?:z|\+00:00)?)?")  # a date that Hugo reads as no date
_YES = frozenset("true yes on 1 public published visible everyone all always".split())
_PROPERTY = re.compile(r"(?:[-*+][ \t]+)?(?P<name>[\w-]+)[ \t]*::(?P<value>.*)")
_DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|\d{1,2}[/.]\d{1,2}[/.]\d{2}")


def audience_of(text: str, config: Config) -> tuple[str, ...] | None:
    """Return the audience of a file that is no page, or of its front matter; see `audience`."""
    parts = split(text, config.audience_fields)
    return audience(parts, Fields("", parts), config)


def audience(parts: Split, fields: Fields, config: Config) -> tuple[str, ...] | None:
    """Return the audience: `None` if the file has none, `()` if it is empty, invalid or held back: the page is withheld."""
    if parts.problem:
        return ()  # the audience could be "curator": an unreadable file is not published
    values = {name: field_value(parts.fields, name) for name in ("audience", *config.audience_fields)}
    readings = {name: audience_words(value[0]) for name, value in values.items() if value is not None}
    if len({frozenset(words) for words in readings.values()}) > 1:
        both = " and ".join(f"`{name}`" for name in readings)
        message = f"{both} are both set, with different values: the page is withheld; keep one of them"
        fields.warn([*readings][-1], message, "audience")
        return ()
    exports = exported_fields(parts) if suffix(fields.path) == ".mdx" else ()
    sources = (parts.fields, parts.hints, properties_of(parts.body), *exports)
    withholding = "status" if status_of(parts.hints) == "draft" else next(filter(None, map(withholding_field, sources)), "")
    if not readings and config.default_audience and withholding:
        message = f"withheld because of `{withholding}`; to publish the page, set `audience: public`"
        fields.warn(withholding, message, "audience")
        return ()
    return next(iter(readings.values()), None)


def withholds_below(fields: Fields, values: Mapping[str, Any], config: Config) -> bool:
    """Return whether an index file withholds the pages in its folder: Hugo's `cascade`, also with a `target`."""
    folded_values = map(folded, cascades(values))
    name = next((name for item in folded_values if (name := "audience" if "audience" in item else withholding_field(item))), "")
    if name and config.default_audience:
        message = f"`{name}` in `cascade` withholds the pages in this folder; to publish one, set `audience: public` in it"
        fields.warn("cascade", message, "audience")
    return bool(name)


def withholding_field(fields: Mapping[str, Any]) -> str:
    """Find a field of another system that withholds a page: it is not an audience, but it prevents the default audience.

    Of a name, only letters and digits count: `is_draft`, `isDraft` and a name with an invisible character mean `draft`, too.
    """
    for name, value in fields.items():
        key, word = re.sub(r"[\W_]", "", composed(name, "NFKC")).removeprefix("is"), _word(value)
        is_held = key in _HOLDING and word not in {"", *_NO} and not (key.endswith("date") and _NEVER.fullmatch(word))
        is_held |= key == "access" and isinstance(value, dict)  # of Grav: only readers with these rights
        if is_held or (key in _PUBLISHING and not (word in _YES or _DATE.search(word))):
            return name
    return ""


def properties_of(body: str) -> dict[str, str]:
    """Return the properties that begin a page in Logseq: lines `public:: false`, also as an item of a list."""
    lines = (_PROPERTY.fullmatch(line.strip()) for line in body.strip().splitlines())
    return {line["name"].lower(): line["value"] for line in takewhile(bool, lines) if line}


def _word(value: object) -> str:
    """Return a word as it is written, including invisible characters; "?" for a list or a map."""
    spelling = spelling_of(value)
    text = str(value) if spelling is None else spelling
    return "?" if isinstance(value, (dict, list)) else "" if value is None else text.strip().lower()


def audience_words(value: object) -> tuple[str, ...]:
    """Read an audience. Unlike tags, nested lists are not searched: their meaning is not clear.

    Only blanks are stripped from a word: a word with an invisible character is a different, unknown word.
    """
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    texts = [item if isinstance(item, str) else text_of(item) for item in items]
    return tuple(word for text in texts if text and (word := text.strip(" \t\n").lower()))
