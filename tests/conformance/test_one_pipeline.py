"""One pipeline (P4, V4): all presets have the same options, and each keeps the limits of its system."""

from dataclasses import fields
from typing import Any

import pytest
from conformance.server import MakeSite
from ranvier import Caller, Scope, SearchRequest
from ranvier.presets import NAMES
from support.whole_site import open_site, page

SITE = {
    f"notes/p{at:03}.md": page(
        f"# Page {at}\n\nA kite in the wind.", kind="note", lang="en", tags=["bird"], created=f"2026-01-{at % 28 + 1:02}"
    )
    for at in range(130)
}
DEFAULTS = {"desktop": 20, "brain": 10, "tasks": 20, "default": 30, "vault": 30}  # [001], [002], [003], [004]


@pytest.mark.parametrize(("name", "limit"), sorted(DEFAULTS.items()))
def test_default_limit_of_each_preset(make_site: MakeSite, name: str, limit: int) -> None:
    """P4, [001], [002], [003], [004]."""
    with open_site(make_site(SITE)) as library:
        result = library.search("kite", preset=name)
    assert len(result.hits) == limit
    assert result.next_offset == limit


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("limit", "count"), [(1, 1), (7, 7), (100, 100), (101, 100), (5000, 100)])
def test_limit_is_1_to_100_in_every_preset(make_site: MakeSite, name: str, limit: int, count: int) -> None:
    """P4."""
    with open_site(make_site(SITE)) as library:
        assert len(library.search("kite", preset=name, limit=limit, min_confidence=0.0).hits) == count


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


def test_every_option_is_a_keyword(make_site: MakeSite) -> None:
    """V4: each field of a request and of a scope."""
    names = {field.name for kind in (SearchRequest, Scope) for field in fields(kind)} - {"query", "scope"}
    assert set(OPTIONS) == names
    with open_site(make_site(SITE)) as library:
        plain = library.search("kite", limit=5)
        assert [hit.id for hit in library.search("kite", **OPTIONS).hits] == [hit.id for hit in plain.hits]


@pytest.mark.parametrize("name", NAMES)
def test_same_query_gives_the_same_answer(make_site: MakeSite, name: str) -> None:
    """V4: it depends on the snapshot and the query only."""
    site = make_site(SITE)
    with open_site(site) as first, open_site(site) as other:
        other.search("wind", preset=name)
        assert first.search("kite", preset=name).hits == other.search("kite", preset=name).hits
