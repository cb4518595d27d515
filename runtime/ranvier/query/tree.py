"""A query as a tree: terms, what joins them, and how much of it is looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from ranvier import text
from ranvier.types import Notice

MAX_TERMS = 64  # words looked up; each may cost a fetch


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for. `forms` are the rows of terms that it can be in the index; any of them will do.

    `prefix`: the last term of a row may go on. `start`: the word as written, unstemmed, where any word that begins so will do.
    `columns`: where it must stand; empty: anywhere. `spelling`: one plain word, as written, whose spelling may be mended.
    """

    forms: tuple[tuple[str, ...], ...]
    prefix: bool = False
    start: str = ""
    stop: bool = False
    columns: tuple[str, ...] = ()
    spelling: str = ""
    quoted: bool = False
    hyphenated: bool = False  # words that a hyphen joins, and no identifier
    at: int = -1  # its place in the query, from which its neighbours are known

    @property
    def words(self) -> tuple[str, ...]:
        """Return the terms of the first form: what the word is, when it is one thing."""
        return self.forms[0]

    @property
    def size(self) -> int:
        """Return how many words it is: of a script without blanks, two of its terms share a character and count as one."""
        return sum((len(form) + 1) // 2 if text.is_unspaced(form[0]) else len(form) for form in self.forms)


@dataclass(frozen=True, slots=True)
class Near:
    """Terms within some words of each other."""

    terms: tuple[Term, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class BinaryOp:
    """Left and right, or left without right, or either: `op` is AND, NOT or OR."""

    op: str
    left: Node
    right: Node


Node = Term | Near | BinaryOp


@dataclass(frozen=True, slots=True)
class Query:
    """A query understood. `tree` is `None` where nothing is left to look for."""

    tree: Node | None
    plain: bool  # only words and phrases: may be widened from all of them to some of them
    notices: tuple[Notice, ...] = ()


def leaves(node: Node | None, *, wanted: bool = True) -> Iterator[Term]:
    """Every term of a tree from left to right; with `wanted`, without those that NOT excludes."""
    if isinstance(node, Term):
        yield node
    elif isinstance(node, Near):
        yield from node.terms
    elif isinstance(node, BinaryOp):
        yield from leaves(node.left, wanted=wanted)
        if node.op != "NOT" or not wanted:
            yield from leaves(node.right, wanted=wanted)


def excludes(node: Node | None) -> bool:
    """Tell whether a tree has a NOT."""
    return isinstance(node, BinaryOp) and (node.op == "NOT" or excludes(node.left) or excludes(node.right))


def join(op: str, nodes: list[Node]) -> Node | None:
    """Join nodes from the left: `a b c` → `(a AND b) AND c`."""
    joined = None
    for node in nodes:
        joined = node if joined is None else BinaryOp(op, joined, node)
    return joined


def fewer(tree: Node) -> Node | None:
    """Keep a tree whose terms can all be afforded; of a larger one, the first terms, under the operators they stood under."""
    if sum(term.size for term in leaves(tree, wanted=False)) <= MAX_TERMS:
        return tree
    return _pruned(tree, MAX_TERMS)[0]


def _pruned(node: Node, left: int) -> tuple[Node | None, int]:
    """Keep as many of the first words as are left; return how many are left then."""
    if isinstance(node, BinaryOp):
        first, left = _pruned(node.left, left)
        second, left = _pruned(node.right, left)
        return (BinaryOp(node.op, first, second) if first and second else one_of(node.op, first, second)), left
    count = sum(term.size for term in leaves(node))
    if count <= left:
        return node, left - count
    if isinstance(node, Near):
        ends = list(accumulate(term.size for term in node.terms))
        kept = [term for term, end in zip(node.terms, ends, strict=True) if end <= left]
        return (Near(tuple(kept), node.distance) if len(kept) > 1 else kept[0] if kept else None), 0
    beginning = node.words[: left * 2 if text.is_unspaced(node.words[0]) else left]
    return Term((beginning,), columns=node.columns, quoted=node.quoted) if left else None, 0


def one_of(op: str, node: Node | None, other: Node | None) -> Node | None:
    """Join two of which one says nothing, as `???` does."""
    return node if op == "NOT" or node is not None else other


def each_twice(tree: Node) -> Node:
    """Drop words that are said more than twice: they narrow nothing, and FTS5 goes through all places of each anew."""
    counts = Counter[Term]()
    kept: list[Node] = []
    for term in leaves(tree):
        counts[replace(term, at=-1)] += 1
        if counts[replace(term, at=-1)] <= 2:
            kept.append(term)
    return join("AND", kept) or tree if len(kept) < counts.total() else tree


def without_stops(tree: Node) -> Node:
    """Drop the words that say nothing, unless there are no others."""
    kept: list[Node] = [term for term in leaves(tree) if not term.stop]
    return join("AND", kept) or tree
