"""Maps scores to a fixed range (R5, [004])."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, Stage, hits_of


@dataclass(frozen=True, slots=True)
class MinMax(Stage):
    """The lowest score becomes `low`, the highest `high`; if all scores are equal, they become `high`."""

    low: float = 0.02
    high: float = 0.98
    of: str = ""  # only hits of this leg
    name: str = "minmax"

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Map the scores to the range."""
        hits = hits_of(hits, self.of)
        if not hits:
            return
        lowest, highest = min(hit.score for hit in hits), max(hit.score for hit in hits)
        for hit in hits:
            share = (hit.score - lowest) / (highest - lowest) if highest > lowest else 1.0
            hit.set(self.name, self.low + share * (self.high - self.low))
