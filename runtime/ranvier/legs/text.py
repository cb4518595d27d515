"""The text leg (L1): BM25 over chunks, by FTS5."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.query.fts import expression, sought
from ranvier.query.syntax import Node, Query, join, leaves
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.types import CANDIDATES, Ranked

# `rank` is a double whose last bit may differ between C libraries (the logarithm in idf): it is cut to millionths before
# anything is ordered by it, and ties go by chunk number, so that every machine gives one order.
_SQL = """
SELECT rowid, CAST(-1000000 * rank AS INTEGER) AS micro FROM chunk_fts
WHERE chunk_fts MATCH ? AND rank MATCH ? ORDER BY micro DESC, rowid LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class TextLeg:
    """`weights` are bm25's, in the order title, tags, heading, body."""

    weights: tuple[float, float, float, float]
    candidates: int = CANDIDATES

    def recall(self, snapshot: Snapshot, query: Query, enough: int) -> Steps[tuple[list[Ranked], bool]]:
        """Return chunks with every word first; where those make fewer than `enough` Neurons, chunks with some after them.

        The flag says that more chunks may match than were looked at.
        """
        if query.tree is None:
            return [], False
        found, cut = yield from self._match(snapshot, query.tree, "all")
        terms: list[Node] = list(leaves(query.tree))
        some = join("OR", terms)
        if some is None or len(terms) < 2 or not query.plain or _neurons(snapshot, found) >= enough:
            return found, cut
        wider, cut_too = yield from self._match(snapshot, some, "some")
        seen = {ranked.chunk for ranked in found}
        return found + [ranked for ranked in wider if ranked.chunk not in seen], cut or cut_too

    def _match(self, snapshot: Snapshot, tree: Node, coverage: str) -> Steps[tuple[list[Ranked], bool]]:
        bm25 = f"bm25({', '.join(map(str, self.weights))})"
        parameters = (expression(tree), bm25, self.candidates)
        rows = yield from snapshot.query(_SQL, parameters, list(sought(tree)))
        return [Ranked(chunk, micro, coverage) for chunk, micro in rows], len(rows) == self.candidates


def _neurons(snapshot: Snapshot, found: list[Ranked]) -> int:
    return len({snapshot.manifest.neuron_of(ranked.chunk) for ranked in found})
