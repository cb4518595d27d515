"""A1, A5, P2: the audience filter of [000]; it runs after the candidates."""

from dataclasses import replace
from typing import Any

import pytest
from conformance.server import MakeSite, RecordingLeg, ScriptedLeg
from conformance.wiki.content import TAGGED, VISIBLE
from ranvier import Caller, RequestError
from ranvier.legs import LEXICAL
from ranvier.presets import NAMES, preset
from support.whole_site import open_site, page


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("audience", sorted(VISIBLE))
def test_callers_see_their_audiences(make_site: MakeSite, audience: str, name: str) -> None:
    """A1, A5, [000]: curators see all, tools see `tool` and `public`, the public sees `public`; in `search` and `retrieve`."""
    with open_site(make_site(TAGGED)) as library:
        result = library.search("kestrel", preset=name, caller=Caller(audience))
        passages = library.retrieve("kestrel", preset=name, caller=Caller(audience))
    visible = {tag.capitalize() for tag in VISIBLE[audience]}
    assert {hit.title for hit in result.hits} == {chunk.title for chunk in passages.chunks} == visible
    assert result.total_hits == len(visible), "excluded hits are not counted"
    assert all(title in passages.formatted_context for title in visible)
    assert not any(title in passages.formatted_context for title in {item.title() for item in VISIBLE["curator"]} - visible)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{"sort": "title"}, {"return_all": True}, {"path": ["*"]}, {"tags": ["bird"]}], ids=str)
def test_lists_and_facets_respect_the_audience(make_site: MakeSite, options: dict[str, Any], name: str) -> None:
    """A1, A5, [000]."""
    with open_site(make_site(TAGGED)) as library:
        for query in ("", "kestrel"):
            result = library.search(query, preset=name, caller=Caller("public"), facets=["tags", "folder"], **options)
            assert [hit.title for hit in result.hits] == ["Public"]
            assert {tag.value for tag in result.facets["tags"]} == {"bird", "of-c"}
            assert {tag.count for tag in result.facets["tags"]} == {1}


def test_audience_and_tags_combine(make_site: MakeSite) -> None:
    """A5, S1, [000]."""
    files = {
        f"{tag}-{audience}.md": page(f"# {tag} {audience}\n\nA kestrel.", tags=[tag], audience=[audience])
        for tag in "xy"
        for audience in VISIBLE
    }
    with open_site(make_site(files)) as library:
        hits = library.search("kestrel", preset="wiki", tags=["x"], caller=Caller("tool")).hits
    assert {hit.title for hit in hits} == {"x tool", "x public"}


def test_one_of_several_audiences_is_enough(make_site: MakeSite) -> None:
    """A1, [000]."""
    files = {"a.md": page("# Both\n\nA kestrel.", audience=["curator", "public"])}
    with open_site(make_site(files)) as library:
        assert [hit.title for hit in library.search("kestrel", preset="wiki", caller=Caller("public")).hits] == ["Both"]


def test_unknown_caller_audience_is_refused() -> None:
    """A1."""
    with pytest.raises(RequestError, match="public, tool, curator"):
        Caller("admin")


@pytest.mark.parametrize("audience", VISIBLE)
@pytest.mark.parametrize("top_k", [1, 2, 5, 30])
def test_legs_give_three_candidates_for_each_hit_and_passage(make_site: MakeSite, top_k: int, audience: str) -> None:
    """A5, P2, [000]: top_k × 3 Neurons or chunks, for every audience."""
    wiki, caller = preset("wiki"), Caller(audience)
    legs, retrieve = (tuple(map(RecordingLeg, legs_of_preset)) for legs_of_preset in (wiki.legs, wiki.retrieve))
    with open_site(make_site(TAGGED), replace(wiki, legs=legs, retrieve=retrieve)) as library:
        library.search("kestrel", limit=top_k, caller=caller)
        library.retrieve("kestrel", top_k=top_k, caller=caller)
    assert [leg.requests for leg in (*legs, *retrieve)] == [[top_k * 3]] * 4


def crowd(withheld: int, public: int) -> dict[str, str]:
    """Write Neurons for curators, which match better, and Neurons for all."""
    private = {f"a{at}.md": page(f"# Private {at}\n\n{'kestrel ' * 5}", audience=["curator"]) for at in range(withheld)}
    shared = {f"b{at}.md": page(f"# All {at}\n\nkestrel and four others here", audience=["public"]) for at in range(public)}
    fillers = {f"c{at}.md": page(f"# Rest {at}\n\nfive words of something else", audience=["public"]) for at in range(20)}
    return private | shared | fillers


@pytest.mark.parametrize(
    ("withheld", "public", "count"),
    [
        (0, 6, 2),  # six candidates: two are listed
        (4, 6, 2),  # four of the six are excluded: two remain
        (5, 6, 1),  # one remains, although more would match: [000] recalls no other candidates
        (6, 6, 0),
    ],
)
def test_candidates_are_filtered_to_top_k(make_site: MakeSite, withheld: int, public: int, count: int) -> None:
    """A5, [000]: of top_k × 3 candidates, at most top_k visible ones are shown."""
    with open_site(make_site(crowd(withheld, public))) as library:
        hits = library.search("kestrel", preset="wiki", limit=2, caller=Caller("public")).hits
        assert len(hits) == count
        assert all(hit.title.startswith("All") for hit in hits)
        assert len(library.search("kestrel", preset="wiki", limit=2, caller=Caller("curator")).hits) == 2
        everyone = library.search("kestrel", limit=2, caller=Caller("public"))
    assert [hit.title for hit in everyone.hits] == ["All 0", "All 1"], "`default` filters first"


def test_audience_filter_runs_after_the_legs(make_site: MakeSite) -> None:
    """A5, [000]: ranks count the remaining hits."""
    leg = ScriptedLeg((1, 2, 3, 4), name="text", kind=LEXICAL)
    with open_site(make_site(TAGGED), replace(preset("wiki"), legs=(leg,))) as library:
        hits = library.search("anything", caller=Caller("tool")).hits
    assert [(hit.title, hit.rank) for hit in hits] == [("Tool", 1), ("Public", 2)]
