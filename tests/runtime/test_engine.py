"""A whole search (P1, P4): hits, order, totals, and notices."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
import ranvier
from ranvier import Hit, Library, RequestError, RetrieveRequest, SearchRequest, SearchResult
from ranvier.presets import NAMES
from ranvier.types import to_plain
from support.content import build_tree
from support.whole_site import open_site, whole_site


def test_fields_of_a_hit(library: Library) -> None:
    """P1, C2."""
    hit = library.search("slow conduction").hits[0]
    assert {
        field.name: getattr(hit, field.name) for field in fields(Hit) if field.name not in ("score", "sub_results", "seq_id")
    } == {
        "id": "install-guide",
        "slug": "guide/install",
        "title": "Install the axon",
        "title_highlight": "Install the axon",
        "url": "guide/install/",
        "path": "guide/install.md",
        "kind": "guide",
        "modality": "text",
        "tags": ("setup", "nerve/fast"),
        "field": "heading",
        "highlight": "<mark>Slow</mark> <mark>conduction</mark>",
        "snippet": "A <mark>conduction</mark> that is <mark>slow</mark> has too little myelin; <mark>conduction</mark> again.",
        "breadcrumb": "Install the axon > Troubleshooting > Slow conduction",
        "anchor": "slow-conduction",
        "rank": 1,
        "confidence": 1.0,
        "level": "high",
        "matched_in": ("page", "section", "pairs"),
        "coverage": "all",
        "lang": "en",
        "updated": "",
        "is_filter_result": False,
        "match_type": "",
        "snippet_kind": "prose",
        "explain": None,
    }
    assert hit.seq_id.startswith("nerves_")
    assert hit.score > 0
    assert round(hit.score, 9) == hit.score


def test_fields_of_a_result(library: Library) -> None:
    result = library.search("relay", limit=7)
    assert result.total_hits == 30
    assert len(result.hits) == 7
    assert result.next_offset == 7
    assert not result.truncated
    assert result.strategy == "bm25"
    assert set(result.timing) == {"total_ms"}
    assert result.notices == ()
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4, 5, 6, 7]


def test_matching_sections_are_sub_results(library: Library) -> None:
    """Best first, each once."""
    hit = library.search("conduction").hits[0]
    assert [sub.anchor for sub in hit.sub_results] == ["slow-conduction", "troubleshooting", "requirements"]
    scores = [sub.score for sub in hit.sub_results]
    assert scores == sorted(scores, reverse=True)
    sub = hit.sub_results[1]
    assert (sub.title, sub.url) == ("Troubleshooting", "guide/install/#troubleshooting")
    assert sub.breadcrumb == "Install the axon > Troubleshooting"
    assert sub.snippet.startswith("If <mark>conduction</mark> fails")
    assert "&amp; the &quot;sheath&quot;" in sub.snippet
    assert library.search("axon").hits[0].sub_results == () or all(
        "<mark>" in sub.snippet + sub.title_highlight for sub in library.search("axon").hits[0].sub_results
    )


@pytest.mark.parametrize(
    ("query", "field", "slug"),
    [
        ("upgrade", "title", "guide/upgrade"),
        ("troubleshooting", "heading", "guide/install"),
        ("getting started", "alias", "guide/install"),
        ("setup", "tags", "guide/install"),
        ("fast", "tags", "guide/install"),
        ("pangolin", "body", "guide/spread"),
    ],
)
def test_field_of_the_match(library: Library, query: str, field: str, slug: str) -> None:
    hit = library.search(query).hits[0]
    assert (hit.slug, hit.field) == (slug, field)
    assert "<mark>" in hit.highlight


@pytest.mark.parametrize("query", ["zygomatic", "getting started", "conductor", "spring"])
def test_summary_aliases_and_code_are_searched(library: Library, query: str) -> None:
    assert [hit.slug for hit in library.search(query).hits] in (["guide/install"], ["guide/upgrade"])


def test_title_match_ranks_above_body_match(library: Library) -> None:
    assert library.search("spread").hits[0].slug == "guide/spread"
    assert library.search("nerves").hits[0].slug == ""


def test_hits_are_escaped_except_marks(library: Library) -> None:
    hit = library.search("hostile script quetzal").hits[0]
    assert hit.title == "Hostile <script>alert(1)</script>"
    assert hit.title_highlight == "<mark>Hostile</mark> &lt;<mark>script</mark>&gt;alert(1)&lt;/<mark>script</mark>&gt;"
    assert "&quot;a &amp; b&quot; &#x27;c&#x27;" in hit.snippet
    for text in (hit.title_highlight, hit.highlight, hit.snippet):
        plain_text = text.replace("<mark>", "").replace("</mark>", "")
        assert not set("<>\"'") & set(plain_text)


def test_equal_scores_are_sorted_by_chunk(large_store: Path) -> None:
    """So that every machine gives the same order."""
    with ranvier.open_snapshot(large_store) as library:
        result = library.search("everywhere", limit=100)
        chunks = [int(hit.slug[1:]) for hit in result.hits]
        pairs = [(-hit.score, chunk) for hit, chunk in zip(result.hits, chunks, strict=True)]
        assert len({score for score, _ in pairs}) < len(pairs), "there are ties"
        assert pairs == sorted(pairs)
        assert library.search("everywhere", limit=100).hits == result.hits


def test_exact_word_ranks_above_prefix_matches(tmp_path: Path) -> None:
    """However rare the longer words are."""
    files: dict[str, str | bytes] = {f"p{at}.md": f"# Page {at}\n\nA portal here, once.\n" for at in range(9)}
    files |= {"a.md": "# Portmanteau\n\nportmanteau portmanteau\n", "z.md": "Some words and then a port among many others.\n"}
    with ranvier.open_snapshot(build_tree(tmp_path, files)) as library:
        typed = [hit.slug for hit in library.search("port", prefix=True).hits]
        starred = [hit.slug for hit in library.search("port*").hits]
        assert typed[:2] == ["a", "z"], "a title that begins with the typed text is first"
        assert starred[0] == "z"
        assert len(typed) == len(starred) == 11
        assert [hit.slug for hit in library.search("port").hits] == ["z"]


def test_hits_with_all_words_come_first(library: Library) -> None:
    result = library.search("relay spike gap", limit=100)
    coverage = [hit.coverage for hit in result.hits]
    assert coverage == ["all"] * 7 + ["some"] * 23
    assert result.notices == ()


def test_coverage_of_one_word_is_all_beyond_the_candidates(tmp_path: Path) -> None:
    """P1: a page has the whole query, even if only the search of sections found it."""
    files = {f"p{at:03}.md": f"# Page {at}\n\n## One\n\nneedle\n\n## Two\n\n{'hay ' * (at % 7)}" for at in range(260)}
    with open_site(whole_site(tmp_path, files)) as site:
        assert {hit.coverage for hit in site.search("needle", limit=100, offset=150, candidates=200).hits} == {"all"}


def test_notice_if_no_page_has_all_words(library: Library) -> None:
    result = library.search("pangolin relay")
    assert {hit.coverage for hit in result.hits} == {"some"}
    assert [notice.code for notice in result.notices] == ["some-words"]
    assert library.search("pangolin AND relay").hits == (), "AND is an operator"


def test_no_notice_if_a_page_has_all_words_in_two_sections(library: Library) -> None:
    result = library.search("ostrich pangolin")
    assert [hit.slug for hit in result.hits] == ["guide/spread"]
    assert not any("No page has all" in notice.text for notice in result.notices)


@pytest.mark.parametrize("preset", NAMES)
def test_page_beyond_all_hits_is_empty(library: Library, preset: str) -> None:
    """P4: also beyond the integers of SQLite."""
    assert library.search("relay", preset=preset, offset=2**63).hits == ()


@pytest.mark.parametrize(
    "query", ["relay", "relay spike gap", "pangolin relay", "spike OR axon", "the relay", "axon conduction"]
)
@pytest.mark.parametrize("limit", [1, 4, 6, 7, 10, 13, 100])
def test_paging_covers_every_hit_once(library: Library, query: str, limit: int) -> None:
    """P4: for any page length, with the same total on every page."""
    pages: list[SearchResult] = []
    offset: int | None = 0
    while offset is not None:
        pages.append(library.search(query, limit=limit, offset=offset))
        offset = pages[-1].next_offset
        assert len(pages) < 50
    hits = [hit for page in pages for hit in page.hits]
    assert len({hit.id for hit in hits}) == len(hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert {page.total_hits for page in pages} == {len(hits)}
    assert [len(page.hits) for page in pages[:-1]] == [limit] * (len(pages) - 1)


def test_truncated_result_is_marked(large_store: Path) -> None:
    with ranvier.open_snapshot(large_store) as library:
        assert library.search("everywhere").truncated
        assert not library.search("only17x2").truncated


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "?!", '""', "()", "***", "\0", "\ud800", "\U0001fae8"])
def test_query_without_words_fetches_nothing(library: Library, query: str) -> None:
    result = library.search(query)
    assert (result.hits, result.total_hits, result.next_offset, result.truncated) == ((), 0, None, False)
    assert [n.code for n in result.notices] in ([], ["literal"])
    assert library.engine.rounds == 0, "no file is fetched"


def test_closed_library_is_an_error(large_store: Path) -> None:
    """Also for a search whose files are all in memory."""
    with ranvier.open_snapshot(large_store) as library:
        library.search("myelin")
    with pytest.raises(ValueError, match="the library is closed"):
        library.search("myelin")


def test_every_prefix_of_a_word_finds_its_page(library: Library) -> None:
    for length in range(3, len("troubleshooting") + 1):
        result = library.search("troubleshooting"[:length], prefix=True)
        assert "guide/install" in [hit.slug for hit in result.hits], "troubleshooting"[:length]
    result = library.search("troublesh")
    assert ([notice.subject for notice in result.notices], result.hits[0].slug) == (["troubleshooting"], "guide/install")


def test_notices_are_in_the_result(library: Library) -> None:
    assert [n.code for n in library.search("axon AND").notices] == ["literal"]
    assert library.search("axon AND").hits
    assert "clamped" in [n.code for n in library.search("axon " * 10_000).notices]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        *((SearchRequest, values) for values in ({"offset": -1}, {"offset": None}, {"query": None}, {"query": b"x"})),
        *((RetrieveRequest, values) for values in ({"max_chars": 0}, {"max_chars": "9"}, {"query": 5})),
        *((SearchRequest, {"limit": value}) for value in (0, -1, 1.5, "ten", True)),
        *((RetrieveRequest, {"top_k": value}) for value in (0, -1, 1.5, "ten", True)),
    ],
)
def test_invalid_requests_are_refused(kind: type, values: dict[str, object]) -> None:
    """P4: the message names the option, and the smallest number."""
    (name,) = values
    with pytest.raises(RequestError, match=f"{name} must be (an integer of at least [01]|a string)"):
        kind(**{"query": "x"} | values)


def test_invalid_names_are_refused(library: Library) -> None:
    """V4: suggestions and backlinks have the errors of a search."""
    calls: tuple[Callable[[], object], ...] = (
        lambda: library.suggest(None),  # type: ignore[arg-type]
        lambda: library.suggest("x", limit=0),
        lambda: library.backlinks(None),  # type: ignore[arg-type]
        lambda: library.backlinks("x", audience="all"),
    )
    for call in calls:
        with pytest.raises(RequestError, match=" must be "):
            call()


def test_top_k_is_at_most_100() -> None:
    """P4."""
    assert RetrieveRequest("x", top_k=101).top_k == 100


def test_result_as_plain_data(library: Library) -> None:
    plain = to_plain(library.search("conduction", limit=1))
    assert plain["hits"][0]["tags"] == ["setup", "nerve/fast"]
    assert plain["hits"][0]["sub_results"][0]["anchor"] == "slow-conduction"
    assert list(plain) == [field.name for field in fields(SearchResult) if field.name != "facets"], "no facets"
