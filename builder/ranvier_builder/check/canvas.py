"""Canvas files for the proof: their properties, and the private parts of their cards, read by separate code."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ranvier_builder.check.header import Header, header_of, unique_keys

_TEXT_FIELDS = ("text", "label", "file", "subpath", "url")  # of a card, as texts


def canvas_header(text: str) -> Header:
    """Return the properties of a canvas as front matter; a canvas that cannot be read clearly is broken."""
    try:
        board = _parse(text)
        fields = board.get("metadata", {}).get("frontmatter", {})
        if not isinstance(fields, dict) or not isinstance(board.get("nodes", []), list):
            return Header(broken=True)
        return header_of(json.dumps(fields) + "\n")[0] if fields else Header()
    except (ValueError, AttributeError, RecursionError):
        return Header(broken=True)


def reduced_canvas(text: str, head: Callable[[Header], str], mask: Callable[[str], str]) -> str:
    """Return a canvas with only the published properties, and with masked texts; unchanged if nothing is private.

    Args:
        text: a canvas whose header is not broken.
        head: returns the published properties as JSON.
        mask: masks the private words of a text.

    """
    board, header = _parse(text), canvas_header(text)
    if header.names:
        board["metadata"]["frontmatter"] = json.loads(head(header))
    for node in board.get("nodes", []):
        for name in _TEXT_FIELDS:
            if isinstance(node, dict) and isinstance(node.get(name), str):
                node[name] = mask(node[name])
    return text if board == _parse(text) else json.dumps(board)


def _parse(text: str) -> dict[str, Any]:
    board = json.loads(text.strip() or "{}", object_pairs_hook=unique_keys)
    if not isinstance(board, dict):
        raise ValueError("not a canvas")
    return board
