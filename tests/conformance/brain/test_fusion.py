"""Reciprocal rank fusion with k = 60, and confidence as a share of its maximum ([002])."""

from collections import Counter, defaultdict

import pytest
from conformance.sites import ranking
from hypothesis import given
from hypothesis import strategies as st
from ranvier.rank.fuse import Fusion

PLAIN = Fusion("rrf", k=60)

LISTS = st.lists(st.lists(st.integers(1, 25), unique=True, max_size=25), max_size=4)


def _naive(lists: list[list[int]], weights: list[float], k: int) -> list[tuple[int, float]]:
    """Compute RRF as Cormack, Clarke & Büttcher (2009) do."""
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


def test_rank_of_a_neuron_is_its_best_chunk() -> None:
    """F1, [002]: its other chunks take no rank."""
    fused = PLAIN.fuse([ranking("bm25", 11, 12, 13, 21, chunks=True)], "neuron", lambda row: row // 10)
    assert [(item.neuron, item.score, item.chunks) for item in fused] == [
        (1, round(1 / 61, 9), [11, 12, 13]),
        (2, round(1 / 62, 9), [21]),
    ]
