"""Finds the labels of tabs. A label is read above the panel that it opens, as the text of that panel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.render.html import outermost, with_ancestors

_PANELS = "[role=tabpanel]"
_LABELS = "input[type=radio] ~ label, input[type=radio] ~ div > label"
_MAX_DISTANCE = 4  # elements around a list of tabs that are searched for its panels


def tab_labels(tree: LexborHTMLParser) -> dict[int, LexborNode]:
    """Return the label of each panel, by the panel's `mem_id`."""
    pairs = (*_labels_with_roles(tree), *_labels_of_inputs(tree))
    return {panel.mem_id: label for panel, label in pairs}


def _labels_with_roles(tree: LexborHTMLParser) -> Iterator[tuple[LexborNode, LexborNode]]:
    """Yield panels and labels with the roles of ARIA; the panels are in the order of the labels."""
    for tabs in tree.css("[role=tablist]"):
        labels = tabs.css("[role=tab]")
        for _, around in zip(range(_MAX_DISTANCE), with_ancestors(tabs.parent), strict=False):
            if panels := outermost(around.css(_PANELS)):
                yield from zip(panels, labels, strict=True) if len(panels) == len(labels) else ()
                break


def _labels_of_inputs(tree: LexborHTMLParser) -> Iterator[tuple[LexborNode, LexborNode]]:
    """Yield panels and the labels of radio buttons, which style sheets show as tabs.

    Each panel is right after its label, or all panels are in the element after the one with the labels.
    """
    parents = {label.parent.mem_id: label.parent for label in tree.css(_LABELS) if label.parent is not None}
    for parent in parents.values():
        nodes = [*parent.iter()]
        labels = [node for node in nodes if node.tag == "label"]
        yield from ((after, node) for node, after in pairwise(nodes) if node.tag == "label" and after.tag == "div")
        panels = _elements_after(parent)
        if 1 < len(labels) == len(panels):
            yield from zip(panels, labels, strict=True)


def _elements_after(node: LexborNode) -> list[LexborNode]:
    """Return the elements in the next element."""
    after = node.next
    while after is not None and after.tag in ("-text", "-comment"):
        after = after.next
    return [*after.iter()] if after is not None else []
