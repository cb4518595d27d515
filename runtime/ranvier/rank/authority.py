"""Authority (R1, [002]): the kind of source, the author's declared confidence, and the content that it was derived from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import PLACES, Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage

MARGIN = 0.01  # derived content scores this much less than its source

# The hits, their sources, the sources of these, and so on; UNION ends cycles.
_SQL = """
WITH RECURSIVE origin(n) AS (
  SELECT value FROM json_each(?) UNION SELECT derived.source FROM derived JOIN origin ON derived.n = origin.n
)
SELECT origin.n, source_type, confidence, derived.source
FROM origin JOIN neuron ON neuron.n = origin.n LEFT JOIN derived ON derived.n = origin.n ORDER BY origin.n, derived.source
"""


@dataclass(frozen=True, slots=True)
class Authority(Stage):
    """score × source weight × declared confidence, at most the lowest authority of its sources minus `MARGIN`.

    [002] documents two weights, decision 1.0 and domain 0.9, both above raw notes; `other` is the weight of all other kinds.
    Documents without a declared confidence have the confidence `undeclared`.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: {"decision": 1.0, "domain": 0.9})
    other: float = 0.8
    undeclared: float = 0.9
    name: str = "authority"
    packs: ClassVar[tuple[str, ...]] = ("neuron", "link")

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for the sources of the hits, at any depth."""
        return SqlQuery(_SQL, (json.dumps(sorted({hit.neuron for hit in hits})),))

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Weigh each hit. A cap is a ceiling: no later boost lifts derived content above its source."""
        declared_of = {n: (kind or "", declared) for n, kind, declared, _ in rows}
        sources: dict[int, list[int]] = {}
        for n, _, _, source in rows:
            if source is not None:
                sources.setdefault(n, []).append(source)
        for hit in hits:
            kind, declared = declared_of.get(hit.neuron, ("", None))
            weight = self.weights.get(kind, self.other)
            hit.score = round(hit.score * self.authority(kind, declared), PLACES)
            reason = f"{kind or 'other'} {weight:g}, confidence {'not declared' if declared is None else f'{declared:g}'}"
            hit.record(self.name, f"×{self.authority(kind, declared):.6g}", reason)
            self._cap(hit, self.cap(hit.neuron, declared_of, sources))

    def authority(self, kind: str, declared: float | None) -> float:
        """Return the authority of a source without its own sources, 0..1."""
        return round(self.weights.get(kind, self.other) * (self.undeclared if declared is None else declared), PLACES)

    def cap(
        self, n: int, declared_of: Mapping[int, tuple[str, float | None]], sources: Mapping[int, list[int]]
    ) -> float | None:
        """Return a Neuron's highest possible authority: `MARGIN` below its sources, 2 × `MARGIN` below their sources, …"""
        cap: float | None = None
        visited, level, depth = {n}, [n], 0
        while level := [source for number in level for source in sources.get(number, ()) if source not in visited]:
            depth += 1
            visited.update(level)
            least = min(self.authority(*declared_of[number]) for number in level) - MARGIN * depth
            cap = least if cap is None else min(cap, least)
        return None if cap is None else round(max(cap, 0.0), PLACES)

    @staticmethod
    def _cap(candidate: Candidate, cap: float | None) -> None:
        candidate.ceiling = cap
        if cap is None:
            candidate.record("cap", "none")
        else:
            candidate.score = min(candidate.score, cap)
            candidate.record("cap", f"≤{cap:g}", "derived")
