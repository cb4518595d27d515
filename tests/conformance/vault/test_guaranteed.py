"""Notes that a filter names are guaranteed ([004]): titles, tags, times."""

from collections.abc import Sequence
from typing import Any

import pytest
from conformance.sites import by_path, library_of, neuron, site_fixture
from ranvier import Library
from ranvier.engine import with_filter_hits
from ranvier.rank.candidate import Candidate
from ranvier.types import FilterHit
from support.results import paths

FILES = {
    "alpha.md": neuron("Alpha", "Nothing of it.", tags="[project/alpha]", updated="2026-01-10"),
    "beta.md": neuron("Beta", "A needle in here.", tags="[project]", aliases="[Second]", updated="2026-01-20"),
    "gamma.md": neuron("Gamma", "A needle, and a #project/beta/deep tag.", updated="2025-12-31"),
    "delta.md": neuron("Delta", "A needle.", tags="[projector]", created="2026-01-15"),
    "daily/2026-01-05.md": neuron("Monday", "A day.", updated="2026-03-01"),
    "daily/2026-01-31.md": neuron("Saturday", "Another day."),
    "daily/2026-02-01.md": neuron("Sunday", "A needle on a day of February."),
    "undated.md": neuron("Undated", "A needle without a date."),
    "long.md": neuron("Long", "\n\n".join(f"## Part {at}\n\nNumber {at} says nothing of it." for at in range(12))),
}


site = site_fixture(FILES)


def _guaranteed(library: Library, query: str, **options: Any) -> dict[str, str]:
    hits = library.search(query, preset="vault", limit=100, **options).hits
    return {hit.path: hit.match_type for hit in hits if hit.is_filter_result}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("[[Alpha]] needle", {"alpha.md": "title"}),
        ("[[Second]]", {"beta.md": "title"}),  # an alias
        ("[[2026-01-05]]", {"daily/2026-01-05.md": "title"}),
        ("[[Alpha]] [[Beta]]", {"alpha.md": "title", "beta.md": "title"}),
        ("[[Nobody]] needle", {}),
        ("#project", {"alpha.md": "tag", "beta.md": "tag", "gamma.md": "tag"}),  # and all tags below it
        ("#project/alpha", {"alpha.md": "tag"}),  # only this tag
        ("#Project/Beta", {"gamma.md": "tag"}),  # inline tags, in any case
        ("#projector", {"delta.md": "tag"}),
        ("#proj needle", {}),  # a prefix has whole segments
        ("[[Beta]] #project", {"beta.md": "title", "alpha.md": "tag", "gamma.md": "tag"}),  # titles come first; each note once
        ("needle", {}),
    ],
)
def test_guaranteed_notes_by_title_and_tag(site: Library, query: str, expected: dict[str, str]) -> None:
    """L6, N2, Q6, [004]: tags hierarchically."""
    assert list(_guaranteed(site, query).items()) == list(expected.items())


def test_guaranteed_notes_come_first_with_score_1(site: Library) -> None:
    """L6, [004]: also notes without a word of the query."""
    result = site.search("[[Alpha]] needle", preset="vault")
    first, *others = result.hits
    assert (first.path, first.score, first.confidence, first.rank) == ("alpha.md", 1.0, 1.0, 1)
    assert (first.matched_in, first.is_filter_result) == (("title",), True)
    assert {hit.path for hit in others} == {"beta.md", "gamma.md", "delta.md", "daily/2026-02-01.md", "undated.md"}
    assert not any(hit.is_filter_result for hit in others)
    assert max(hit.score for hit in others) <= 0.98


@pytest.mark.parametrize(("limit", "candidates"), [(1, 10), (3, 10), (30, 200)])
def test_guaranteed_notes_are_not_cut_by_top_k(limit: int, candidates: int) -> None:
    """L6, R7, [004]: "cannot be lost to downstream top-K slicing"."""
    files = {f"p{at:02}.md": neuron(f"Page {at}", "A needle, a needle, a needle.") for at in range(40)}
    files["zz.md"] = neuron("Zz", "Nothing of it.", tags="[rare]")
    with library_of(files) as library:
        for query in ("[[Zz]] needle", "#rare needle"):
            result = library.search(query, preset="vault", limit=limit, candidates=candidates, min_confidence=1.0)
            assert paths(result)[0] == "zz.md"


