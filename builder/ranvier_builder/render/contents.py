"""Hierarchy, order and sections of a tree, from a table of contents."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ranvier_builder.model import Entry
from ranvier_builder.render.node import Node

Lines = list[tuple[Node | None, Entry]]  # entries of a table of contents, each with its page or folder
_MAX_DEPTH = 40  # levels of sections


def nested(entries: Lines) -> Iterator[tuple[Node, Node]]:
    """Yield the pages that a table of contents puts below other pages, each with its parent."""
    branch: list[tuple[int, Node | None]] = []
    for node, entry in entries:
        while branch and branch[-1][0] >= entry.depth:
            branch.pop()
        parent = next((ancestor for _, ancestor in reversed(branch) if ancestor is not None), None)
        if node is not None and node.slug and parent is not None and parent.slug:
            yield node, parent
        branch.append((entry.depth, node))


def follow(entries: Lines) -> None:
    """Order pages by a table of contents, and folders by their first page."""
    for index, (node, _) in enumerate(entries):
        while node is not None and node.slug:
            node.order = min(node.order, (0, float(index)))
            node = node.parent


def folder_of(entries: Lines, at: int) -> Node | None:
    """Return the folder of a section's direct pages; `None` if there are several."""
    folders = {folder.slug: folder for folder in (_folder(node) for node in within(entries, at, 1))}
    return next((folder for slug, folder in folders.items() if slug and len(folders) == 1), None)


def within(entries: Lines, at: int, depth: int = _MAX_DEPTH) -> Iterator[Node]:
    """Yield the pages in a section of a table of contents, down to `depth` levels below it."""
    depth_above = entries[at][1].depth
    for node, entry in itertools.takewhile(lambda pair: pair[1].depth > depth_above, itertools.islice(entries, at + 1, None)):
        if node is not None and entry.depth <= depth_above + depth:
            yield node


def _folder(node: Node) -> Node:
    return node if node.children or node.parent is None else node.parent
