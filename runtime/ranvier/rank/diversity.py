"""Diverse top-K (R7, [004]): the chunks of one Neuron do not crowd out the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ranvier.rank.candidate import Candidate, order


@dataclass(frozen=True, slots=True)
class Diversity:
    """Puts the best chunk of each Neuron first, then the rest by score. `per_neuron`: maximum of one Neuron; 0: no maximum.

    `versions`: of several versions of a page, one leads and the others come last (`ranvier.rank.versions`).
    `translations`: the same for translations.
    """

    enabled: bool = False
    per_neuron: int = 0
    versions: bool = False
    translations: bool = False

    def select(self, hits: list[Candidate], limit: int) -> list[Candidate]:
        """Choose up to `limit` of the sorted hits; return them in order."""
        if not self.enabled:
            return hits[:limit]
        first: dict[int, Candidate] = {}
        rest = []
        for hit in self._allowed(hits):
            if hit.demotion or first.setdefault(hit.neuron, hit) is not hit:
                rest.append(hit)
        return sorted([*first.values(), *rest][:limit], key=order)

    def in_turn(self, hits: list[Candidate], top: int, limit: int) -> list[Candidate]:
        """Return `top` selected hits, then spare ones in case those do not fit; `limit` in total; both parts are sorted."""
        selection = self.select(hits, top)
        keys = {hit.key for hit in selection}
        spare = [hit for hit in self._allowed(hits) if hit.key not in keys]
        return [*selection, *spare[: max(limit - len(selection), 0)]]

    def _allowed(self, hits: list[Candidate]) -> list[Candidate]:
        if not (self.enabled and self.per_neuron):
            return hits
        counts: Counter[int] = Counter()
        allowed = []
        for hit in hits:
            counts[hit.neuron] += 1
            if counts[hit.neuron] <= self.per_neuron:
                allowed.append(hit)
        return allowed
