"""Fusion of cosines and word scores (F1, F2), computed by hand."""

from dataclasses import replace
from random import Random

import pytest
from ranvier.rank.candidate import Candidate
from ranvier.rank.confidence import ConfidenceGate
from ranvier.rank.fuse import Fusion, collapse_repeats
from ranvier.types import BY_MEANING, PARTIAL, PREFIX, WHOLE, Match, Ranking

# A Neuron has ten chunks: chunk 23 belongs to Neuron 2.
PAGES = Ranking("page", (Match(1, 8_000_000), Match(2, 5_000_000, PARTIAL)), False)
PARTS = Ranking("section", (Match(23, 4_000_000, PARTIAL), Match(11, 1_500_000), Match(21, 500_000, PARTIAL)), True, 0.5)
EXPECTED = Ranking(
    "vector",
    (Match(31, 900_000, BY_MEANING), Match(21, 600_000, BY_MEANING), Match(32, 300_000, BY_MEANING)),
    True,
    0.8,
    semantic=True,
)


def neuron_of(row: int) -> int:
    return row // 10


def fused(by: str, unit: str, *rankings: Ranking) -> list[Candidate]:
    return Fusion(by).fuse(rankings, unit, neuron_of)


def scores(candidates: list[Candidate]) -> list[tuple[int, float]]:
    return [(result.key, result.score) for result in candidates]


def test_sum_fusion_of_neurons() -> None:
    """F1: words 1: 8 + 0.5 × 1.5, 2: 5 + 0.5 × 4; a cosine is a share of the best of them, × 0.8 × 8.75."""
    result = fused("sum", "neuron", PAGES, PARTS, EXPECTED)
    assert scores(result) == [(2, 7.0 + 0.6 * 7.0), (1, 8.75), (3, 0.9 * 7.0)]
    assert [[leg.leg for leg in item.legs] for item in result] == [
        ["page", "section", "vector"],
        ["page", "section"],
        ["vector"],
    ]
    assert [item.tier for item in result] == [PARTIAL, WHOLE, BY_MEANING]
    assert [item.chunks for item in result] == [[23, 21], [11], [31, 32]]
    assert [(leg.rank, leg.raw, leg.rrf) for leg in result[0].legs] == [(2, 5.0, 5.0), (1, 4.0, 2.0), (2, 0.6, 4.2)]


def test_sum_fusion_of_chunks() -> None:
    """F1, P2: word scores of chunks include the score of their page; a cosine is a share of the best of those."""
    result = fused("sum", "chunk", PAGES, PARTS, EXPECTED)
    best = 8.0 + 0.75
    assert scores(result) == [
        (21, pytest.approx(5.25 + 0.6 * 0.8 * best)),
        (11, best),
        (23, 7.0),
        (31, pytest.approx(0.9 * 0.8 * best)),
        (32, pytest.approx(0.3 * 0.8 * best)),
    ]
    assert [item.tier for item in result] == [PARTIAL, WHOLE, PARTIAL, BY_MEANING, BY_MEANING]


def test_sum_fusion_with_words_of_every_page() -> None:
    """F1: their idf is a millionth; cosines still order the pages."""
    common = Ranking("page", tuple(Match(row, 1, WHOLE) for row in (1, 2, 3)), False)
    result = fused("sum", "neuron", common, EXPECTED)
    assert [item.key for item in result] == [3, 2, 1]
    assert result[0].score == pytest.approx(0.9 * 0.8, abs=1e-5)


def test_cosines_count_more_if_no_page_has_most_words() -> None:
    """F1: cosines are scaled by the typical sum if it is above the best one, 8.75."""
    typical_sums = (5.0, 8.75, 20.0)
    results = [Fusion("sum").fuse((PAGES, PARTS, EXPECTED), "neuron", neuron_of, typical) for typical in typical_sums]
    assert [scores(result)[-1] for result in results[:2]] == [(3, 0.9 * 7.0)] * 2
    assert scores(results[2]) == [(2, 7.0 + 0.6 * 16.0), (3, 0.9 * 16.0), (1, 8.75)]


def test_nearest_pages_gain_by_their_lead() -> None:
    """F1: the lead is the part of a cosine above that of the eleventh page: 1 for the best, and 0 from there on."""
    cosines = (0.8, 0.7, *(0.6 - place / 100 for place in range(10)))  # the eleventh is .52
    matches = tuple(Match(10 * page, round(cosine * 1_000_000), BY_MEANING) for page, cosine in enumerate(cosines, 1))
    words = Ranking("page", (Match(2, 10_000_000), Match(12, 10_000_000)), False)
    without_lead, with_lead = (
        dict(scores(fused("sum", "neuron", words, Ranking("vector", matches, True, 0.3, semantic=True, lead=lead))))
        for lead in (0.0, 0.5)
    )
    gains = {page: with_lead[page] - score for page, score in without_lead.items()}
    assert {page: gains[page] for page in (1, 2, 11, 12)} == pytest.approx({1: 1.5, 2: 1.5 * 0.18 / 0.28, 11: 0.0, 12: 0.0})
    result = fused("sum", "neuron", words, Ranking("vector", matches, True, 0.3, semantic=True, lead=0.5))[0]
    assert (result.key, result.legs[-1].raw, result.legs[-1].rrf) == (2, 0.7, pytest.approx(2.1 + gains[2]))


