"""L3, F1, I4: the vector leg of [001] on real vectors: threshold 0.3, all compared, merged with words by RRF."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from ranvier import Library
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Preset, preset
from support.whole_site import open_site

QUERIES = (
    "ship over the ocean",
    "a vessel on the waves",
    "music of an orchestra",
    "install the docker engine",
    "treat a sick patient",
)


def lowered(threshold: float) -> Preset:
    """Return the preset with another threshold."""
    desktop = preset("desktop")
    legs, retrieve = (
        tuple(replace(leg, threshold=threshold) if isinstance(leg, VectorLeg) else leg for leg in legs_of_preset)
        for legs_of_preset in (desktop.legs, desktop.retrieve)
    )
    return replace(desktop, legs=legs, retrieve=retrieve)


def ranks_of(library: Library, query: str, strategy: str) -> Mapping[str, tuple[int, float]]:
    """Return the rank of each page in the list of a leg, and its raw score."""
    result = library.search(query, strategy=strategy, explain=True, limit=100).hits
    return {hit.path: (hit.explain.legs[0].rank, hit.explain.legs[0].raw) for hit in result if hit.explain}


@pytest.mark.parametrize("query", QUERIES)
def test_word_and_vector_lists_are_merged(semantic_site: Path, query: str) -> None:
    """F1, L3, [001]: Σ 1 / (60 + rank) of the ranks in both lists."""
    with open_site(semantic_site, lowered(0.05)) as library:
        words, vectors = ranks_of(library, query, "bm25"), ranks_of(library, query, "vector")
        result = library.search(query, explain=True, limit=100)
    assert (result.intent, result.strategy) == ("semantic", "rag")
    assert {hit.path for hit in result.hits} == {*words, *vectors}
    assert {*vectors} - {*words}, "some hits come from vectors only"
    for hit in result.hits:
        expected = [1 / (60 + ranks[hit.path][0]) for ranks in (words, vectors) if hit.path in ranks]
        assert hit.score == pytest.approx(sum(expected), abs=1e-9)
        assert hit.matched_in == tuple(name for name, ranks in (("text", words), ("vector", vectors)) if hit.path in ranks)
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("query", QUERIES)
def test_similarity_threshold_is_0_3(semantic_site: Path, query: str) -> None:
    """L3, [001]: MIN_SIMILARITY_THRESHOLD."""
    with open_site(semantic_site, lowered(-1.0)) as library:
        everything = ranks_of(library, query, "vector")
    with open_site(semantic_site) as library:
        result = library.search(query, strategy="vector", preset="desktop", explain=True, limit=100).hits
        assert {hit.path for hit in result} == {path for path, (_, raw) in everything.items() if raw >= 0.3}
        assert all(hit.explain and hit.explain.legs[0].raw >= 0.3 for hit in result)
    assert len(everything) == 12, "all are compared"
    assert sorted(rank for rank, _ in everything.values()) == [*range(1, 13)]


def test_vector_hit_has_a_snippet(semantic_site: Path) -> None:
    """F1, P1, [001]: of the nearest chunk, without marks."""
    with open_site(semantic_site, lowered(0.05)) as library:
        hit = library.search("hurricane thunder", strategy="vector").hits[0]
    assert (hit.path, hit.anchor) == ("notes/boats.md", "storm")
    assert hit.snippet == "Strong wind and rain on the coast."
