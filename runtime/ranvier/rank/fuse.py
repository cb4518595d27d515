"""Fusion: several ranked lists become one (F1, F2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ranvier.rank.candidate import PLACES, Candidate, order
from ranvier.types import LegRank, Ranking

NeuronOf = Callable[[int], int]

ENOUGH = 1.0  # a fair word's bm25: words that stand on most pages give next to nothing, and cosines still part the pages
FULL = 2  # lists: words and meaning; a third that has a hit as well makes it no surer


@dataclass(frozen=True, slots=True)
class Fusion:
    """The method and the numbers of fusion.

    `rrf`: reciprocal rank fusion, Σ weight / (k + rank) (Cormack, Clarke & Büttcher 2009; [001], [002], [003]).
    `rrf_or_raw`: the same, but a single list keeps its own scores ([001]).
    `sum`: Σ weight × score, of lists whose scores are of one kind: bm25 of pages, of chunks, of pairs of words (the default).
    Cosines are of another: they count as parts of the best sum that words gave anything (a convex combination, as Bruch, Gai &
    Ingber 2023 found better than ranks).
    `raw`: a leg's own score stands, the best one where several have it ([000], one leg).
    `blend`: Σ weight × score; a key that several legs have counts once, for the first of them ([004]: the lexical one wins).
    """

    by: str = "rrf"
    k: int = 60
    scaled: bool = False  # `rrf`: to be first in `FULL` lists, or in all there are, is a score of 1 ([002]: rrf_combined)

    def fuse(self, rankings: Sequence[Ranking], unit: str, neuron_of: NeuronOf) -> list[Candidate]:
        """Return one candidate for each Neuron or chunk, best first."""
        if self.by == "rrf_or_raw":
            return replace(self, by="rrf" if len(rankings) > 1 else "raw").fuse(rankings, unit, neuron_of)
        candidates: dict[int, Candidate] = {}
        later = []
        apart = [ranking for ranking in rankings if ranking.semantic and self.by == "sum"]
        for ranking in rankings:
            if ranking in apart:
                continue
            if unit == "chunk" and not ranking.chunks:
                later.append(ranking)  # rankings of whole Neurons raise the chunks that other legs found
            elif unit == "chunk":
                self._chunks(candidates, ranking, neuron_of)
            else:
                self._neurons(candidates, ranking, neuron_of)
        for row in (match.row for ranking in apart if unit == "chunk" for match in ranking.matches):
            candidates.setdefault(row, Candidate(row, neuron_of(row), [row]))  # its Neuron raises it like the others
        for ranking in later:
            self._raise(candidates, ranking)
        best = max(ENOUGH, *(candidate.score for candidate in candidates.values())) if candidates else ENOUGH
        for ranking in apart:
            scaled = replace(ranking, weight=round(ranking.weight * best, PLACES))
            (self._chunks if unit == "chunk" else self._neurons)(candidates, scaled, neuron_of)
        shares = sorted((ranking.weight / (self.k + 1) for ranking in rankings), reverse=True)
        most = sum(shares[:FULL]) if self.scaled else 1.0
        for candidate in candidates.values():
            candidate.base = candidate.score = round(candidate.score / most, PLACES)
        return sorted(candidates.values(), key=order)

    def _neurons(self, candidates: dict[int, Candidate], ranking: Ranking, neuron_of: NeuronOf) -> None:
        """Add a ranking. A Neuron has the rank of its best chunk; its other chunks are kept."""
        seen: dict[int, Candidate] = {}
        for match in ranking.matches:
            neuron = neuron_of(match.row) if ranking.chunks else match.row
            candidate = seen.get(neuron)
            if candidate is None:
                candidate = seen[neuron] = candidates.setdefault(neuron, Candidate(neuron, neuron))
                self._count(candidate, ranking, len(seen), match.micro, match.tier)
            if ranking.chunks and match.row not in candidate.chunks:
                candidate.chunks.append(match.row)

    def _chunks(self, candidates: dict[int, Candidate], ranking: Ranking, neuron_of: NeuronOf) -> None:
        for rank, match in enumerate(ranking.matches, 1):
            candidate = candidates.setdefault(match.row, Candidate(match.row, neuron_of(match.row), [match.row]))
            self._count(candidate, ranking, rank, match.micro, match.tier)

    def _raise(self, candidates: dict[int, Candidate], ranking: Ranking) -> None:
        places = {match.row: (rank, match) for rank, match in enumerate(ranking.matches, 1)}
        for candidate in candidates.values():
            if candidate.neuron in places:
                rank, match = places[candidate.neuron]
                self._count(candidate, ranking, rank, match.micro, candidate.tier)

    def _count(self, candidate: Candidate, ranking: Ranking, rank: int, micro: int, tier: int) -> None:
        raw = micro / 1_000_000
        share = ranking.weight / (self.k + rank) if self.by == "rrf" else raw * ranking.weight
        if self.by == "sum":
            share = round(ranking.weight * micro) / 1_000_000  # sums of whole numbers are the same on every machine
        if self.by in ("rrf", "sum"):
            candidate.score += share
        elif self.by == "raw":
            candidate.score = max(candidate.score, share)
        elif not candidate.legs:
            candidate.score = share
        candidate.legs.append(LegRank(ranking.leg, rank, raw, round(share, PLACES)))
        candidate.tier = min(candidate.tier, tier)
