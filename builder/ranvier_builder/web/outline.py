"""The main content of another generator's page → sections, with the existing anchors of their headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.model import Section
from ranvier_builder.render.html import BLOCKS, HEADING, Outline, Place, attribute_of, one_line, walk, with_ancestors
from ranvier_builder.web.descriptions import LISTS, TERMS, descriptions, is_member, name_of
from ranvier_builder.web.marks import index_attributes, selector
from ranvier_builder.web.tabs import tab_labels
from ranvier_builder.web.visibility import Visibility

_MAX_DISTANCE = 4  # elements before a heading, or around it, that are searched for its anchor (DocBook has four around it)
_MAX_EMPTY_NODES = 8  # empty nodes before a heading
_LINE = "\0"  # a newline, unless at the beginning of a line; not used in texts
_CONTAINERS = frozenset("section div article header hgroup li ul".split())
_ENTRIES = 'h6:has(> a[href$=".html"]:only-child, > a[data-link]:only-child)'  # the second: in the manual of another library
_ADMONITIONS = frozenset("note tip warning caution important danger admonition".split())  # classes of DocBook and others
MAX_LENGTH = 300  # characters of a heading or a title; an unclosed heading includes the text after it
_BELOW_HEADINGS = 7  # level of a described function or class, below h6


def outline(tree: LexborHTMLParser, visibility: Visibility) -> tuple[Section, ...]:
    """Return the sections of the main content of a page, in order."""
    reader = _Reader(tree, visibility)
    for root in visibility.roots:
        for node, is_end in walk(root, visibility.skips):
            reader.visit(node, is_end)
        reader.flush()
    reader.end()
    return tuple(reader.sections)


class _Reader(Outline):
    def __init__(self, tree: LexborHTMLParser, visibility: Visibility) -> None:
        super().__init__()
        self._visibility = visibility
        self._described_ids = {node.mem_id for node in descriptions(tree, visibility.skips)}
        self._lists: list[tuple[int, Place | None]] = []  # open lists with descriptions, and the place of each
        # Doxygen writes a signature as a table, with a row for each parameter.
        self._signatures = {node.mem_id for node in tree.css("table.memname :is(tbody, tr, td)")}
        # GI-DocGen lists the methods of a class, each with a page of its own: that page is searched for, not the entry.
        self._entries = {node.mem_id for node in tree.css(_ENTRIES)}
        self._attributes = {node.mem_id for node in tree.css(selector("index-attrs"))}
        self._tab_labels = tab_labels(tree)

    def visit(self, node: LexborNode, is_end: bool) -> None:
        tag = node.tag or ""
        if not is_end and node.mem_id in self._attributes:
            self.text(f" {index_attributes(node)} ")
        if not is_end and (label := self._tab_labels.get(node.mem_id)) is not None:
            self._label(label)
        if HEADING.match(tag):
            self._heading(node, int(tag[1]))
        elif tag == "pre":
            self._term(node)
            self.lines(lines(node, self._visibility))
        elif node.mem_id in self._signatures:
            self.text(" ")
        elif tag == "img" and not is_end:
            self.text(f" {_alternative_text(node)} ")
        else:
            super().visit(node, is_end)
            if tag in BLOCKS or tag in TERMS:
                self._description(node, tag, is_end)

    def _label(self, label: LexborNode) -> None:
        """Begin the panel of a tab with its label, unless the author excluded that."""
        if not any(map(self._visibility.withholds, with_ancestors(label))):
            self.flush()
            self.text(plain(label, self._visibility.skips))
            self.flush()

    def _heading(self, node: LexborNode, level: int) -> None:
        # A heading may consist of a button or a link, which are skipped in other places.
        words = one_line(plain(node, self._visibility.skips)) or one_line(plain(node, self._visibility.withholds))
        words = words.removesuffix(" Manual Page") if words.endswith(") Manual Page") else words  # of AsciiDoc: `git-add(1)`
        target = anchor(node, self._visibility)
        is_in_text = (level > 2 and _is_admonition(node.parent)) or (not target and self._is_in_description())
        if node.mem_id in self._entries or is_in_text:
            self.flush()
            self.text(f"{words} ")
        elif words:
            self.heading(level, shorten(words, MAX_LENGTH), target)
        if len(words) > MAX_LENGTH:
            self.text(words)

    def _description(self, node: LexborNode, tag: str, is_end: bool) -> None:
        """Begin a section for a described object; it ends with its list."""
        if tag in LISTS and not is_end and any(child.mem_id in self._described_ids for child in node.iter()):
            self._lists.append((node.mem_id, self.place))
        elif tag in LISTS and is_end and self._lists and self._lists[-1][0] == node.mem_id:
            place = self._lists.pop()[1]
            if place is not None:
                self.resume(place)
        elif tag in TERMS and not is_end:
            self._term(node)

    def _visible_text(self, node: LexborNode) -> str:
        return "" if self._visibility.skips(node) else plain(node, self._visibility.skips)

    def _term(self, node: LexborNode) -> None:
        if node.mem_id not in self._described_ids:
            return
        self._leave_headings(node)
        level = _BELOW_HEADINGS + len(self._lists)
        name = name_of(node, self._visible_text)
        above = [heading for at, heading in self.place[0] if _BELOW_HEADINGS <= at < level]
        if above and "." not in name and is_member(node):
            name = f"{above[-1].rpartition('.')[2]}.{name}"  # `convert` alone does not identify its class
        self.heading(level, shorten(name, MAX_LENGTH), anchor(node, self._visibility))

    def _is_in_description(self) -> bool:
        """Return whether the section is that of a term in a list: "Parameters:" belongs to its function."""
        return bool(self._lists and self.place[0]) and self.place[0][-1][0] >= _BELOW_HEADINGS

    def _leave_headings(self, term: LexborNode) -> None:
        """End the sections of the description before a term in the same list: "Parameters:" in LDoc."""
        at, place = self._lists[-1] if self._lists else (0, None)
        if place is not None and term.tag == "dt" and term.parent is not None and term.parent.mem_id == at:
            self.resume(place)


def _is_admonition(node: LexborNode | None) -> bool:
    """Return whether an element is a note or a warning in a text: its heading begins no section."""
    return node is not None and not _ADMONITIONS.isdisjoint(attribute_of(node, "class").split())


def _alternative_text(image: LexborNode) -> str:
    """Return the alternative text of an image, as far as it says something about the image.

    Sphinx repeats the caption of its figure; of an image without such a text, it writes the address.
    """
    text = one_line(attribute_of(image, "alt"))
    if "." in text and f"/{attribute_of(image, 'src')}".endswith(f"/{text}"):
        return ""
    figure = next((item for item in with_ancestors(image.parent) if item.tag not in ("a", "picture", "p")), None)
    caption = figure.css_first("figcaption") if figure is not None and figure.tag == "figure" else None
    return "" if caption is not None and text in one_line(caption.text()) else text


def shorten(text: str, length: int) -> str:
    """Cut a text at a blank if it is longer than `length`."""
    return text if len(text) <= length else f"{text[:length].rpartition(' ')[0] or text[:length]} …"


def plain(node: LexborNode, skips: Callable[[LexborNode], bool]) -> str:
    """Return the text of an element, without the elements in it that are skipped."""
    return "".join(part if part is not _LINE else " " for part in _texts(node, skips, " "))


def lines(node: LexborNode, visibility: Visibility) -> str:
    """Return preformatted text without line numbers; breaks and elements for lines become lines."""
    out: list[str] = []
    for part in _texts(node, visibility.skips, "\n"):
        if part is not _LINE:
            out.append(part)
        elif out and not out[-1].endswith("\n"):
            out.append("\n")
    return "".join(out)


def _texts(node: LexborNode, skips: Callable[[LexborNode], bool], line_break: str) -> Iterator[str]:
    """Yield the texts in an element: `line_break` for a `<br>`, `_LINE` around a block."""
    stack: list[LexborNode | str] = list(reversed(list(node.iter(include_text=True))))
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif item.tag == "-text":
            yield item.text_content or ""
        elif item.tag == "br":
            yield line_break
        elif not skips(item):
            if item.tag == "img":
                yield attribute_of(item, "alt")
            elif attribute_of(item, "class") == "sep" and _is_drawn_separator(item):
                yield "."
            if item.tag in BLOCKS or (item.tag == "code" and line_break == "\n"):
                yield _LINE
                stack.append(_LINE)
            stack.extend(reversed(list(item.iter(include_text=True))))


def _is_drawn_separator(node: LexborNode) -> bool:
    """Return whether a style sheet writes the dot of a name, as in the headings of GI-DocGen: Adw.Toast.dismiss."""
    return node.parent is not None and node.parent.tag == "h1" and not node.text()


def anchor(heading: LexborNode, visibility: Visibility) -> str:
    """Return the anchor of a heading: its id, the target of its link, or an id in it, before it, or of the part it begins."""
    return (
        attribute_of(heading, "id")
        or _permalink_target(heading, visibility)
        or _inside(heading)
        or _before(heading)
        or _around(heading, visibility)
    )


def _permalink_target(heading: LexborNode, visibility: Visibility) -> str:
    """Return the target of a permalink in or directly after a heading, or of a link that is the whole heading.

    The heading itself may also be a link to its entry in a table of contents, as docutils writes it.
    """
    next_element = _next_element(heading)
    heading_text = heading.text().strip()
    links = heading.css('a[href^="#"]:not(.toc-backref)')
    links = [link for link in links if visibility.skips(link) or link.text().strip() == heading_text]
    if next_element is not None and next_element.tag == "a" and visibility.skips(next_element):
        links.append(next_element)
    hrefs = (attribute_of(link, "href") for link in links)
    return next((unquote(href[1:]) for href in hrefs if href.startswith("#") and len(href) > 1), "")


def _inside(heading: LexborNode) -> str:
    # In a signature of Scaladoc, the name of a link is that of a type.
    target = heading.css_first("[id], a[name]:not([href]), a[name][href^='#']")
    return _id_of(target) if target is not None else ""


def _earlier(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes before a node in its parent, the nearest first."""
    while (before := node.prev) is not None:
        yield (node := before)


