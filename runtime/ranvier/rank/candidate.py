"""What goes through the pipeline: a Neuron, or a chunk of one, with where each leg had it and what each stage did to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ranvier.types import BY_MEANING, LegRank, Step

PLACES = 9  # decimals of a score: sums of floats may differ further down (B1)


@dataclass(slots=True)
class Candidate:
    """One row of the result list in the making. `chunks` are the chunks that matched, best first."""

    key: int  # the Neuron's number, or the chunk's where chunks are ranked
    neuron: int
    chunks: list[int] = field(default_factory=list)
    legs: list[LegRank] = field(default_factory=list)
    tier: int = BY_MEANING
    score: float = 0.0
    base: float = 0.0
    confidence: float = 0.0
    match_type: str = ""  # a filter names it
    ceiling: float | None = None  # no stage lifts the score above it
    steps: list[Step] = field(default_factory=list)

    def set(self, stage: str, score: float, why: str = "", effect: str = "") -> None:
        """Give it another score, never above its ceiling, and say which stage did that; a score that stays is not told of."""
        if self.ceiling is not None:
            score = min(score, self.ceiling)
        score = round(score, PLACES)
        if score != self.score:
            self.score = score
            self.tell(stage, effect or f"={score:g}", why)

    def tell(self, stage: str, effect: str, why: str = "") -> None:
        """Say what a stage did, though the score may be what it was."""
        self.steps.append(Step(stage, effect, self.score, why))

    def add(self, stage: str, amount: float, why: str = "") -> None:
        """Add to the score."""
        self.set(stage, self.score + amount, why, f"{amount:+.6g}")

    def times(self, stage: str, factor: float, why: str = "") -> None:
        """Multiply the score."""
        self.set(stage, self.score * factor, why, f"×{factor:.6g}")


def order(candidate: Candidate) -> tuple[float, int]:
    """The total order of results: score, then number."""
    return -candidate.score, candidate.key
