"""Front matter for the proof: read by separate code, from YAML nodes, without constructing values.

It is simpler and stricter than the reader that it checks: a header that it does not clearly understand is broken.
"""

from __future__ import annotations

import codecs
import json
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import yaml

from ranvier_builder.check.nodes import MAX_DEPTH, compose, read_parts
from ranvier_builder.check.unfenced import unfenced_fields

BLANK = re.compile(r"[\s\ufeff\ufffd\u200b]*")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LANGUAGE = re.compile(r"---[ \t]*(ya?ml|json|js|javascript|toml)")
_SCRIPT_KEY = re.compile(r"[\w$@][\w$@.: -]*")  # `/* x */ draft` is none
_FIRST_KEY = re.compile(r"\s*[\w-]+[ \t]*[:=]")
_MAX_LENGTH = 1 << 20  # characters; longer front matter is broken
_MAX_VALUES = 100_000  # values; those of aliases and merge keys count at each use
# A TOML key with a hundred parts.
_DOTTED = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
_MARKS = re.compile(r"[^\w\x00-\x7f]{31,}")


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
    blank = BLANK.match(text)
    start = blank.end() if blank else 0
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    fence = line.partition("#")[0].rstrip() if line.startswith("---") else line.rstrip()
    language = _LANGUAGE.fullmatch(fence)
    if (language or fence in ("---", "+++")) and end >= 0:
        return _fenced(text, fence[:3], end + 1, language[1] if language else "")
    if json_header := _json_header(text, start):
        return json_header
    fields = unfenced_fields(text, start)
    return Header(fields, tuple(fields))


def _fenced(text: str, fence: str, start: int, language: str) -> Header:
    close = re.compile(r"^(?:---|\.\.\.)[^\S\n]*$" if fence == "---" else r"^\+\+\+[^\S\n]*$", re.MULTILINE).search(text, start)
    if close is None:
        unclosed = _FIRST_KEY.match(text, start) is not None
        return Header(broken=unclosed, raw=text[start:] if unclosed else "")
    kind, raw = "toml" if fence == "+++" or language == "toml" else "yaml", text[start : close.start()]
    body = min(close.end() + 1, len(text))
    if is_script := language in ("json", "js", "javascript"):
        raw = raw.expandtabs(1)
    unread: tuple[tuple[str, str], ...] | None = None
    try:
        if kind == "toml":
            pairs = _plain_pairs(tomllib.loads(_checked(raw)))
        elif (node := _yaml_node(raw)) is not None:
            pairs = _yaml_pairs(node)
            if is_script and not (raw.lstrip().startswith("{") and all(_is_plain(*pair, raw) for pair in pairs)):
                raise _Broken
        elif is_script:
            raise _Broken
        else:
            parts = read_parts(raw)
            pairs, unread = _yaml_pairs(parts.node), tuple(parts.unread)
    except (_Broken, ValueError, RecursionError):
        return Header(kind=kind, raw=raw, body=body, broken=True)
    return replace(_header(pairs, kind, raw, body), unread=unread)


def _is_plain(name: str, value: Any, raw: str) -> bool:
    """Return whether YAML reads a field as JavaScript does. Of `draft:true` or `draft` alone, it reads no value."""
    return _SCRIPT_KEY.fullmatch(name) is not None and (value is not None or f'"{name}":' in raw)


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
