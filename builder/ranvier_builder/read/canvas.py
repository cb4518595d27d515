"""Obsidian's `.canvas` files → Markdown: a list of their cards. Arrows, colours and positions are not shown (N8)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ranvier_builder.markdown.code import code, outside
from ranvier_builder.paths import IMAGES, suffix
from ranvier_builder.read.frontmatter import unique_keys

_NOT_IN_TARGET = re.compile(r"[\[\]|#\n]")  # these cannot be in the target of a wikilink
_MAX_COORDINATE = 1e9  # pixels; NaN is not below it, and larger integers cannot be a float
_HEADING = re.compile(r"^( {0,3}#{1,4})(?=[ \t])", re.MULTILINE)  # of a card: moved two levels down
_ADDRESS = re.compile(r"https?://[^\s<>]+\Z", re.IGNORECASE)


def canvas_to_markdown(text: str) -> str:
    """Convert the JSON of a canvas to Markdown, with its properties as front matter.

    Cards outside of groups come first, then each group under its name; both from top to bottom, then from left to right.

    Raises:
        ValueError: the text is not a canvas.

    """
    try:
        board = json.loads(text.strip() or "{}", object_pairs_hook=unique_keys)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    nodes = board.get("nodes", []) if isinstance(board, dict) else None
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        raise ValueError("it has no list of cards")
    fields = _properties(board)
    head = f"{json.dumps(fields, ensure_ascii=False)}\n" if fields else ""
    cards = sorted((_card(number, node) for number, node in enumerate(nodes)), key=_Card.place)
    return (head + "\n\n".join(_lines(cards)) + "\n").encode("utf-8", "replace").decode()


def _properties(board: dict[str, Any]) -> dict[str, Any]:
    metadata = board.get("metadata", {})
    fields = metadata.get("frontmatter", {}) if isinstance(metadata, dict) else None
    if not isinstance(fields, dict):
        raise ValueError("its properties are not a set of keys and values")
    return fields


@dataclass(frozen=True, slots=True)
class _Card:
    """A card or a group, and its rectangle."""

    number: int  # in the file
    node: dict[str, Any]
    x: float
    y: float
    width: float
    height: float

    def place(self) -> tuple[float, float, int]:
        return self.y, self.x, self.number

    @property
    def is_group(self) -> bool:
        return self.node.get("type") == "group"

    def holds(self, other: _Card) -> bool:
        """Return whether the centre of another card is in this rectangle."""
        dx, dy = other.x + other.width / 2 - self.x, other.y + other.height / 2 - self.y
        return 0 <= dx <= self.width and 0 <= dy <= self.height

    def text(self, key: str) -> str:
        value = self.node.get(key)
        return value.strip() if isinstance(value, str) else ""

    def markdown(self) -> str:
        """Return the card as Markdown; empty if it has nothing to show."""
        kind = self.node.get("type")
        if kind == "file":
            return _link(self.text("file"), self.text("subpath"))
        if kind == "link":
            return f"<{self.text('url')}>" if _ADDRESS.match(self.text("url")) else ""
        text = self.text("text") if kind == "text" else ""
        return outside(text, code(text), _HEADING, r"\1##") if "#" in text else text


def _card(number: int, node: dict[str, Any]) -> _Card:
    values = (node.get(key) for key in ("x", "y", "width", "height"))
    box = (float(value) if isinstance(value, (int, float)) and abs(value) < _MAX_COORDINATE else 0.0 for value in values)
    return _Card(number, node, *box)


def _lines(cards: list[_Card]) -> Iterator[str]:
    """Yield each card as an item of a list, and each group as a heading before its cards."""
    groups = [card for card in cards if card.is_group]
    members: dict[int, list[_Card]] = {}  # number of a group, or -1 → cards
    for card in cards:
        containers = [group for group in groups if group.holds(card)] if not card.is_group else []
        smallest = min(containers, key=lambda group: (group.width * group.height, group.number)) if containers else None
        members.setdefault(smallest.number if smallest else -1, []).append(card)
    yield from _items(members.get(-1, []))
    for group in groups:
        label = " ".join(group.text("label").split())
        yield from [f"## {label}"] if label else []
        yield from _items(members.get(group.number, []))


def _items(cards: list[_Card]) -> Iterator[str]:
    for text in filter(None, (card.markdown() for card in cards)):
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        yield "- " + "\n".join(f"  {line}" if number and line.strip() else line for number, line in enumerate(lines))


def _link(file: str, subpath: str) -> str:
    """Return a wikilink to a file of the vault, with the file's name as its label; a picture is embedded."""
    if not file or _NOT_IN_TARGET.search(file):
        return ""
    heading = subpath if subpath.startswith("#") and not _NOT_IN_TARGET.search(subpath[1:]) else ""
    return f"{'!' if suffix(file) in IMAGES else ''}[[{file}{heading}|{PurePosixPath(file).stem}]]"
