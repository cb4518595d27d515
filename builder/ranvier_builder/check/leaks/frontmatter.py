"""Reads a file's bytes and frontmatter by itself: the check must not lean on the reader that it checks.

It is simpler than the reader and stricter: what is not plainly understood is said by nobody, and then the file is withheld.
"""

from __future__ import annotations

import codecs
import datetime
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import yaml

_BEFORE = re.compile(r"[\s\ufeff\ufffd\u200b]*")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OPENED = re.compile(r"\s*[\w-]+[ \t]*[:=]")
# Somebody said who may read a file: on a line of its text, or anywhere in a frontmatter that is of no kind known here.
_SAID = re.compile(r"^[^\w\n]*audiences?[^\w\n]*[:=]", re.IGNORECASE | re.MULTILINE)
_SAID_WITHIN = re.compile(r"\baudiences?\b[\"']?\s*[:=]", re.IGNORECASE)
_LIKE_A_HEAD = re.compile(r"---|\+\+\+|;;;|\{(?![{%:#<])")  # `{{< x >}}` and `{: .x}` begin a text
_HEAD_CHARACTERS = 8000
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Said by an author who does not want a file published; an audience that is named counts more.
_NO = frozenset(("false", "no", "off", "0"))
_UNWANTED, _WANTED = ("draft", "private"), ("published", "publish", "visibility")
_TO_NOBODY = _NO | {"private", "hidden", "draft", "internal"}
_PART = re.compile(r"(?:^|[\W_])audiences?(?:[\W_]|$)")


@dataclass(frozen=True, slots=True)
class Head:
    """A file's frontmatter. Keys are folded; `broken` is true where one is there and cannot be read."""

    fields: Mapping[str, Any]
    body: str
    broken: bool = False
    raw: str = ""  # the frontmatter as it stands
    names: tuple[str, ...] = ()  # its keys as they stand
    is_read: bool = False


def decoded(raw: bytes) -> str:
    """Read a file's text, whatever it is."""
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8-sig")
    return raw.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def head_of(text: str) -> Head:
    """Part a text into frontmatter and body."""
    start = _BEFORE.match(text)
    bare = text[start.end() :] if start else text
    first, _, rest = bare.partition("\n")
    fence = first.partition("#")[0].rstrip() if first.startswith("---") else first.rstrip()
    if fence not in ("---", "+++"):
        return _json_head(bare) or Head({}, text)
    lines = rest.split("\n")
    ends = ("---", "...") if fence == "---" else ("+++",)
    close = next((at for at, line in enumerate(lines) if line.rstrip() in ends), None)
    if close is None:
        return Head({}, text, broken=bool(_OPENED.match(rest)), raw=rest if _OPENED.match(rest) else "")
    raw, body = "\n".join(lines[:close]), "\n".join(lines[close + 1 :])
    found = _fields(raw, fence)
    return Head({}, body, True, raw) if found is None else _head(found, body, raw)


def _head(found: Mapping[Any, Any], body: str, raw: str) -> Head:
    fields = {str(key).strip().lower(): value for key, value in found.items()}
    if len(fields) < len(found):
        return Head({}, body, True, raw)  # a key is said twice
    for key, value in found.items():
        fields.setdefault(folded(key), value)
    return Head(fields, body, False, raw, tuple(map(str, found)), True)


def folded(key: Any) -> str:
    """Fold a key: whatever its case, and whether its letters are full-width."""
    return unicodedata.normalize("NFKC", str(key)).strip().lower()


def _json_head(bare: str) -> Head | None:
    """Read JSON that begins a file and has its last line to itself; `None` where there is none."""
    if not re.match(r"\{\s*\"", bare):
        return None
    repeated = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated.extend([1] * (len({key.strip().lower() for key, _ in pairs}) < len(pairs)))
        return dict(pairs)

    try:
        found, end = json.JSONDecoder(object_pairs_hook=once).raw_decode(bare)
    except json.JSONDecodeError:
        return None
    except (ValueError, RecursionError):
        return Head({}, bare, True, bare)
    after, _, body = bare[end:].partition("\n")
    if after.strip():
        return None
    return Head({}, body, True, bare[:end]) if repeated else _head(found, body, bare[:end])


def _fields(raw: str, fence: str) -> dict[str, Any] | None:
    """Return the frontmatter's fields; `None` where it is no map."""
    readers = (_toml,) if fence == "+++" else (_fast_yaml, _plain_yaml)
    for reader in readers:
        try:
            found = reader(raw)
            break
        except Exception:  # a library's own errors, and those it lets out for odd values
            continue
    else:
        return None
    if not found and not isinstance(found, dict):
        return {}  # nothing between the fences, or nothing but remarks
    return found if isinstance(found, dict) else None


def _toml(raw: str) -> Any:
    return tomllib.loads(raw)


