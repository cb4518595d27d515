"""Strategies and segments ([002]): which legs answer which query."""

from typing import Any

import pytest
from conformance.sites import neuron, site_fixture, tuned, understood, using, with_vectors
from ranvier import Library, RequestError
from support.results import paths

FILES = {
    "code/split.md": neuron("Splitting", "The splitter cuts documents into pieces.", tags="[code]"),
    "code/chunk.md": neuron("Chunks", "The chunking algorithm is a function of the text."),
    "notes/why.md": neuron("Why", "We explain what is done, and why a function of the text is best."),
    "notes/far.md": neuron("Far", "Nothing that the query says stands here."),
    "media/diagram.md": neuron("Drawing", "An architecture diagram."),
    "media/diagram.png": "a stub of a picture",
    "media/talk.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nI show the architecture diagram now.\n",
}
CODE = {"name": "code-queries", "strategy": "bm25", "pattern": "function|class|import|export|const|let|var"}
CONCEPTS = {"name": "concepts", "strategy": "vector", "pattern": "why|how does|explain|what is"}


site = site_fixture(FILES)


def _legs(library: Library, query: str, **options: Any) -> tuple[str, set[str]]:
    with using(library, with_vectors("brain", ("notes/far.md", 0.9), ("code/chunk.md", 0.8))):
        result = library.search(query, preset="brain", explain=True, min_confidence=0.0, **options)
    return result.strategy, {leg.leg for hit in result.hits for leg in hit.explain.legs if hit.explain}


@pytest.mark.parametrize(
    ("query", "strategy", "expected", "semantic"),
    [
        ("chunking algorithm text", "auto", "rag", True),  # a sentence: the hybrid is the default
        ("chunking", "auto", "bm25", False),  # a known term
        ('"chunking algorithm is"', "auto", "bm25", False),  # an exact phrase
        ("chunking-algorithm", "auto", "bm25", False),  # an identifier
        ("chunking", "rag", "rag", True),
        ("the chunking algorithm text", "bm25", "bm25", False),
        ("splitting documents into pieces", "vector", "vector", True),
    ],
)
def test_strategy_chooses_the_legs(site: Library, query: str, strategy: str, expected: str, semantic: bool) -> None:
    """Q3, [002]: three strategies; by default the intent of the query decides."""
    strategy_used, legs = _legs(site, query, strategy=strategy)
    assert strategy_used == expected
    assert ("vector" in legs) is semantic
    assert ("bm25" in legs) is (expected != "vector")


@pytest.mark.parametrize(
    ("query", "segments", "strategy"),
    [
        ("import", (CODE, CONCEPTS), "bm25"),
        ("how does the chunking algorithm work", (CODE, CONCEPTS), "vector"),
        ("why a function is there", (CODE, CONCEPTS), "bm25"),  # both match: the first one wins
        ("why a function is there", (CONCEPTS, CODE), "vector"),
        ("WHAT IS a neuron", (CODE, CONCEPTS), "vector"),
        ("deployment process here", (CODE, CONCEPTS), "rag"),  # none matches: the default
        ("deployment", (CODE, CONCEPTS), "bm25"),
        ("deployment process here", (), "rag"),
    ],
)
def test_first_matching_segment_wins(query: str, segments: tuple[dict[str, str], ...], strategy: str) -> None:
    """Q3, [002]: "Segments are evaluated in priority order. The first matching segment wins. If none matches, the default"."""
    assert understood(query, "brain", {"segments": segments}).strategy == strategy


@pytest.mark.parametrize("strategy", ["rag", "bm25", "vector"])
def test_segment_does_not_override_an_explicit_strategy(strategy: str) -> None:
    """Q3, [002]."""
    assert understood("import a class", "brain", {"segments": (CODE, CONCEPTS)}, strategy=strategy).strategy == strategy


def test_segment_may_name_a_folder(site: Library) -> None:
    """Q3, [002]: domain routing."""
    before = site.engine
    try:
        tuned(site, {"segments": [{"name": "code", "pattern": "function", "strategy": "bm25", "path": "code"}]})
        assert paths(site.search("function of text", preset="brain")) == ["code/chunk.md"]
        in_folder = site.search("function of text", preset="brain", path="notes")
        assert paths(in_folder) == ["notes/why.md"], "the option overrides the path of the segment"
    finally:
        site.engine.snapshot.tuning = {}
        site.engine = before
    assert sorted(paths(site.search("function of text", preset="brain"))) == ["code/chunk.md", "notes/why.md"]


@pytest.mark.parametrize("change", [{"pattern": "("}, {"strategy": "grep"}])
def test_invalid_segment_is_refused(change: dict[str, str]) -> None:
    """Q3, [002]: a rule is a pattern and one of the strategies."""
    with pytest.raises(RequestError, match="code-queries"):
        understood("x", "brain", {"segments": [CODE | change]})


MODALITIES = {"text": [], "image": ["media/diagram.md"], "audio": ["media/talk.vtt"], "pdf": []}


@pytest.mark.parametrize(("modality", "results"), MODALITIES.items())
def test_modality_filter(site: Library, modality: str, results: list[str]) -> None:
    """S1, N7, [002]: for any strategy."""
    assert paths(site.search("architecture diagram", preset="brain", modality=modality)) == results
    everything = {hit.path: hit.modality for hit in site.search("architecture diagram", preset="brain").hits}
    assert everything == {"media/diagram.md": "image", "media/talk.vtt": "audio"}
