"""A6: claim anchors of [000] are in no answer."""

import pytest
from conformance.server import MakeSite, as_json
from conformance.wiki.content import WIKI
from support.whole_site import open_site

PLACES = [  # queries for the text around an anchor in each place
    "raises ticket",  # the body
    "rotation",  # the title, the body
    "swaps agreed",  # a heading
    "who is on call",  # the summary
    "Anna swaps rarely",  # a shared note
]


@pytest.mark.parametrize("name", ["wiki", "default"])
@pytest.mark.parametrize("query", PLACES)
def test_answers_have_no_claim_anchor(make_site: MakeSite, query: str, name: str) -> None:
    """A6, [000]: in no highlight, snippet, context or other field."""
    site = make_site(WIKI)
    for kind in ("search", "retrieve"):
        answer = as_json(site, kind, query, preset=name)
        assert answer["hits" if kind == "search" else "chunks"] or name == "default"
        assert "claim" not in str(answer)
        assert "{#" not in str(answer)


@pytest.mark.parametrize("name", ["wiki", "default"])
@pytest.mark.parametrize("query", ["claim-0a1b2c3d", "0a1b2c3d", "{#claim-0a1b2c3d}", "claim"])
def test_claim_anchor_is_not_searchable(make_site: MakeSite, query: str, name: str) -> None:
    """A6, Q1, [000]."""
    with open_site(make_site(WIKI)) as library:
        assert library.search(query, preset=name).hits == ()
        assert library.retrieve(query, preset=name).chunks == ()


def test_claim_anchor_in_a_query_is_ignored(make_site: MakeSite) -> None:
    """A6, Q1: copied text finds its page."""
    with open_site(make_site(WIKI)) as library:
        with_anchor = library.search("raises {#claim-0a1b2c3d} a ticket", preset="wiki")
        without = library.search("raises a ticket", preset="wiki")
    assert with_anchor.hits == without.hits
    assert len(without.hits) == 1


def test_words_around_a_claim_anchor_are_whole(make_site: MakeSite) -> None:
    """A6."""
    with open_site(make_site(WIKI)) as library:
        context = library.retrieve("raises ticket", preset="wiki").formatted_context
        (hit,) = library.search("Anna swaps rarely", preset="wiki").hits
    assert "When a VIP customer raises a ticket, page the lead & wait." in context
    assert hit.highlight == "<mark>Anna swaps rarely</mark>."
    assert hit.title == "On-call rotation"
