"""The substring leg (L2): finds every token of the query anywhere in the text, with an index of trigrams [003]."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier import text
from ranvier.errors import RequestError
from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps, TermLookup
from ranvier.store.tables import SUBSTRINGS
from ranvier.types import WHOLE, Match, Ranking

MIN_TOKEN = 3  # characters of a token, below which there is no trigram

_SQL = f"""
SELECT rowid, CAST(-1000000 * rank AS INTEGER) AS micro FROM {SUBSTRINGS}
WHERE {SUBSTRINGS} MATCH ? AND rank MATCH ?{{condition}} ORDER BY micro DESC, rowid LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class SubstringLeg(Leg):
    """`weights` are bm25's for title, heading, body. `last_resort`: it runs only if the other legs find nothing.

    `hybrid`: it runs only in the hybrid strategy ([002]: `bm25` is "pure full-text search").
    `literal`: quotation marks are part of a token ([003]); otherwise `"a phrase"` is searched without its marks.
    """

    name: str = "substring"
    weights: tuple[float, float, float] = (10.0, 5.0, 1.0)
    weight: float = 1.0
    last_resort: bool = False
    literal: bool = False
    hybrid: bool = False
    kind: str = LEXICAL
    match: str = "substring"

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the trigrams, and the pack with everything of the table except its postings."""
        rows = pieces(query.words, literal=self.literal)
        return [TermLookup(unit, table=SUBSTRINGS) for row in rows for unit in row], (("substring",) if rows else ())

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return the chunks with every token of three characters or more; shorter tokens are ignored."""
        rows = pieces(context.query.words, literal=self.literal)
        if not rows:
            return Ranking(self.name, (), True, self.weight)
        lookups, packs = self.planned_reads(context.query)
        match = " AND ".join(f'"{" ".join(row)}"' for row in rows)
        condition, values = context.scope_filter.condition(SUBSTRINGS, context.snapshot.manifest.chunks_of)
        bm25 = f"bm25({', '.join(map(str, self.weights))})"
        sql = _SQL.format(condition=condition)
        matches = yield from context.snapshot.query(sql, (match, bm25, *values, context.candidates), lookups, packs)
        ranked = tuple(Match(row, micro, WHOLE) for row, micro in matches)
        highlights = tuple(token for token in tokens(context.query.words, literal=self.literal) if len(token) >= MIN_TOKEN)
        return Ranking(self.name, ranked, True, self.weight, len(ranked) == context.candidates, pieces=highlights)


def tokens(words: str, *, literal: bool = False) -> list[str]:
    """Return the tokens between blanks, without quotes unless quotes are literal."""
    return (words if literal else words.replace('"', " ")).split()


def pieces(words: str, *, literal: bool = False) -> list[tuple[str, ...]]:
    """Return the trigrams of each token, in a row; edge punctuation is kept: `->foo(` is a piece of text."""
    return list(dict.fromkeys(text.substrings(" ".join(tokens(words, literal=literal)))))[:16]


def refuse_short(words: str) -> None:
    """Raise `RequestError` if no token is long enough (Q4, [003])."""
    if words.split() and not pieces(words, literal=True):
        raise RequestError(f"a substring search needs a word of at least {MIN_TOKEN} characters")