@pytest.mark.parametrize(
    ("guaranteed", "hits", "expected"),
    [
        ([], [1, 2], [1, 2]),
        ([3], [1, 2], [3, 1, 2]),
        ([2], [1, 2], [2, 1]),  # the search's hit is dropped, not the filter's
        ([2, 1], [1, 2, 2], [2, 1]),  # all chunks of a covered note
        ([5, 4], [], [5, 4]),
    ],
)
def test_search_hits_of_guaranteed_notes_are_dropped(
    guaranteed: Sequence[int], hits: Sequence[int], expected: list[int]
) -> None:
    """L6, [004]: filter hits are kept."""
    candidates = [Candidate(key, n, [key], score=0.5) for key, n in enumerate(hits, 10)]
    result = with_filter_hits(candidates, [FilterHit(n, "tag") for n in guaranteed])
    assert [item.neuron for item in result] == expected
    assert [item.match_type for item in result][: len(guaranteed)] == ["tag"] * len(guaranteed)


@pytest.mark.parametrize(
    ("time", "results"),
    [
        # the most recent first: daily notes by their day, others by their update, or else by their creation
        ("2026-01-01..2026-01-31", ["daily/2026-01-31.md", "beta.md", "delta.md", "alpha.md", "daily/2026-01-05.md"]),
        ("2026-01-10..2026-01-20", ["beta.md", "delta.md", "alpha.md"]),  # both ends are included
        ("2026-02-01..", ["daily/2026-01-05.md", "daily/2026-02-01.md"]),  # the update in March counts, not the day
        ("2026-03-01", ["daily/2026-01-05.md"]),
        ("..2025-12-31", ["gamma.md"]),
        ("2026-01-05", ["daily/2026-01-05.md"]),  # a day
    ],
)
def test_time_range_lists_notes_of_the_days(site: Library, time: str, results: list[str]) -> None:
    """L6, N6, Q6, [004]: daily notes and changed notes, the most recent first."""
    for query in (f"time:{time}", f"needle time:{time}", f"time:{time} what about the needle"):
        result = site.search(query, preset="vault")
        assert paths(result) == results
        assert all(hit.match_type == "time" for hit in result.hits)


def test_time_range_runs_no_search(site: Library) -> None:
    """L6, [004]: "when timeRange is set, only FilterRetriever runs"; titles and tags are filters, too."""
    result = site.search("needle [[Delta]] #projector time:2026-02-01..2026-02-28", preset="vault")
    assert {path: hit.match_type for path, hit in by_path(result).items()} == {
        "delta.md": "title",
        "daily/2026-02-01.md": "time",
    }
    assert result.strategy == "filter"


def test_time_range_is_limited_to_a_hundred() -> None:
    """L6, P4, [004]: "adds all notes within range (up to limits)": the most recent ones."""
    files = {
        f"p{at:03}.md": neuron(f"Page {at}", "Text.", updated=f"2026-{1 + at // 28:02}-{1 + at % 28:02}") for at in range(120)
    }
    with library_of(files) as library:
        result = library.search("time:2026-01-01..", preset="vault", limit=100)
        assert result.total_hits == 100
        assert paths(result) == [f"p{at:03}.md" for at in range(119, 19, -1)]


def test_retrieve_separates_filter_and_search_hits(site: Library) -> None:
    """P2, L6, [004]: two sections, continuous ids; each filter hit names its filter."""
    result = site.retrieve("[[Alpha]] #projector needle", preset="vault")
    kinds = [(chunk.citation, chunk.is_filter_result, chunk.match_type) for chunk in result.chunks]
    assert kinds[:2] == [(1, True, "title"), (2, True, "tag")]
    assert [citation for citation, _, _ in kinds] == list(range(1, len(kinds) + 1))
    assert {is_filter_result for _, is_filter_result, _ in kinds[2:]} == {False}
    context = result.formatted_context
    assert context.index("# Named by the query") < context.index("## Neuron 1 ")
    assert context.index("## Neuron 2 ") < context.index("# Found by the query") < context.index("## Neuron 3 ")
    assert context.count("*Matched: ") == 2
    assert "delta.md" not in [chunk.neuron_path for chunk in result.chunks[2:]], "covered by a filter"


def test_retrieve_without_filters_has_one_section(site: Library) -> None:
    """P2, [004]: "if no filter results, falls back to unified" formatting."""
    result = site.retrieve("needle", preset="vault")
    assert result.hit_count == 5
    assert "# Named" not in result.formatted_context
    assert "# Found" not in result.formatted_context


def test_retrieve_gives_the_full_note(site: Library) -> None:
    """P2, L6, [004]: "full-note pageContent (not chunk snippets)", in reading order."""
    result = site.retrieve("[[Long]]", preset="vault", top_k=100, max_chars=100_000)
    assert [chunk.content for chunk in result.chunks] == [f"Number {at} says nothing of it." for at in range(12)]
    assert {chunk.match_type for chunk in result.chunks} == {"title"}
    assert {chunk.rank for chunk in result.chunks} == {1.0}
