"""A5, I1: what a preset that looks over its limit must not show, and what it does not search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conformance.server import Counted, opened, page
from conformance.wiki.content import TAGGED, WIKI
from ranvier import Caller
from ranvier.presets import preset

Make = Callable[[Mapping[str, str]], Path]


@pytest.mark.parametrize("top_k", [1, 2, 5, 30])
def test_three_candidates_for_each_passage(made: Make, top_k: int) -> None:
    """A5, P2, [000]: `retrieve` asks each leg for top_k × 3 chunks."""
    wiki = preset("wiki")
    legs = tuple(Counted(leg) for leg in wiki.retrieve)
    with opened(made(TAGGED), replace(wiki, retrieve=legs)) as library:
        library.retrieve("kestrel", top_k=top_k)
    assert [leg.requests for leg in legs] == [[top_k * 3], [top_k * 3]]


@pytest.mark.parametrize("options", [{"sort": "title"}, {"return_all": True}, {"path": ["*"]}, {"tags": ["bird"]}], ids=str)
def test_lists_and_counts(made: Make, options: dict[str, Any]) -> None:
    """A1, A5, [000]: what is listed, and what is counted, is what the caller sees."""
    with opened(made(TAGGED)) as library:
        for query in ("", "kestrel"):
            result = library.search(query, preset="wiki", caller=Caller("public"), facets=["tags"], **options)
            assert [hit.title for hit in result.hits] == ["Public"]
            assert {tag.value for tag in result.facets["tags"]} == {"bird", "of-c"}
            assert {tag.count for tag in result.facets["tags"]} == {1}


MORE = WIKI | {"x.md": page("# Duty\n\nNothing else.", tags=["pagers"])}
NOT_INDEXED = [("wiki", "wiki"), ("wiki", "pagers"), ("desktop", "wiki")]  # [000] has no tags and no path, [001] no path


@pytest.mark.parametrize(("name", "query"), NOT_INDEXED)
def test_what_is_not_indexed_is_not_found(made: Make, name: str, query: str) -> None:
    """I1, [000], [001]: a column that a system does not index finds nothing in its preset."""
    with opened(made(MORE)) as library:
        assert library.search(query, preset=name).hits == ()
        assert library.retrieve(query, preset=name).chunks == ()
