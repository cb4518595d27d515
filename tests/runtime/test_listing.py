"""Scopes, lists, orders, facets and backlinks (S1, S2, Q6, P1)."""

import unicodedata
from pathlib import Path

import pytest
import ranvier
from ranvier import Library, RequestError
from ranvier.requests import MAX_VALUES
from ranvier_builder import Config
from support.content import build_tree
from support.shared import library_fixture

TREE: dict[str, str | bytes] = {
    "index.md": "---\ntitle: Home\n---\nKestrels everywhere. See [alpha](project/alpha.md).\n",
    "project/index.md": "---\ntitle: Project\ntags: [project]\ncreated: 2026-01-01\n---\nKestrels of the project.\n",
    "project/alpha.md": "---\ntitle: Alpha\nid: a-1\ntags: [project/alpha, wip]\nkind: plan\nrole: queue\n"
    "updated: 2026-03-01\n---\nKestrels in alpha. [[Beta]]\n",
    "project/deep/beta.md": "---\ntitle: Beta\naliases: [Second letter]\ntags: [project/beta]\nkind: plan\nrole: work\n"
    "updated: 2026-02-01\n---\nKestrels in beta. See [[Alpha]] twice: [[Alpha]].\n",
    "project/deep/gamma.md": "---\ntitle: gamma\nparent: project/alpha.md\n---\nKestrels in gamma.\n",
    "daily/2026-02-10.md": "A day with kestrels.\n",
    "de/falken.md": "---\ntitle: Falken\nlang: de\n---\nDie Kestrels fliegen, viele Falken auch.\n",
    "tool.md": "---\naudience: tool\ntitle: Toolbox\n---\nKestrels for tools.\n",
    "mine.md": "---\naudience: curator\ntitle: Mine\n---\nKestrels of mine.\n",
}
EVERYTHING = Config(default_audience="public", publish_for="curator", name="birds")
birds = library_fixture(build_tree, TREE, EVERYTHING)


def titles(library: Library, query: str, **options: object) -> set[str]:
    return {hit.title for hit in library.search(query, **options).hits}


@pytest.mark.parametrize(
    ("options", "results"),
    [
        ({"tags": "project"}, {"Project", "Alpha", "Beta"}),  # and all below it
        ({"tags": "#project/alpha"}, {"Alpha"}),
        ({"tags": ["wip", "project/beta"]}, {"Alpha", "Beta"}),  # any of them
        ({"tags": "nosuch"}, set()),
        ({"kind": "plan"}, {"Alpha", "Beta"}),
        ({"kind": "PLAN", "role": "work"}, {"Beta"}),  # all fields must match
        ({"kind": "daily"}, {"2026-02-10"}),
        ({"lang": "de"}, {"Falken"}),
        ({"path": "project"}, {"Project", "Alpha", "Beta", "gamma"}),
        ({"path": "project/deep/*"}, {"Beta", "gamma"}),
        ({"path": "project/alpha.md"}, {"Alpha"}),
        ({"path": "proj"}, set()),  # only the whole name of a folder
        ({"path": "*eta*"}, {"Beta"}),
        ({"item": "a-1"}, {"Alpha"}),
        ({"item": "project/alpha.md"}, {"Alpha"}),
        ({"item": "second letter"}, {"Beta"}),
        ({"titles": "Second letter"}, {"Beta"}),
        ({"ancestor": "Project"}, {"Project", "Alpha", "Beta", "gamma"}),
        ({"ancestor": "a-1"}, {"Alpha", "gamma"}),  # the parent from the frontmatter (N5)
        ({"time": "2026-02-01..2026-02-28"}, {"Beta", "2026-02-10"}),
        ({"time": "2026-03-01"}, {"Alpha"}),
        ({"time": "..2026-01-31"}, {"Project"}),
        ({"modality": "image"}, set()),
    ],
)
def test_scope_options_narrow_search_and_list(birds: Library, options: dict[str, object], results: set[str]) -> None:
    """S1, N2, N5."""
    assert titles(birds, "kestrels", **options) == results
    assert titles(birds, "", **options) == results


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("kestrels #project", {"Project", "Alpha", "Beta"}),
        ("#project/alpha", {"Alpha"}),
        ("[[Second letter]] kestrels", {"Beta"}),
        ("path:project/deep kestrels", {"Beta", "gamma"}),
        ("kind:plan time:2026-02-01..2026-02-28 kestrels", {"Beta"}),
        ("lang:de kestrels", {"Falken"}),
    ],
)
def test_filters_in_the_query(birds: Library, query: str, results: set[str]) -> None:
    """Q6."""
    assert titles(birds, query) == results


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_path_with_accents_is_found_in_either_form(tmp_path: Path, form: str) -> None:
    """S1: macOS may write the accents of a file's name as characters of their own."""
    with ranvier.open_snapshot(build_tree(tmp_path, {f"{unicodedata.normalize(form, 'café')}/a.md": "# A\n"})) as library:
        (folder,) = library.search("", facets="folder").facets["folder"]
        for query in (f"path:{folder.value}", "path:caf\u00e9", "path:caf\u00e9*", "path:cafe\u0301"):
            result = library.search(query)
            assert ([hit.title for hit in result.hits], result.notices) == (["A"], ())


