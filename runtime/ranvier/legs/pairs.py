"""The pairs leg: words that are neighbours in the query and on the page. It reads no more files than the words alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.legs.text import TextLeg, Weights
from ranvier.query.tree import Node, Term, join
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps
from ranvier.store.tables import NEURONS
from ranvier.types import PARTIAL, Match, Ranking


@dataclass(frozen=True, slots=True)
class PairsLeg(Leg):
    """BM25 of a plain query's pairs of neighbours, each a phrase; a stop word separates its neighbours.

    It plans no reads: the text legs read the same terms.
    """

    name: str
    weights: Weights
    weight: float
    kind: str = LEXICAL
    match: str = "text"

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return Neurons with at least one pair."""
        tree = join("OR", pairs(context.query))
        rows: list[Match] = []
        if tree is not None:
            rows = yield from TextLeg(self.name, NEURONS, self.weights).match_rows(context, tree, PARTIAL)
        return Ranking(self.name, tuple(rows), False, self.weight)


def pairs(query: ParsedQuery) -> list[Node]:
    """Return the pairs of a plain query as phrases: `hot pack size` → "hot pack", "pack size"."""
    if not query.query.plain:
        return []
    neighbours = [(term, right) for term, right in pairwise(query.terms) if 0 <= term.at == right.at - 1]
    rows = dict.fromkeys((*term.words, *right.words) for term, right in neighbours if not (term.columns or right.columns))
    return [Term((row,)) for row in rows]
