"""The text leg (L1): BM25 over chunks, by FTS5."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.query.fts import expression, sought
from ranvier.query.syntax import Node, Query, join, leaves
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.types import BEGUN, CANDIDATES, SOME, WHOLE, Ranked

ENOUGH = 10  # Neurons with every word, from which on those with some are left out; whatever page is asked for

# `rank` is a double whose last bit may differ between C libraries (the logarithm in idf): it is cut to millionths before
# anything is ordered by it, and ties go by chunk number, which leaves it no room to show.
_SQL = """
SELECT rowid, CAST(-1000000 * rank AS INTEGER) AS micro FROM chunk_fts
WHERE chunk_fts MATCH ? AND rank MATCH ? ORDER BY micro DESC, rowid LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class TextLeg:
    """`weights` are bm25's, in the order title, tags, heading, body."""

    weights: tuple[float, float, float, float]
    candidates: int = CANDIDATES

    def recall(self, snapshot: Snapshot, query: Query) -> Steps[tuple[list[Ranked], bool]]:
        """Return chunks, tier by tier; the flag says that more may match than were looked at.

        Words that merely begin as one of the query does are a tier of their own: one term would count as two rare ones in bm25,
        and a page with half a word on it would stand before the page about the word.
        """
        if query.tree is None:
            return [], False
        terms: list[Node] = list(leaves(query.tree))
        # What every tier reads is asked for with the first, so that all of them are one round and the terms are placed once.
        found, cut = yield from self._match(snapshot, query.tree, WHOLE, list(sought(query.tree)))
        if any(term.start for term in leaves(query.tree, wanted=False)):
            cut |= yield from self._more(snapshot, query.tree, BEGUN, found)
        some = join("OR", terms) if query.plain and len(terms) > 1 else None
        if some is not None and _neurons(snapshot, found) < ENOUGH:
            cut |= yield from self._more(snapshot, some, SOME, found)
        return found, cut

    def _more(self, snapshot: Snapshot, tree: Node, tier: int, found: list[Ranked]) -> Steps[bool]:
        wider, cut = yield from self._match(snapshot, tree, tier, [])
        seen = {ranked.chunk for ranked in found}
        found += [ranked for ranked in wider if ranked.chunk not in seen]
        return cut

    def _match(self, snapshot: Snapshot, tree: Node, tier: int, ahead: list[Sought]) -> Steps[tuple[list[Ranked], bool]]:
        bm25 = f"bm25({', '.join(map(str, self.weights))})"
        parameters = (expression(tree, starts=tier != WHOLE), bm25, self.candidates)
        rows = yield from snapshot.query(_SQL, parameters, ahead)
        return [Ranked(chunk, micro, tier) for chunk, micro in rows], len(rows) == self.candidates


def _neurons(snapshot: Snapshot, found: list[Ranked]) -> int:
    return len({snapshot.manifest.neuron_of(ranked.chunk) for ranked in found})
