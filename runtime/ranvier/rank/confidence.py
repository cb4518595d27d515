"""The confidence of hits, and the gate that drops hits below a limit (R6, [002])."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.rank.candidate import PLACES, Candidate
from ranvier.types import BY_MEANING, PARTIAL, PREFIX, WHOLE, Level

LEVELS: tuple[tuple[Level, float], ...] = (("high", 0.80), ("medium", 0.50), ("low", 0.30), ("noise", 0.0))
DOUBTFUL = 0.29  # upper bound if all hits cover little of the query
# The band of a hit's confidence by coverage of the query: the lower bound, and how much its score can add.
_BANDS = {WHOLE: (0.8, 0.2), PREFIX: (0.6, 0.2), PARTIAL: (0.3, 0.3), BY_MEANING: (0.3, 0.3)}


@dataclass(frozen=True, slots=True)
class ConfidenceGate:
    """Drops hits below `min_confidence`. `by` is `score`: the score is the confidence ([002]); or `evidence`: the band
    depends on the coverage of the query, the position in it on the fused score relative to the highest one.
    """

    min_confidence: float = 0.0
    by: str = "evidence"

    def judge(self, hits: list[Candidate]) -> None:
        """Set every hit's confidence."""
        best = max((hit.base for hit in hits), default=0.0)
        for hit in hits:
            hit.confidence = self._confidence(hit, best)

    def doubt(self, hits: list[Candidate]) -> None:
        """Lower all confidences: no hit is likely to be an answer."""
        for hit in hits:
            hit.confidence = min(hit.confidence, DOUBTFUL)

    def passes(self, hit: Candidate, least: float | None) -> bool:
        """Tell whether a hit passes; a hit that a filter names always does."""
        return bool(hit.match_type) or hit.confidence >= (self.min_confidence if least is None else least)

    def _confidence(self, hit: Candidate, best: float) -> float:
        if hit.match_type:
            return 1.0
        if self.by == "score":
            return round(min(max(hit.score, 0.0), 1.0), PLACES)
        low, width = _BANDS[hit.tier]
        return round(low + width * (max(hit.base, 0.0) / best if best > 0 else 0.0), PLACES)


def level(confidence: float) -> Level:
    """Name a confidence: high from .80, medium from .50, low from .30, noise below."""
    return next(name for name, least in LEVELS if confidence >= least)
