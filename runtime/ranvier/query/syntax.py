"""The query language: words, "phrases", AND, OR, NOT, prefix*, NEAR(a b, 5), parentheses (Q5).

A query that does not parse is read word by word, operators included, and the answer says so: nobody who types meets a
syntax error. Only terms that the analyser made ever reach FTS5, so that nothing in a query can break out of its quotes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from ranvier import text
from ranvier.types import Notice

MAX_QUERY = 1000  # characters (Q1)
MAX_TERMS = 32  # words looked up; each may cost a fetch
MAX_DEPTH = 16  # nested parentheses; FTS5's own parser gives up at about a hundred
MIN_TYPED = 3  # letters from which a word still being typed is looked up as a beginning
OPERATORS = ("AND", "OR", "NOT")
NEAR_DISTANCE = 10  # FTS5's default

_LEXEME = re.compile(r'"(?P<phrase>[^"]*)"?(?P<star>\*?)|(?P<paren>[()])|(?P<word>[^\s()"]+)')


@dataclass(frozen=True, slots=True)
class Term:
    """One word, or several in a row, as the index holds them.

    `prefix`: the last of several may go on. `start`: the word as written, unstemmed, where any word that begins so will do.
    """

    words: tuple[str, ...]
    prefix: bool = False
    start: str = ""
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Near:
    """Terms within some words of each other."""

    terms: tuple[Term, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class Both:
    """Left and right, or left without right, or either: `op` is AND, NOT or OR."""

    op: str
    left: Node
    right: Node


Node = Term | Near | Both


@dataclass(frozen=True, slots=True)
class Query:
    """A query understood. `tree` is `None` where nothing is left to look for."""

    tree: Node | None
    plain: bool  # only words and phrases: may be widened from all of them to some of them
    notices: tuple[Notice, ...] = ()


class _NotASentence(Exception):
    """The operators do not fit together."""


def parse(query: str, *, prefix: bool = False) -> Query:
    """Understand a query; `prefix` takes a last word without a blank after it as one still being typed."""
    notices = []
    if len(query) > MAX_QUERY:
        query = query[:MAX_QUERY]
        notices.append(Notice("clamped", f"Only the first {MAX_QUERY} characters were used."))
    query = text.CLAIM.sub(" ", unicodedata.normalize("NFC", query))
    lexemes = list(_LEXEME.finditer(query))
    typing = prefix and bool(query) and not query[-1].isspace()
    if typing and len(lexemes) > 1 and lexemes[-1].group() in OPERATORS:
        lexemes.pop()  # what it is to join is still to come
        typing = False
    if len(lexemes) > 1 and lexemes[0].group() == "NOT" and not _offers_another(lexemes):
        notices.append(Notice("only-not", "A search needs something to look for before NOT."))
        return Query(None, False, tuple(notices))
    try:
        tree, plain = _Parser(lexemes, typing).sentence()
    except _NotASentence:
        notices.append(Notice("literal", "The operators in this query do not fit together; every word was taken as it is."))
        tree, plain = _literal(query, typing), True
    kept = _fewer(tree) if tree is not None else None
    if kept is not tree:
        notices.append(Notice("clamped", f"Only the first {MAX_TERMS} words were used."))
    return Query(_without_stops(kept) if plain and kept is not None else kept, plain, tuple(notices))


def _offers_another(lexemes: list[re.Match[str]]) -> bool:
    """Tell whether an OR stands outside of all parentheses: then there is something to look for after a leading NOT."""
    depth = 0
    for lexeme in lexemes:
        depth += {"(": 1, ")": -1}.get(lexeme.group(), 0)
        if depth == 0 and lexeme.group() == "OR":
            return True
    return False


def leaves(node: Node | None, *, wanted: bool = True) -> Iterator[Term]:
    """Every term of a tree from left to right; with `wanted`, without those that NOT excludes."""
    if isinstance(node, Term):
        yield node
    elif isinstance(node, Near):
        yield from node.terms
    elif isinstance(node, Both):
        yield from leaves(node.left, wanted=wanted)
        if node.op != "NOT" or not wanted:
            yield from leaves(node.right, wanted=wanted)


def join(op: str, nodes: list[Node]) -> Node | None:
    """Join nodes from the left: `a b c` → `(a AND b) AND c`."""
    joined = None
    for node in nodes:
        joined = node if joined is None else Both(op, joined, node)
    return joined


def word_term(raw: str, *, prefix: bool = False, typing: bool = False) -> Term | None:
    """Analyse one word; `None` where there is no letter or digit in it: `get_user` → two words in a row."""
    words = tuple(text.terms(raw))
    if not words:
        return None
    start = text.unfinished(raw) or ""
    # A single letter, still being typed, says as little as a stop word.
    stop = len(words) == 1 and (text.fold(raw) in text.STOP_WORDS or (typing and len(start) == 1))
    if prefix or (typing and len(start) >= MIN_TYPED):
        return Term(words, start=start, stop=stop and not prefix)
    return Term(words, stop=stop)


class _Parser:
    """or := and (OR and)*   and := item ((AND | NOT | AND NOT)? item)*   item := ( or ) | NEAR(…) | term."""

    def __init__(self, lexemes: list[re.Match[str]], typing: bool) -> None:
        self._lexemes = lexemes
        self._typing = typing
        self._at = 0
        self._depth = 0
        self._plain = True

    def sentence(self) -> tuple[Node | None, bool]:
        if not self._lexemes:
            return None, True
        tree = self._either()
        if self._at < len(self._lexemes):
            raise _NotASentence
        return tree, self._plain

    def _peek(self) -> str:
        return self._lexemes[self._at].group() if self._at < len(self._lexemes) else ""

    def _take(self, wanted: str) -> bool:
        if self._peek() != wanted:
            return False
        self._at += 1
        self._plain = False
        return True

    def _either(self) -> Node | None:
        nodes = [self._all()]
        while self._take("OR"):
            nodes.append(self._all())
        return join("OR", [node for node in nodes if node is not None])

    def _all(self) -> Node | None:
        node = self._item()
        while self._peek() not in ("", "OR", ")"):
            self._take("AND")  # `a AND NOT b` is what people write for `a NOT b`
            op = "NOT" if self._take("NOT") else "AND"
            other = self._item()
            node = Both(op, node, other) if node is not None and other is not None else one_of(op, node, other)
        return node

    def _item(self) -> Node | None:
        if self._peek() in ("", ")", *OPERATORS):
            raise _NotASentence
        if self._take("("):
            return self._group()
        lexeme = self._lexemes[self._at]
        self._at += 1
        if lexeme.group() == "NEAR" and self._peek() == "(":
            return self._near()
        return self._term(lexeme)

    def _group(self) -> Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _NotASentence
        node = self._either()
        if not self._take(")"):
            raise _NotASentence
        self._depth -= 1
        return node

    def _near(self) -> Node | None:
        self._plain, self._at = False, self._at + 1
        terms: list[Term] = []
        distance = NEAR_DISTANCE
        while self._peek() not in ("", ")"):
            word = self._lexemes[self._at]
            self._at += 1
            number = re.fullmatch(r",?(\d{1,3})", word.group())
            if number and self._peek() == ")" and terms:
                distance = int(number[1])
            elif (term := self._term(word, ",")) is not None:
                terms.append(term)
        if not self._take(")"):
            raise _NotASentence
        return Near(tuple(terms), distance) if len(terms) > 1 else (terms[0] if terms else None)

    def _term(self, lexeme: re.Match[str], after: str = "") -> Term | None:
        last = self._at == len(self._lexemes)
        if lexeme["phrase"] is not None:
            words = tuple(text.terms(lexeme["phrase"]))
            return Term(words, prefix=bool(lexeme["star"])) if words else None
        raw = lexeme.group().rstrip(after)
        return word_term(raw, prefix=raw.endswith("*"), typing=self._typing and last)


def _literal(query: str, typing: bool) -> Node | None:
    raws = query.split()
    last = len(raws) - 1
    terms = [word_term(raw, typing=typing and at == last) for at, raw in enumerate(raws)]
    return join("AND", [term for term in terms if term is not None])


def _fewer(tree: Node) -> Node | None:
    """Keep a tree whose terms can all be afforded; of a larger one, the first terms, under the operators they stood under."""
    if sum(len(term.words) for term in leaves(tree, wanted=False)) <= MAX_TERMS:
        return tree
    return _pruned(tree, MAX_TERMS)[0]


def _pruned(node: Node, left: int) -> tuple[Node | None, int]:
    """Keep as many of the first words as are left; return how many are left then."""
    if isinstance(node, Both):
        first, left = _pruned(node.left, left)
        second, left = _pruned(node.right, left)
        return (Both(node.op, first, second) if first and second else one_of(node.op, first, second)), left
    count = sum(len(term.words) for term in leaves(node))
    if count <= left:
        return node, left - count
    if isinstance(node, Near):
        ends = list(accumulate(len(term.words) for term in node.terms))
        kept = [term for term, end in zip(node.terms, ends, strict=True) if end <= left]
        return (Near(tuple(kept), node.distance) if len(kept) > 1 else kept[0] if kept else None), 0
    return Term(node.words[:left]) if left else None, 0


def one_of(op: str, node: Node | None, other: Node | None) -> Node | None:
    """Join two of which one says nothing, as `???` does."""
    return node if op == "NOT" or node is not None else other


def _without_stops(tree: Node) -> Node:
    """Drop the words that say nothing, unless there are no others."""
    kept: list[Node] = [term for term in leaves(tree) if not term.stop]
    return join("AND", kept) or tree
