"""The audience that front matter names, for the proof, and words of other systems that withhold a page.

Like `check/header.py`, it shares no code with the build: what it does not clearly understand is for nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from ranvier_builder.check.exports import exported_fields
from ranvier_builder.check.header import BLANK, Header, fold_key, normalize
from ranvier_builder.check.nodes import may_hide, resembles_audience

# An audience may be named on a line of the text, in a script's export, or anywhere in front matter of an unknown format.
_AUDIENCE_LINE = re.compile(
    r"^(?![ \t]*[-*+][ \t]+`audiences?`)[^\w\n]*audiences?[^\w\n]{0,20}[:=]|"
    r"^export\b[^\n]*\baudiences?\b[\"']?\s*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_AUDIENCE_ANYWHERE = re.compile(
    r"\baudiences?\b[\"']?\s*[:=]|(?:^|[{,])[ \t\"']*(?:draft|private|(?:dg-)?publi(?:c|sh|shed)|visibility)[\"']?[ \t]*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER_START = re.compile(r"---|\+\+\+|;;;|\{(?![{%:#<])")  # `{{< x >}}` and `{: .x}` are not headers
_SEARCHED = 8000  # characters of the body that are searched for a line that names an audience
_FENCE = re.compile(r"^(?P<margin>[ \t>]*)(?P<run>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*", re.M)
_ITEM_FENCE = re.compile(r"^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+(?:```|~~~)", re.M)
_LETTER = re.compile(r"[^\W\d_]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = re.compile(r"(?:^|[\W_])audiences?(?:[\W_]|$)")
# Words of other systems that publish or withhold a page; a named audience has priority.
_NO = frozenset(("false", "no", "off", "0"))
_ZERO_DATE = re.compile(r"0001-01-01([t ]00:00:00(\.0+)?(z|\+00:00)?)?")  # of Hugo, for no date
_YES = frozenset("true yes on 1 public published visible everyone all always".split())
_WITHHOLDING = ("draft", "private", "expirydate", "unpublishdate")
_PUBLISHING = ("published", "publish", "dg-publish", "public", "visibility", "routable")
_HOLDING = frozenset((*_WITHHOLDING, "password"))
_SHOWING = frozenset(name.replace("-", "") for name in _PUBLISHING)
_DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|\d{1,2}[/.]\d{1,2}[/.]\d{2}")


def audiences(header: Header, text: str, names: tuple[str, ...], *, is_mdx: bool = False) -> list[tuple[str, ...]] | None:
    """Return the words of every field that names an audience; `None` if no field does.

    The result is one empty tuple (nobody) if the front matter is broken, if fields differ, if a key or a line only looks like
    an audience, or if words of other systems withhold the page.
    """
    guard_names = (*_WITHHOLDING, *_PUBLISHING, "audience", *map(fold_key, names))
    if header.broken or (header.unread is not None and may_hide(header.unread, guard_names, header.names)):
        return [()]
    if not header.kind and any(name.partition(".")[0] in header.fields for name in ("audience", *map(fold_key, names))):
        return [()]
    values = [value for name in ("audience", *map(fold_key, names)) for value in _lookup(header.fields, name)]
    if values:
        readings = [_words(value) for value in values]
        return readings if len({frozenset(words) for words in readings}) == 1 else [()]
    is_unclear = any(map(_resembles_audience, header.names)) or "audience" in map(fold_key, _inner_keys(header.fields))
    body = text[header.body :]
    exports = exported_fields(_without_fenced(body, has_header=bool(header.kind))) if is_mdx else ()
    is_held = any(map(_is_withheld, (header.fields, _leading_properties(body), *exports)))
    return [()] if is_unclear or is_held or _names_audience_elsewhere(header, text) else None


def _lookup(fields: Mapping[str, Any], name: str) -> Iterator[Any]:
    """Yield the value of a field, found by its name or by its path through maps: `ms.audience`."""
    if name in fields:
        yield fields[name]
        return
    parent, dot, subpath = name.partition(".")
    inner = fields.get(parent)
    if dot and isinstance(inner, dict):
        yield from _lookup({fold_key(key): value for key, value in inner.items()}, subpath)


def _words(value: Any) -> tuple[str, ...]:
    """Parse an audience: a string with commas, a list of strings, true or false. Other values become the unknown word `?`."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    texts = (str(item) if isinstance(item, (str, bool)) else "?" for item in items)
    return tuple(word for text in texts if (word := text.strip(" \t\n").lower()))


