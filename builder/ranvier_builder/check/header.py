"""Front matter for the proof: read by separate code, from YAML nodes, without constructing values.

It is simpler and stricter than the reader that it checks: a header that it does not clearly understand is broken.
"""

from __future__ import annotations

import codecs
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Literal

import yaml

from ranvier_builder.check.exports import exported_fields
from ranvier_builder.check.nodes import MAX_DEPTH, compose, may_hide, read_parts, resembles_audience
from ranvier_builder.check.unfenced import unfenced_fields

_BLANK = re.compile(r"[\s\ufeff\ufffd\u200b]*")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FIRST_KEY = re.compile(r"\s*[\w-]+[ \t]*[:=]")
_MAX_LENGTH = 1 << 20  # characters; longer front matter is broken
_MAX_VALUES = 100_000  # values; those of aliases and merge keys count at each use
# A TOML key with a hundred parts.
_DOTTED = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
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
_MARKS = re.compile(r"[^\w\x00-\x7f]{31,}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = re.compile(r"(?:^|[\W_])audiences?(?:[\W_]|$)")
# Words of other systems that publish or withhold a page; a named audience has priority.
_NO = frozenset(("false", "no", "off", "0"))
_ZERO_DATE = re.compile(r"0001-01-01([t ]00:00:00(\.0+)?(z|\+00:00)?)?")  # of Hugo, for no date
_YES = frozenset("true yes on 1 public published visible everyone all always".split())
_WITHHOLDING = ("draft", "private", "expirydate", "unpublishdate")
_PUBLISHING = ("published", "publish", "dg-publish", "public", "visibility")
_HOLDING = frozenset((*_WITHHOLDING, "password"))
_SHOWING = frozenset(name.replace("-", "") for name in _PUBLISHING)
_DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|\d{1,2}[/.]\d{1,2}[/.]\d{2}")


@dataclass(frozen=True, slots=True)
class Header:
    """A file's front matter, and where the body begins.

    `fields` have folded keys; scalars are unchanged strings, except `True`, `False` and `None`.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # unchanged keys
    kind: str = ""  # yaml, toml, json; empty without front matter: `fields` are then the lines that begin the file
    raw: str = ""  # the text between the fences
    body: int = 0  # offset in the text
    broken: bool = False
    # Keys and texts of the unreadable parts, if the whole is not YAML.
    unread: tuple[tuple[str, str], ...] | None = None


class _Broken(Exception):
    """The front matter exists and cannot be read."""


def decode(raw: bytes, errors: str = "replace") -> str:
    """Decode a file's text; `errors` count for UTF-8: in UTF-16, a wrong byte is no character. NULs stay for `header_of`."""
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if raw.startswith(mark)), "utf-8-sig")
    return raw.decode(encoding, errors if encoding == "utf-8-sig" else "replace").replace("\r\n", "\n").replace("\r", "\n")


def header_of(text: str) -> tuple[Header, str]:
    """Return a text's front matter, and the text without NULs. Front matter that contains a NUL is broken."""
    plain = text.replace("\0", "")
    header = _header_of(plain)
    if header.body and "\0" in text[: header.body]:
        header = replace(header, broken=True)
    return header, plain


def _header_of(text: str) -> Header:
    blank = _BLANK.match(text)
    start = blank.end() if blank else 0
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    fence = line.partition("#")[0].rstrip() if line.startswith("---") else line.rstrip()
    if fence in ("---", "+++") and end >= 0:
        return _fenced(text, fence, end + 1)
    if json_header := _json_header(text, start):
        return json_header
    fields = unfenced_fields(text, start)
    return Header(fields, tuple(fields))


def _fenced(text: str, fence: str, start: int) -> Header:
    close = re.compile(r"^(?:---|\.\.\.)[^\S\n]*$" if fence == "---" else r"^\+\+\+[^\S\n]*$", re.MULTILINE).search(text, start)
    if close is None:
        unclosed = _FIRST_KEY.match(text, start) is not None
        return Header(broken=unclosed, raw=text[start:] if unclosed else "")
    kind, raw, body = "yaml" if fence == "---" else "toml", text[start : close.start()], min(close.end() + 1, len(text))
    unread: tuple[tuple[str, str], ...] | None = None
    try:
        if kind == "toml":
            pairs = _plain_pairs(tomllib.loads(_checked(raw)))
        elif (node := _yaml_node(raw)) is not None:
            pairs = _yaml_pairs(node)
        else:
            parts = read_parts(raw)
            pairs, unread = _yaml_pairs(parts.node), tuple(parts.unread)
    except (_Broken, ValueError, RecursionError):
        return Header(kind=kind, raw=raw, body=body, broken=True)
    return replace(_header(pairs, kind, raw, body), unread=unread)


