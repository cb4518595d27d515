"""Hierarchy, order and sections of a tree, from a table of contents."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ranvier_builder.model import Entry
from ranvier_builder.render.node import Node

Lines = list[tuple[Node | None, Entry]]  # entries of a table of contents, each with its page or folder


def nested(entries: Lines) -> Iterator[tuple[Node, Node]]:
    """Yield the pages that a table of contents puts below other pages, each with its parent."""
    branch: list[tuple[int, Node | None]] = []
    for node, entry in entries:
        while branch and branch[-1][0] >= entry.depth:
            branch.pop()
        parent = next((ancestor for _, ancestor in reversed(branch) if ancestor is not None), None)
        if node is not None and node.slug and parent is not None and parent.slug and parent is not node:
            yield node, parent
        branch.append((entry.depth, node))


def follow(entries: Lines) -> None:
    """Order pages by a table of contents, and folders by their first page."""
    for index, (node, _) in enumerate(entries):
        while node is not None and node.slug:
            node.order = min(node.order, (0, float(index)))
            node = node.parent


def folder_of(entries: Lines, at: int) -> Node | None:
    """Return the page of a section, or the folder of its direct pages; `None` if there are several.

    A page above others in the table is a section of its own: its folder is the one above.
    """
    for node, entry in entries[at + 1 : at + 2]:
        if entry.is_index and node is not None and node.slug:
            return node
    numbers = (number for number in _below(entries, at) if entries[number][1].depth == entries[at][1].depth + 1)
    direct = [(node, any(within(entries, number))) for number in numbers if (node := entries[number][0]) is not None]
    folders = {folder.slug: folder for folder in itertools.starmap(_folder, direct)}
    return next((folder for slug, folder in folders.items() if slug and len(folders) == 1), None)


def within(entries: Lines, at: int) -> Iterator[Node]:
    """Yield the pages in a section of a table of contents."""
    yield from (node for number in _below(entries, at) if (node := entries[number][0]) is not None)


def _below(entries: Lines, at: int) -> Iterator[int]:
    """Return the numbers of the entries in a section of a table of contents."""
    return itertools.takewhile(lambda number: entries[number][1].depth > entries[at][1].depth, range(at + 1, len(entries)))


def _folder(node: Node, is_section: bool) -> Node:
    return node if node.parent is None or (node.children and not is_section) else node.parent
