"""Parse YAML into nodes, for the proof. Of invalid YAML, the valid parts are parsed (A3).

Invalid front matter is cut at the lines `key: value` that begin with a letter. A part that is valid YAML is parsed. In other
parts, one line is a string, and a list of lines is a list of strings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_DEPTH = 100  # nested values
_SAFE_LENGTH = 10_000  # characters; shorter texts cannot overflow the stack
_MAX_LENGTH = 20_000  # maximum characters of invalid YAML that is read in parts
_KEY = re.compile(r"([A-Za-z_](?:[A-Za-z0-9_. -]{0,80}[A-Za-z0-9_.-])?):(?=[ \t]|$)")
_LIST_ITEM = re.compile(r"[ \t]*-[ \t]+(?=\S)")
_REFERENCE = re.compile(r"(?:^|[\s\[{,:-])[&*!]\S", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*")
_TEXT, _LIST, _MAP = (f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map"))


@dataclass(slots=True)
class Parts:
    """A map of all readable values, and the keys and texts of the parts that are not YAML."""

    node: yaml.MappingNode
    unread: list[tuple[str, str]] = field(default_factory=list)


def compose(raw: str) -> yaml.Node | None:
    """Parse YAML into nodes; raise `ValueError` if it is invalid."""
    if len(raw) > _SAFE_LENGTH and _depth(raw) > MAX_DEPTH:  # a stack overflow in the C parser ends the process
        raise ValueError("too deep")
    for loader in (LOADER, yaml.SafeLoader):  # the Python parser accepts some texts that the C parser rejects
        try:
            node: yaml.Node | None = yaml.compose(raw + "\n", Loader=loader)
            return node
        except (yaml.YAMLError, UnicodeError, RecursionError):
            continue
    raise ValueError("no YAML")


def _depth(raw: str) -> int:
    depth = max_depth = 0
    try:
        for event in yaml.parse(raw, Loader=LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            max_depth = max(max_depth, depth)
    except yaml.YAMLError:  # composing it fails too
        pass
    return max_depth


def read_parts(raw: str) -> Parts:
    """Read invalid YAML part by part; raise `ValueError` if it does not consist of `key: value` entries."""
    if len(raw) > _MAX_LENGTH:
        raise ValueError("too long")
    groups: list[list[str]] = []
    for line in raw.split("\n"):
        if _KEY.match(line):
            groups.append([line])
        elif line.strip() and line[0] != "#":
            if not groups or not (line[0] in " \t" or _LIST_ITEM.match(line)):
                raise ValueError("not an entry")
            groups[-1].append(line)
        elif groups:
            groups[-1].append("")
    parts = Parts(yaml.MappingNode(_MAP, []))
    for group in groups:
        _add(parts, group)
    return parts


def _add(parts: Parts, group: list[str]) -> None:
    key, _, text = group[0].partition(":")
    pair = _pair("\n".join(group), key)
    if pair is None:
        lines = [line for line in group[1:] if line]
        parts.unread.append((key, "\n".join((text, *lines))))
        value = _value(text, lines)
        pair = (yaml.ScalarNode(_TEXT, key), value) if value is not None else None
    if pair is not None:
        parts.node.value.append(pair)


def _pair(text: str, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Return the pair of a part that is valid YAML and has exactly one key, the given one; otherwise `None`."""
    if _REFERENCE.search(text):
        return None
    try:
        node = compose(text)
    except ValueError:
        return None
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return pairs[0] if len(pairs) == 1 and pairs[0][0].value == key else None


def _value(text: str, lines: list[str]) -> yaml.Node | None:
    if not lines:
        return _scalar(text)
    if text.strip() or not all(map(_LIST_ITEM.match, lines)):
        return None
    return yaml.SequenceNode(_LIST, [_scalar(_LIST_ITEM.sub("", line, count=1)) for line in lines])


def _scalar(text: str) -> yaml.ScalarNode:
    text = text.strip()
    for quote in ("'", '"'):
        if len(text) > 1 and text.startswith(quote) and text.endswith(quote) and quote not in text[1:-1]:
            return yaml.ScalarNode(_TEXT, text[1:-1], style=quote)
    return yaml.ScalarNode(_TEXT, _COMMENT.sub("", text).strip())


def may_hide(unread: Iterable[tuple[str, str]], names: Iterable[str], keys: Iterable[str]) -> bool:
    """Return whether parts that are not YAML could contain one of some names as a key.

    A part with several lines, or with an unclosed quote or bracket, may continue in the parts below it. Then the result is
    also true if one of `keys`, the keys that were read, is one of the names.
    """
    targets = {part for name in names for part in (name, name.split(".")[0])}
    for key, text in unread:
        plain = _plain(text)
        has_lines = "\n" in text
        plain_names = [name for name in targets if name in plain]
        if is_named(key.lower(), targets) or "audience" in plain or (has_lines and plain_names):
            return True
        if any(re.search(re.escape(name) + r"\W{0,20}[:=]", plain) for name in plain_names):
            return True
        if any(resembles_audience(word) for word in re.findall(r"(?<!\w)\w{8}(?=\W{0,20}[:=])", plain)):
            return True
        if (has_lines or _continues(text.strip())) and any(is_named(name.lower(), targets) for name in keys):
            return True
    return False


def _plain(text: str) -> str:
    characters = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in characters if unicodedata.category(character) not in ("Cf", "Mn", "Me"))


def is_named(key: str, names: Iterable[str]) -> bool:
    """Return whether a key is one of some names, or could mean `audience`."""
    return key in names or "audience" in key or resembles_audience(key)


def resembles_audience(word: str) -> bool:
    """Return whether a word is `audience` with at most two wrong letters."""
    return len(word) == len("audience") and sum(a != b for a, b in zip(word, "audience", strict=True)) < 3


def _continues(text: str) -> bool:
    if text.startswith(("[", "{")):
        is_unbalanced = text.count("[") != text.count("]") or text.count("{") != text.count("}")
        return is_unbalanced or text.count('"') % 2 > 0
    if text.startswith(("'", '"')):
        return text.count(text[0]) != 2 or not text.endswith(text[0]) or len(text) < 2
    return text.startswith(("|", ">", "?"))
