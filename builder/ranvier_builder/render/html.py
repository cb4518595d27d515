"""A page's HTML → its sections, with visible text only.

The source is the published HTML, not Markdown: so invisible text cannot be found, and pages of any other site generator are
read in the same way (`ranvier_builder.web`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from ranvier.store.texts import CODE, PROSE, TABLE
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.composed import composed
from ranvier_builder.model import Block, Section

HEADING = re.compile(r"h[1-6]\Z")
# Elements that begin and end a paragraph.
BLOCKS = frozenset(
    """address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer header hr html body
    li main ol p section summary table tbody tfoot thead tr ul""".split()
)
_BLANKS = re.compile(r"\s+")
_HIDDEN = frozenset("script style template noscript head nav form button svg".split())
# Elements that their author hides. The panels of tabs are hidden until a reader opens them, so they count as text.
HIDDEN_BY_AUTHORS = """[hidden]:not([role="tabpanel"]):not([hidden="until-found"]),
    [style*="display:none"i]:not([role="tabpanel"]), [style*="display: none"i]:not([role="tabpanel"])"""
EMBEDDED = "embedded-text"  # class of a `<div>` with the text of another page, which is indexed only there
# The number of a footnote, and the arrow back to it, are not part of a sentence.
_NOT_SEARCHED = frozenset({("div", EMBEDDED), ("sup", "claim"), ("sup", "footnote-ref"), ("a", "footnote-backref")})

MAX_DEPTH = 500  # levels; browsers have a similar limit, and parsing is slow if very many tags are open
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s<>/]*)[^<>]*>?")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# Closed by the next element, so they do not nest.
_AUTO_CLOSED = frozenset("p li dt dd tr td th thead tbody tfoot colgroup h1 h2 h3 h4 h5 h6".split())
# Closed by the next element in their usual parents, and nested elsewhere.
_LOOSE = frozenset("optgroup option rp rt".split())
_MAX_LOOSE = 20_000  # maximum number of these tags on a page

Place = tuple[tuple[tuple[int, str], ...], str]


def one_line(text: str) -> str:
    """Join text to one line, in composed characters."""
    return composed(_BLANKS.sub(" ", text)).strip()


def attribute_of(node: LexborNode | None, name: str) -> str:
    """Return the value of an attribute; empty if it has none or is missing, or if there is no element."""
    return str(node.attributes.get(name) or "") if node is not None else ""


class Outline:
    """Collects blocks under headings, in reading order."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self._path: list[tuple[int, str]] = []  # the current heading and its parents
        self._anchor = ""
        self._blocks: list[Block] = []
        self._words: list[str] = []
        self._kind = PROSE
        self._has_heading = False

    def visit(self, node: LexborNode, is_end: bool) -> None:
        """Add what a node of `walk` adds to the text."""
        tag = node.tag or ""
        if tag == "-text":
            self.text(node.text_content or "")
        elif HEADING.match(tag):
            self.heading(int(tag[1]), _heading_text(node), attribute_of(node, "id"))
        elif tag == "pre":
            self.lines(node.text())
        elif tag == "math":
            is_alone = attribute_of(node.parent, "class") == "math"
            (self.lines if is_alone else self.text)(tex(node))
        elif tag == "img" and not is_end:
            self.text(f" {attribute_of(node, 'alt')} ")
        elif tag == "br":
            self.text(" ")
        elif tag in ("td", "th") and is_end:
            self.end_cell()
        elif tag in BLOCKS:
            self.flush()

    def text(self, plain: str) -> None:
        """Add text to the paragraph."""
        self._words.append(plain)

    def end_cell(self) -> None:
        """End a cell of a row of a table."""
        self._words.append(" | ")
        self._kind = TABLE

    def flush(self) -> None:
        """End the paragraph or the row."""
        plain = _BLANKS.sub(" ", "".join(self._words)).strip(" |")
        self._words.clear()
        if plain:
            self._blocks.append(Block(composed(plain), kind=self._kind))
        self._kind = PROSE

    def lines(self, plain: str) -> None:
        """Add lines with their line breaks."""
        self.flush()
        if plain.strip():
            self._blocks.append(Block(composed(plain.strip("\n")), lines=True, kind=CODE))

    def heading(self, level: int, plain: str, anchor: str) -> None:
        """Begin a section."""
        self.end()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, one_line(plain)))
        self._anchor = anchor
        self._has_heading = True

    @property
    def place(self) -> Place:
        """The current position in the outline."""
        return tuple(self._path), self._anchor

    def resume(self, place: Place) -> None:
        """Continue a section after its subsections."""
        self.end()
        self._path, self._anchor = list(place[0]), place[1]

    def end(self) -> None:
        """Finish the section. A resumed section without new text is not added again."""
        self.flush()
        if self._blocks or self._has_heading:
            levels, names = tuple(level for level, _ in self._path), tuple(name for _, name in self._path)
            self.sections.append(Section(self._anchor, names, levels, tuple(self._blocks)))
        self._blocks = []
        self._has_heading = False


