"""Words and vectors blended ([004])."""

import pytest
from conformance.sites import NO_FACTS, by_path, neuron, ranked, site_fixture, steps, understood, using, with_vectors
from ranvier import Library, SearchResult
from ranvier.rank.candidate import Candidate
from ranvier.rank.fuse import Fusion
from ranvier.rank.groups import TagBoost
from ranvier.rank.normalise import MinMax
from ranvier.types import LegRank, Match, Ranking
from support.results import paths

FILES = {
    "a/best.md": neuron("Best", "A needle, a needle, and a needle once more."),
    "a/tagged.md": neuron("Tagged", "A needle stands in here, and many other words stand beside it.", tags="[craft/needle]"),
    "b/least.md": neuron("Least", "Many other words stand in here; at the end there is a needle, and then some more of them."),
    "b/meaning.md": neuron("Meaning", "Nothing alike."),
    "b/far.md": neuron("Far", "Nothing alike either."),
} | {f"c/rest{at}.md": neuron("Rest", "Some words stand here.") for at in range(10)}


site = site_fixture(FILES)


def _blended(site: Library, *results: tuple[str, float], query: str = "needle", strategy: str = "rag") -> SearchResult:
    with using(site, with_vectors("vault", *results)):
        return site.search(query, preset="vault", strategy=strategy, explain=True)


def _blend(*rankings: Ranking) -> list[Candidate]:
    return Fusion("blend").fuse(rankings, "neuron", lambda row: row)


@pytest.mark.parametrize(("lexical", "semantic"), [(0.2, 0.9), (0.9, 0.2), (0.5, 0.5)])
def test_lexical_score_wins_a_collision(lexical: float, semantic: float) -> None:
    """F2, [004]: also if it is lower; the page is listed once."""
    words = Ranking("lexical", (Match(1, round(lexical * 1e6)),), False)
    vectors = Ranking("vector", (Match(1, round(semantic * 1e6)), Match(2, 100_000)), False)
    first, second = _blend(words, vectors)
    assert (first.neuron, first.score, second.score) == (1, lexical, 0.1)
    assert [leg.leg for leg in first.legs] == ["lexical", "vector"]


def test_vector_hits_keep_their_cosine_in_the_blend(site: Library) -> None:
    """F2, R5, [004]: lexical scores are normalised to [.02, .98], then all are sorted by score."""
    result = _blended(site, ("b/meaning.md", 0.97), ("b/far.md", 0.01))
    hits = by_path(result)
    assert paths(result)[0] == "b/meaning.md" or hits["a/tagged.md"].score > 0.97
    assert (hits["b/meaning.md"].score, hits["b/far.md"].score) == (0.97, 0.01)
    assert (hits["b/meaning.md"].matched_in, steps(hits["b/meaning.md"])) == (("vector",), [])
    assert hits["b/least.md"].score == 0.02
    assert paths(result)[-1] == "b/far.md"
    assert result.strategy == "rag"


def test_tag_boost_applies_in_the_blend(site: Library) -> None:
    """F2, P3, [004]: lexical hits that match by a tag, × 1.1."""
    plain = by_path(_blended(site, strategy="bm25"))["a/tagged.md"]
    blended = by_path(_blended(site, ("b/meaning.md", 0.5)))
    assert "tag" not in steps(plain)
    assert steps(blended["a/tagged.md"])[-1] == "tag"
    assert blended["a/tagged.md"].score == pytest.approx(plain.score * 1.1, abs=1e-8)
    assert [path for path, hit in blended.items() if "tag" in steps(hit)] == ["a/tagged.md"]


@pytest.mark.parametrize(
    ("tags", "query", "boosted"),
    [
        (["project/alpha", "project"], "alpha", True),
        (["project/alpha", "project"], "project", True),
        (["project/alpha", "project"], "Project/Alpha now", True),
        (["project/alpha", "project"], "#project", True),
        (["projector"], "#project", False),
        (["projector"], "project", False),
        ([], "alpha", False),
    ],
)
def test_tag_matches(tags: list[str], query: str, boosted: bool) -> None:
    """F2, N2, [004]: with and without `#`, and by every part of a hierarchical tag."""
    hits = ranked(0.5, leg="lexical")
    other = Candidate(2, 2, legs=[LegRank("vector", 1, 0.4, 0.4)], score=0.4)
    rows = [(n, tag) for n in (1, 2) for tag in tags]
    TagBoost(of="lexical").apply([*hits, other], rows, understood(query, "vault"), NO_FACTS)
    assert (hits[0].score, other.score) == (0.55 if boosted else 0.5, 0.4)


def test_normalisation_is_for_lexical_hits() -> None:
    """R3, R4, R5, F2, [004]."""
    lexical, other = ranked(8.0, 4.0, leg="lexical"), Candidate(3, 3, legs=[LegRank("vector", 1, 0.7, 0.7)], score=0.7)
    MinMax(of="lexical").apply([*lexical, other], [], understood("q", "vault"), NO_FACTS)
    assert [item.score for item in (*lexical, other)] == [0.98, 0.02, 0.7]
