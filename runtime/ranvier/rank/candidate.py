"""A candidate of the result list: a Neuron or a chunk, with its rank in each leg and the effect of each stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from ranvier.types import BY_MEANING, LegRank, MatchType, Step

PLACES = 9  # decimals of a score: sums of floats may differ further down (B1)


@dataclass(slots=True)
class Candidate:
    """One candidate. `chunks` are its matching chunks, best first."""

    key: int  # the Neuron's number, or the chunk's where chunks are ranked
    neuron: int
    chunks: list[int] = field(default_factory=list)
    legs: list[LegRank] = field(default_factory=list)
    tier: int = BY_MEANING
    score: float = 0.0
    base: float = 0.0
    confidence: float = 0.0
    match_type: MatchType = ""  # a filter names it
    ceiling: float | None = None  # no stage lifts the score above it
    demotion: float = 0.0  # above 0: others with the same score come first
    steps: list[Step] = field(default_factory=list)

    def set(self, stage: str, score: float, reason: str = "", effect: str = "") -> None:
        """Set the score, never above the ceiling, and record the stage if the score changes."""
        if self.ceiling is not None:
            score = min(score, self.ceiling)
        score = round(score, PLACES)
        if score != self.score:
            self.score = score
            self.record(stage, effect or f"={score:g}", reason)

    def record(self, stage: str, effect: str, reason: str = "") -> None:
        """Record the effect of a stage, also if the score stays the same."""
        self.steps.append(Step(stage, effect, self.score, reason))

    def add(self, stage: str, amount: float, reason: str = "") -> None:
        """Add to the score."""
        self.set(stage, self.score + amount, reason, f"{amount:+.6g}")

    def times(self, stage: str, factor: float, reason: str = "") -> None:
        """Multiply the score."""
        self.set(stage, self.score * factor, reason, f"×{factor:.6g}")


def order(candidate: Candidate) -> tuple[float, float, int]:
    """The total order of results: score, then demotion, then number."""
    return -candidate.score, candidate.demotion, candidate.key
