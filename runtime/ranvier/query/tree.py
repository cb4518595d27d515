"""The query tree: terms, operators, and the limit of terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from ranvier import text
from ranvier.types import Notice

MAX_TERMS = 64  # words looked up; each may cost a fetch
LONG_ROW = 12  # terms; a longer run of a script without blanks is looked up by its pairs


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a query. `forms` are its possible rows of terms in the index; any of them matches.

    `prefix`: the last term of a row is a prefix. `start`: the unstemmed word, if any word with this prefix matches.
    `stems`: those of such words that do not have the prefix. `columns`: the columns to search; empty: all. `spelling`: a plain
    word whose spelling may be corrected.
    """

    forms: tuple[tuple[str, ...], ...]
    prefix: bool = False
    start: str = ""
    stems: tuple[str, ...] = ()
    stop: bool = False
    columns: tuple[str, ...] = ()
    spelling: str = ""
    quoted: bool = False
    hyphenated: bool = False  # words joined by hyphens, not an identifier
    at: int = -1  # its position in the query, to find its neighbours

    @property
    def words(self) -> tuple[str, ...]:
        """Return the terms of the first form."""
        return self.forms[0]

    @property
    def size(self) -> int:
        """Return the number of words. In scripts without blanks two overlapping terms count as one."""
        return sum((len(form) + 1) // 2 if text.is_unspaced(form[0]) else len(form) for form in self.forms)


@dataclass(frozen=True, slots=True)
class Near:
    """Terms within some words of each other."""

    terms: tuple[Term, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class BinaryOp:
    """A binary operator: `op` is AND, NOT (left without right) or OR."""

    op: str
    left: Node
    right: Node


Node = Term | Near | BinaryOp


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. `tree` is `None` if nothing is left to search for."""

    tree: Node | None
    plain: bool  # only words and phrases, so a search may fall back from all of them to some
    notices: tuple[Notice, ...] = ()


def leaves(node: Node | None, *, positive_only: bool = True) -> Iterator[Term]:
    """Yield the terms of a tree from left to right; with `positive_only`, without those that NOT excludes."""
    if isinstance(node, Term):
        yield node
    elif isinstance(node, Near):
        yield from node.terms
    elif isinstance(node, BinaryOp):
        yield from leaves(node.left, positive_only=positive_only)
        if node.op != "NOT" or not positive_only:
            yield from leaves(node.right, positive_only=positive_only)


def ends_a_pair(word: str, words: Iterable[str]) -> bool:
    """Tell whether a word is the last character of a run without blanks. A pair contains it; alone it is too frequent."""
    return text.is_open(word) and any(other != word and other.endswith(word) for other in words)


def excludes(node: Node | None) -> bool:
    """Tell whether a tree has a NOT."""
    return isinstance(node, BinaryOp) and (node.op == "NOT" or excludes(node.left) or excludes(node.right))


def excluded(node: Node | None) -> Iterator[Node]:
    """Yield what no hit may have: the right side of each NOT, unless it is in an operand of OR."""
    if isinstance(node, BinaryOp) and node.op != "OR":
        yield from excluded(node.left)
        yield from (node.right,) if node.op == "NOT" else excluded(node.right)


def join(op: str, nodes: list[Node]) -> Node | None:
    """Join nodes from the left: `a b c` → `(a AND b) AND c`."""
    joined = None
    for node in nodes:
        joined = node if joined is None else BinaryOp(op, joined, node)
    return joined


def limit_terms(tree: Node) -> Node | None:
    """Return a tree with at most `MAX_TERMS` terms: the first ones, with their operators."""
    if sum(term.size for term in leaves(tree, positive_only=False)) <= MAX_TERMS:
        return tree
    return _prune(tree, MAX_TERMS)[0]


def _prune(node: Node, budget: int) -> tuple[Node | None, int]:
    """Keep the first terms up to a number; return the tree and the remaining number."""
    if isinstance(node, BinaryOp):
        first, budget = _prune(node.left, budget)
        second, budget = _prune(node.right, budget)
        return join_optional(node.op, first, second), budget
    count = sum(term.size for term in leaves(node))
    if count <= budget:
        return node, budget - count
    if isinstance(node, Near):
        ends = list(accumulate(term.size for term in node.terms))
        terms = [term for term, end in zip(node.terms, ends, strict=True) if end <= budget]
        return (Near(tuple(terms), node.distance) if len(terms) > 1 else terms[0] if terms else None), 0
    beginning = node.words[: budget * 2 if text.is_unspaced(node.words[0]) else budget]
    return Term((beginning,), columns=node.columns, quoted=node.quoted, at=node.at) if budget else None, 0


def join_optional(op: str, node: Node | None, other: Node | None) -> Node | None:
    """Join two nodes; if one is empty, as for `???`, return the other."""
    if node is not None and other is not None:
        return BinaryOp(op, node, other)
    return node if op == "NOT" or node is not None else other


def limit_repeats(tree: Node) -> Node:
    """Drop the third and later copies of a word: they change no match, and FTS5 reads all positions for each."""
    counts = Counter[Term]()
    terms: list[Node] = []
    for term in leaves(tree):
        counts[replace(term, at=-1)] += 1
        if counts[replace(term, at=-1)] <= 2:
            terms.append(term)
    return join("AND", terms) or tree if len(terms) < counts.total() else tree


def without_stops(node: Node) -> Node:
    """Drop the stop words of each conjunction, unless it has no other words. What NOT excludes stays as it is."""
    if not isinstance(node, BinaryOp):
        return node
    if node.op == "AND":
        operands = [without_stops(operand) for operand in _conjuncts(node)]
        return join("AND", [operand for operand in operands if not (isinstance(operand, Term) and operand.stop)]) or node
    return replace(node, left=without_stops(node.left), right=node.right if node.op == "NOT" else without_stops(node.right))


def _conjuncts(node: Node) -> Iterator[Node]:
    if isinstance(node, BinaryOp) and node.op == "AND":
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node
