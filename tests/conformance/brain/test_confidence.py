"""Confidence ([002]): levels, threshold, limits, and the explanation of a score."""

import pytest
from conformance.sites import library_of, neuron, ranked, site_fixture, steps, using, with_vectors
from ranvier import Library
from ranvier.rank.confidence import ConfidenceGate, level
from support.results import paths

SITE = {
    f"p{at:02}.md": neuron(f"Page {at}", "A deployment process.", confidence=round(1 - at / 20, 2), source_type="decision")
    for at in range(21)
}


site = site_fixture(SITE)


@pytest.mark.parametrize(
    ("confidence", "name"),
    [
        (1.0, "high"), (0.80, "high"), (0.799999999, "medium"), (0.79, "medium"),
        (0.50, "medium"), (0.499999999, "low"), (0.49, "low"),
        (0.30, "low"), (0.299999999, "noise"), (0.29, "noise"), (0.0, "noise"),
    ],
)  # fmt: skip
def test_confidence_levels(confidence: float, name: str) -> None:
    """R6, [002]: high .80–1, medium .50–.79, low .30–.49, noise below."""
    assert level(confidence) == name


@pytest.mark.parametrize(("score", "confidence"), [(-0.2, 0.0), (0.0, 0.0), (0.6, 0.6), (1.0, 1.0), (1.45, 1.0)])
def test_confidence_is_between_0_and_1(score: float, confidence: float) -> None:
    """R6, [002]: whatever links add."""
    (first,) = ranked(score)
    ConfidenceGate(by="score").judge([first])
    assert first.confidence == confidence


@pytest.mark.parametrize("min_confidence", [None, 0.0, 0.3, 0.5, 0.7, 0.8, 1.0])
def test_min_confidence_drops_weak_hits(site: Library, min_confidence: float | None) -> None:
    """R6, [002]: noise, below .30, is dropped by default; `minConfidence: 0.7` — only high-confidence hits."""
    everything = site.search("deployment process", preset="brain", limit=100, min_confidence=0.0).hits
    assert [hit.level for hit in everything] == [level(hit.confidence) for hit in everything]
    assert {hit.level for hit in everything} == {"high", "medium", "low", "noise"}
    result = site.search(
        "deployment process",
        preset="brain",
        limit=100,
        **({} if min_confidence is None else {"min_confidence": min_confidence}),
    )
    assert paths(result) == [
        hit.path for hit in everything if hit.confidence >= (0.3 if min_confidence is None else min_confidence)
    ]
    assert result.total_hits == len(result.hits)


def test_explain_has_every_score() -> None:
    """P3, [002]: bm25_score, vector_score, rrf_combined, source_weight, confidence_cap; each step with the score after it."""
    files = {
        "a.md": neuron("Migration notes", "The database migration creates a table.", source_type="decision", confidence=1),
        "b.md": neuron("Setup guide", "A database of version 15 is required.", source_type="domain", confidence=1),
    }
    with library_of(files) as library, using(library, with_vectors("brain", ("a.md", 0.84), ("b.md", 0.78))):
        first, second = library.search("database", preset="brain", strategy="rag", explain=True).hits
    top, lower = first.explain, second.explain
    assert top is not None
    assert lower is not None
    assert [(leg.leg, leg.rank) for leg in lower.legs if leg.leg != "trigram"] == [("bm25", 2), ("vector", 2)]
    assert [leg.leg for leg in lower.legs] == ["bm25", "trigram", "vector"]
    assert all(leg.rrf == round(1 / (60 + leg.rank), 9) for leg in (*top.legs, *lower.legs))
    assert [leg.raw for leg in (*top.legs, *lower.legs) if leg.leg == "vector"] == [0.84, 0.78]
    assert all(leg.raw >= 0 for leg in (*top.legs, *lower.legs)), "higher is better in every leg"
    assert (top.k, top.final_score) == (60, first.score)
    assert lower.base_score == pytest.approx(sum(leg.rrf for leg in lower.legs) * 61 / 2, abs=1e-7)
    assert steps(second) == ["authority", "cap"]
    weight, cap = lower.steps
    assert (weight.effect, weight.reason, weight.score) == ("×0.9", "domain 0.9, confidence 1", second.score)
    assert second.score == pytest.approx(0.9 * lower.base_score, abs=1e-9)
    assert (cap.effect, cap.score) == ("none", second.score)
    assert [step.effect for step in top.steps] == ["×1", "none"], "a weight of 1 is explained, too"


def test_retrieve_uses_words_and_vectors() -> None:
    """P2, L1, [002]."""
    files = {"a.md": neuron("Alpha", "It runs."), "b.md": neuron("Bravo", "Nothing alike.")}
    with library_of(files) as library, using(library, with_vectors("brain", ("b.md", 0.9), chunks=True)):
        result = library.retrieve("running", preset="brain", strategy="rag")
    assert {chunk.content for chunk in result.chunks} == {"It runs.", "Nothing alike."}