def test_unknown_filter_is_a_word(birds: Library) -> None:
    result = birds.search("#alpha kestrels")
    assert [notice.code for notice in result.notices] == ["unknown-filter"]
    assert result.hits[0].title == "Alpha"
    assert birds.search("kestrels", tags="alpha").hits == (), "a scope of the request is never a word"


def test_lists_are_sorted_by_title_date_or_path(birds: Library) -> None:
    by_title = [hit.title for hit in birds.search("", sort="title", path="project").hits]
    assert by_title == ["Alpha", "Beta", "gamma", "Project"], "case does not matter"
    assert [hit.title for hit in birds.search("kestrels", sort="title", path="project").hits] == by_title
    dated = [hit.title for hit in birds.search("", sort="updated", limit=100).hits]
    assert dated[:4] == ["Alpha", "2026-02-10", "Beta", "Project"], "newest first, pages without a date last"
    assert [hit.path for hit in birds.search("", sort="path", path="project").hits] == [
        "project/alpha.md", "project/deep/beta.md", "project/deep/gamma.md", "project/index.md",
    ]  # fmt: skip


def test_facets_count_all_matches(birds: Library) -> None:
    """Not only the hits on the page; the most frequent value first, then by alphabet."""
    result = birds.search("kestrels", limit=1, facets=["tags", "kind", "folder", "lang"])
    counts_by_facet = {name: {count.value: count.count for count in counts} for name, counts in result.facets.items()}
    assert counts_by_facet["tags"] == {"project": 3, "project/alpha": 1, "project/beta": 1, "wip": 1}
    assert next(iter(counts_by_facet["tags"])) == "project"
    assert counts_by_facet["kind"] == {"page": 6, "plan": 2, "daily": 1}
    assert counts_by_facet["folder"] == {"project": 2, "project/deep": 2, "daily": 1, "de": 1}
    assert counts_by_facet["lang"] == {"en": 8, "de": 1}
    assert birds.search("kestrels", tags="wip", facets="kind").facets["kind"][0].count == 1
    assert birds.search("xyzzyplugh", facets="kind").facets == {"kind": ()}
    assert birds.search("", facets="kind", kind="plan").facets["kind"][0].value == "plan"


@pytest.mark.parametrize("options", [{"match": "substring"}, {"min_confidence": 0.95}])
def test_facets_count_only_hits_if_no_leg_is_truncated(tmp_path: Path, options: dict[str, object]) -> None:
    """P1: not pages with another form of the word in a search for parts of words, nor hits with too low a confidence."""
    files: dict[str, str | bytes] = {
        "many.md": "# Kestrels\n\nKestrels, kestrels.\n",
        "one.md": "# Bird\n\nThe kestrel and more than twenty other words " + "of this page " * 20 + "\n",
        "none.md": "# None\n\nOwls.\n",
    }
    with ranvier.open_snapshot(build_tree(tmp_path, files)) as library:
        result = library.search("kestrels", facets="kind", **options)
        assert (result.total_hits, [count.count for count in result.facets["kind"]]) == (1, [1])


def test_backlinks_by_id_path_slug_title_or_alias(birds: Library) -> None:
    """S2, N4, [003]: each once, by title."""
    assert [backlink.title for backlink in birds.backlinks("Alpha")] == ["Beta", "Home"]
    assert birds.backlinks("a-1") == birds.backlinks("project/alpha.md") == birds.backlinks("Alpha")
    assert [backlink.path for backlink in birds.backlinks("second letter")] == ["project/alpha.md"]
    assert birds.backlinks("nosuch") == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limt": 3}, "there is no option 'limt'; did you mean 'limit'"),
        ({"tag": "x"}, "did you mean 'tags'"),
        ({"sort": "size"}, "sort must be one of"),
        ({"strategy": "best"}, "strategy must be one of"),
        ({"match": "fuzzy"}, "match must be one of"),
        ({"facets": ["nosuch"]}, "facets must be one of"),
        *(({"min_confidence": value}, "min_confidence must be a number from 0 to 1") for value in (2, -0.1, "high", True)),
        ({"kind": [5]}, "kind must be a string or a list of strings"),
        ({"explain": 1}, "explain must be true or false"),
        ({"facets": None}, "facets must be a string or a list of strings"),
        ({"facets": 5}, "facets must be a string or a list of strings"),
        ({"tags": 5}, "tags must be a string or a list of strings"),
        ({"tags": None}, "tags must be a string or a list of strings"),
        ({"path": ["x"] * (MAX_VALUES + 1)}, "path has more than 400 values"),
        ({"time": None}, "time must be a string"),
        ({"page_lang": 5}, "page_lang must be a string"),
        ({"preset": 5}, "preset must be a string"),
        ({"caller": "curator"}, "caller or scope has the wrong type"),
        ({"preset": "nosuch"}, "there is no preset 'nosuch'"),
    ],
)
def test_invalid_search_options_are_refused(birds: Library, options: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        birds.search("kestrels", **options)


@pytest.mark.parametrize("sign", ["", "-"])
def test_search_takes_the_largest_number_of_values(birds: Library, sign: str) -> None:
    """S1: SQLite refuses a condition that is nested too deeply."""
    for option in ("path", "lang", "titles", "tags", "kind"):
        birds.search("kestrels", **{option: [f"{sign}é{number}" for number in range(MAX_VALUES)]})
