"""A query's tree → an FTS5 expression. Every term is in quotes, so names of operators are ordinary words."""

from __future__ import annotations

from collections.abc import Iterator

from ranvier import text
from ranvier.query.scope import ScopeFilter
from ranvier.query.tree import BinaryOp, Near, Node, Term, leaves
from ranvier.store.snapshot import Snapshot, Steps, TermLookup

FormRow = tuple[tuple[str, ...], TermLookup]  # the terms before the last one, and the last one


def expression(node: Node, *, as_prefixes: bool = True) -> str:
    """Write a tree as an FTS5 expression: `a AND "b c"` → `("a" AND "b c")`. Without `as_prefixes`, no word is one."""
    if isinstance(node, Term):
        return _column(node, _any([_phrase(row) for row in rows(node, as_prefixes=as_prefixes)]))
    if isinstance(node, Near):
        return f"NEAR({' '.join(_nearby(term, as_prefixes) for term in node.terms)}, {node.distance})"
    return f"({f' {node.op} '.join(expression(child, as_prefixes=as_prefixes) for child in _chain(node))})"


def _chain(node: BinaryOp) -> list[Node]:
    """Return the operands of a chain of one operator: FTS5's parser fails at about a hundred nested parentheses."""
    nodes: list[Node] = [node.right]
    left = node.left
    while isinstance(left, BinaryOp) and left.op == node.op:
        nodes.append(left.right)
        left = left.left
    return [left, *reversed(nodes)]


def rows(term: Term, *, as_prefixes: bool = True) -> list[FormRow]:
    """Return every row of terms that matches a term of the query; the prefix of its last word comes last."""
    rows = [(form[:-1], TermLookup(form[-1], prefix=term.prefix or text.is_open(form[-1]))) for form in term.forms]
    before = term.forms[-1][:-1]  # the parts of an identifier; empty for a plain word
    # The last part of an identifier is unfinished, so the whole continues.
    if as_prefixes and before and not term.quoted and term.start == term.words[0]:
        rows.append(((), TermLookup(term.start, prefix=True)))
    elif as_prefixes and term.start:
        rows += [(before, TermLookup(stem)) for stem in term.stems]
        # An unfinished identifier is one word and several words: `getUs` is a prefix of `getuser`.
        rows += [((), TermLookup(form[0], prefix=True)) for form in term.forms if len(form) == 1 and before]
        rows.append((before, TermLookup(term.start, prefix=True)))
    return list(dict.fromkeys(rows))


def term_lookups(node: Node, table: str) -> Iterator[TermLookup]:
    """Return every term that FTS5 looks up for the expression, including excluded ones."""
    for term in leaves(node, positive_only=False):
        for before, last in rows(term):
            yield from (TermLookup(word, table=table) for word in before)
            yield TermLookup(last.term, last.prefix, table)


def words(node: Node | None) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the terms to mark in a text: whole terms, and prefixes."""
    whole: set[str] = set()
    prefixes: set[str] = set()
    for term in leaves(node):
        for before, last in rows(term):
            whole.update(before)
            (prefixes if last.prefix else whole).add(last.term)
    return frozenset(whole), tuple(sorted(prefixes))


def _nearby(term: Term, as_prefixes: bool) -> str:
    """NEAR accepts only phrases: the longest form of a term, or the prefix of an unfinished word."""
    phrases = rows(term, as_prefixes=as_prefixes)
    return _phrase(phrases[-1] if as_prefixes and term.start else max(phrases, key=lambda row: len(row[0])))


def _phrase(row: FormRow) -> str:
    before, last = row
    return f'"{" ".join((*before, last.term))}"' + "*" * last.prefix


def _any(forms: list[str]) -> str:
    return forms[0] if len(forms) == 1 else f"({' OR '.join(forms)})"


def _column(term: Term, match: str) -> str:
    return f"{{{' '.join(term.columns)}}} : {match}" if term.columns else match


def matching_rows(snapshot: Snapshot, table: str, node: Node, scope_filter: ScopeFilter, limit: int = -1) -> Steps[list[int]]:
    """Return the rows of a table that match a tree and are in the scope, up to a number; -1: all."""
    condition, values = scope_filter.condition(table, snapshot.manifest.chunks_of)
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ?{condition} LIMIT {limit}"
    rows = yield from snapshot.query(sql, (expression(node), *values), term_lookups(node, table))
    return [row for (row,) in rows]
