"""Diverse top-K (R7, [004]): the chunks of one Neuron do not crowd out the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ranvier.rank.candidate import Candidate, order


@dataclass(frozen=True, slots=True)
class Diversity:
    """First the best chunk of each Neuron, then the rest by score. `per_neuron`: at most so many of one; 0: any number.

    `versions`: of several versions of a page, one leads and the others come last (`ranvier.rank.versions`).
    """

    on: bool = False
    per_neuron: int = 0
    versions: bool = False

    def select(self, hits: list[Candidate], most: int) -> list[Candidate]:
        """Choose `most` of the hits, which are in order; return them in order."""
        if not self.on:
            return hits[:most]
        first: dict[int, Candidate] = {}
        rest = []
        for hit in self._allowed(hits):
            if first.setdefault(hit.neuron, hit) is not hit:
                rest.append(hit)
        return sorted([*first.values(), *rest][:most], key=order)

    def in_turn(self, hits: list[Candidate], top: int, most: int) -> list[Candidate]:
        """Return the `top` hits that are chosen, then spare ones where those find no room, `most` together; both in order."""
        chosen = self.select(hits, top)
        keys = {hit.key for hit in chosen}
        spare = [hit for hit in self._allowed(hits) if hit.key not in keys]
        return [*chosen, *spare[: max(most - len(chosen), 0)]]

    def _allowed(self, hits: list[Candidate]) -> list[Candidate]:
        if not (self.on and self.per_neuron):
            return hits
        counted: Counter[int] = Counter()
        kept = []
        for hit in hits:
            counted[hit.neuron] += 1
            if counted[hit.neuron] <= self.per_neuron:
                kept.append(hit)
        return kept
