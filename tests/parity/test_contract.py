"""B7, P4: options and results in JavaScript are those of the core, with JavaScript names."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import ranvier
from ranvier.bridge import camel
from ranvier.options import RetrieveOptions, SearchOptions, Strings
from ranvier.present.search import COVERAGE
from ranvier.presets import NAMES
from ranvier.query.intent import KEYWORD, SEMANTIC
from ranvier.rank.confidence import LEVELS
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES
from ranvier.store.titles import KINDS
from ranvier.suggest import Suggestion
from ranvier.types import Coverage, IntentKind, Level, NameKind
from support.sites import ROOT

WEB = ROOT / "runtime" / "ranvier_web"
MODULE = json.dumps((WEB / "options.js").as_uri())
PRINT_SCRIPT = f"import {{ RENAMED_OPTIONS }} from {MODULE}; console.log(JSON.stringify(RENAMED_OPTIONS));"
# `query` is a parameter, the scope's fields are options themselves, and a page must not choose the caller.
EXCLUDED = {"query", "scope", "caller"}


def names(*kinds: type[Any]) -> set[str]:
    return {camel(field.name) for kind in kinds for field in fields(kind)}


def typedef(file: str, name: str) -> dict[str, str]:
    """Read a JSDoc type: its properties, and the type of each."""
    text = re.sub(r"\n \* ?", " ", (WEB / file).read_text("utf-8"))
    if result := re.search(rf"@typedef \{{object\}} {name}\b(.*?)(?=@typedef|\*/)", text):
        rows = re.findall(r"@property \{((?:[^{}]|\{[^}]*\})*)\} \[?(\w+)\]?", result[1])
        return {row[1]: row[0] for row in rows}
    result = re.search(rf"@typedef \{{\{{([^@]*?)\}}\}} {name}\b", text)
    assert result, name
    return dict(re.findall(r"(\w+): ([^,{}]+|\{[^}]*\})", result[1]))


def union(kind: str) -> list[str]:
    return re.findall(r'"(\w*)"', kind)


def test_every_option_of_the_core_is_a_javascript_option() -> None:
    """There is no other option. Names of several words are converted."""
    options = {kind: names(kind, ranvier.Scope) - EXCLUDED for kind in (ranvier.SearchRequest, ranvier.RetrieveRequest)}
    result = subprocess.run(
        ["node", "--input-type=module", "-e", PRINT_SCRIPT], capture_output=True, text=True, timeout=60, check=True
    )
    assert {*json.loads(result.stdout)} == {
        name for names_of_kind in options.values() for name in names_of_kind if not name.islower()
    }
    described = {
        name: set(typedef("options.js", name))
        for name in ("FilterOptions", "RequestOptions", "SearchOnlyOptions", "RetrieveOnlyOptions")
    }
    assert described["FilterOptions"] == names(ranvier.Scope)
    assert described["FilterOptions"] | described["RequestOptions"] | described["SearchOnlyOptions"] == options[
        ranvier.SearchRequest
    ] | {"signal"}
    assert described["FilterOptions"] | described["RequestOptions"] | described["RetrieveOnlyOptions"] == options[
        ranvier.RetrieveRequest
    ] | {"signal"}


def test_values_of_options_are_those_of_python() -> None:
    request, search = typedef("options.js", "RequestOptions"), typedef("options.js", "SearchOnlyOptions")
    assert sorted(union(request["preset"])) == sorted(NAMES)
    assert union(request["strategy"]) == list(STRATEGIES)
    assert union(search["match"]) == list(MATCHES)
    assert union(search["sort"]) == list(SORTS)
    assert set(FACETS) == set(
        re.findall(r'"(\w+)"', re.findall(r"@typedef \{([^}]*)\} Facet\b", (WEB / "options.js").read_text())[0])
    )


@pytest.mark.parametrize(
    ("options", "request_kind"), [(SearchOptions, ranvier.SearchRequest), (RetrieveOptions, ranvier.RetrieveRequest)]
)
def test_every_option_is_typed_in_python(options: type[Any], request_kind: type[Any]) -> None:
    """The keyword arguments of `Library` have the names, types and values of the requests."""
    types, expected = get_type_hints(options), get_type_hints(ranvier.Scope) | get_type_hints(request_kind)
    values = {"preset": NAMES, "strategy": STRATEGIES, "match": MATCHES, "sort": SORTS}
    assert types.keys() == expected.keys() - {"query"}
    for name, kind in types.items():
        if name in values:
            assert (set(get_args(kind)), expected[name]) == (set(values[name]), str), name
        elif name == "facets":
            assert set(get_args(get_args(kind)[0])) == set(FACETS)
        else:
            assert expected[name] == (tuple[str, ...] if kind == Strings else kind), name


RESULTS = (
    *(ranvier.Hit, ranvier.SubResult, ranvier.SearchResult, ranvier.RetrieveResult, ranvier.RetrievedChunk),
    *(ranvier.Notice, ranvier.FacetCount, ranvier.Backlink, ranvier.Explanation, ranvier.LegRank, ranvier.Step, Suggestion),
)


@pytest.mark.parametrize("kind", RESULTS)
def test_values_of_result_fields_are_those_of_python(kind: type[Any]) -> None:
    """A field has the same values in both languages, or any value in both."""
    hints = get_type_hints(kind).items()
    expected = {camel(name): set(get_args(hint)) for name, hint in hints if get_origin(hint) is Literal}
    described = typedef("protocol.js", kind.__name__).items()
    assert {name: set(union(text)) for name, text in described if union(text)} == expected


def test_the_values_of_results_are_those_of_the_core() -> None:
    assert set(get_args(Coverage)) == set(COVERAGE.values())
    assert list(get_args(Level)) == [level for level, _ in LEVELS]
    assert set(get_args(IntentKind)) == {KEYWORD, SEMANTIC}
    assert get_args(NameKind) == KINDS
    assert {"coverage", "level", "field", "matchType"} <= typedef("protocol.js", "Hit").keys()


@pytest.mark.parametrize("kind", RESULTS)
def test_every_field_of_a_result_is_documented(kind: type[Any]) -> None:
    page_fields = {"audience"} if kind is ranvier.Hit else set[str]()  # the page adds it while an encrypted layer is open
    assert set(typedef("protocol.js", kind.__name__)) == names(kind) | page_fields
