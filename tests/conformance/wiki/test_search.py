"""The index, ranking, `search` and query syntax of [000]."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conformance.server import as_json, opened, page
from conformance.wiki.content import QUERIES, SYNTAX, WIKI

Make = Callable[[Mapping[str, str]], Path]

INDEXED = [  # [000], "What gets indexed": where a word stands → what finds it: search, retrieve
    ("escalation policy", ["VIP customer escalation policy"], "VIP customer escalation policy"),  # title
    ("officer", ["VIP customer escalation policy"], "VIP customer escalation policy > Policies > Weekend"),  # content
    ("reflexology", ["Wellness"], "Wellness > Sleep > Reflexology"),  # breadcrumb
    ("sleep feet", ["Wellness"], "Wellness > Sleep > Reflexology"),  # breadcrumb and content together
]


@pytest.mark.parametrize(("query", "titles", "breadcrumb"), INDEXED)
def test_indexed_fields(made: Make, query: str, titles: list[str], breadcrumb: str) -> None:
    """I1, C2, [000]: Neurons by title, content and breadcrumb; chunks by content and breadcrumb."""
    with opened(made(WIKI)) as library:
        assert [hit.title for hit in library.search(query, preset="wiki").hits] == titles
        chunks = library.retrieve(query, preset="wiki").chunks
    assert breadcrumb in {chunk.header_breadcrumb for chunk in chunks}


def test_search_matches_neurons_and_retrieve_matches_chunks(made: Make) -> None:
    """I1, L1, [000]."""
    with opened(made(WIKI)) as library:
        assert [hit.title for hit in library.search("phone officer", preset="wiki").hits] == ["VIP customer escalation policy"]
        assert library.retrieve("phone officer", preset="wiki").chunks == ()


RANKED = [  # [000], "How ranking works": two bodies, of which the first ranks higher, and why
    ("kite kite kite wind wind", "kite wind wind wind wind", "term frequency"),
    ("kite wind", "kite" + " wind" * 60, "length: a short Neuron is not punished for its density"),
]


@pytest.mark.parametrize(("better", "worse", "why"), RANKED)
def test_bm25_ranks_better_matches_higher(made: Make, better: str, worse: str, why: str) -> None:
    """L1, [000]: in `search` and `retrieve`."""
    rest = {f"z{at}.md": page(f"# Rest {at}\n\nSomething else.") for at in range(8)}
    files = {"a.md": page(f"# Second\n\n{worse}"), "b.md": page(f"# First\n\n{better}")} | rest
    with opened(made(files)) as library:
        hits = library.search("kite", preset="wiki").hits
        chunks = library.retrieve("kite", preset="wiki").chunks
    assert [hit.title for hit in hits] == ["First", "Second"], why
    assert chunks[0].title == "First"
    assert hits[0].score > hits[1].score > 0
    assert [chunk.rank for chunk in chunks] == sorted((chunk.rank for chunk in chunks), reverse=True)


@pytest.mark.parametrize(("query", "titles"), sorted(QUERIES.items()))
def test_fts5_query_syntax(made: Make, query: str, titles: set[str]) -> None:
    """Q5, [000]: in `search` and `retrieve`."""
    with opened(made(SYNTAX)) as library:
        result = library.search(query, preset="wiki")
        passages = library.retrieve(query, preset="wiki", top_k=20)
    assert {hit.title for hit in result.hits} == {chunk.title for chunk in passages.chunks} == titles
    assert result.notices == ()


@pytest.mark.parametrize(
    "query", ["vip escalation?", "¿vip… escalation!", " vip,  escalation. ", "(vip escalation)", "vip-escalation"]
)
def test_punctuation_is_normalised(made: Make, query: str) -> None:
    """Q1, Q5, [000]."""
    with opened(made(SYNTAX)) as library:
        result = library.search(query, preset="wiki")
    assert {"One"} <= {hit.title for hit in result.hits} <= {"One", "Two"}


SEEDS_NAMES = {"id": "id", "title": "title", "path": "path", "kind": "kind", "tags": "tags", "highlight": "highlight"}


def test_fields_of_a_wiki_hit(made: Make) -> None:
    """P1, P4, [000]: with JavaScript names."""
    (hit,) = as_json(made(WIKI), "search", "raises", preset="wiki")["hits"]
    assert {name: hit[ours] for name, ours in SEEDS_NAMES.items()} == {
        "id": "vip",
        "title": "VIP customer escalation policy",
        "path": "wiki/vip-escalation-policy.md",
        "kind": "wiki",
        "tags": ["policy", "escalation", "on-call"],
        "highlight": "When a VIP customer <mark>raises</mark> a ticket, page the lead &amp; wait.",
    }
    assert re.fullmatch(r"myprod_[0-9a-f]{8}", hit["seqId"])
    assert hit["score"] > 0


MORE = WIKI | {"x.md": page("# Duty\n\nNothing else.", tags=["pagers"])}
NOT_INDEXED = [("wiki", "wiki"), ("wiki", "pagers"), ("desktop", "wiki")]  # [000] has no tags and no path, [001] no path


@pytest.mark.parametrize(("name", "query"), NOT_INDEXED)
def test_unindexed_fields_are_not_searched(made: Make, name: str, query: str) -> None:
    """I1, [000], [001]."""
    with opened(made(MORE)) as library:
        assert library.search(query, preset=name).hits == ()
        assert library.retrieve(query, preset=name).chunks == ()
