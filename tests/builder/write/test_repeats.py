"""Passages that several pages repeat count once (R7): in a search, in passages for a model, and in the instant lists."""

from pathlib import Path

import pytest
import ranvier
from ranvier_builder import Config
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.write import repeats
from ranvier_builder.write.repeats import repeated_passages
from support.content import build_tree, page
from support.instant import Lists
from support.shared import opened_fixture, site_fixture

SHARED = "## Anchors\n\nAn anchor holds a boat. Choose an anchor by the ground of the bay: sand, mud or rock.\n"
SITE: dict[str, str | bytes] = {
    "dinghy.md": f"# Dinghy\n\nA boat for one.\n\n{SHARED}",
    "ferry.md": f"# Ferry\n\nA boat for cars.\n\n{SHARED}",
    "yawl.md": f"---\ntags: [masts]\n---\n# Yawl\n\nA boat with two masts.\n\n{SHARED}\n## Sails\n\nSails of a yawl.\n",
    "sand.md": "# Beach\n\nChildren build castles of sand, and the ground is dry.\n",
    "moor.md": "# Mooring\n\nWithout an anchor, a boat needs a post in the mud.\n",
}
RARE_WORDS = "tide wave reef gull kelp buoy oar rope net fog".split()
SITE |= {f"{word}.md": f"# {word}\n\nNothing but {word}.\n" for word in RARE_WORDS}
site = site_fixture(build_tree, SITE)
library = opened_fixture("site")


def render_stub(*chunks: tuple[str, str]) -> Rendered:
    return Rendered(page("x.md"), "", (), tuple(Chunk("", (heading,) if heading else (), body) for heading, body in chunks))


def test_equal_passages_are_numbered_by_their_first() -> None:
    pages = [
        render_stub(("", "Intro."), ("Use", "Call it."), ("Empty", "")),
        render_stub(("", "Intro."), ("Usage", "Call it."), ("Empty", "")),
        render_stub(("Use", "Call it."), ("Use", "Call it twice."), ("", "Intro.")),
    ]
    assert repeated_passages(pages, older=()) == {4: 1, 7: 2, 9: 1}
    assert repeated_passages(pages, older={1}) == {9: 4}


def test_most_frequent_passages_are_kept_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hot pack names them all, and every visitor fetches it."""
    monkeypatch.setattr(repeats, "LIMIT", 3)
    pages = [render_stub(("", "Twice."), ("", "Often."), ("", f"Only {at}.")) for at in range(2)]
    pages += [render_stub(("", "Often.")) for _ in range(2)]
    assert repeated_passages(pages, older=()) == {5: 2, 7: 2, 8: 2}


@pytest.mark.parametrize("query", ["anchor by the ground of the bay", "choose rock, sand or mud"])
def test_passage_counts_for_the_first_of_its_pages(library: ranvier.Library, query: str) -> None:
    """The others keep the score of their other text: they follow, and none is lost."""
    hits = library.search(query, strategy="bm25", explain=True).hits
    sharing = [hit for hit in hits if hit.path in ("dinghy.md", "ferry.md", "yawl.md")]
    assert len(sharing) == 3
    assert sharing[0] == hits[0]
    assert hits[0].anchor == "anchors"
    scores = [[leg.raw for leg in hit.explain.legs if leg.leg == "section"] for hit in sharing if hit.explain]
    assert scores[0] > [1.0]
    assert scores[1:] == [[0.0], [0.0]]


def test_model_gets_a_passage_once(library: ranvier.Library) -> None:
    """P2: of the page where it ranks first."""
    chunks = library.retrieve("yawl anchor rock", top_k=10).chunks
    assert [chunk.neuron_path for chunk in chunks if "sand, mud or rock" in chunk.content] == ["yawl.md"]
    assert {chunk.neuron_path for chunk in chunks} >= {"yawl.md", "moor.md"}


def test_title_decides_which_page_keeps_the_score(library: ranvier.Library) -> None:
    for name in ("dinghy", "ferry", "yawl"):
        best = library.search(f"{name} anchor", strategy="bm25").hits[0]
        assert (best.path, best.anchor) == (f"{name}.md", "anchors")


def test_scope_of_one_page_shows_its_passage(library: ranvier.Library) -> None:
    """The page is not the first with this passage, but the only one in the scope."""
    (hit,) = library.search("anchor rock tag:masts").hits
    assert (hit.path, hit.anchor) == ("yawl.md", "anchors")


def test_lists_count_a_passage_once(library: ranvier.Library, site: Path) -> None:
    """B2: as the search does, word by word."""
    lists = Lists(site / "_ranvier")
    for word in ("anchor", "choose", "rock", "bay", "boat", "sand"):
        assert [round(hit.score, 1) for hit in library.search(word, strategy="bm25").hits] == pytest.approx(
            [hit.score / 100 for hit in lists.search(f"{word} ")], abs=0.2
        ), word


def test_site_can_count_every_repeat(tmp_path: Path) -> None:
    """`fuse.collapse_repeats = false`, for the search and for the lists."""
    config = Config(default_audience="public", search=SearchSettings(preset={"fuse": {"collapse_repeats": False}}))
    site = build_tree(tmp_path, SITE, config)
    with ranvier.open_snapshot(site) as library:
        scores = [hit.score for hit in library.search("choose", strategy="bm25").hits]
    assert max(scores) < min(scores) + 0.2
    assert [hit.score / 100 for hit in Lists(site / "_ranvier").search("choose ")] == pytest.approx(scores, abs=0.1)
