"""What a stranger's review of the search core found, held fast: speed in a scope, spelling, and what a caller may not see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conformance.server import opened, page, whole_site
from ranvier import Caller, Library
from ranvier.presets import NAMES
from ranvier.query.scope import ScopeFilter
from ranvier.query.syntax import parse
from ranvier.query.tree import leaves

HIDDEN, SHOWN = {"audience": ["curator"]}, {"audience": ["public"]}
TREE = {
    "guide/install.md": page("# Install\n\nInstall the kestrel tool.", tags=["setup"], **SHOWN),
    "guide/usage.md": page("# Usage\n\nUse the kestrel tool. See [[Install]].", tags=["setup"], **SHOWN),
    "guide/api.md": page("# Names\n\nCall `getPageBundle` here.", **SHOWN),
    "guide/semver.md": page("# Versions\n\nIt follows semver.", **SHOWN),
    **{f"servers/{at:02}.md": page(f"# Server {at}\n\nA server, number {at}.", **SHOWN) for at in range(60)},
    "secret/index.md": page("# Zanzibar\n\nThe codename is xylophonic. See [[Install]] and [[Usage]].", **HIDDEN),
    "secret/plan.md": page("# Plan\n\nA xylophonic kestrel tool. See [[Install]] and [[Usage]].", **HIDDEN),
    "secret/child.md": page("# Child\n\nA kestrel child. See 0 of 120 others.", parent="secret/index.md", **SHOWN),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened(whole_site(tmp_path_factory.mktemp("review"), TREE)) as site:
        yield site


def corrected(library: Library, query: str, audience: str = "public") -> list[str]:
    result = library.search(query, caller=Caller(audience))
    return [notice.subject for notice in result.notices if notice.code == "corrected"]


def test_a_scope_is_searched_once(library: Library) -> None:
    """S1, A5: numbers are filtered as rows come; looked for one by one, each would be a search of its own, bm25 and all."""
    narrowed, values = ScopeFilter(range(1, 60)).of_neurons()
    sql = f"EXPLAIN QUERY PLAN SELECT rowid FROM neuron_fts WHERE neuron_fts MATCH ?{narrowed} ORDER BY rank"
    plan = library.run(library.engine.snapshot.query(sql, ('"kestrel"', *values)))
    scan = next(line for *_, line in plan if "neuron_fts" in line)
    assert "=" not in scan.partition("INDEX")[2].replace("M", "", 1), (
        "a virtual table's plan says `=` where it is given a rowid"
    )


@pytest.mark.parametrize("query", ["semver shop", "semver kestrel", "semver"])
def test_a_rare_word_of_the_site_is_no_slip(library: Library, query: str) -> None:
    """`server` stands in sixty Neurons and is one letter away, and `semver` is a word of its own."""
    assert corrected(library, query) == []
    assert corrected(library, "sevrer") == ["server"]


@pytest.mark.parametrize(
    "query", ["xylophonicc", "instal xylophonicc", "installl xylophonicc qqq", "zanzibbar", "kestrel zanzibra"]
)
def test_no_hidden_word_is_named(library: Library, query: str) -> None:
    """A5: what stands only in Neurons that the caller may not see mends nothing, and is no known word."""
    text = " ".join(corrected(library, query))
    assert "zanzibar" not in text
    assert "xylophonic" not in text.replace("xylophonicc", "")
    assert corrected(library, "xylophonicc", "curator") == ["xylophonic"]


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_ancestor_has_nothing_below_it(library: Library, name: str) -> None:
    """A5, S1: that a title exists is not told by what is below it."""
    for ancestor in ("Zanzibar", "secret/index.md"):
        options = {"preset": name, "ancestor": ancestor}
        assert [hit.title for hit in library.search("child", caller=Caller("public"), **options).hits] == []
        assert [hit.title for hit in library.search("child", caller=Caller("curator"), **options).hits] == ["Child"]


@pytest.mark.parametrize(
    ("name", "stage", "public", "curator"),
    [
        ("default", "linked", {"1 links to it"}, {"3 links to it", "2 links to it"}),
        ("vault", "graph", {"1 connections", "2 connections"}, {"4 connections", "5 connections"}),
        ("vault", "folder", {"guide: 2 of 4"}, {"guide: 2 of 4", "secret: 2 of 3"}),
    ],
)
def test_hidden_links_and_folders_are_not_counted(
    library: Library, name: str, stage: str, public: set[str], curator: set[str]
) -> None:
    """A5, P3: an explanation counts what the caller sees."""
    for audience, whys in (("public", public), ("curator", curator)):
        result = library.search("kestrel tool", preset=name, caller=Caller(audience), explain=True)
        steps = [step for hit in result.hits if hit.explain for step in hit.explain.steps]
        assert {step.why for step in steps if step.stage == stage} == whys


def test_a_version_is_not_its_digits(library: Library) -> None:
    """I2: a site that never names v0.120.0 has no page about it, whatever else has a 0 on it."""
    assert library.search("v0.120.0").hits == ()
    assert library.search("kestrel 0.120").hits[0].coverage == "some"


def test_words_said_again_and_again_are_looked_up_twice() -> None:
    """Q1: FTS5 goes through all places of every term of an expression."""
    assert [term.words for term in leaves(parse("server " * 20 + "kestrel").tree)] == [("server",), ("server",), ("kestrel",)]
    assert len(list(leaves(parse("to be or not to be").tree))) == 6


@pytest.mark.parametrize(("query", "messages"), [("kestrel qu", False), ("kestrel qu ", True), ("kestrel quartz", True)])
def test_letters_being_typed_are_no_missing_word(library: Library, query: str, messages: bool) -> None:
    """X2: `No page has all of these words` does not flicker with the first letters of each word."""
    result = library.search(query, prefix=True)
    assert bool({"some-words", "little"} & {notice.code for notice in result.notices}) is messages


def test_a_range_of_days_brings_its_hundred_from_the_scope(tmp_path: Path) -> None:
    """L6, S1, A5, [004]: what the caller may not see takes no place among the hundred."""
    files = {f"h{at:03}.md": page(f"# Hidden {at}", updated="2026-05-02", **HIDDEN) for at in range(101)}
    files["p.md"] = page("# Public", updated="2026-05-01", **SHOWN)
    with opened(whole_site(tmp_path, files)) as site:
        hits = site.search("time:2026-05-01..2026-05-02", preset="vault", caller=Caller("public")).hits
    assert [hit.title for hit in hits] == ["Public"]


@pytest.mark.parametrize("query", ["getP", "getPa", "getPag", "getPage", "getPageB", "names getP"])
def test_an_identifier_is_found_while_it_is_typed(library: Library, query: str) -> None:
    """I2: letter by letter, without a word about spelling that comes and goes."""
    result = library.search(query, prefix=True)
    assert [(hit.title, hit.coverage) for hit in result.hits[:1]] == [("Names", "all")]
    assert result.notices == ()


def test_enter_changes_no_order(tmp_path: Path) -> None:
    """P1: a title that begins with the query stands before a heading that is it, while it is typed, and when it is done."""
    files = {
        "a.md": "# Contents\n\n## Autodiscover\n\nAutodiscover, autodiscover.",
        "b.md": "# Autodiscover service in brief\n\nHow autodiscover finds a server.",
        "c.md": "# Autodiscover\n\nThe word.",
    }
    with opened(whole_site(tmp_path, files)) as site:
        for query, prefix in (("autodiscover", True), ("autodiscover ", True), ("autodiscover", False)):
            assert [hit.path for hit in site.search(query, prefix=prefix).hits] == ["c.md", "b.md", "a.md"]


def test_of_one_word_there_is_no_half(tmp_path: Path) -> None:
    """P1: of more pages than are looked at, those that only a section brought have the whole query all the same."""
    files = {f"p{at:03}.md": f"# Page {at}\n\n## One\n\nneedle\n\n## Two\n\n{'hay ' * (at % 7)}" for at in range(260)}
    with opened(whole_site(tmp_path, files)) as site:
        assert {hit.coverage for hit in site.search("needle", limit=100, offset=150, candidates=200).hits} == {"all"}
