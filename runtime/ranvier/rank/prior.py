"""What a page is worth before any query: gentle, so that it only tells hits apart that are otherwise alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ranvier.query.understand import Understood
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, Stage

UNIT = 16  # a page's weight is kept in sixteenths


@dataclass(frozen=True, slots=True)
class Weight(Stage):
    """score × the page's `weight`, as its author set it; 1 for most."""

    name: str = "weight"

    def apply(self, hits: list[Candidate], rows: list[Any], query: Understood, facts: Facts) -> None:
        """Multiply."""
        for one in hits:
            factor = facts.weights[one.neuron - 1] / UNIT
            if factor != 1:
                one.times(self.name, factor)


@dataclass(frozen=True, slots=True)
class Linked(Stage):
    """score × (1 + strength × log2(1 + links to it) / 8): a page that all link to gains `strength`, one without nothing."""

    strength: float = 0.05
    name: str = "linked"

    def apply(self, hits: list[Candidate], rows: list[Any], query: Understood, facts: Facts) -> None:
        """Multiply."""
        for one in hits:
            if count := facts.linked[one.neuron - 1]:
                one.times(self.name, round(1 + self.strength * math.log2(1 + count) / 8, 9), f"{count} links to it")
