"""B7, P4: options and results in JavaScript are those of the core, with JavaScript names."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import fields
from typing import Any

import pytest
import ranvier
from ranvier.bridge import camel
from ranvier.present.search import COVERAGE
from ranvier.presets import NAMES
from ranvier.rank.confidence import LEVELS
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES
from support.sites import ROOT

WEB = ROOT / "runtime" / "ranvier_web"
PRINTED = f"import {{ OPTIONS }} from {json.dumps((WEB / 'options.js').as_uri())}; console.log(JSON.stringify(OPTIONS));"
# `query` is no option, the scope's fields are options themselves, and who asks is not a page's to tell.
APART = {"query", "scope", "caller"}


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
    return re.findall(r'"(\w+)"', kind)


def test_every_option_of_the_core_is_a_javascript_option() -> None:
    """And no other, in JSDoc and in the checked list."""
    ran = subprocess.run(["node", "--input-type=module", "-e", PRINTED], capture_output=True, text=True, timeout=60, check=True)
    options = {what: set(some) for what, some in json.loads(ran.stdout).items()}
    assert options["search"] == names(ranvier.SearchRequest, ranvier.Scope) - APART
    assert options["retrieve"] == names(ranvier.RetrieveRequest, ranvier.Scope) - APART
    assert options["backlinks"] == set()
    described = {name: set(typedef("options.js", name)) for name in ("Narrowing", "Manner", "Searching", "Retrieving")}
    assert described["Narrowing"] == names(ranvier.Scope)
    assert described["Narrowing"] | described["Manner"] | described["Searching"] == options["search"] | {"signal"}
    assert described["Narrowing"] | described["Manner"] | described["Retrieving"] == options["retrieve"] | {"signal"}


def test_every_value_of_an_option_is_named() -> None:
    manner, searching = typedef("options.js", "Manner"), typedef("options.js", "Searching")
    assert sorted(union(manner["preset"])) == sorted(NAMES)
    assert union(manner["strategy"]) == list(STRATEGIES)
    assert union(searching["match"]) == list(MATCHES)
    assert union(searching["sort"]) == list(SORTS)
    assert set(FACETS) == set(
        re.findall(r'"(\w+)"', re.findall(r"@typedef \{([^}]*)\} Facet\b", (WEB / "options.js").read_text())[0])
    )


def test_every_value_of_a_result_is_named() -> None:
    hit = typedef("protocol.js", "Hit")
    assert union(hit["coverage"]) == list(dict.fromkeys(COVERAGE.values()))
    assert union(hit["level"]) == [level for level, _ in LEVELS]


@pytest.mark.parametrize(
    "kind",
    [
        *(ranvier.Hit, ranvier.SubResult, ranvier.SearchResult, ranvier.RetrieveResult, ranvier.RetrievedChunk),
        *(ranvier.Notice, ranvier.FacetCount, ranvier.Backlink, ranvier.Explanation, ranvier.LegRank, ranvier.Step),
    ],
)
def test_every_field_of_a_result_is_documented(kind: type[Any]) -> None:
    assert set(typedef("protocol.js", kind.__name__)) == names(kind)
