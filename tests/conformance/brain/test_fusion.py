"""Reciprocal rank fusion with k = 60, and confidence as a share of its maximum ([002])."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from conformance.sites import ranking
from hypothesis import given
from hypothesis import strategies as st
from ranvier.presets import preset
from ranvier.rank.fuse import Fusion
from ranvier.types import Match, Ranking

PLAIN = Fusion("rrf", k=60)

LISTS = st.lists(st.lists(st.integers(1, 25), unique=True, max_size=25), max_size=4)


def _naive(lists: list[list[int]], weights: list[float], k: int) -> list[tuple[int, float]]:
    """Cormack, Clarke & Büttcher (2009), written down once more."""
    scores: defaultdict[int, float] = defaultdict(float)
    for rows, weight in zip(lists, weights, strict=True):
        for rank, row in enumerate(rows, 1):
            scores[row] += weight / (k + rank)
    return sorted(((row, round(score, 9)) for row, score in scores.items()), key=lambda pair: (-pair[1], pair[0]))


@given(LISTS, st.data())
def test_rrf_adds_up_ranks(lists: list[list[int]], data: st.DataObject) -> None:
    """F1, [002][003]: score = Σ weight / (k + rank)."""
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(lists), max_size=len(lists)))
    k = data.draw(st.sampled_from([1, 10, 60]))
    rankings = [ranking(f"leg{at}", *rows, weight=weight) for at, (rows, weight) in enumerate(zip(lists, weights, strict=True))]
    fused = Fusion("rrf", k=k).fuse(rankings, "neuron", lambda row: row)
    assert [(item.neuron, item.score) for item in fused] == _naive(lists, weights, k)


@given(LISTS)
def test_rrf_of_two_first_ranks_is_one(lists: list[list[int]]) -> None:
    """F1, R6, [002]: `rrf_combined` has the order of the sums."""
    rankings = [ranking(f"leg{at}", *rows) for at, rows in enumerate(lists)]
    shares = Fusion("rrf", scaled=True).fuse(rankings, "neuron", lambda row: row)
    firsts = Counter(rows[0] for rows in lists if rows)
    assert all(share.score >= 1 for share in shares if firsts[share.neuron] >= min(2, len(lists)))
    assert all(0 < share.score <= len(lists) / min(2, len(lists)) for share in shares)
    plain = {item.neuron: item.score for item in PLAIN.fuse(rankings, "neuron", lambda row: row)}
    assert all(share.score == pytest.approx(plain[share.neuron] * 61 / min(2, len(lists)), abs=1e-7) for share in shares)


@given(LISTS)
def test_better_ranks_give_a_better_score(lists: list[list[int]]) -> None:
    """F1."""
    fused = PLAIN.fuse([ranking(f"leg{at}", *rows) for at, rows in enumerate(lists)], "neuron", lambda row: row)
    place = {item.neuron: at for at, item in enumerate(fused)}
    for item in place:
        for other in place:
            ahead = [item in rows and (other not in rows or rows.index(item) < rows.index(other)) for rows in lists]
            if all(ahead):
                assert place[item] < place[other] or item == other


def test_rank_of_a_neuron_is_its_best_chunk() -> None:
    """F1, [002]: its other chunks take no rank."""
    fused = PLAIN.fuse([ranking("bm25", 11, 12, 13, 21, chunks=True)], "neuron", lambda row: row // 10)
    assert [(item.neuron, item.score, item.chunks) for item in fused] == [
        (1, round(1 / 61, 9), [11, 12, 13]),
        (2, round(1 / 62, 9), [21]),
    ]


def test_rrf_of_three_legs() -> None:
    """F1, [002]: `explain` has the share of each leg."""
    lists = [ranking("bm25", 1, 2), ranking("vector", 2, 3), ranking("trigram", 2)]
    first, *others = PLAIN.fuse(lists, "neuron", lambda row: row)
    assert (first.neuron, first.score) == (2, round(1 / 62 + 1 / 61 + 1 / 61, 9))
    assert [(leg.leg, leg.rank, leg.rrf) for leg in first.legs] == [
        ("bm25", 2, round(1 / 62, 9)),
        ("vector", 1, round(1 / 61, 9)),
        ("trigram", 1, round(1 / 61, 9)),
    ]
    assert [(other.neuron, other.score) for other in others] == [(1, round(1 / 61, 9)), (3, round(1 / 62, 9))]


def test_rrf_ignores_raw_scores() -> None:
    """F1, [002]."""
    loud, quiet = (
        Ranking("bm25", (Match(1, 90_000_000), Match(2, 1)), False),
        Ranking("vector", (Match(2, 2), Match(1, 1)), False),
    )
    assert [item.score for item in PLAIN.fuse([loud, quiet], "neuron", lambda row: row)] == [round(1 / 61 + 1 / 62, 9)] * 2


def test_brain_preset() -> None:
    """F1, R1, R2, R6, P4, [002]: RRF k = 60 → authority → links → confidence ≥ 0.3; ten results."""
    brain = preset("brain")
    assert (brain.fuse.by, brain.fuse.k) == ("rrf", 60)
    assert [stage.name for stage in brain.adjust] == ["authority", "links"]
    assert (brain.gate.min_confidence, brain.limits.results) == (0.3, 10)
    assert [leg.name for leg in brain.legs] == [leg.name for leg in brain.retrieve] == ["bm25", "trigram", "vector"]
