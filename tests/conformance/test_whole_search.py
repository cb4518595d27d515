"""Filters, limits, paging and fallbacks in a whole search ([002], [003], [004])."""

import sqlite3

import pytest
from conformance.sites import failing_queries, library_of, neuron, site_fixture, understood, using, with_vectors
from ranvier import Library
from support.results import paths

VAULT = {
    "alpha.md": neuron("Alpha", "Nothing of it.", tags="[project/alpha]", updated="2026-01-10"),
    "beta.md": neuron("Beta", "A needle in here.", tags="[project]", updated="2026-01-20"),
    "gamma.md": neuron("Gamma", "A needle, and a #project/beta tag.", updated="2025-12-31"),
    "delta.md": neuron("Delta", "A needle.", created="2026-01-15"),
    "many.md": neuron("Many", "\n\n".join(f"## Part {at}\n\nA needle, a needle, a needle, number {at}." for at in range(12))),
}


vault = site_fixture(VAULT)


@pytest.mark.parametrize("query", ["#proj", "[[Nobody]]", "time:2024-01-01..2024-12-31"])
def test_unknown_filter_alone_is_empty(vault: Library, query: str) -> None:
    """L6, Q6, [004]: not the whole vault."""
    assert paths(vault.search(query, preset="vault")) == []


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_limit_does_not_count_guaranteed_notes(vault: Library, limit: int) -> None:
    """L6, R7, [004]: the next page continues with search hits."""
    first = vault.search("#project needle", preset="vault", limit=limit)
    paths_of_filter = [hit.path for hit in first.hits if hit.is_filter_result]
    assert sorted(paths_of_filter) == ["alpha.md", "beta.md", "gamma.md"]
    assert len(first.hits) == 3 + min(limit, 2)
    if first.next_offset is not None:
        second = vault.search("#project needle", preset="vault", limit=limit, offset=first.next_offset)
        assert len({*paths(first), *paths(second)}) == 5


def test_top_k_does_not_count_guaranteed_notes(vault: Library) -> None:
    """L6, P2, [004]: each has all its chunks within the budget."""
    result = vault.retrieve("[[Many]] needle", preset="vault", top_k=1, max_chars=100_000)
    assert [chunk.is_filter_result for chunk in result.chunks] == [True] * 12 + [False]
    assert vault.retrieve("[[Many]]", preset="vault", top_k=1, max_chars=100).total_chars <= 100


def test_passages_come_from_several_notes(vault: Library) -> None:
    """R7, P2, [004]."""
    result = vault.retrieve("needle", preset="vault", top_k=4, max_chars=100_000)
    assert {chunk.neuron_path for chunk in result.chunks} == {"many.md", "beta.md", "gamma.md", "delta.md"}


@pytest.mark.parametrize(("query", "lexical"), [("[[Alpha]] needle", False), ("needle", False), ("#project needle", True)])
def test_mentions_do_not_force_words(vault: Library, query: str, lexical: bool) -> None:
    """Q6, Q3, [004]: tags and times do."""
    with using(vault, with_vectors("vault", ("many.md", 0.5))):
        result = vault.search(query, preset="vault")
    assert (result.strategy == "bm25") is lexical


def test_time_option_runs_the_filter_alone(vault: Library) -> None:
    """L6, S1, [004]: as `timeRange` in the query."""
    result = vault.search("needle", preset="vault", time="2026-01-01..2026-01-31")
    assert [(hit.path, hit.match_type) for hit in result.hits] == [
        ("beta.md", "time"),
        ("delta.md", "time"),
        ("alpha.md", "time"),
    ]
    assert understood("needle", "tasks", time="2026-01-01..").guaranteed.time == ""


@pytest.mark.parametrize("query", ["<!--", "=>>"])
def test_substring_mode_counts_signs_as_characters(query: str) -> None:
    """L2, Q4, [003]."""
    with library_of(
        {"a.md": neuron("Alpha", 'Write `<!--`, `=>>` and `"""`.'), "b.md": neuron("Bravo", "Nothing.")}
    ) as library:
        assert paths(library.search(query, preset="tasks", match="substring")) == ["a.md"]
        assert paths(library.search("<!-->", preset="tasks", match="substring")) == []


def test_paging_reaches_the_last_hit() -> None:
    """P4, [003]: each table gives limit + offset + 1 rows."""
    with library_of({f"p{at:03}.md": neuron(f"Page {at}", "A needle.") for at in range(260)}) as library:
        results: list[str] = []
        offset: int | None = 0
        while offset is not None:
            page = library.search("needle", preset="tasks", limit=50, offset=offset)
            results += paths(page)
            offset = page.next_offset
    assert len(results) == len({*results}) == 260


@pytest.mark.parametrize("table", ["FROM link", "FROM tag", "n, folder FROM neuron"])
def test_failing_stage_falls_back_to_grep(vault: Library, table: str) -> None:
    """X2, [004]: "if the main SearchCore pipeline throws", also in a boost."""

    def fails(sql: str) -> bool:
        return table in sql and "MATCH" not in sql and "instr" not in sql

    with failing_queries(fails, sqlite3.DatabaseError("malformed")):
        result = vault.search("needle", preset="vault")
        assert vault.retrieve("needle", preset="vault").chunks
    assert [notice.code for notice in result.notices] == ["scanned"]
    assert sorted(paths(result)) == ["beta.md", "delta.md", "gamma.md", "many.md"]
    assert [hit.score for hit in result.hits] == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4], abs=1e-6)


@pytest.mark.parametrize(("strategy", "legs"), [("bm25", {"bm25"}), ("rag", {"bm25", "trigram"}), ("auto", {"bm25"})])
def test_strategy_bm25_is_full_text_only(vault: Library, strategy: str, legs: set[str]) -> None:
    """Q3, [002]: trigrams run in the hybrid only."""
    hits = vault.search("needle", preset="brain", strategy=strategy).hits
    assert {leg for hit in hits for leg in hit.matched_in} == legs
    assert vault.search("eedl", preset="brain", strategy=strategy, match="substring").hits
