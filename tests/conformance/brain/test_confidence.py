"""Confidence ([002]): levels, threshold, limits, and the explanation of a score."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conformance.sites import neuron, opened, paths, ranked, steps, using, with_vectors
from ranvier import Library, RequestError
from ranvier.presets import preset
from ranvier.rank.confidence import ConfidenceGate, level

MANY = {
    f"p{at:02}.md": neuron(f"Page {at}", "A deployment process.", confidence=round(1 - at / 20, 2), source_type="decision")
    for at in range(21)
}


@pytest.fixture(scope="module")
def site() -> Iterator[Library]:
    with opened(MANY) as library:
        yield library


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


@pytest.mark.parametrize(
    ("score", "least", "passes"),
    [
        (0.30, None, True), (0.299999999, None, False), (0.0, None, False), (0.31, 0.5, False), (0.5, 0.5, True),
        (0.01, 0.0, True), (0.7, 0.7, True), (0.699999999, 0.7, False), (1.0, 1.0, True),
    ],
)  # fmt: skip
def test_confidence_threshold(score: float, least: float | None, passes: bool) -> None:
    """R6, [002]: noise, below .30, is dropped by default; `min_confidence` changes the threshold."""
    (first,) = ranked(score)
    gate = preset("brain").gate
    gate.judge([first])
    assert gate.passes(first, least) is passes


@pytest.mark.parametrize(("score", "confidence"), [(-0.2, 0.0), (0.0, 0.0), (0.6, 0.6), (1.0, 1.0), (1.45, 1.0)])
def test_confidence_is_between_0_and_1(score: float, confidence: float) -> None:
    """R6, [002]: however much links add."""
    (first,) = ranked(score)
    ConfidenceGate(by="score").judge([first])
    assert first.confidence == confidence


def test_noise_is_dropped_by_default(site: Library) -> None:
    """R6, [002]."""
    everything = site.search("deployment process", preset="brain", limit=100, min_confidence=0.0)
    default = site.search("deployment process", preset="brain", limit=100)
    assert everything.total_hits == len(MANY)
    assert 0 < default.total_hits < len(MANY)
    assert paths(default) == [hit.path for hit in everything.hits if hit.confidence >= 0.3]
    assert [hit.level for hit in everything.hits] == [level(hit.confidence) for hit in everything.hits]
    assert {hit.level for hit in everything.hits} == {"high", "medium", "low", "noise"}


@pytest.mark.parametrize("least", [0.0, 0.3, 0.5, 0.7, 0.8, 1.0])
def test_min_confidence_option(site: Library, least: float) -> None:
    """R6, [002]: `minConfidence: 0.7` — only high-confidence hits."""
    everything = site.search("deployment process", preset="brain", limit=100, min_confidence=0.0)
    result = site.search("deployment process", preset="brain", limit=100, min_confidence=least)
    assert paths(result) == [hit.path for hit in everything.hits if hit.confidence >= least]
    assert result.total_hits == len(result.hits)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, "high", True])
def test_invalid_min_confidence_is_refused(site: Library, wrong: object) -> None:
    """R6, [002]: from 0 to 1."""
    with pytest.raises(RequestError, match="min_confidence"):
        site.search("deployment", preset="brain", min_confidence=wrong)


def test_result_has_strategy_and_timing(site: Library) -> None:
    """P1, [002]."""
    result = site.search("deployment process", preset="brain")
    assert result.strategy == "bm25"
    assert result.timing["total_ms"] > 0
    assert {hit.modality for hit in result.hits} == {"text"}


def test_explain_is_off_by_default(site: Library) -> None:
    """P3, [002]."""
    assert all(hit.explain is None for hit in site.search("deployment", preset="brain").hits)


def test_explain_has_every_score() -> None:
    """P3, [002]: bm25_score, vector_score, rrf_combined, source_weight, confidence_cap; each step with the score after it."""
    files = {
        "a.md": neuron("Migration notes", "The database migration creates a table.", source_type="decision", confidence=1),
        "b.md": neuron("Setup guide", "A database of version 15 is required.", source_type="domain", confidence=1),
    }
    with opened(files) as library, using(library, with_vectors("brain", ("a.md", 0.84), ("b.md", 0.78))):
        first, second = library.search("database", preset="brain", strategy="rag", explain=True).hits
    left, other = first.explain, second.explain
    assert left is not None
    assert other is not None
    assert [(leg.leg, leg.rank) for leg in other.legs if leg.leg != "trigram"] == [("bm25", 2), ("vector", 2)]
    assert [leg.leg for leg in other.legs] == ["bm25", "trigram", "vector"]
    assert all(leg.rrf == round(1 / (60 + leg.rank), 9) for leg in (*left.legs, *other.legs))
    assert [leg.raw for leg in (*left.legs, *other.legs) if leg.leg == "vector"] == [0.84, 0.78]
    assert all(leg.raw >= 0 for leg in (*left.legs, *other.legs)), "higher is better in every leg"
    assert (left.k, left.final_score) == (60, first.score)
    assert other.base_score == pytest.approx(sum(leg.rrf for leg in other.legs) * 61 / 2, abs=1e-7)
    assert steps(second) == ["authority", "cap"]
    weight, cap = other.steps
    assert (weight.effect, weight.why, weight.score) == ("×0.9", "domain 0.9, confidence 1", second.score)
    assert second.score == pytest.approx(0.9 * other.base_score, abs=1e-9)
    assert (cap.effect, cap.score) == ("none", second.score)
    assert [step.effect for step in left.steps] == ["×1", "none"], "a weight of 1 is told of, too"


def test_retrieve_uses_words_and_vectors() -> None:
    """P2, L1, [002]."""
    files = {"a.md": neuron("Alpha", "It runs."), "b.md": neuron("Bravo", "Nothing alike.")}
    with opened(files) as library, using(library, with_vectors("brain", ("b.md", 0.9), chunks=True)):
        result = library.retrieve("running", preset="brain", strategy="rag")
    assert {chunk.content for chunk in result.chunks} == {"It runs.", "Nothing alike."}
