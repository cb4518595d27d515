"""RRF of two tables, paging, and the fields of a hit ([003])."""

from typing import Any

import pytest
from conformance.sites import neuron, site_fixture
from ranvier import Library
from ranvier.store.tables import CHUNKS, SUBSTRINGS

MANY_PAGES = {f"p{at:02}.md": neuron(f"Item {at:02}", f"The running total{' runs' * (at % 4)} is {at}.") for at in range(25)}
MANY_PAGES |= {f"q{at:02}.md": neuron(f"Rest {at:02}", "Nothing of it is in here.") for at in range(40)}
MIXED = {
    "both.md": neuron("Marathon", "She is running."),
    "stem.md": neuron("Sprint", "She runs."),
    "inside.md": neuron("Contest", "An overrunning one."),
} | {f"r{at}.md": neuron(f"Rest {at}", "Something else stands here.") for at in range(8)}


library = site_fixture(MANY_PAGES)
mixed = site_fixture(MIXED)


def test_scores_are_the_sum_of_explained_ranks(library: Library) -> None:
    """F1, P3, [003]."""
    hits = library.search("running", preset="tasks", limit=100, explain=True).hits
    for hit in hits:
        assert hit.explain is not None
        assert hit.score == round(sum(1 / (60 + leg.rank) for leg in hit.explain.legs), 9)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for leg in ("trigram", "text"):
        ranks = [item.rank for hit in hits if hit.explain for item in hit.explain.legs if item.leg == leg]
        assert sorted(ranks) == list(range(1, 26)), "each leg ranks each Neuron once"


def test_explain_has_the_raw_bm25_of_both_tables(library: Library) -> None:
    """P3, [003]: as positive numbers, and k = 60."""
    hit = library.search("running", preset="tasks", limit=1, explain=True).hits[0]
    assert hit.explain is not None
    assert hit.explain.k == 60
    raw = {leg.leg: leg.raw for leg in hit.explain.legs}
    assert raw.keys() == {"trigram", "text"}
    snapshot = library.engine.snapshot
    chunk = snapshot.manifest.chunks_of(_number(library, hit.path))[0]
    tables = (("trigram", SUBSTRINGS, '"run unn nni nin ing"', "1, 1, 1"), ("text", CHUNKS, '"run"', "0, 1, 0, 1, 0, 1"))
    for leg, table, request, weights in tables:
        sql = f"SELECT rowid, bm25({table}, {weights}) FROM {table} WHERE {table} MATCH ?"
        rows = dict(library.run(snapshot.query(sql, (request,))))
        assert raw[leg] == pytest.approx(-rows[chunk], abs=1e-6)
        assert rows[chunk] < 0
    assert all(hit.explain is None for hit in library.search("running", preset="tasks").hits), "off by default"


def _number(library: Library, path: str) -> int:
    ((number,),) = library.run(library.engine.snapshot.query("SELECT n FROM neuron WHERE path = ?", (path,), (), ("neuron",)))
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize(
    ("limit", "offset", "count", "next_offset"),
    [
        (10, 0, 10, 10),
        (10, 10, 10, 20),
        (10, 20, 5, None),
        (25, 0, 25, None),
        (24, 0, 24, 24),
        (1, 24, 1, None),
        (10, 25, 0, None),
    ],
)
def test_next_offset(library: Library, limit: int, offset: int, count: int, next_offset: int | None) -> None:
    """P4, P1, [003]: null on the last page."""
    result = library.search("running", preset="tasks", limit=limit, offset=offset)
    assert (len(result.hits), result.next_offset, result.total_hits) == (count, next_offset, 25)
    assert [hit.rank for hit in result.hits] == list(range(offset + 1, offset + count + 1))


@pytest.mark.parametrize(
    ("candidates", "total", "truncated"), [(10, 10, True), (24, 24, True), (26, 25, False), (200, 25, False)]
)
def test_total_hits_and_truncated(library: Library, candidates: int, total: int, truncated: bool) -> None:
    """P1, [003]: `total_hits` is the size of the fused list; `truncated` means that there may be more."""
    result = library.search("running", preset="tasks", candidates=candidates, match="text")
    assert (result.total_hits, result.truncated) == (total, truncated)


SHAPE: dict[str, Any] = {"kind": "page", "path": "both.md", "field": "title", "matched_in": ("trigram", "text")}


def test_fields_of_a_tasks_hit(mixed: Library) -> None:
    """P1, [003]: kind, id, field, snippet, score, matchedIn."""
    (hit,) = mixed.search("marathon", preset="tasks").hits
    assert {name: getattr(hit, name) for name in SHAPE} == SHAPE
    assert hit.id
    assert hit.highlight == "<mark>Marathon</mark>"
    assert mixed.search("running", preset="tasks").hits[0].field == "body"