def _fast_yaml(raw: str) -> Any:
    return _yaml(_FastLoader(raw + "\n"))


def _plain_yaml(raw: str) -> Any:
    """Read with the library's Python half: here and there it takes what its C half does not."""
    return _yaml(_PlainLoader(raw + "\n"))


def _yaml(loader: Any) -> Any:
    try:
        node = loader.get_single_node()
        if _repeats(node):
            raise ValueError("a key is said twice")
        return loader.construct_document(node) if node is not None else None
    finally:
        loader.dispose()


class _PlainLoader(yaml.SafeLoader):
    """Leaves a date that no calendar has as the text that it is."""


class _FastLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same in C, where it is there."""


def _date(loader: Any, node: Any) -> Any:
    try:
        return loader.construct_yaml_timestamp(node)
    except (ValueError, OverflowError):
        return loader.construct_scalar(node)


for _loader in (_PlainLoader, _FastLoader):
    _loader.add_constructor("tag:yaml.org,2002:timestamp", _date)


def _repeats(root: Any) -> bool:
    """Tell whether a map, at any depth, says a key twice."""
    stack, seen_nodes = [root], set[int]()
    while stack:
        node = stack.pop()
        if id(node) in seen_nodes:  # an alias
            continue
        seen_nodes.add(id(node))
        if isinstance(node, yaml.MappingNode):
            names = [str(key.value).strip().lower() for key, _ in node.value]
            plain = [name for name in names if name != "<<"]
            if len(plain) != len(set(plain)):
                return True
            stack += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            stack += node.value
    return False


def audience_of(head: Head, text: str, fields: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    """Return the words of every field that names an audience; `None` where none does.

    A frontmatter that cannot be read names nobody, and so does a key or a line that only looks like an audience.
    """
    if head.broken:
        return [()]
    names = ("audience", *(name.strip().lower() for name in fields))
    said = [_listed(found[0]) for name in names if (found := _lookup(head.fields, name))]
    if said:
        return said if len({frozenset(words) for words in said}) == 1 else [()]  # two that differ name nobody
    alike = any(map(_alike, head.names)) or "audience" in map(folded, _inner_keys(head.fields.values()))
    start = unicodedata.normalize("NFKC", text[:_HEAD_CHARACTERS])
    unread = not head.is_read and _LIKE_A_HEAD.match(_BEFORE.sub("", start, count=1)) and _SAID_WITHIN.search(start)
    return [()] if alike or unread or _is_unwanted(head.fields) or _SAID.search(start) else None


def _is_unwanted(fields: Mapping[str, Any]) -> bool:
    """Tell whether the words by which other systems hold a page back are there."""
    held = any(plain(fields.get(name)).lower() not in {"", *_NO} for name in _UNWANTED)
    return held or any(plain(fields.get(name)).lower() in _TO_NOBODY for name in _WANTED)


def _inner_keys(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the keys of maps within a frontmatter's values, at any depth."""
    stack, seen = list(values), set[int]()
    while stack:
        item = stack.pop()
        if isinstance(item, (dict, list)) and id(item) not in seen:
            seen.add(id(item))
            stack += item.values() if isinstance(item, dict) else item
            yield from item if isinstance(item, dict) else ()


def _lookup(fields: Mapping[str, Any], name: str) -> list[Any]:
    """Find a field by its name, or by its path through maps: `ms.audience`."""
    if name in fields:
        return [fields[name]]
    first, dot, rest = name.partition(".")
    inner = fields.get(first)
    if dot and isinstance(inner, dict):
        return _lookup({folded(key): value for key, value in inner.items()}, rest)
    return []


def _listed(value: Any) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    return tuple(found.lower() for item in items if (found := plain(item)))


def plain(value: Any) -> str:
    """Write a scalar as its author did; empty for what is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    try:
        return str(value).encode("utf-8", "replace").decode().strip() if isinstance(value, (str, int, float)) else ""
    except ValueError:  # a whole number of thousands of digits
        return ""


def texts(value: Any) -> Iterator[str]:
    """Yield every scalar in a value, keys of inner maps too, as text."""
    stack, seen = [value], set[int]()
    while stack:
        item = stack.pop()
        if isinstance(item, (dict, list, tuple, set)):
            if id(item) not in seen:
                seen.add(id(item))
                stack += [*item.values(), *item.keys()] if isinstance(item, dict) else list(item)
        elif found := plain(item):
            yield found


def _alike(name: str) -> bool:
    """Tell whether a key is nearly `audience`: a plural, a slip of one or two letters, a name in front of it."""
    key = folded(name)
    if _PART.search(folded(_CAMEL.sub("-", name))) or SequenceMatcher(None, "audience", key).ratio() >= 0.8:
        return True
    return len(key) == len("audience") and sum(a != b for a, b in zip(key, "audience", strict=True)) <= 2
