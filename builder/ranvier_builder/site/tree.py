"""The site's tree: folders and pages, for navigation, breadcrumbs and section lists (N5). Only published pages are in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ranvier_builder.model import Page


@dataclass(slots=True)
class Node:
    """A page, a folder, or a page that stands for its folder. `slug` is its address; the root's is empty."""

    slug: str
    title: str
    page: Page | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address relative to the site's root."""
        return quote(self.slug) + "/" if self.slug else ""

    @property
    def is_section(self) -> bool:
        """Whether the node lists others, and gets a section page."""
        return bool(self.children) or self.page is None


class Tree:
    """Every node by its slug, and the way through them."""

    def __init__(self, pages: list[Page], title: str) -> None:
        self._nodes: dict[str, Node] = {"": Node("", title)}
        for page in pages:
            self._node(page.slug).page = page
            if page.slug:
                self._nodes[page.slug].title = page.neuron.title
        for node in self._nodes.values():
            node.children.sort(key=lambda child: (bool(child.children), child.title.lower(), child.slug))

    @property
    def root(self) -> Node:
        """The home page's node."""
        return self._nodes[""]

    def _node(self, slug: str) -> Node:
        node = self._nodes.get(slug)
        if node is None:
            above, _, name = slug.rpartition("/")
            node = self._nodes[slug] = Node(slug, name.replace("-", " ").capitalize())
            self._node(above).children.append(node)
        return node

    def __iter__(self) -> Iterator[Node]:
        """Yield every node in reading order: a section before its pages."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def above(self, slug: str) -> list[Node]:
        """Return the nodes that lead to a node, from the root, without itself."""
        parts = slug.split("/") if slug else []
        return [self._nodes["/".join(parts[:count])] for count in range(len(parts))]

    def menu(self, slug: str) -> list[dict[str, Any]]:
        """Return the navigation as seen from a page: open along the way to it, closed elsewhere.

        A closed folder is a link to its section page: a page of a large site must not carry the whole site.
        """
        way = {node.slug for node in self.above(slug)} | {slug}
        return [_entry(child, slug, way) for child in self.root.children]


def _entry(node: Node, here: str, way: set[str]) -> dict[str, Any]:
    opened = node.slug in way and bool(node.children)
    return {
        "title": node.title,
        "url": node.url,
        "current": node.slug == here,
        "open": opened,
        "children": [_entry(child, here, way) for child in node.children] if opened else [],
    }
