"""The author's settings in `data-ranvier-*` attributes, or in `data-pagefind-*`, which have the same meaning.

The syntax of a list of captures is Pagefind's (its manual, "Setting up filters"): `key` captures the text of the element,
`key[attr]` one of its attributes, `key:value` a literal value that extends to the end of the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.render.html import attribute_of, one_line

NAMES = ("ranvier", "pagefind")
# Elements for the weight of a page; weights of smaller parts are ignored.
_PAGE_ELEMENTS = frozenset(("html", "body", "main", "article"))
MAX_WEIGHT = 10.0

Text = Callable[[LexborNode], str]
Capture = tuple[str, str]


@dataclass(slots=True)
class Marks:
    """All settings in the attributes of a page, in document order."""

    meta: dict[str, str] = field(default_factory=dict)
    filters: list[Capture] = field(default_factory=list)
    sorts: dict[str, str] = field(default_factory=dict)
    weight: float = 1.0
    problems: list[str] = field(default_factory=list)


def selector(kind: str) -> str:
    """Return the selector of an attribute under all its names: `[data-ranvier-body], [data-pagefind-body]`."""
    return ", ".join(f"[data-{name}-{kind}]" for name in NAMES)


def read_marks(tree: LexborHTMLParser, text: Text, is_excluded: Callable[[LexborNode], bool]) -> Marks:
    """Read the marks of a page; elements for which `is_excluded` is true are skipped with their marks."""
    marks = Marks()
    for kind, values in (("meta", marks.meta), ("default-meta", marks.meta), ("sort", marks.sorts)):
        for key, value in _captures(tree, kind, text, is_excluded):
            values.setdefault(key, value)
    marks.filters += [pair for pair in _captures(tree, "filter", text, is_excluded) if pair not in marks.filters]
    for name, node in _elements(tree, "weight", is_excluded):
        _set_weight(marks, node, attribute_of(node, name))
    return marks


def index_attributes(node: LexborNode) -> str:
    """Return the values of the attributes in `data-…-index-attrs`, which are indexed at the place of the element."""
    lists = (attribute_of(node, f"data-{name}-index-attrs") for name in NAMES)
    values = (attribute_of(node, name.strip()) for names in lists for name in names.split(","))
    return " ".join(filter(None, values))


def _set_weight(marks: Marks, node: LexborNode, value: str) -> None:
    try:
        weight = float(value)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= MAX_WEIGHT:
        marks.problems.append(f"a weight must be a number from 0 to 10, not {value!r}")
    elif node.tag in _PAGE_ELEMENTS or any(f"data-{name}-body" in node.attributes for name in NAMES):
        marks.weight = weight


def _captures(tree: LexborHTMLParser, kind: str, text: Text, is_excluded: Callable[[LexborNode], bool]) -> Iterator[Capture]:
    for name, node in _elements(tree, kind, is_excluded):
        for key, attribute, value in captures(attribute_of(node, name)):
            content = value or (attribute_of(node, attribute) if attribute else _content(node, text))
            if content := one_line(content):
                yield key, content


def _elements(tree: LexborHTMLParser, kind: str, is_excluded: Callable[[LexborNode], bool]) -> Iterator[tuple[str, LexborNode]]:
    for name in NAMES:
        attribute = f"data-{name}-{kind}"
        for node in tree.css(f"[{attribute}]"):
            if not is_excluded(node):
                yield attribute, node


def _content(node: LexborNode, text: Text) -> str:
    if node.tag == "meta":
        return attribute_of(node, "content")
    return attribute_of(node, "alt") if node.tag == "img" else text(node)


def captures(captures: str) -> Iterator[tuple[str, str, str]]:
    """Read a list of captures: `title, image[src], author:A. Name` → (key, attribute, value) each."""
    at = 0
    while at < len(captures):
        comma = captures.find(",", at)
        end = comma if comma >= 0 else len(captures)
        item = captures[at:end]
        if ":" in item and "[" not in item.partition(":")[0]:
            key, _, value = captures[at:].partition(":")
            if key.strip() and value.strip():
                yield key.strip(), "", value.strip()
            return
        key, _, attribute = item.strip().partition("[")
        if key.strip():
            yield key.strip(), attribute.rstrip("] "), ""
        at = end + 1
