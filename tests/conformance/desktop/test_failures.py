"""X1, A5: failures in [001]: words answer if vectors fail; a caller without the capability gets an error."""

import sqlite3
from dataclasses import replace

import pytest
from conformance.server import MakeSite, ScriptedLeg
from ranvier import Caller, FetchError, ForbiddenError, RanvierError
from ranvier.presets import preset
from support.whole_site import open_site, page

QUERY = "slow red kite"
PAGES = {
    "a.md": page("# First\n\nslow red kite, slow red kite"),
    "b.md": page("# Second\n\na slow red kite and other words"),
    "c.md": page("# Third\n\nof birds"),
} | {f"f{at:02}.md": page(f"# Rest {at}\n\nsomething else entirely") for at in range(30)}


FAILURES = {
    "the query cannot be embedded": FetchError("model/tokens-0.bin", "gone"),
    "the model is invalid": RanvierError("no model"),
    "the vectors cannot be searched": sqlite3.OperationalError("no such table: vectors"),
}


def test_failing_legs_fall_back_to_words_with_one_warning(make_site: MakeSite) -> None:
    """X1, [001]: with the scores of FTS5."""
    desktop = preset("desktop")
    failing = tuple(ScriptedLeg(error=error, name=name) for name, error in FAILURES.items())
    with open_site(make_site(PAGES)) as library:
        words_only = library.search(QUERY, preset="desktop")
    for legs in (*((leg,) for leg in failing), failing):
        with open_site(make_site(PAGES), replace(desktop, legs=(*legs, *desktop.legs))) as library:
            result = library.search(QUERY)
        assert (result.hits, result.strategy) == (words_only.hits, "bm25"), legs
        assert [notice.code for notice in result.notices] == ["no-vectors"], legs
    assert [len(leg.requests) for leg in failing] == [2] * len(failing)


@pytest.mark.parametrize("name", ["desktop", "default", "wiki"])
def test_caller_without_the_capability_gets_an_error(make_site: MakeSite, name: str) -> None:
    """A5, [001]: from `search` and `retrieve`."""
    forbidden = Caller("curator", may_search=False)
    with open_site(make_site(PAGES)) as library:
        for method in (library.search, library.retrieve):
            with pytest.raises(ForbiddenError, match="may not search"):
                method(QUERY, preset=name, caller=forbidden)
            assert method(QUERY, preset=name, caller=Caller("curator"))


MANY_PAGES = {f"p{at:02}.md": page(f"# Page {at}\n\nA kite.", tags=["bird"]) for at in range(45)}


def test_fields_of_a_desktop_hit(make_site: MakeSite) -> None:
    """P1, [001]: id, slug, title, snippet, score and type; a tag alone finds a page."""
    with open_site(
        make_site(MANY_PAGES | {"q.md": page("# Heron\n\nA grey bird.", id="u-1", kind="note", tags=["wader"])})
    ) as library:
        (hit,) = library.search("wader", preset="desktop").hits
    assert (hit.id, hit.slug, hit.title, hit.kind) == ("u-1", "q", "Heron", "note")
    assert (hit.snippet, hit.field, hit.highlight) == ("A grey bird.", "tags", "<mark>wader</mark>")
    assert hit.score > 1
