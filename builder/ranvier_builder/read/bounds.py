"""Limits for the size of a frontmatter. They are checked before values are constructed: a few lines can mean gigabytes.

In 1,780 files of four real sites the longest frontmatter has 1,326 characters, the fullest 54 values, the deepest 5 levels.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

CHARACTERS_MAX = 1_000_000  # some generators of API pages put a whole description into one field: about 100,000 characters
VALUES_MAX = 50_000  # including keys, and each repetition by an alias or `<<`; reading this many takes a second
DEPTH_MAX = 50  # levels of lists and maps; also parts of a dotted TOML key, whose parsing takes quadratic time
DIGITS_MAX = 4_300  # of a number: Python's own limit for integers
TOO_LONG = f"it has more than {CHARACTERS_MAX:,} characters; move long values into the page's body"
TOO_DEEP = f"it nests deeper than {DEPTH_MAX} levels; use fewer levels"
TOO_FULL = f"it has more than {VALUES_MAX:,} values, each counted as often as aliases and `<<` repeat it; write fewer of them"

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DOTTED = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEPTH_MAX}}})", re.MULTILINE)


class TooLarge(ValueError):
    """A frontmatter exceeds a limit. The message has the limit and the cure; `line` counts from 1 in the frontmatter."""

    def __init__(self, message: str, line: int = 0) -> None:
        self.line = line
        super().__init__(message)


def check_length(head: str) -> None:
    """Raise `TooLarge` if a text is too long to be parsed."""
    if len(head) > CHARACTERS_MAX:
        raise TooLarge(TOO_LONG)


def check_digits(number: str, line: int) -> None:
    """Raise `TooLarge` if a number is too long to be computed: `59:59:59…` takes quadratic time."""
    if len(number) > DIGITS_MAX:
        raise TooLarge(f"a number has more than {DIGITS_MAX:,} digits; put it in quotes", line)


def check_toml_keys(head: str) -> None:
    """Raise `TooLarge` for a key such as `a.a.a…`, before TOML is parsed."""
    if key := _DOTTED.search(head):
        message = f"a key has more than {DEPTH_MAX} parts; write fewer dots"
        raise TooLarge(message, head.count("\n", 0, key.start("key")) + 1)


def check_values(value: Any) -> None:
    """Raise `TooLarge` if a tree of maps and lists is too deep or has too many values."""
    level, depth, count = [value], 0, 0
    while level:
        count += len(level)
        if count > VALUES_MAX:
            raise TooLarge(TOO_FULL)
        inner = [item for item in level if isinstance(item, (dict, list))]
        depth += bool(inner)
        if depth > DEPTH_MAX:
            raise TooLarge(TOO_DEEP)
        level = [part for item in inner for part in ((*item, *item.values()) if isinstance(item, dict) else item)]


class BoundedLoader(yaml.SafeLoader):
    """Checks the size of YAML while its nodes are composed, before values are constructed. Raises `TooLarge`."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0
        self._count = 0
        self._sizes: dict[str, int] = {}  # anchor → number of its values

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node, or return the node of an alias."""
        event, count_before = self.peek_event(), self._count  # type: ignore[no-untyped-call]
        line = event.start_mark.line + 1
        self._depth += 1
        if self._depth > DEPTH_MAX and isinstance(event, yaml.CollectionStartEvent):
            raise TooLarge(TOO_DEEP, line)
        node = super().compose_node(parent, index)
        self._depth -= 1
        if not isinstance(event, yaml.AliasEvent):
            self._count += 1
            self._sizes[event.anchor or ""] = self._count - count_before
        elif event.anchor in self._sizes:
            self._count += self._sizes[event.anchor]
        else:  # it contains itself
            raise TooLarge(TOO_DEEP, line)
        if self._count > VALUES_MAX:
            raise TooLarge(TOO_FULL, line)
        return node
