"""Fusion: several ranked lists become one (F1, F2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ranvier.rank.candidate import PLACES, Candidate, order
from ranvier.types import LegRank, Ranking

NeuronOf = Callable[[int], int]

TYPICAL_BM25 = 1.0  # bm25 of a typical word: very frequent words score almost 0, and then cosines still order the pages
FULL_LISTS = 2  # lists: words and meaning; a hit in a third list is not more certain
LEADERS = 10  # candidates with a lead


@dataclass(frozen=True, slots=True)
class Fusion:
    """The method and the numbers of fusion.

    `rrf`: reciprocal rank fusion, Σ weight / (k + rank) (Cormack, Clarke & Büttcher 2009; [001], [002], [003]).
    `rrf_or_raw`: the same, but a single list keeps its own scores ([001]).
    `sum`: Σ weight × score, for scores of one kind: bm25 of pages, of chunks, of pairs of words (the default). Cosines are of
    another kind: they are scaled by the best sum of the words, or by `typical` if no page reaches it (a convex combination;
    Bruch, Gai & Ingber 2023 found it better than ranks).
    `raw`: the leg's own score; the best one if several legs have the hit ([000], one leg).
    `blend`: Σ weight × score; a hit of several legs counts once, for the first of them ([004]: the lexical leg wins).
    """

    by: str = "rrf"
    k: int = 60
    scaled: bool = False  # `rrf`: the first place in `FULL_LISTS` lists (or in all, if fewer) scores 1 ([002]: rrf_combined)
    collapse_repeats: bool = False  # a passage that several pages repeat counts for one of them (`collapse_repeats`)

    def fuse(
        self, rankings: Sequence[Ranking], unit: str, neuron_of: NeuronOf, typical: float = TYPICAL_BM25
    ) -> list[Candidate]:
        """Return one candidate for each Neuron or chunk, best first; `typical` is the least scale of cosines in a sum."""
        if self.by == "rrf_or_raw":
            return replace(self, by="rrf" if len(rankings) > 1 else "raw").fuse(rankings, unit, neuron_of)
        candidates: dict[int, Candidate] = {}
        neuron_rankings = []
        semantic = [ranking for ranking in rankings if ranking.semantic and self.by == "sum"]
        for ranking in rankings:
            if ranking in semantic:
                continue
            if unit == "chunk" and not ranking.chunks:
                neuron_rankings.append(ranking)  # rankings of whole Neurons raise the chunks that other legs found
            elif unit == "chunk":
                self._chunks(candidates, ranking, neuron_of)
            else:
                self._neurons(candidates, ranking, neuron_of)
        for row in (match.row for ranking in semantic if unit == "chunk" for match in ranking.matches):
            candidates.setdefault(row, Candidate(row, neuron_of(row), [row]))  # the Neuron's score raises it too
        for ranking in neuron_rankings:
            self._add_to_chunks(candidates, ranking)
        best = max([typical, *(candidate.score for candidate in candidates.values())])
        has_words = any(ranking.matches for ranking in rankings if ranking not in semantic)
        for ranking in semantic:
            scaled = replace(ranking, weight=round(ranking.weight * best, PLACES))
            (self._chunks if unit == "chunk" else self._neurons)(candidates, scaled, neuron_of)
            _add_lead(candidates.values(), ranking.leg, scaled.weight * ranking.lead * has_words)
        shares = sorted((ranking.weight / (self.k + 1) for ranking in rankings), reverse=True)
        best_share = sum(shares[:FULL_LISTS]) if self.scaled else 1.0
        for candidate in candidates.values():
            candidate.base = candidate.score = round(candidate.score / best_share, PLACES)
        return sorted(candidates.values(), key=order)

    def _neurons(self, candidates: dict[int, Candidate], ranking: Ranking, neuron_of: NeuronOf) -> None:
        """Add a ranking. A Neuron has the rank of its best chunk; its other chunks are kept."""
        by_neuron: dict[int, Candidate] = {}
        for match in ranking.matches:
            neuron = neuron_of(match.row) if ranking.chunks else match.row
            candidate = by_neuron.get(neuron)
            if candidate is None:
                candidate = by_neuron[neuron] = candidates.setdefault(neuron, Candidate(neuron, neuron))
                self._count(candidate, ranking, len(by_neuron), match.micro, match.tier)
            if ranking.chunks and match.row not in candidate.chunks:
                candidate.chunks.append(match.row)

    def _chunks(self, candidates: dict[int, Candidate], ranking: Ranking, neuron_of: NeuronOf) -> None:
        for rank, match in enumerate(ranking.matches, 1):
            candidate = candidates.setdefault(match.row, Candidate(match.row, neuron_of(match.row), [match.row]))
            self._count(candidate, ranking, rank, match.micro, match.tier)

    def _add_to_chunks(self, candidates: dict[int, Candidate], ranking: Ranking) -> None:
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


def _add_lead(candidates: Iterable[Candidate], leg: str, weight: float) -> None:
    """Add the lead of each cosine: 1 for the best, 0 after the first `LEADERS`."""
    nearest = [item for item in candidates if item.legs and item.legs[-1].leg == leg]
    nearest.sort(key=lambda item: -item.legs[-1].raw)
    floor = nearest[LEADERS].legs[-1].raw if len(nearest) > LEADERS else 0.0
    for item in nearest[:LEADERS]:
        rank = item.legs[-1]
        share = round(weight * (rank.raw - floor) / ((nearest[0].legs[-1].raw - floor) or 1), PLACES)
        item.score += share
        item.legs[-1] = replace(rank, rrf=round(rank.rrf + share, PLACES))


def collapse_repeats(rankings: Sequence[Ranking], repeats: Mapping[int, int]) -> tuple[Ranking, ...]:
    """Keep the score of a repeated passage only where it ranks first, so that its pages do not fill the first places.

    Args:
        rankings: of chunks or of Neurons. A passage counts for the same chunk in all of them.
        repeats: chunk → the first chunk with the same heading and text.

    """
    counted: dict[int, int] = {}
    results = []
    for ranking in rankings:
        first, last = [], []
        for match in ranking.matches:
            if not ranking.chunks or counted.setdefault(repeats.get(match.row, match.row), match.row) == match.row:
                first.append(match)
            else:
                last.append(match._replace(micro=0))
        results.append(replace(ranking, matches=(*first, *last)))
    return tuple(results)
