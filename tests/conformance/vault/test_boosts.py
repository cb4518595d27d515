"""Folder boost, graph boost and normalisation ([004])."""

import math

import pytest
from conformance.sites import applied, by_path, library_of, neuron, ranked, steps
from hypothesis import given
from hypothesis import strategies as st
from ranvier.rank.graph import GraphBoost
from ranvier.rank.groups import FolderBoost
from ranvier.rank.normalise import MinMax

FOLDER, GRAPH = FolderBoost(), GraphBoost()


@pytest.mark.parametrize(
    ("count", "total", "factor"),
    [
        (2, 2, 1.15), (2, 5, 1.15), (5, 5, 1.15), (4, 10, 1.15),
        (1, 1, 1.0), (1, 2, 1.0),  # fewer than two
        (2, 6, 1.0), (39, 100, 1.0), (0, 0, 1.0),  # a ratio below .4
    ],
)  # fmt: skip
def test_folder_thresholds(count: int, total: int, factor: float) -> None:
    """R3, [004]: at least two of a folder's notes, at least two fifths of them, and never above 1.15."""
    assert FOLDER.factor(count, total) == factor


@given(st.integers(1, 200), st.integers(0, 200))
def test_folder_formula(count: int, others: int) -> None:
    """R3, [004]: 1 + log2(count + 1) × √ratio, before the cap."""
    total = count + others
    boost = FolderBoost(min_hits=1, min_ratio=0.0, max_factor=1000.0).factor(count, total)
    assert boost == pytest.approx(1 + math.log2(count + 1) * math.sqrt(count / total), abs=1e-8)
    assert 1.0 <= FOLDER.factor(count, total) <= 1.15


def test_folder_boost_of_hits() -> None:
    """R3, [004]: the ratio counts all notes of the folder."""
    rows = [(1, "a"), (2, "a"), (3, "b"), (4, "c"), (5, "c"), (6, "c"), (7, "c"), (8, "c"), (9, "c"), (10, "a")]
    after = applied(FOLDER, ranked(1.0, 1.0, 1.0, 1.0, 1.0), rows)
    assert after == {1: 1.15, 2: 1.15, 3: 1.0, 4: 1.0, 5: 1.0}


@pytest.mark.parametrize("connections", [0, 1, 2, 3, 4, 10, 1000])
def test_graph_formula(connections: int) -> None:
    """R4, [004]: 1 + strength × log(1 + connections), at most 1.15."""
    assert GRAPH.factor(connections) == pytest.approx(min(1 + 0.1 * math.log(1 + connections), 1.15), abs=1e-9)
    assert GraphBoost(max_factor=1000.0).factor(connections) == pytest.approx(1 + 0.1 * math.log(1 + connections), abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "connections"),
    [
        ([], {}),
        ([("link", 2, 1)], {1: 1}),  # a backlink
        ([("link", 2, 1), ("link", 3, 1)], {1: 2}),
        ([("link", 9, 1)], {}),  # from a note that is no hit, to a single hit
        ([("link", 9, 1), ("link", 9, 2)], {1: 1, 2: 1}),  # cited together
        ([("link", 9, 1), ("link", 9, 2), ("link", 9, 3)], {1: 2, 2: 2, 3: 2}),
        ([("link", 3, 1), ("link", 3, 2)], {1: 2, 2: 2}),  # by a hit: a backlink, and cited together
        ([("tag", "x", 1), ("tag", "x", 2)], {1: 1, 2: 1}),  # a shared tag
        ([("tag", "x", 1), ("tag", "y", 2)], {}),
        ([("tag", "x", 1), ("tag", "x", 2), ("tag", "y", 1), ("tag", "y", 2)], {1: 2, 2: 2}),
        ([("link", 1, 1)], {}),  # not to itself
        ([("link", 2, 1), ("link", 9, 1), ("link", 9, 2), ("tag", "x", 1), ("tag", "x", 2)], {1: 3, 2: 2}),
    ],
)
def test_graph_connections(rows: list[tuple[str, int | str, int]], connections: dict[int, int]) -> None:
    """R4, [004]: "connection score uses backlinks, co-citations, shared tags"."""
    assert dict(GRAPH.connections({1, 2, 3}, rows)) == connections
    after = applied(GRAPH, ranked(1.0, 1.0, 1.0), rows)
    assert after == {n: pytest.approx(GRAPH.factor(connections.get(n, 0))) for n in (1, 2, 3)}


def test_graph_boost_uses_the_first_candidates() -> None:
    """R4, [004]: `maxCandidates: 20`."""
    hits = ranked(*(1 - n / 100 for n in range(30)))
    before = {hit.neuron: hit.score for hit in hits}
    after = applied(GRAPH, hits, [("link", 30, 1), ("link", 1, 30), ("link", 1, 20), ("link", 1, 21)])
    assert {n for n in after if after[n] != before[n]} == {20}


SCORES = st.lists(st.floats(-1000, 1000, allow_nan=False), min_size=1, max_size=30)


@given(SCORES)
def test_min_max_normalisation(scores: list[float]) -> None:
    """R5, [004]: from .02 to .98 in the same order."""
    hits = ranked(*(round(score, 6) for score in scores))
    before = [hit.score for hit in hits]
    applied(MinMax(), hits, [])
    after = [hit.score for hit in hits]
    assert all(0.02 <= score <= 0.98 for score in after)
    assert after[0] == 0.98
    assert after[-1] == (0.02 if before[-1] < before[0] else 0.98)
    assert after == sorted(after, reverse=True)
    for score, normalised in zip(before, after, strict=True):
        share = (score - before[-1]) / (before[0] - before[-1]) if before[0] > before[-1] else 1.0
        assert normalised == pytest.approx(0.02 + 0.96 * share, abs=1e-8)


@pytest.mark.parametrize(("scores", "after"), [([], {}), ([7.0], {1: 0.98}), ([3.0, 3.0], {1: 0.98, 2: 0.98})])
def test_min_max_of_equal_scores(scores: list[float], after: dict[int, float]) -> None:
    """R5: no score, one score, or equal scores."""
    assert applied(MinMax(), ranked(*scores), []) == after


def test_vault_boosts_in_a_site() -> None:
    """R3, R4, R5, P3, [004]: each step is explained with its numbers."""
    files = {
        "a/one.md": neuron("One", "A needle, a needle."),
        "a/two.md": neuron("Two", "A needle. See [one](one.md)."),
        "b/three.md": neuron("Three", "A needle stands here."),
        "b/four.md": neuron("Four", "Nothing."),
        "b/five.md": neuron("Five", "Nothing."),
    } | {f"c/rest{at}.md": neuron("Rest", "Nothing.") for at in range(8)}
    with library_of(files) as library:
        result = library.search("needle", preset="vault", explain=True)
    hits = by_path(result)
    assert steps(hits["a/one.md"]) == ["folder", "graph", "minmax"]
    assert steps(hits["a/two.md"]) == ["folder", "minmax"]
    assert steps(hits["b/three.md"]) == ["minmax"]
    report = (
        {step.stage: (step.effect, step.reason) for step in hits["a/one.md"].explain.steps} if hits["a/one.md"].explain else {}
    )
    assert report["folder"] == ("×1.15", "a: 2 of 2")
    assert report["graph"] == (f"×{1 + 0.1 * math.log(2):.6g}", "1 connection")
    assert report["minmax"] == ("=0.98", "")
    for hit in result.hits:
        assert hit.explain is not None
        assert hit.explain.base_score == hit.explain.legs[0].raw
        assert hit.explain.final_score == hit.score
    assert [hit.score for hit in result.hits][::2] == [0.98, 0.02]
