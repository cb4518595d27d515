"""The site's tree: folders and pages, for navigation, breadcrumbs and section lists (N5). Only published pages are in it."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ranvier.text import primary

from ranvier_builder.language_names import language_name
from ranvier_builder.model import Entry, Outline, Page, Warn
from ranvier_builder.paths import folder_label, page_name
from ranvier_builder.render.contents import Lines, folder_of, follow, nested, within
from ranvier_builder.render.dates import day_of
from ranvier_builder.render.names import PageNames
from ranvier_builder.render.node import Node
from ranvier_builder.render.order import natural_key, split_number
from ranvier_builder.render.slugs import RESERVED, slugify
from ranvier_builder.render.translations import is_tag, translations

# Files about the project, not the pages to begin with: they are at the end.
_ABOUT = re.compile(r"(?:\A|/)(?:(?:[A-Z]+[-_])?LICEN[CS]E|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|SECURITY)\.[^/]+\Z")
_MAX_LEVELS = 40  # maximum levels of pages that name their parents


class Tree:
    """All nodes by slug, and their hierarchy. A page's `parent` has priority over its folder; its address stays."""

    def __init__(self, pages: list[Page], title: str, outline: Outline = Outline(), lang: str = "") -> None:  # noqa: B008 (it is frozen)
        """Place the pages; `lang` is the language of pages without one."""
        self._lang = lang
        self.warnings: list[Warn] = []
        self.size = len(pages)
        self._nodes: dict[str, Node] = {"": Node("", title)}
        self.unlisted: list[Node] = []  # pages that no list may show, and folders whose pages are elsewhere in the tree
        for page in pages:
            self._node(page.slug).page = page
            if page.slug:
                self._nodes[page.slug].title = page.neuron.label or page.neuron.title
        names = PageNames(pages)
        self._set_order(pages, outline)
        entries = [(self._entry(entry, names), entry) for entry in outline.entries]
        entries = self._with_sections(entries)
        self._move_below({node.slug: parent for node, parent in nested(entries)})
        self._move_below(self._dotted_parents(pages) if names.is_dotted else {})
        self._move_to_parents([page for page in pages if page.neuron.parent], names)
        follow(entries)
        self._hide_pages()
        self._drop_empty({folder for page in pages if not page.neuron.parent for folder in _folders(page.slug)})
        langs = _languages_beside(pages, lang)
        for node in self._nodes.values():
            _sort(node.children, langs)
        self._fill_unlisted()

    def at(self, slug: str) -> Node | None:
        """Return the node with an address, or `None`."""
        return self._nodes.get(slug)

    @property
    def root(self) -> Node:
        """The home page's node."""
        return self._nodes[""]

    def _node(self, slug: str) -> Node:
        """Return a node; create it and the missing folders above it."""
        missing = []
        while slug not in self._nodes:
            missing.append(slug)
            slug = slug.rpartition("/")[0]
        node = self._nodes[slug]
        for slug in reversed(missing):
            name = slug.rpartition("/")[2]
            order, words = split_number(name)
            child = self._nodes[slug] = Node(slug, folder_label(words), parent=node, order=order)
            node.children.append(child)
            node = child
        return node

    def _set_order(self, pages: list[Page], outline: Outline) -> None:
        """Set the numbers and the labels of pages and folders from their files."""
        folders: dict[str, str] = {}
        for page in pages:
            if page.neuron.order is not None:
                self._nodes[page.slug].order = (1, page.neuron.order)
            slugs = _folders(f"{page.slug}/" if page.is_index else page.slug)
            for path, slug in zip(_folders(page.neuron.path), slugs, strict=False):
                folders.setdefault(path, slug)
                folder, lang = self._nodes[slug], page.neuron.lang or self._lang
                if folder.page is None and lang and is_tag(path.rpartition("/")[2], lang):
                    folder.title = language_name(lang)
        names = {page_name(page.neuron.path): page.slug for page in pages}
        positions = [(folders.get(path), value) for path, value in outline.folders.items()]
        positions += [(names.get(path), value) for path, value in outline.pages.items()]
        for address, (position, label) in positions:
            node = self._nodes.get(address or "")
            if node is not None and node.slug:
                node.order = node.order if position is None else (1, position)
                node.title = label or node.title

    def _entry(self, entry: Entry, names: PageNames) -> Node | None:
        """Return the page of an entry in a table of contents; the entry's label becomes the page's title."""
        number = names.at_file(entry.path) if entry.path else None
        node = None if number is None else self._nodes[names.slug(number)]
        if node is not None and node.slug and entry.label:
            node.title = entry.label
        return node

    def _with_sections(self, entries: Lines) -> Lines:
        """Find or create the folder of each section of a table of contents; a folder gets its section's title.

        An entry with a path to no published page is not a section: its label may be the title of a withheld page.
        """
        folders = {at: folder_of(entries, at) for at, (_, entry) in enumerate(entries) if entry.label and not entry.path}
        claims = Counter(folder.slug for folder in folders.values() if folder is not None)
        with_folders: Lines = []
        open_sections: list[tuple[int, Node]] = []
        for at, (node, entry) in enumerate(entries):
            while open_sections and open_sections[-1][0] >= entry.depth:
                open_sections.pop()
            if at in folders and any(within(entries, at)):
                folder, (first, below) = folders[at], entries[at + 1]
                if folder is None or (claims[folder.slug] > 1 and not (below.is_index and first is folder)):
                    folder = self._section(open_sections[-1][1] if open_sections else self.root, entry.label)
                folder.title = entry.label
                node = folder
                open_sections.append((entry.depth, node))
            with_folders.append((node, entry))
        return with_folders

    def _section(self, parent: Node, label: str) -> Node:
        """Create a folder at a free address."""
        slug = "/".join(filter(None, (parent.slug, slugify(label))))
        slugs = itertools.chain((slug,), (f"{slug}-{number}" for number in itertools.count(2)))
        free = next(name for name in slugs if name not in self._nodes and name not in RESERVED)
        node = self._nodes[free] = Node(free, label, parent=parent)
        parent.children.append(node)
        return node

    def _dotted_parents(self, pages: list[Page]) -> dict[str, Node]:
        """Find each page's parent in a Dendron vault: `work` for `work.plan`; if it is missing, the next higher page."""
        by_path = {page.neuron.path: self._nodes[page.slug] for page in pages}
        parents = {}
        for page in pages:
            folder, slash, name = page.neuron.path.rpartition("/")
            stem, dot, ending = name.rpartition(".")
            parts = stem.split(".")
            candidates = (f"{folder}{slash}{'.'.join(parts[:count])}{dot}{ending}" for count in range(len(parts) - 1, 0, -1))
            parent = next((by_path[candidate] for candidate in candidates if candidate in by_path), None)
            if parent is not None:
                parents[page.slug] = parent
        return parents

    def _move_to_parents(self, pages: list[Page], names: PageNames) -> None:
        """Move pages below the parents that they name. Only published pages can be parents."""
        moves: dict[str, Node] = {}
        for page in pages:
            number = names.refer(page.neuron.path, page.neuron.parent)
            if number is None:
                self._ignore(page, "is not a published page")
            else:
                moves[page.slug] = self._nodes[names.slug(number)]
        for slug, problem in self._move_below(moves).items():
            if (child := self._nodes[slug].page) is not None:
                self._ignore(child, problem)

    def _ignore(self, page: Page, problem: str) -> None:
        self.warnings.append(Warn(page.neuron.path, "field", f"parent {page.neuron.parent!r} {problem}: ignored"))

    def _move_below(self, moves: Mapping[str, Node]) -> dict[str, str]:
        """Move nodes below others; return the problem for each node that cannot be moved."""
        problems: dict[str, str] = {}
        moved_nodes: dict[str, list[Node]] = {}  # by former parent
        for slug, parent in moves.items():
            node = self._nodes[slug]
            if problem := _cycle(node, parent):
                problems[slug] = problem
            elif node.parent is not None and node.parent is not parent:
                moved_nodes.setdefault(node.parent.slug, []).append(node)
                node.parent = parent
        for slug, nodes in moved_nodes.items():
            moved_slugs = {node.slug for node in nodes}
            self._nodes[slug].children = [child for child in self._nodes[slug].children if child.slug not in moved_slugs]
        for nodes in moved_nodes.values():
            for node in nodes:
                if node.parent is not None:
                    node.parent.children.append(node)
        return problems

    def _hide_pages(self) -> None:
        """Remove pages that no list may show, but for those above another page; they keep their addresses."""
        hidden, empty = dict[str, Node](), set[str]()
        for node in reversed([*self]):
            if node.parent is not None and all(child.slug in empty for child in node.children):
                if _is_unlisted(node):
                    hidden[node.slug] = node
                if _is_unlisted(node) or node.page is None:
                    empty.add(node.slug)
        for node in self._nodes.values() if hidden else ():
            node.children = [child for child in node.children if child.slug not in hidden]
        self.unlisted += hidden.values()

    def _drop_empty(self, linked: set[str]) -> None:
        """Remove empty folders; those that a link can lead to keep their addresses."""
        for slug in sorted(self._nodes, key=lambda address: address.count("/"), reverse=True):
            node = self._nodes[slug]
            if slug and node.page is None and not node.children and node.parent is not None:
                node.parent.children = [child for child in node.parent.children if child is not node]
                if slug in linked:
                    self.unlisted.append(node)
                else:
                    del self._nodes[slug]

    def _fill_unlisted(self) -> None:
        """List the pages of a folder on its page, even if the tree has them elsewhere."""
        lists = {node.slug: node.children for node in self.unlisted if node.page is None}
        for node in [*self] if lists else ():
            if (folder := node.slug.rpartition("/")[0]) in lists and not _is_unlisted(node):
                lists[folder].append(node)

    def __iter__(self) -> Iterator[Node]:
        """Yield every node in reading order: a section before its pages; at the end what no menu lists."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))
        yield from self.unlisted

    def above(self, slug: str) -> list[Node]:
        """Return the ancestors of a node, from the root."""
        ancestors = []
        node = self._nodes[slug].parent if slug in self._nodes else self.root
        while node is not None:
            ancestors.append(node)
            node = node.parent
        return ancestors[::-1]


def _folders(slug: str) -> list[str]:
    parts = slug.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _is_unlisted(node: Node) -> bool:
    return node.page is not None and node.page.neuron.unlisted


def _cycle(node: Node, parent: Node) -> str:
    """Return the reason why a node cannot be below another; empty if it can."""
    depth = 0
    ancestor: Node | None = parent
    while ancestor is not None:
        if ancestor is node:
            return "is already below this page" if depth else "is this page itself"
        depth += 1
        ancestor = ancestor.parent
    return f"is more than {_MAX_LEVELS} levels deep" if depth > _MAX_LEVELS and node.parent is not parent else ""


def _languages_beside(pages: Iterable[Page], site_lang: str) -> dict[str, str]:
    """Return the languages of the pages that are beside their originals in the site's language: `a.de.md` beside `a.en.md`."""
    langs: dict[str, str] = {}
    for group in translations(pages, site_lang):
        originals = {posixpath.dirname(page.neuron.path) for lang, page in group.items() if primary(lang) == primary(site_lang)}
        others = ((lang, page) for lang, page in group.items() if primary(lang) != primary(site_lang))
        langs |= {page.slug: lang for lang, page in others if posixpath.dirname(page.neuron.path) in originals}
    return langs


def _sort(children: list[Node], langs: Mapping[str, str]) -> None:
    """Sort by the given order; then pages by title, daily notes (newest first), folders by title, and `LICENSE.md`.

    Translations follow their originals, one language after the other, unless a table of contents lists them.
    """
    days = {id(child): day_of(child.page) if child.page else "" for child in children}
    children.sort(key=lambda child: (bool(child.children), natural_key(child.title), child.slug))
    children.sort(key=lambda child: days[id(child)], reverse=True)
    children.sort(key=lambda child: (bool(child.children), bool(days[id(child)])))
    children.sort(key=lambda child: child.page is not None and bool(_ABOUT.search(child.page.neuron.path)))
    children.sort(key=lambda child: child.order)
    children.sort(key=lambda child: langs.get(child.slug, "") if child.order[0] else "")
    for index, child in enumerate(children):
        child.index = index