@pytest.mark.parametrize("unit", ["neuron", "chunk"])
def test_two_legs_of_meaning_have_a_lead_each(unit: str) -> None:
    """F1: a preset may have two; one of them finds what the other does not."""
    other = Ranking("other", (Match(51, 600_000, BY_MEANING),), True, 0.3, semantic=True, lead=0.2)
    results = fused("sum", unit, PAGES, PARTS, replace(EXPECTED, lead=0.2), other)
    for item in results:
        assert item.base == pytest.approx(sum(leg.rrf for leg in item.legs))
    assert any(item.neuron == 5 for item in results)


@pytest.mark.parametrize("unit", ["neuron", "chunk"])
def test_fusion_does_not_depend_on_the_order_of_legs(unit: str) -> None:
    """F1."""
    first = scores(fused("sum", unit, EXPECTED, PAGES, PARTS))
    assert first == scores(fused("sum", unit, PAGES, EXPECTED, PARTS)) == scores(fused("sum", unit, PAGES, PARTS, EXPECTED))


@pytest.mark.parametrize("unit", ["neuron", "chunk"])
def test_fusion_of_cosines_alone_keeps_them(unit: str) -> None:
    """F1."""
    nothing = Ranking("page", (), False)
    expected = [(3, 0.72), (2, 0.48)] if unit == "neuron" else [(31, 0.72), (21, 0.48), (32, 0.24)]
    assert scores(fused("sum", unit, EXPECTED)) == scores(fused("sum", unit, nothing, EXPECTED)) == expected
    assert scores(fused("sum", unit, nothing, replace(EXPECTED, lead=0.5))) == expected


@pytest.mark.parametrize("unit", ["neuron", "chunk"])
@pytest.mark.parametrize("by", ["sum", "rrf", "rrf_or_raw", "raw", "blend"])
def test_fusion_without_vector_hits_keeps_word_scores(by: str, unit: str) -> None:
    """F1, X1: for `sum` and `blend`."""
    silent = Ranking("vector", (), True, 0.8, semantic=True)
    without_silent, with_silent = fused(by, unit, PAGES, PARTS), fused(by, unit, PAGES, PARTS, silent)
    assert scores(without_silent) == scores(with_silent)


def test_rrf_fusion_uses_ranks() -> None:
    """F1, [001], [002]: the best chunk of a Neuron is its rank."""
    assert scores(fused("rrf", "neuron", PAGES, EXPECTED)) == [
        (2, round(1 / 62 + 0.8 / 62, 9)),
        (1, round(1 / 61, 9)),
        (3, round(0.8 / 61, 9)),
    ]
    assert scores(fused("rrf", "chunk", PARTS, EXPECTED)) == [
        (21, round(0.5 / 63 + 0.8 / 62, 9)),
        (31, round(0.8 / 61, 9)),
        (32, round(0.8 / 63, 9)),
        (23, round(0.5 / 61, 9)),
        (11, round(0.5 / 62, 9)),
    ]


def test_raw_fusion_of_one_list_keeps_its_scores() -> None:
    """F1, [001]."""
    assert scores(fused("rrf_or_raw", "neuron", EXPECTED)) == [(3, 0.72), (2, 0.48)]
    assert scores(fused("rrf_or_raw", "neuron", PAGES, EXPECTED)) == scores(fused("rrf", "neuron", PAGES, EXPECTED))


def test_blend_prefers_the_lexical_score() -> None:
    """F2, [004]: score × weight."""
    result = fused("blend", "neuron", PARTS, EXPECTED)
    assert scores(result) == [(2, 2.0), (1, 0.75), (3, 0.72)]
    assert [item.tier for item in result] == [PARTIAL, WHOLE, BY_MEANING]


def test_sum_fusion_is_exact_in_any_order() -> None:
    """F1, B1: integers are added."""
    rng = Random(3)
    rankings = [
        Ranking(f"leg {at}", tuple(Match(row, rng.randint(1, 10**7), PREFIX) for row in range(1, 40)), False, rng.random())
        for at in range(6)
    ]
    target = Ranking(
        "vector", tuple(Match(row, 1_000_000 - row, BY_MEANING) for row in range(1, 60)), False, 0.7, semantic=True
    )
    expected = scores(fused("sum", "neuron", *rankings, target))
    for _ in range(10):
        rng.shuffle(rankings)
        assert scores(fused("sum", "neuron", target, *rankings)) == expected


@pytest.mark.parametrize(("tier", "low", "high"), [(WHOLE, 0.8, 1.0), (PARTIAL, 0.3, 0.6), (BY_MEANING, 0.0, 0.6)])
def test_vector_hits_have_lower_confidence_than_word_hits(tier: int, low: float, high: float) -> None:
    """R6."""
    hits = [Candidate(1, 1, tier=tier, score=2.0, base=2.0), Candidate(2, 2, tier=tier, score=1.0, base=1.0)]
    ConfidenceGate().judge(hits)
    assert low <= hits[1].confidence < hits[0].confidence <= high


def test_repeated_passage_counts_for_one_chunk() -> None:
    """Chunk 31 repeats 11: in the first ranking 31 ranks first, so it keeps its score in the second ranking, too."""
    sections = Ranking("section", (Match(31, 9_000_000), Match(11, 8_000_000), Match(12, 7_000_000)), True)
    vectors = Ranking("vector", (Match(11, 900_000), Match(31, 800_000)), True, semantic=True)
    pages, counted, by_meaning = collapse_repeats((PAGES, sections, vectors), {31: 11})
    assert pages == PAGES
    assert counted.matches == (Match(31, 9_000_000), Match(12, 7_000_000), Match(11, 0))
    assert by_meaning.matches == (Match(31, 800_000), Match(11, 0))
