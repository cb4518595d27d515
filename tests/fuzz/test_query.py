"""Random queries and options: an ordered, escaped answer, and no internal error (Q5, P1).

`RANVIER_FUZZ_EXAMPLES=100000 pytest --timeout=0 tests/fuzz/test_query.py` runs more examples.
"""

import os
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ranvier import Library, RequestError
from ranvier.presets import NAMES
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES

EXAMPLES = int(os.environ.get("RANVIER_FUZZ_EXAMPLES", "250"))

WORDS = (
    *("axon", "conduction", "relay", "Install", "nerves", "troublesh", "the", "of", "conducton", "get_user", "getUser", "C++"),
    *("v1.10", "3.39", "--flag", "-x", "-axon", "#setup", "#nerve/fast", "#include", "[[Install the axon]]", "[[", "]]"),
    *("time:2026-01-01..2026-02-01", "time:", "path:guide", "path:*[", "kind:guide", "lang:de", "title:axon", "tags:", "body:"),
    *("AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR(axon relay, 3)", "(", ")", '"', "'", "*", "axo*", '"axon con"*', '-"axon"'),
    *(
        "日本語", "犬", "ค้นหา", "हिन्दी", "Straße", "İstanbul", "e\u0301", "\u200d", "\ufeff", "\x00", "\ud800", "💥",
        "\U0001e4d0",
    ),
    *("{#claim-0a1b}", "<b>", "&amp;", "%", "_", "\\", "[", "?", "a" * 300, "ranvier" * 60),
)  # fmt: skip
QUERY = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=6).map("".join),
    st.text(max_size=60),
    st.text("ab \"'()*:-#[]/.,<>&=+", max_size=40),
)
PARTIAL = st.lists(st.sampled_from(("setup", "nerve", "guide", "en", "x", "*", "guide/*", "[", "")), max_size=3)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 200),
        "offset": st.integers(0, 60),
        "prefix": st.booleans(),
        "preset": st.sampled_from(NAMES),
        "strategy": st.sampled_from(STRATEGIES),
        "match": st.sampled_from(MATCHES),
        "page_lang": st.sampled_from(("", "en", "de-AT", "zh", "xx", "\x00")),
        "sort": st.sampled_from(SORTS),
        "facets": st.lists(st.sampled_from(FACETS), max_size=3),
        "candidates": st.integers(1, 2000),
        "min_confidence": st.floats(0, 1),
        "return_all": st.booleans(),
        "exact": st.booleans(),
        "explain": st.booleans(),
        "tags": PARTIAL,
        "kind": PARTIAL,
        "path": PARTIAL,
        "ancestor": st.sampled_from(("", "guide", "Install the axon", "[[", "x")),
        "time": st.sampled_from(("", "2026-01-01..", "..", "soon")),
    },
)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(query="NEAR(" * 200, options={})
@example(query='"' * 999, options={"preset": "tasks"})
@example(query="#a " * 300, options={"preset": "vault"})
@example(query="axon \ud800", options={"preset": "vault", "ancestor": "\udfff", "tags": ["\ud800"]})
@given(query=QUERY, options=OPTIONS)
def test_random_query_has_an_ordered_escaped_answer(library: Library, query: str, options: dict[str, Any]) -> None:
    try:
        result = library.search(query, **options)
    except RequestError as error:
        if options.get("match") != "substring" or "at least 3 characters" not in str(error):
            raise
        return
    results = [hit for hit in result.hits if not hit.is_filter_result]
    assert len(results) <= (100 if options.get("return_all") else options.get("limit", 30))
    assert result.total_hits >= len(result.hits)
    assert [hit.rank for hit in result.hits] == list(
        range(options.get("offset", 0) + 1, options.get("offset", 0) + len(result.hits) + 1)
    )
    if options.get("sort", "relevance") == "relevance":
        assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)
    for hit in result.hits:
        assert 0 <= hit.confidence <= 1
        assert (hit.explain is not None) == options.get("explain", False)
        for text in (hit.title_highlight, hit.highlight, hit.snippet, *(sub.snippet for sub in hit.sub_results)):
            assert not re.search("[<>\"']", re.sub("</?mark>", "", text))
            assert text.count("<mark>") == text.count("</mark>")


@settings(max_examples=EXAMPLES // 4, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(query=QUERY, top_k=st.integers(1, 40), max_chars=st.integers(1, 3000), preset=st.sampled_from(NAMES))
def test_random_retrieval_keeps_its_budget(library: Library, query: str, top_k: int, max_chars: int, preset: str) -> None:
    """P2."""
    result = library.retrieve(query, top_k=top_k, max_chars=max_chars, preset=preset)
    assert result.total_chars == sum(len(chunk.content) for chunk in result.chunks) <= max_chars
    assert result.hit_count == len(result.chunks)
    assert sum(not chunk.is_filter_result for chunk in result.chunks) <= top_k
    assert [chunk.citation for chunk in result.chunks] == list(range(1, len(result.chunks) + 1))
    kinds = [chunk.is_filter_result for chunk in result.chunks]
    assert kinds == sorted(kinds, reverse=True), "pages of filters come first"


@pytest.mark.parametrize("name", NAMES)
def test_pages_join_to_one_list_in_every_preset(library: Library, name: str) -> None:
    """P4."""
    whole = library.search("axon conduction relay", preset=name, limit=100).hits
    pages = [
        hit
        for at in range(0, len(whole), 3)
        for hit in library.search("axon conduction relay", preset=name, limit=3, offset=at).hits
    ]
    if name != "wiki":  # its candidates are three times the limit and offset [000], so later pages have other lists
        assert [hit.id for hit in pages] == [hit.id for hit in whole]
