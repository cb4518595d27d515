"""The index, ranking, `search` and query syntax of [000]."""

import re

import pytest
from conformance.server import MakeSite, as_json
from conformance.wiki.content import QUERIES, SYNTAX, WIKI
from support.whole_site import open_site, page

INDEXED = [  # [000], "What gets indexed": query for words of a field → hits of search, breadcrumb of retrieve
    ("escalation policy", ["VIP customer escalation policy"], "VIP customer escalation policy"),  # title
    ("officer", ["VIP customer escalation policy"], "VIP customer escalation policy > Policies > Weekend"),  # content
    ("reflexology", ["Wellness"], "Wellness > Sleep > Reflexology"),  # breadcrumb
    ("sleep feet", ["Wellness"], "Wellness > Sleep > Reflexology"),  # breadcrumb and content together
]


@pytest.mark.parametrize(("query", "titles", "breadcrumb"), INDEXED)
def test_indexed_fields(make_site: MakeSite, query: str, titles: list[str], breadcrumb: str) -> None:
    """I1, C2, [000]: Neurons by title, content and breadcrumb; chunks by content and breadcrumb."""
    with open_site(make_site(WIKI)) as library:
        assert [hit.title for hit in library.search(query, preset="wiki").hits] == titles
        chunks = library.retrieve(query, preset="wiki").chunks
    assert breadcrumb in {chunk.header_breadcrumb for chunk in chunks}


def test_search_matches_neurons_and_retrieve_matches_chunks(make_site: MakeSite) -> None:
    """I1, L1, [000]."""
    with open_site(make_site(WIKI)) as library:
        assert [hit.title for hit in library.search("phone officer", preset="wiki").hits] == ["VIP customer escalation policy"]
        assert library.retrieve("phone officer", preset="wiki").chunks == ()


RANKED = [  # [000], "How ranking works": two bodies, of which the first ranks higher, and why
    ("kite kite kite wind wind", "kite wind wind wind wind", "term frequency"),
    ("kite wind", "kite" + " wind" * 60, "length normalisation"),
]


@pytest.mark.parametrize(("better", "worse", "reason"), RANKED)
def test_bm25_ranks_better_matches_higher(make_site: MakeSite, better: str, worse: str, reason: str) -> None:
    """L1, [000]: in `search` and `retrieve`."""
    fillers = {f"z{at}.md": page(f"# Rest {at}\n\nSomething else.") for at in range(8)}
    files = {"a.md": page(f"# Second\n\n{worse}"), "b.md": page(f"# First\n\n{better}")} | fillers
    with open_site(make_site(files)) as library:
        hits = library.search("kite", preset="wiki").hits
        chunks = library.retrieve("kite", preset="wiki").chunks
    assert [hit.title for hit in hits] == ["First", "Second"], reason
    assert chunks[0].title == "First"
    assert hits[0].score > hits[1].score > 0
    assert [chunk.rank for chunk in chunks] == sorted((chunk.rank for chunk in chunks), reverse=True)


@pytest.mark.parametrize(("query", "titles"), sorted(QUERIES.items()))
def test_fts5_query_syntax(make_site: MakeSite, query: str, titles: set[str]) -> None:
    """Q5, [000]: in `search` and `retrieve`."""
    with open_site(make_site(SYNTAX)) as library:
        result = library.search(query, preset="wiki")
        passages = library.retrieve(query, preset="wiki", top_k=20)
    assert {hit.title for hit in result.hits} == {chunk.title for chunk in passages.chunks} == titles
    assert result.notices == ()


@pytest.mark.parametrize(
    "query", ["vip escalation?", "¿vip… escalation!", " vip,  escalation. ", "(vip escalation)", "vip-escalation"]
)
def test_punctuation_is_normalised(make_site: MakeSite, query: str) -> None:
    """Q1, Q5, [000]."""
    with open_site(make_site(SYNTAX)) as library:
        result = library.search(query, preset="wiki")
    assert {"One"} <= {hit.title for hit in result.hits} <= {"One", "Two"}


FIELD_NAMES = {"id": "id", "title": "title", "path": "path", "kind": "kind", "tags": "tags", "highlight": "highlight"}


def test_fields_of_a_wiki_hit(make_site: MakeSite) -> None:
    """P1, P4, [000]: with JavaScript names."""
    (hit,) = as_json(make_site(WIKI), "search", "raises", preset="wiki")["hits"]
    assert {name: hit[field] for name, field in FIELD_NAMES.items()} == {
        "id": "vip",
        "title": "VIP customer escalation policy",
        "path": "wiki/vip-escalation-policy.md",
        "kind": "wiki",
        "tags": ["policy", "escalation", "on-call"],
        "highlight": "When a VIP customer <mark>raises</mark> a ticket, page the lead &amp; wait.",
    }
    assert re.fullmatch(r"myprod_[0-9a-f]{8}", hit["seqId"])
    assert hit["score"] > 0


WIKI_WITH_TAG = WIKI | {"x.md": page("# Duty\n\nNothing else.", tags=["pagers"])}
NOT_INDEXED = [("wiki", "wiki"), ("wiki", "pagers"), ("desktop", "wiki")]  # [000] has no tags and no path, [001] no path


@pytest.mark.parametrize(("name", "query"), NOT_INDEXED)
def test_unindexed_fields_are_not_searched(make_site: MakeSite, name: str, query: str) -> None:
    """I1, [000], [001]."""
    with open_site(make_site(WIKI_WITH_TAG)) as library:
        assert library.search(query, preset=name).hits == ()
        assert library.retrieve(query, preset=name).chunks == ()