def _is_hidden(node: LexborNode) -> bool:
    return node.tag in _HIDDEN or (node.tag, node.attributes.get("class")) in _NOT_SEARCHED


def sections(html: str) -> tuple[Section, ...]:
    """Read the sections of a page's main content, in order; the first may have no heading. Embedded texts are skipped."""
    outline = Outline()
    body = parse(html).body
    for node, is_end in walk(body, _is_hidden) if body is not None else ():
        outline.visit(node, is_end)
    outline.end()
    return tuple(outline.sections)


def _heading_text(heading: LexborNode) -> str:
    for reference in heading.css("sup.claim, sup.footnote-ref"):
        reference.decompose()
    for formula in heading.css("math"):
        formula.replace_with(tex(formula))
    return heading.text()


def tex(formula: LexborNode) -> str:
    """Return the TeX of a formula, or the text of a formula without TeX."""
    annotation = formula.css_first("annotation")
    return (annotation or formula).text()


def walk(root: LexborNode, is_hidden: Callable[[LexborNode], bool]) -> Iterator[tuple[LexborNode, bool]]:
    """Yield every node on entering and on leaving, without recursion: a page may nest deeper than Python's stack.

    Headings, formulas and preformatted text are yielded once, as a whole.
    """
    stack = [(root, False)]
    while stack:
        node, is_end = stack.pop()
        tag = node.tag or ""
        if is_hidden(node):
            continue
        yield node, is_end
        if is_end or tag in ("-text", "-comment", "pre", "math") or HEADING.match(tag):
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(list(node.iter(include_text=True))))


def with_ancestors(node: LexborNode | None) -> Iterator[LexborNode]:
    """Yield an element, if there is one, and all elements around it."""
    while node is not None:
        yield node
        node = node.parent


def outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Return the nodes that are in no other of them."""
    keys = {node.mem_id for node in nodes}
    return [node for node in nodes if not any(ancestor.mem_id in keys for ancestor in with_ancestors(node.parent))]


def parse(html: str) -> LexborHTMLParser:
    """Parse HTML of any nesting depth in linear time."""
    return LexborHTMLParser(shallow(html))


def shallow(html: str) -> str:
    """Remove tags that nest deeper than `MAX_DEPTH`, and keep their content. Nearly all pages stay unchanged."""
    if html.count("<") <= MAX_DEPTH:
        return html
    open_tags, dropped_tags, depth, loose_count = Counter[str](), Counter[str](), 0, 0
    out, at = [], 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        is_dropped = False
        if name in _LOOSE:
            loose_count += 1
            is_dropped = loose_count > _MAX_LOOSE
        elif name in _VOID or name in _AUTO_CLOSED or (tag[0].endswith("/>") and (open_tags["svg"] or open_tags["math"])):
            continue
        elif not tag[1]:
            is_dropped = depth >= MAX_DEPTH
            (dropped_tags if is_dropped else open_tags)[name] += 1
            depth += not is_dropped
        elif dropped_tags[name]:
            is_dropped = True
            dropped_tags[name] -= 1
        elif open_tags[name]:
            open_tags[name] -= 1
            depth -= 1
        if is_dropped:
            out.append(html[at : tag.start()])
            at = tag.end()
    return "".join((*out, html[at:])) if out else html


def anchors_of(page: LexborHTMLParser) -> set[str]:
    """Return all anchors of a page."""
    ids = {attribute_of(node, "id") for node in page.css("[id]")}
    return ids | {attribute_of(node, "name") for node in page.css("a[name]")}