def _before(heading: LexborNode) -> str:
    for node in islice(_earlier(heading), _MAX_DISTANCE):
        if node.tag in ("a", "span", "p", "div") and not node.text().strip():
            if name := _id_of(node) or _inside(node):
                return name
        elif node.tag not in ("-text", "-comment") or (node.text_content or "").strip():
            return ""
    return ""


def _around(heading: LexborNode, visibility: Visibility) -> str:
    node = heading
    hrefs = {attribute_of(link, "href") for link in heading.css('a[href^="#"]')}
    begins = True
    for _ in range(_MAX_DISTANCE):
        parent = node.parent
        if parent is None or parent.tag not in _CONTAINERS:
            return ""
        begins = begins and _begins(node, visibility)
        name = _id_of(parent)
        if name and (begins or f"#{name}" in hrefs):
            return name
        if begins and (name := _before(parent)):
            return name
        node = parent
    return ""


def _begins(node: LexborNode, visibility: Visibility) -> bool:
    """Return whether an element is the first one with visible text in its parent."""
    earlier = [*islice(_earlier(node), _MAX_EMPTY_NODES)]
    return len(earlier) < _MAX_EMPTY_NODES and all(
        item.tag == "-comment" or visibility.skips(item) or not item.text().strip() for item in earlier
    )


def _next_element(node: LexborNode) -> LexborNode | None:
    next_node = node.next
    while next_node is not None and next_node.tag in ("-text", "-comment"):
        if next_node.tag == "-text" and (next_node.text_content or "").strip():
            return None
        next_node = next_node.next
    return next_node


def _id_of(node: LexborNode) -> str:
    return attribute_of(node, "id") or (attribute_of(node, "name") if node.tag == "a" else "")
