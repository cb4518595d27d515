"""The navigation of a page: open along the path to the page, closed elsewhere.

A closed folder is a link to its section page, and so is the unlisted rest of a long folder: the pages of a large site stay
small, and everything can be reached without scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ranvier_builder.render.node import Node
from ranvier_builder.render.tree import Tree

_MAX_LEVELS = 12  # maximum levels of open folders
LISTED, LARGE = 100, 1000  # entries per folder, on a site of at most this many pages
# On a larger site, a menu would be larger than the page. The root and the page's own folder list more than other folders.
LISTED_NEAR, LISTED_BETWEEN = 30, 12


def menu(tree: Tree, slug: str, link: Callable[[Node], dict[str, str]]) -> list[dict[str, Any]]:
    """Return the navigation entries for the page at an address; for an unknown address, nothing is open.

    `link` returns the title and the address of a node.
    """
    ancestors = tree.above(slug)[:_MAX_LEVELS]
    current = tree.at(slug)
    branch = {node.slug: node for node in (*ancestors, *([current] if current is not None else ()))}
    return _Menu(slug, current, branch, tree.size > LARGE, link).entries(tree.root, _MAX_LEVELS)


@dataclass(frozen=True, slots=True)
class _Menu:
    slug: str
    current: Node | None
    branch: dict[str, Node]
    is_large: bool
    link: Callable[[Node], dict[str, str]]

    def entries(self, node: Node, levels: int) -> list[dict[str, Any]]:
        """Return entries for a node's children: all, or those around the open one and a link with the total number."""
        children, limit = node.children, self._limit(node)
        if len(children) > limit:
            centre = next((child.index for child in self.branch.values() if child.parent is node), 0)
            start = min(max(0, centre - limit // 2), len(children) - limit)
            children = children[start : start + limit]
        entries = [self._entry(child, levels) for child in children]
        return (
            entries if children is node.children else [*entries, self._link(node) | {"title": "", "more": len(node.children)}]
        )

    def _limit(self, node: Node) -> int:
        if not self.is_large:
            return LISTED
        is_near = node.parent is None or (self.current is not None and self.current.parent is node)
        return LISTED_NEAR if is_near else LISTED_BETWEEN

    def _entry(self, node: Node, levels: int) -> dict[str, Any]:
        entry = self._link(node)
        entry["current"] = node.slug == self.slug
        entry["is_section"] = node.is_section
        if node.slug in self.branch and node.children and levels > 1:
            entry["open"], entry["children"] = True, self.entries(node, levels - 1)
        return entry

    def _link(self, node: Node) -> dict[str, Any]:
        return {**self.link(node), "current": False, "is_section": False, "open": False, "more": 0, "children": []}
