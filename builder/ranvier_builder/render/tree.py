"""The site's tree: folders and pages, for navigation, breadcrumbs and section lists (N5). Only published pages are in it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ranvier_builder.model import Page, Warn
from ranvier_builder.render.dates import day_of
from ranvier_builder.render.names import Names

_DEEPEST = 40  # levels of pages that name their parents; a chain without end would be nobody's navigation
_MENU = 12  # levels of folders that the navigation opens
_LISTED = 100  # of the pages of one folder that the navigation lists: a page must not carry the whole site


@dataclass(slots=True)
class Node:
    """A page, a folder, or a page that stands for its folder. `slug` is its address; the root's is empty."""

    slug: str
    title: str
    page: Page | None = None
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    place: int = 0  # among its parent's children

    @property
    def url(self) -> str:
        """The address relative to the site's root."""
        return quote(self.slug) + "/" if self.slug else ""

    @property
    def is_section(self) -> bool:
        """Whether the node lists others, and gets a section page."""
        return bool(self.children) or self.page is None


class Tree:
    """Every node by its slug, and the way through them. A page's `parent` wins over its folder; its address stays."""

    def __init__(self, pages: list[Page], title: str) -> None:
        self.warnings: list[Warn] = []
        self._nodes: dict[str, Node] = {"": Node("", title)}
        for page in pages:
            self._node(page.slug).page = page
            if page.slug:
                self._nodes[page.slug].title = page.neuron.title
        self._move([page for page in pages if page.neuron.parent], Names(pages))
        self._drop_empty({folder for page in pages if not page.neuron.parent for folder in _folders(page.slug)})
        for node in self._nodes.values():
            _sort(node.children)

    @property
    def root(self) -> Node:
        """The home page's node."""
        return self._nodes[""]

    def _node(self, slug: str) -> Node:
        """Make a node, and the folders above it that are not there yet."""
        missing = []
        while slug not in self._nodes:
            missing.append(slug)
            slug = slug.rpartition("/")[0]
        node = self._nodes[slug]
        for slug in reversed(missing):
            name = slug.rpartition("/")[2]
            made = self._nodes[slug] = Node(slug, name.replace("-", " ").capitalize(), parent=node)
            node.children.append(made)
            node = made
        return node

    def _move(self, pages: list[Page], names: Names) -> None:
        """Put pages below the parents that they name. What no published page is called is no parent, whatever it is."""
        moved: dict[str, list[Node]] = {}  # where from
        for page in pages:
            node, above = self._nodes[page.slug], self._parent(page, names)
            problem = "is no published page" if above is None else _cycle(node, above)
            if above is None or problem:
                self.warnings.append(Warn(page.neuron.path, "field", f"parent {page.neuron.parent!r} {problem}: ignored"))
            elif node.parent is not None and node.parent is not above:
                moved.setdefault(node.parent.slug, []).append(node)
                node.parent = above
        for slug, nodes in moved.items():
            gone = {node.slug for node in nodes}
            self._nodes[slug].children = [child for child in self._nodes[slug].children if child.slug not in gone]
        for nodes in moved.values():
            for node in nodes:
                if node.parent is not None:
                    node.parent.children.append(node)

    def _parent(self, page: Page, names: Names) -> Node | None:
        said, here = page.neuron.parent.strip(), page.neuron.path
        if said.startswith("[[") and said.endswith("]]"):  # as Obsidian writes a link in a property
            said = said[2:-2].partition("|")[0].partition("#")[0].strip()
        near = posixpath.normpath(posixpath.join(posixpath.dirname(here), said))
        for number in (names.identified(said), names.at(near), names.named(here, said)):
            if number is not None:
                return self._nodes[names.slug(number)]
        return None

    def _drop_empty(self, linked: set[str]) -> None:
        """Take away folders that list nothing any more, but for those that a link can lead to."""
        for slug in sorted(self._nodes, key=lambda one: one.count("/"), reverse=True):
            node = self._nodes[slug]
            if slug and node.page is None and not node.children and slug not in linked and node.parent is not None:
                del self._nodes[slug]
                node.parent.children = [child for child in node.parent.children if child is not node]

    def __iter__(self) -> Iterator[Node]:
        """Yield every node in reading order: a section before its pages."""
        return self.below("")

    def below(self, slug: str) -> Iterator[Node]:
        """Yield a node and all that is below it, at any depth, in reading order."""
        stack = [self._nodes[slug]]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def above(self, slug: str) -> list[Node]:
        """Return the nodes that lead to a node, from the root, without itself."""
        way = []
        node = self._nodes[slug].parent if slug in self._nodes else self.root
        while node is not None:
            way.append(node)
            node = node.parent
        return way[::-1]

    def menu(self, slug: str) -> list[dict[str, Any]]:
        """Return the navigation as seen from a page: open along the way to it, closed elsewhere.

        A closed folder is a link to its section page: a page of a large site must not carry the whole site.
        """
        above = self.above(slug)[:_MENU]
        way = {node.slug: node for node in (*above, *([self._nodes[slug]] if slug in self._nodes else ()))}
        return _entries(self.root, slug, way, _MENU)


def _folders(slug: str) -> list[str]:
    parts = slug.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _cycle(node: Node, above: Node) -> str:
    """Say why a node cannot be below another; empty where it can."""
    depth = 0
    walker: Node | None = above
    while walker is not None:
        if walker is node:
            return "is below this page already" if depth else "is this page itself"
        depth += 1
        walker = walker.parent
    return f"is more than {_DEEPEST} levels deep" if depth > _DEEPEST and node.parent is not above else ""


def _sort(children: list[Node]) -> None:
    """Pages before folders, by title; daily notes after them, the newest first."""
    days = {id(child): day_of(child.page) if child.page else "" for child in children}
    children.sort(key=lambda child: (bool(child.children), child.title.lower(), child.slug))
    children.sort(key=lambda child: days[id(child)], reverse=True)
    children.sort(key=lambda child: (bool(child.children), bool(days[id(child)])))
    for place, child in enumerate(children):
        child.place = place


def _entries(node: Node, here: str, way: dict[str, Node], levels: int) -> list[dict[str, Any]]:
    """List a node's children: all of them, or those around the one that leads on, and how many there are."""
    children = node.children
    if len(children) > _LISTED:
        centre = next((child.place for child in way.values() if child.parent is node), 0)
        start = min(max(0, centre - _LISTED // 2), len(children) - _LISTED)
        children = children[start : start + _LISTED]
    entries = [_entry(child, here, way, levels) for child in children]
    return entries if children is node.children else [*entries, _more(node)]


def _entry(node: Node, here: str, way: dict[str, Node], levels: int) -> dict[str, Any]:
    opened = node.slug in way and bool(node.children) and levels > 1
    return {
        "title": node.title,
        "url": node.url,
        "current": node.slug == here,
        "open": opened,
        "more": 0,
        "children": _entries(node, here, way, levels - 1) if opened else [],
    }


def _more(node: Node) -> dict[str, Any]:
    """Lead to the section's own page, which lists them all."""
    return {"title": "", "url": node.url, "current": False, "open": False, "more": len(node.children), "children": []}
