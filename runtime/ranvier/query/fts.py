"""A query's tree → an FTS5 expression. Every term stands in quotes, so an operator's name is a word like any other."""

from __future__ import annotations

from collections.abc import Iterator

from ranvier import text
from ranvier.query.syntax import Near, Node, Term, leaves
from ranvier.store.snapshot import Sought


def expression(node: Node, *, starts: bool = True) -> str:
    """Write a tree as FTS5 wants it: `a AND "b c"` → `("a" AND "b c")`. Without `starts`, words stand for themselves alone."""
    if isinstance(node, Term):
        return _term(node) if starts else _phrase(node)
    if isinstance(node, Near):
        # NEAR takes phrases only: of a word that may go on, its beginning.
        inner = " ".join(_ending(term, _others(term)[0]) if starts and term.start else _phrase(term) for term in node.terms)
        return f"NEAR({inner}, {node.distance})"
    return f"({expression(node.left, starts=starts)} {node.op} {expression(node.right, starts=starts)})"


def sought(node: Node) -> Iterator[Sought]:
    """Every term that the expression makes FTS5 look up, excluded ones too."""
    for term in leaves(node, wanted=False):
        for word in term.words[:-1]:
            yield Sought(word)
        yield _last(term)
        yield from _others(term)


def _term(term: Term) -> str:
    forms = [_phrase(term), *(_ending(term, other) for other in _others(term))]
    return forms[0] if len(forms) == 1 else f"({' OR '.join(forms)})"


def _others(term: Term) -> list[Sought]:
    """What else the last word can be in the index, which holds stems, where it may go on: first of all, any that begins so."""
    start = term.start
    if not start:
        return []
    stems = text.completions(start) if start.isascii() else ()
    return [Sought(start, prefix=True), *(Sought(stem) for stem in stems if stem != term.words[-1])]


def _phrase(term: Term) -> str:
    return _ending(term, _last(term))


def _ending(term: Term, last: Sought) -> str:
    """Write a term with another last word: `get us`, `use*` → `"get use"*`."""
    return f'"{" ".join((*term.words[:-1], last.term))}"' + "*" * last.prefix


def _last(term: Term) -> Sought:
    return Sought(term.words[-1], prefix=term.prefix)


def words(node: Node | None) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the terms to mark in a text: whole ones, and starts of ones."""
    whole: set[str] = set()
    starts: set[str] = set()
    for term in leaves(node):
        whole.update(term.words[:-1] if term.prefix else term.words)
        starts.update(term.words[-1:] if term.prefix else ())
        for other in _others(term):
            (starts if other.prefix else whole).add(other.term)
    return frozenset(whole), tuple(sorted(starts))