def _is_withheld(fields: Mapping[str, Any]) -> bool:
    if any(_switch(name) == "access" and isinstance(value, dict) for name, value in fields.items()):  # the rights of readers
        return True
    words = [(_switch(name), _word(value)) for name, value in fields.items()]
    held = ((name, word) for name, word in words if name in _HOLDING and word not in {"", *_NO})
    if any(not (name.endswith("date") and _ZERO_DATE.fullmatch(word)) for name, word in held):
        return True
    return any(word not in _YES and not _DATE.search(word) for name, word in words if name in _SHOWING)


def _switch(name: str) -> str:
    """Return the letters and digits of a key, without `is` before them: `is_Draft` → `draft`."""
    letters = "".join(filter(str.isalnum, fold_key(name)))
    return letters[2:] if letters.startswith("is") else letters


def _leading_properties(body: str) -> Mapping[str, str]:
    """Return the lines `name:: value` at the start of a page: the properties of a page in Logseq."""
    fields = dict[str, str]()
    for line in body.strip().splitlines():
        name, mark, value = re.sub(r"^[-*+][ \t]+", "", line.strip()).partition("::")
        if not mark or not re.fullmatch(r"[\w-]+", name.strip()):
            break
        fields[name.strip().lower()] = value
    return fields


def withholds_below(header: Header) -> bool:
    """Return whether the field `cascade` of an index file, a map or a list of maps, withholds the pages below it."""
    cascade = header.fields.get("cascade")
    maps = [item for item in (cascade if isinstance(cascade, list) else [cascade]) if isinstance(item, dict)]
    folded = ({str(name).lower(): value for name, value in item.items()} for item in maps)
    return any("audience" in item or _is_withheld(item) for item in folded)


def _word(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "?"
    return "" if value is None else str(value).strip().lower()


def _inner_keys(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of maps within values, at any depth."""
    stack = [*fields.values()]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield from item
        if isinstance(item, (dict, list)):
            stack += item.values() if isinstance(item, dict) else item


@lru_cache(maxsize=4096)  # the pages of a site have few different keys
def _resembles_audience(name: str) -> bool:
    """Return whether a key is similar to `audience`: a plural, one or two wrong letters, or a prefix."""
    key = fold_key(name)[:100]
    if _PART.search(fold_key(_CAMEL.sub("-", name[:100]))) or SequenceMatcher(None, "audience", key).ratio() >= 0.8:
        return True
    return resembles_audience(key)


def _names_audience_elsewhere(header: Header, text: str) -> bool:
    beginning = normalize("NFKC", text[header.body : header.body + _SEARCHED])
    if _AUDIENCE_LINE.search(normalize("NFKC", header.raw)):
        return True
    if _AUDIENCE_LINE.search(beginning):
        prose = _without_fenced(text[header.body :], has_header=bool(header.kind))
        if _AUDIENCE_LINE.search(normalize("NFKC", prose[:_SEARCHED])):
            return True
    if header.kind or not _HEADER_START.match(BLANK.sub("", text, count=1)):
        return False
    return _AUDIENCE_ANYWHERE.search(beginning) is not None


def _without_fenced(body: str, *, has_header: bool) -> str:
    """Fill the contents of fenced code with `x`; keep all text if a block is unclear.

    A block is unclear if it is not closed, or if its quote or its list may end in it; without front matter, also if it begins
    the file or begins with a header.
    """
    out, at = [], 0
    while fence := _FENCE.search(body, at):
        if _ITEM_FENCE.search(body, at, fence.start()):
            return body
        margin, run = re.escape(fence["margin"]), fence["run"]
        close = re.compile(rf"^{margin}{run[0]}{{{len(run)},}}[ \t]*$", re.M).search(body, fence.end())
        if close is None or not (has_header or _LETTER.search(body, 0, fence.start())):
            return body
        lines = body[fence.end() : close.start()].split("\n")[1:-1]
        inside = re.compile(rf"{margin}|\s*\Z|{re.escape(fence['margin'].rstrip())}\s*\Z")
        end = re.compile(rf"[ \t>]*{run[0]}{{{len(run)},}}[ \t]*\Z")
        if not all(map(inside.match, lines)) or any(map(end.match, lines)):
            return body
        first = next((line for line in lines if line.strip(" \t>")), "")
        if not has_header and _HEADER_START.match(BLANK.sub("", first[len(fence["margin"]) :], count=1)):
            return body
        out += [body[at : fence.end()], re.sub(r"[^\n]", "x", body[fence.end() : close.start()]), close[0]]
        at = close.end()
    return body if _ITEM_FENCE.search(body, at) else "".join([*out, body[at:]])
