"""Grep recalls, BM25 over five fields ranks ([004])."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from conformance.sites import library_of, neuron, site_fixture, understood, using
from ranvier import Library
from ranvier.legs import Recall
from ranvier.legs.grep import LIMIT, GrepLeg, RankedAmong, recall_terms, salient
from ranvier.legs.text import TextLeg
from ranvier.presets import Preset, preset
from ranvier.query.expansion import expanded
from ranvier.query.scope import ScopeFilter
from ranvier.store.tables import CHUNKS
from ranvier.types import Ranking
from support.results import paths


class OneVariant:
    """An expander of one variant."""

    def __init__(self, variant: str) -> None:
        self._variant = variant

    def variants(self, query: str) -> Sequence[str]:
        return [self._variant]


FILES = {
    "install/plugin.md": neuron("Alpha", "Both words stand in this path."),
    "install/other.md": neuron("Bravo", "One word does; and the plugin is named here."),
    "deep/content.md": neuron("Candy", "To install it is easy."),
    "deep/tagged.md": neuron("Delta", "Nothing here.", tags="[plugin/manager]"),
    "deep/cjk.md": neuron("Eagle", "これは日本語の文章です。"),
    "deep/none.md": neuron("Fiver", "Nothing of it."),
    "deep/inside.md": neuron("Ghost", "A reinstallation."),
    "deep/umlaut.md": neuron("Hotel", "Ein Öl brennt."),
}


site = site_fixture(FILES)


GREP = GrepLeg()


def _grep(library: Library, query: str, variants: Sequence[str] = (), leg: GrepLeg = GREP, **options: Any) -> Ranking:
    request = replace(understood(query, "vault"), expansion=expanded(query, variants))
    recall = Recall(library.engine.snapshot, library.engine.texts, request, ScopeFilter(), 200)
    return library.run(leg.recall(replace(recall, **options)))


def _names(library: Library, result: Ranking) -> list[str]:
    number_by_path = dict(library.run(library.engine.snapshot.query("SELECT n, path FROM neuron", (), (), ("neuron",))))
    return [number_by_path[result.row] for result in result.matches]


@pytest.mark.parametrize(
    ("query", "variants", "terms"),
    [
        ("Install Plugin", (), ["install plugin", "install", "plugin"]),
        ("Install  the Plugin", ("Set up", "ADD ON"), ["install the plugin", "set up", "add on", "install", "plugin"]),
        ("plugin", ("Plugin", "plugin"), ["plugin"]),  # without duplicates
        ("go to", (), ["go to"]),  # ASCII terms have three characters or more
        ("go", (), []),
        ("日本 語", (), ["日本 語", "日本"]),  # CJK terms two
        ("語", (), []),
    ],
)
def test_recall_terms_are_queries_then_salient_terms(query: str, variants: tuple[str, ...], terms: list[str]) -> None:
    """L5, Q7, [004]: the original first; lower case, each once."""
    assert recall_terms(replace(understood(query, "vault"), expansion=expanded(query, variants))) == terms


def test_grep_searches_paths_then_contents(site: Library) -> None:
    """L5, [004]: files by how many terms their path has."""
    result = _names(site, _grep(site, "install plugin"))
    assert result[:2] == ["install/plugin.md", "install/other.md"], "two terms in the path, then one"
    assert sorted(result[2:]) == ["deep/content.md", "deep/inside.md", "deep/tagged.md"]


def test_grep_finds_the_words_of_a_query_side_by_side_first() -> None:
    """L5, [004]: the whole query is the first term; a page with it comes before those that have its words apart."""
    texts = ["A lantern hangs in the boathouse.", "The boathouse lantern.", "A red lantern in a box.", "By red lantern light."]
    files = {f"{number}.md": neuron("Page", body) for number, body in enumerate(texts)}
    with library_of(files) as library:
        for query, result in {"boathouse lantern": "1.md", "lantern in the boat": "0.md", "tern light": "3.md"}.items():
            assert _names(library, _grep(library, query, leg=GrepLeg(limit=1))) == [result]


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("stallat", ["deep/inside.md"]),  # a substring at any position
        ("manager", ["deep/tagged.md"]),  # a tag is content
        ("日本", ["deep/cjk.md"]),
        ("日本語", ["deep/cjk.md"]),
        ("語", []),
        ("in", []),
        ("öl", ["deep/umlaut.md"]),
        ("xyzzyplugh", []),
        ('"é', []),
        ("é'", []),
    ],
)
def test_grep_terms_have_a_minimum_length(site: Library, query: str, results: list[str]) -> None:
    """L5, [004]: three characters in ASCII, two in CJK; nothing is syntax."""
    assert _names(site, _grep(site, query)) == results


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (2, 2), (3, 3), (200, 5)])
def test_grep_fills_up_to_its_limit(site: Library, limit: int, count: int) -> None:
    """L5, P4, [004]: the content pass fills the remaining slots; the limit is 200 or that of the candidates."""
    result = _grep(site, "install plugin", leg=GrepLeg(limit=limit))
    assert (len(result.matches), result.truncated) == (count, count == limit)
    assert _names(site, result) == _names(site, _grep(site, "install plugin"))[:count]
    assert len(_grep(site, "install plugin", candidates=limit).matches) == count
    assert LIMIT == 200


def test_grep_stays_within_the_scope(site: Library) -> None:
    """L5, S1: notes outside the scope take no slot."""
    scope_filter = ScopeFilter(result.row for result in _grep(site, "stallat").matches)
    assert _names(site, _grep(site, "install plugin", scope_filter=scope_filter)) == ["deep/inside.md"]


# Each page has the word in another field; the lengths are equal.
FIELDS = {
    "a/title.md": neuron("Zebra", "Five words stand in here.", tags="[horse]"),
    "a/tags.md": neuron("Horse", "Five words stand in here.", tags="[zebra]"),
    "a/heading.md": neuron("Horse", "## Zebra\n\nFive words stand in here.", tags="[horse]"),
    "a/zebra.md": neuron("Horse", "Five words stand in here.", tags="[horse]"),
    "a/body.md": neuron("Horse", "One zebra stands in here.", tags="[horse]"),
} | {f"a/other{at}.md": neuron("Horse", "Five words stand in here.", tags="[horse]") for at in range(12)}


def test_field_weights() -> None:
    """I1, L1, [004]: title 5, tags 4, heading 2.5, path 1.5, body 1."""
    leg, _ = preset("vault").legs
    assert isinstance(leg, RankedAmong)
    assert isinstance(leg.ranked, TextLeg)
    assert (leg.ranked.weights, leg.ranked.table) == ((5.0, 4.0, 2.5, 1.5, 1.0), CHUNKS)
    assert leg.recalled == GrepLeg(limit=200)
    with library_of(FIELDS) as library:
        hits = library.search("zebra", preset="vault").hits
        raw = library.search("zebra", preset="vault", explain=True).hits
    assert [hit.path for hit in hits] == ["a/title.md", "a/tags.md", "a/heading.md", "a/zebra.md", "a/body.md"]
    scores = [hit.explain.legs[0].raw for hit in raw if hit.explain]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 5


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("zebra horse", ["both.md", "horse.md", "zebra.md"]),  # OR: one of the words is enough
        ("zeb", ["both.md", "zebra.md"]),  # prefix
        ("zebr hors", ["both.md", "horse.md", "zebra.md"]),
        ("zebrra", []),  # fuzzy: false
        ("c zebra", ["both.md", "zebra.md"]),  # a single letter is no salient term
    ],
)
def test_full_text_uses_or_of_prefixes(query: str, results: list[str]) -> None:
    """L1, [004]: combineWith "OR", prefix: true, fuzzy: false."""
    files = {
        "both.md": neuron("Both", "A zebra and a horse."),
        "zebra.md": neuron("One", "Two zebras."),
        "horse.md": neuron("Two", "Some horses."),
        "cat.md": neuron("Cat", "A cat could call."),
    }
    with library_of(files) as library:
        result = library.search(query, preset="vault")
    assert sorted(paths(result)) == results
    assert result.notices == (), "a page needs only some of the words"


def test_ranking_uses_salient_terms() -> None:
    """Q7, L1, [004]: or the query, if there are none."""
    assert [term.words for term in salient(understood("how to install a plugin", "vault")).terms] == [("instal",), ("plugin",)]
    assert [term.words for term in salient(understood("c", "vault")).terms] == [("c",)]
    assert [term.words for term in salient(understood("the and", "vault")).terms] == [("the",), ("and",)]


def test_variants_widen_recall_and_never_rank() -> None:
    """Q7, L5, [004]: "expanded queries increase candidate recall but are not directly used as the ranking query"."""
    files = {
        "ran.md": neuron("Ran", "She runs far."),
        "running.md": neuron("Goes", "She is running far."),
        "jogs.md": neuron("Jogs", "Many jogs: jogs, jogs and jogs."),
    } | {f"r{at}.md": neuron("Rest", "Nothing stands in here.") for at in range(9)}
    with (
        library_of(files) as plain,
        library_of(files, OneVariant("runs")) as wide,
        library_of(files, OneVariant("jogs")) as other,
    ):
        assert paths(plain.search("running", preset="vault")) == ["running.md"]
        # Grep finds it by the variant; it is ranked, because it has the stem of the query.
        assert paths(wide.search("running", preset="vault")) == ["running.md", "ran.md"]
        assert paths(other.search("running", preset="vault")) == ["running.md"], "it is recalled, but has no word of the query"
        assert paths(wide.search("running", preset="vault", exact=True)) == ["running.md"]


def test_ranking_does_not_depend_on_variants() -> None:
    """Q7, [004]: the same scores with and without, where the same notes are recalled."""
    files = {f"p{at}.md": neuron(f"Page {at}", f"To install{' install' * at} a plugin.") for at in range(6)}
    with library_of(files) as plain, library_of(files, OneVariant("plugin plugin setup")) as wide:
        first, other = (library.search("install plugin", preset="vault").hits for library in (plain, wide))
    assert [(hit.path, hit.score) for hit in first] == [(hit.path, hit.score) for hit in other]


def test_only_recalled_notes_are_ranked(site: Library) -> None:
    """L5, [004]."""
    vault: Preset = preset("vault")
    leg, _ = vault.legs
    assert isinstance(leg, RankedAmong)
    narrow = replace(vault, legs=(replace(leg, recalled=GrepLeg(limit=2)),))
    with using(site, narrow):
        result = site.search("install plugin", preset="vault")
    assert sorted(paths(result)) == ["install/other.md", "install/plugin.md"]
    assert result.truncated
