"""The brain preset of [002] on real vectors (Q3, F1, L3)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conformance.server import opened
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Preset, preset


@pytest.fixture
def brain() -> Preset:
    """The preset with a lower threshold: the pages are few and short."""
    result = preset("brain")
    legs = tuple(replace(leg, threshold=0.05) if isinstance(leg, VectorLeg) else leg for leg in result.legs)
    return replace(result, legs=legs)


def test_vector_finds_what_shares_no_word(semantic_site: Path, brain: Preset) -> None:
    """Q3, L3, [002]: "finds semantically related content even when exact terms don't match"."""
    with opened(semantic_site, brain) as library:
        assert library.search("melody orchestra", strategy="bm25", min_confidence=0).hits == ()
        result = library.search("melody orchestra", strategy="vector", min_confidence=0)
    assert result.hits[0].path in ("art/piano.md", "art/drum.md")
    assert result.hits[0].coverage == "none"


def test_rrf_of_words_and_real_vectors(semantic_site: Path, brain: Preset) -> None:
    """F1, P3, [002]: Σ 1 / (60 + rank), divided by two first ranks."""
    with opened(semantic_site, brain) as library:
        hits = library.search("ship over the ocean", strategy="rag", min_confidence=0, explain=True).hits
    for hit in hits:
        assert hit.explain is not None
        exact = sum(1 / (60 + leg.rank) for leg in hit.explain.legs) / (2 / 61)
        assert hit.explain.base_score == pytest.approx(exact, abs=1e-7)
    assert {"bm25", "trigram", "vector"} == {*hits[0].matched_in}


def test_modality_filter_of_vector_hits(semantic_site: Path, brain: Preset) -> None:
    """S1, N7, [002]: "search for images with text queries": by their captions."""
    with opened(semantic_site, brain) as library:
        result = library.search("vessels at sunset", strategy="vector", modality="image", min_confidence=0)
    assert [(hit.path, hit.modality) for hit in result.hits] == [("art/harbour.md", "image")]
