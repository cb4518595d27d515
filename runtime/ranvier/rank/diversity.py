"""Diverse top-K (R7, [004]): the chunks of one Neuron do not crowd out the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ranvier.rank.candidate import Candidate, order


@dataclass(frozen=True, slots=True)
class Diversity:
    """First the best chunk of each Neuron, then the rest by score. `per_neuron`: at most so many of one; 0: any number."""

    on: bool = False
    per_neuron: int = 0

    def select(self, hits: list[Candidate], most: int) -> list[Candidate]:
        """Choose `most` of the hits, which are in order; return them in order."""
        if not self.on:
            return hits[:most]
        first: dict[int, Candidate] = {}
        rest = []
        for one in self._allowed(hits):
            if first.setdefault(one.neuron, one) is not one:
                rest.append(one)
        return sorted([*first.values(), *rest][:most], key=order)

    def in_turn(self, hits: list[Candidate], top: int, most: int) -> list[Candidate]:
        """Return the `top` hits that are chosen, then spare ones where those find no room, `most` together; both in order."""
        chosen = self.select(hits, top)
        keys = {one.key for one in chosen}
        spare = [one for one in self._allowed(hits) if one.key not in keys]
        return [*chosen, *spare[: max(most - len(chosen), 0)]]

    def _allowed(self, hits: list[Candidate]) -> list[Candidate]:
        if not (self.on and self.per_neuron):
            return hits
        counted: Counter[int] = Counter()
        kept = []
        for one in hits:
            counted[one.neuron] += 1
            if counted[one.neuron] <= self.per_neuron:
                kept.append(one)
        return kept
