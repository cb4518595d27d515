"""Limits and query expansion ([004])."""

from collections.abc import Sequence
from typing import Any

import pytest
from conformance.sites import library_of, neuron, understood
from hypothesis import given
from hypothesis import strategies as st
from ranvier import SearchRequest
from ranvier.presets import preset
from ranvier.query.expansion import CACHE_SIZE, MAX_VARIANTS, MIN_TERM, Expansion, Synonyms, expanded


class ScriptedExpander:
    """An expander with scripted variants; it records the queries."""

    def __init__(self, *variants: Any, failure: Exception | None = None) -> None:
        self.texts, self.failure = variants, failure
        self.requests: list[str] = []

    def variants(self, query: str) -> Sequence[str]:
        self.requests.append(query)
        if self.failure:
            raise self.failure
        return self.texts


@pytest.mark.parametrize(("limit", "candidates"), [(None, None), (1, 10), (10, 10), (200, 200), (1000, 1000), (1001, 1000)])
def test_vault_candidates_are_10_to_1000(limit: int | None, candidates: int | None) -> None:
    """P4, [004]: `candidateLimit` default 200, range 10..1000."""
    assert SearchRequest("q", candidates=limit).candidates == candidates
    assert preset("vault").limits.candidates == 200


def test_return_all_gives_100() -> None:
    """P4, [004]: `RETURN_ALL_LIMIT`: 100."""
    with library_of({f"p{at:03}.md": neuron(f"Page {at}", "A needle.") for at in range(130)}) as library:
        assert len(library.search("needle", preset="vault").hits) == 30
        assert len(library.search("needle", preset="vault", return_all=True).hits) == 100
        assert library.search("needle", preset="vault", candidates=10).total_hits == 10


@pytest.mark.parametrize(("length", "clamped"), [(999, False), (1000, False), (1001, True), (100_000, True)])
def test_query_is_cut_to_1000_characters(length: int, clamped: bool) -> None:
    """Q1, [004]: with a notice."""
    query = understood("ab " * (length // 3) + "x" * (length % 3), "vault")
    assert len(query.words) <= 1000
    assert ("clamped" in [notice.code for notice in query.notices if "characters" in notice.text]) is clamped
    assert preset("vault").understand.clamp == 1000


def test_words_after_the_cut_are_ignored() -> None:
    """Q1, [004]."""
    assert understood(f"{'x' * 996} needle", "vault").expansion.salient_terms == ("x" * 996, "nee")


def test_expansion_has_queries_and_salient_terms() -> None:
    """Q7, [004]: `queries` is the original and its variants; `salientTerms` are those of the original."""
    result = Expansion(ScriptedExpander("set up kubernetes", "install k8s")).expand("install kubernetes")
    assert result.queries == ("install kubernetes", "set up kubernetes", "install k8s")
    assert result.expanded_queries == ("set up kubernetes", "install k8s")
    assert result.salient_terms == ("install", "kubernetes")


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 1), (3, 3), (4, 3), (50, 3)])
def test_at_most_three_variants(count: int, expected: int) -> None:
    """Q7, [004]: `maxVariants: 3`, four query strings together."""
    result = Expansion(ScriptedExpander(*(f"variant {at}" for at in range(count)))).expand("query")
    assert result.expanded_queries == tuple(f"variant {at}" for at in range(expected))
    assert len(result.queries) == expected + 1
    assert (MAX_VARIANTS, preset("vault").understand.variants) == (3, 3)


def test_preset_limits_the_variants() -> None:
    """`understand.variants` is a number, not a switch; the cached variants are the same."""
    expansion = Expansion(ScriptedExpander("first", "second", "third"))
    assert [expansion.expand("query", limit).expanded_queries for limit in (1, 2, 9)] == [
        ("first",),
        ("first", "second"),
        ("first", "second", "third"),
    ]


def test_empty_and_repeated_variants_are_dropped() -> None:
    """Q7, [004]."""
    result = Expansion(ScriptedExpander("Query", "", "  ", "other", "OTHER", " query ", "third")).expand("query")
    assert result.expanded_queries == ("other", "third")


@pytest.mark.parametrize("failure", [RuntimeError("timeout"), OSError("no network"), ValueError("another format")])
def test_failing_expander_gives_no_variants(failure: Exception) -> None:
    """Q7, X1, [004]: the next search calls it again."""
    expander = ScriptedExpander(failure=failure)
    expansion = Expansion(expander)
    for _ in range(2):
        result = expansion.expand("install the kubernetes")
        assert (result.queries, result.expanded_queries) == (("install the kubernetes",), ())
        assert result.salient_terms == ("install", "kubernetes")
    assert len(expander.requests) == 2


@pytest.mark.parametrize("expander", [ScriptedExpander(failure=RuntimeError("no model")), ScriptedExpander(None)])
def test_failing_expander_does_not_fail_the_search(expander: ScriptedExpander) -> None:
    """Q7, X1, [004]: the search answers with the original words."""
    with library_of({"a.md": neuron("Alpha", "Install it.")}, expander) as library:
        assert [hit.path for hit in library.search("install", preset="vault").hits] == ["a.md"]


def test_expansions_are_cached() -> None:
    """Q7, [004]: an LRU cache of 100."""
    expander = ScriptedExpander("other")
    expansion = Expansion(expander)
    for at in range(CACHE_SIZE):
        expansion.expand(f"q{at}")
    assert (CACHE_SIZE, len(expander.requests)) == (100, 100)
    expansion.expand("q0")  # cached, and now the most recently used
    expansion.expand("q100")  # one too many: q1 is removed
    assert len(expander.requests) == 101
    expansion.expand("q0")
    expansion.expand("q2")
    assert len(expander.requests) == 101
    expansion.expand("q1")
    assert expander.requests[-1] == "q1"


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("a b cd", ("cd",)),
        ("x", ()),
        ("Install the Plugin", ("install", "plugin")),
        ("install, install; INSTALL", ("install",)),
        ("日 日本", ("日本",)),
        ("#project/alpha notes", ("#project/alpha", "notes")),
        ("", ()),
    ],
)
def test_salient_terms(query: str, terms: tuple[str, ...]) -> None:
    """Q7, [004]: two characters or more, of the original query, each once, tags whole."""
    assert MIN_TERM == 2
    assert expanded(query, ()).salient_terms == terms


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=8))
def test_expansion_contract_holds_for_random_input(query: str, variants: list[str]) -> None:
    """Q7, [004]."""
    result = expanded(query, variants)
    assert result.queries == (query, *result.expanded_queries)
    assert len(result.expanded_queries) <= 3
    assert len({query.casefold() for query in result.expanded_queries}) == len(result.expanded_queries)
    assert all(len(term) >= 2 for term in result.salient_terms)
    assert len(set(result.salient_terms)) == len(result.salient_terms)


def test_synonyms_are_an_expander() -> None:
    """Q7: the table of the site, without a model."""
    synonyms = Synonyms({"k8s": ("kubernetes", "the cluster")})
    assert list(synonyms.variants("install k8s now")) == ["install kubernetes now", "install the cluster now"]
    assert list(synonyms.variants("install it")) == []


def test_all_words_with_synonyms_are_replaced_first() -> None:
    """Q7: of several words with synonyms, one at a time was replaced."""
    synonyms = Synonyms({"env": ("environment",), "var": ("variable", "value"), "env var file": ("dotenv",)})
    expected = ["my environment variable", "my environment var", "my env variable", "my env value"]
    assert list(synonyms.variants("my env var")) == expected
    assert synonyms.variants("env var file")[:2] == ("environment variable file", "environment var file")
