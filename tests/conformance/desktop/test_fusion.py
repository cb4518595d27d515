"""F1: reciprocal rank fusion of words and vectors in [001]. The vector leg of the tests has known ranks."""

from dataclasses import replace
from pathlib import Path

import pytest
from conformance.server import MakeSite, ScriptedLeg
from ranvier import Hit, SearchResult
from ranvier.presets import preset
from support.whole_site import open_site, page

QUERY = "slow red kite"
# Numbered from 1 in the order of their paths; by words the order is 1, 2, 3.
PAGES = {
    "a.md": page("# First\n\nslow red kite, slow red kite, slow red kite"),
    "b.md": page("# Second\n\na slow red kite and a slow red kite here"),
    "c.md": page("# Third\n\na slow red kite and some other words that follow"),
    "d.md": page("# Fourth\n\nof <b>birds</b> & their flight"),
    "e.md": page("# Fifth\n\nof wings"),
} | {f"f{at:02}.md": page(f"# Rest {at}\n\nsomething else entirely") for at in range(30)}

CASES = [  # vector hits, best first → titles in order, each with its ranks in the lists (words, vectors)
    ((), [("First", (1,)), ("Second", (2,)), ("Third", (3,))]),
    ((3,), [("Third", (3, 1)), ("First", (1,)), ("Second", (2,))]),
    ((4, 3), [("Third", (3, 2)), ("First", (1,)), ("Fourth", (1,)), ("Second", (2,))]),
    ((4, 5, 2, 3), [("Second", (2, 3)), ("Third", (3, 4)), ("First", (1,)), ("Fourth", (1,)), ("Fifth", (2,))]),
    ((1, 2, 3), [("First", (1, 1)), ("Second", (2, 2)), ("Third", (3, 3))]),
]


def search(site: Path, vectors: ScriptedLeg, query: str = QUERY, **options: object) -> SearchResult:
    """Search by the preset with a leg of vectors in it."""
    desktop = preset("desktop")
    with open_site(site, replace(desktop, legs=(*desktop.legs, vectors))) as library:
        return library.search(query, **options)


def rrf(ranks: tuple[int, ...]) -> float:
    """Compute RRF as [001] does."""
    return sum(1 / (60 + rank) for rank in ranks)


@pytest.mark.parametrize(("vectors", "expected"), CASES)
def test_rrf_of_words_and_vectors(
    make_site: MakeSite, vectors: tuple[int, ...], expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    """F1, [001]: the sum of 1 / (60 + rank) over all lists."""
    result = search(make_site(PAGES), ScriptedLeg(vectors))
    assert [hit.title for hit in result.hits] == [title for title, _ in expected]
    if vectors:
        assert [hit.score for hit in result.hits] == pytest.approx([rrf(ranks) for _, ranks in expected], abs=1e-9)
        assert all(0.01 < hit.score < 0.04 for hit in result.hits), "typically 0.01 to 0.03"
    assert result.strategy == "rag"


def by_title(result: SearchResult) -> dict[str, Hit]:
    """Return hits by their titles."""
    return {hit.title: hit for hit in result.hits}


def test_snippet_of_the_word_hit_is_kept(make_site: MakeSite) -> None:
    """F1, P1, [001]: other hits have no marks."""
    site = make_site(PAGES)
    words_only, fused = by_title(search(site, ScriptedLeg())), by_title(search(site, ScriptedLeg((4, 3))))
    assert fused["Third"].snippet == words_only["Third"].snippet
    assert "<mark>slow</mark> <mark>red</mark> <mark>kite</mark>" in fused["Third"].snippet
    assert "<mark>" not in fused["Fourth"].snippet
    assert fused["Fourth"].matched_in == ("vector",)


def test_explain_of_rrf(make_site: MakeSite) -> None:
    """F1, P3: k, the rank in each list, and its share."""
    hit = search(make_site(PAGES), ScriptedLeg((4, 3)), explain=True).hits[0]
    assert hit.explain is not None
    assert hit.explain.k == 60
    assert [(leg.leg, leg.rank, leg.rrf) for leg in hit.explain.legs] == [
        ("text", 3, round(1 / 63, 9)),
        ("vector", 2, round(1 / 62, 9)),
    ]
    assert hit.explain.base_score == hit.score == round(1 / 63 + 1 / 62, 9)


def test_explicit_strategy_overrides_the_intent(make_site: MakeSite) -> None:
    """Q3."""
    site = make_site(PAGES)
    for strategy, matched, ran in (("bm25", {"text"}, 0), ("vector", {"vector"}, 1), ("rag", {"text", "vector"}, 1)):
        vectors = ScriptedLeg((4,))
        result = search(site, vectors, "kite", strategy=strategy)
        assert {leg for hit in result.hits for leg in hit.matched_in} == matched
        assert (len(vectors.requests), result.strategy) == (ran, strategy)
