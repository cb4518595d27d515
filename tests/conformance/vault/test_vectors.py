"""Words and vectors blended ([004]), on real vectors (F2, L3, Q3)."""

from dataclasses import replace
from pathlib import Path

import pytest
from conformance.sites import by_path, steps
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Preset, preset
from support.whole_site import open_site


@pytest.fixture
def vault() -> Preset:
    """The preset with a lower threshold, because the notes are few and short."""
    result = preset("vault")
    legs = tuple(replace(leg, threshold=0.0) if isinstance(leg, VectorLeg) else leg for leg in result.legs)
    return replace(result, legs=legs)


@pytest.mark.parametrize("query", ["ocean", "ferry across the strait", "pianist plays music"])
def test_blended_hits_keep_their_scores(semantic_site: Path, vault: Preset, query: str) -> None:
    """F2, R5, [004]: the lexical score, or else the cosine."""
    with open_site(semantic_site, vault) as library:
        words = by_path(library.search(query, strategy="bm25", limit=100))
        cosines = by_path(library.search(query, strategy="vector", limit=100))
        blended = by_path(library.search(query, explain=True, limit=100))
    assert blended.keys() == words.keys() | cosines.keys()
    assert cosines.keys() - words.keys()
    assert cosines.keys() & words.keys()
    for path, hit in blended.items():
        assert hit.score == (words if path in words else cosines)[path].score
        if path not in words:
            assert (hit.matched_in, steps(hit), hit.coverage) == (("vector",), [], "none")
        elif path in cosines:
            assert hit.matched_in == ("lexical", "vector")
