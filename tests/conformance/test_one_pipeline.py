"""One pipeline: the same options for every preset, which are data; each keeps the limit of the system that it is (P4, V4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from conformance.server import as_json, opened, page
from ranvier import Caller, Scope, SearchRequest
from ranvier.presets import NAMES

Make = Callable[[Mapping[str, str]], Path]

SITE = {
    f"notes/p{at:03}.md": page(
        f"# Page {at}\n\nA kite in the wind.", kind="note", lang="en", tags=["bird"], created=f"2026-01-{at % 28 + 1:02}"
    )
    for at in range(130)
}
DEFAULTS = {"desktop": 20, "brain": 10, "default": 30, "vault": 30}  # [001], [002], [004]


@pytest.mark.parametrize(("name", "limit"), sorted(DEFAULTS.items()))
def test_each_preset_keeps_its_limit(made: Make, name: str, limit: int) -> None:
    """P4, [001], [002], [004]: how many hits there are where nobody says."""
    with opened(made(SITE)) as library:
        result = library.search("kite", preset=name)
    assert len(result.hits) == limit
    assert result.next_offset == limit


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("queries", "shown"), [(1, 1), (7, 7), (100, 100), (101, 100), (5000, 100)])
def test_limits(made: Make, name: str, queries: int, shown: int) -> None:
    """P4: 1 to 100 results, by every preset."""
    with opened(made(SITE)) as library:
        assert len(library.search("kite", preset=name, limit=queries, min_confidence=0.0).hits) == shown


OPTIONS: dict[str, Any] = {  # every option of a search by its name, with a value that changes no hit here
    "limit": 5,
    "offset": 0,
    "prefix": False,
    "typing": False,
    "preset": "default",
    "strategy": "auto",
    "match": "auto",
    "lang": "en",
    "page_lang": "en",
    "sort": "relevance",
    "facets": ["tags"],
    "candidates": 50,
    "min_confidence": 0.0,
    "return_all": False,
    "exact": False,
    "explain": False,
    "caller": Caller("curator"),
    "ancestor": "",
    "item": "",
    "tags": ["bird"],
    "role": [],
    "kind": ["note"],
    "modality": ["text"],
    "path": ["notes"],
    "titles": [],
    "time": "2026-01-01..2026-12-31",
}


def test_every_option_by_its_name(made: Make) -> None:
    """V4: the Python API takes each field of a request and of a scope as a keyword."""
    existing = {field.name for kind in (SearchRequest, Scope) for field in fields(kind)} - {"query", "scope"}
    assert set(OPTIONS) == existing
    with opened(made(SITE)) as library:
        plain = library.search("kite", limit=5)
        assert [hit.id for hit in library.search("kite", **OPTIONS).hits] == [hit.id for hit in plain.hits]


def test_names_in_javascript(made: Make) -> None:
    """P4: the same answer, snake_case in Python and camelCase in JavaScript."""
    site = made(SITE)
    answer = as_json(site, "search", "kite", limit=3)
    with opened(site) as library:
        result = library.search("kite", limit=3)
    assert (answer["totalHits"], answer["nextOffset"]) == (result.total_hits, result.next_offset)
    assert [hit["seqId"] for hit in answer["hits"]] == [hit.seq_id for hit in result.hits]
    assert not [name for name in (*answer, *answer["hits"][0]) if "_" in name]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_question_the_same_answer(made: Make, name: str) -> None:
    """V4: an answer depends on nothing but the snapshot and the question."""
    site = made(SITE)
    with opened(site) as first, opened(site) as other:
        other.search("wind", preset=name)
        assert first.search("kite", preset=name).hits == other.search("kite", preset=name).hits
