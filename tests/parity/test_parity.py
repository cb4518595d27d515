"""B1: the browser and the server give the same hits, order, highlights and scores, on a real site in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier.bridge import camelised
from ranvier.types import to_plain
from support.browser import Tab
from support.queries import by_hand, made
from support.sites import EXAMPLE, serving

TOLERANCE = 1e-9


def same(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Say where two answers differ; floats may by `TOLERANCE`."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return [f"{where}: {sorted(ours)} != {sorted(theirs)}"]
        return [line for key in ours if key != "timing" for line in same(ours[key], theirs[key], f"{where}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [line for at, pair in enumerate(zip(ours, theirs, strict=True)) for line in same(*pair, f"{where}[{at}]")]
    if isinstance(ours, float) or isinstance(theirs, float):
        return [] if abs(ours - theirs) <= TOLERANCE else [f"{where}: {ours!r} != {theirs!r}"]
    return [] if ours == theirs else [f"{where}: {ours!r} != {theirs!r}"]


def plain(result: object) -> Any:
    """What the bridge would send."""
    return json.loads(json.dumps(camelised(to_plain(result))))


def test_same_answers_in_cpython_and_in_chromium(tab: Tab, example_site: Path) -> None:
    """Over 300 queries, each whole and as if still being typed: ids, order, highlights, scores, notices, totals."""
    queries = [*by_hand(), *made(EXAMPLE / "content", 200)]
    assert len(queries) >= 300
    differences: dict[str, list[str]] = {}
    found = 0
    with serving(example_site) as served, ranvier.open_snapshot(example_site) as library:
        tab.open_engine(served.url)
        for number, query in enumerate(queries):
            prefix = bool(number % 2)
            ours = plain(library.search(query, limit=20, prefix=prefix))
            theirs = tab.ask("search", query, limit=20, prefix=prefix)
            found += len(ours["hits"])
            if lines := same(ours, theirs.get("done", theirs)):
                differences[query[:60]] = lines[:3]
    assert differences == {}
    assert found > 1000, "the queries find too little to prove anything"


@pytest.mark.parametrize("max_chars", [1, 60, 700, 4000])
def test_same_context_for_a_language_model(tab: Tab, example_site: Path, max_chars: int) -> None:
    """P2, on both sides."""
    with serving(example_site) as served, ranvier.open_snapshot(example_site) as library:
        tab.open_engine(served.url)
        for query in ("how to install", "audience", "xyzzyplugh", '"hot pack" OR manifest'):
            ours = plain(library.retrieve(query, top_k=6, max_chars=max_chars))
            theirs = tab.ask("retrieve", query, topK=6, maxChars=max_chars)
            assert same(ours, theirs["done"]) == []
            assert theirs["done"]["totalChars"] <= max_chars


def test_paging_is_the_same(tab: Tab, example_site: Path) -> None:
    """P4: pages of any size, put together, are the whole list on both sides."""
    with serving(example_site) as served, ranvier.open_snapshot(example_site) as library:
        tab.open_engine(served.url)
        whole = plain(library.search("search", limit=100))["hits"]
        assert len(whole) > 10
        offset, pages = 0, []
        while offset is not None:
            answer = tab.ask("search", "search", limit=7, offset=offset)["done"]
            pages += answer["hits"]
            offset = answer["nextOffset"]
        assert same(whole, pages) == []


def test_a_difference_would_be_seen() -> None:
    """The comparison itself: the parity test must not pass because it compares nothing."""
    one = {"hits": [{"id": "a", "score": 1.0, "snippet": "x"}], "timing": 1}
    assert same(one, {"hits": [{"id": "a", "score": 1.0 + 1e-12, "snippet": "x"}], "timing": 2}) == []
    assert same(one, {"hits": [{"id": "a", "score": 1.0 + 1e-6, "snippet": "x"}], "timing": 1})
    assert same(one, {"hits": [{"id": "b", "score": 1.0, "snippet": "x"}], "timing": 1})
    assert same(one, {"hits": [], "timing": 1})
    assert same(one, {"name": "RanvierError"})