def _json_header(text: str, start: int) -> Header | None:
    """Read JSON at the start of a file, if no other text follows on its last line; otherwise return `None`."""
    if not re.match(r"\{\s*\"", text[start : start + 1000]):
        return None
    try:
        value, end = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode(text, start)
    except json.JSONDecodeError:
        return None
    except (_Broken, ValueError, RecursionError):
        return Header(kind="json", raw=text[start:], broken=True)
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    return None if text[end:stop].strip() else _header(_plain_pairs(value), "json", text[start:end], stop)


def _header(pairs: list[tuple[str, Any]], kind: str, raw: str, body: int) -> Header:
    fields = {name.strip().lower(): value for name, value in pairs}
    if len(fields) < len(pairs):
        return Header(kind=kind, raw=raw, body=body, broken=True)  # a duplicate key
    for name, value in pairs:
        fields.setdefault(fold_key(name), value)
    return Header(fields, tuple(name for name, _ in pairs), kind, raw, body)


def fold_key(key: str) -> str:
    """Fold a key: case and full-width letters do not matter."""
    return normalize("NFKC", key).strip().lower()


def normalize(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Normalise a text in linear time: Unicode's algorithm is quadratic in the number of consecutive marks."""
    return text if text.isascii() else unicodedata.normalize(form, _MARKS.sub(" ", text))


def _checked(raw: str) -> str:
    if len(raw) > _MAX_LENGTH or _DOTTED.search(raw):
        raise _Broken
    return raw


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise `ValueError` if a key occurs twice, also in another case."""
    if len({key.strip().lower() for key, _ in pairs}) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _yaml_node(raw: str) -> yaml.Node | None:
    """Parse YAML; return `None` if it is invalid, though parts of it may be valid."""
    if len(raw) > _MAX_LENGTH:
        raise _Broken
    try:
        return compose(raw) or yaml.MappingNode("tag:yaml.org,2002:map", [])
    except ValueError:
        return None


def _yaml_pairs(node: yaml.Node) -> list[tuple[str, Any]]:
    if isinstance(node, yaml.ScalarNode) and not node.value:
        return []
    if not isinstance(node, yaml.MappingNode):
        raise _Broken
    return [(_text(key), value) for key, value in _Values().pairs(node)]


def _text(key: Any) -> str:
    if isinstance(key, (dict, list)):
        raise _Broken
    return "" if key is None else str(key)


class _Values:
    """Converts nodes to strings, lists and maps; too many values or too deep nesting are broken."""

    def __init__(self) -> None:
        self._remaining = _MAX_VALUES

    def pairs(self, node: yaml.MappingNode, depth: int = 0) -> list[tuple[Any, Any]]:
        """Return the pairs of a map, and those of its merge keys that do not have a key of the map itself."""
        names = [key.value.strip().lower() for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.value != "<<"]
        if len(names) > len({*names}):
            raise _Broken
        pairs = [(self.value(key, depth), self.value(value, depth)) for key, value in node.value if key.value != "<<"]
        keys = {str(key) for key, _ in pairs}
        for key, value in node.value:
            for merge_node in (value.value if isinstance(value, yaml.SequenceNode) else [value]) if key.value == "<<" else ():
                if not isinstance(merge_node, yaml.MappingNode):
                    raise _Broken
                merged_pairs = [pair for pair in self.pairs(merge_node, depth + 1) if str(pair[0]) not in keys]
                pairs += merged_pairs
                keys |= {str(name) for name, _ in merged_pairs}
        return pairs

    def value(self, node: yaml.Node, depth: int) -> Any:
        self._remaining -= 1
        if self._remaining < 0 or depth > MAX_DEPTH:
            raise _Broken
        if isinstance(node, yaml.MappingNode):
            return {str(key): value for key, value in self.pairs(node, depth + 1)}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
            return None
        is_bool = not node.style and node.value in ("true", "True", "TRUE", "false", "False", "FALSE")
        return node.value.lower() == "true" if is_bool else str(node.value)


def _plain_pairs(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(key, _plain(item, 0)) for key, item in value.items()]


def _plain(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise _Broken
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    return value if value is None or isinstance(value, (bool, str)) else str(value)


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
    if header.kind or not _HEADER_START.match(_BLANK.sub("", text, count=1)):
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
        if not has_header and _HEADER_START.match(_BLANK.sub("", first[len(fence["margin"]) :], count=1)):
            return body
        out += [body[at : fence.end()], re.sub(r"[^\n]", "x", body[fence.end() : close.start()]), close[0]]
        at = close.end()
    return body if _ITEM_FENCE.search(body, at) else "".join([*out, body[at:]])
