"""An unplanned database page is fetched, and the query runs again: never a wrong or an empty answer (X3, B2).

Planned reads are disabled in the Pyodide of browsers, under Node, so that SQLite meets missing pages of every table and pack.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import ranvier
from parity.compare import answer_of
from ranvier.store.snapshot import Snapshot, Steps
from ranvier_builder.engine import engine_files
from support.queries import Question
from support.sites import ROOT

QUERIES = [
    "search", "how to install", '"search core"', "sea*", "search NOT browser", "xyzzyplugh", "audience OR manifest", "serch",
]  # fmt: skip
QUESTIONS = [
    *(Question("search", query, {}) for query in QUERIES),
    Question("search", "ship", {"tags": ["sea", "reference"]}),
    Question("search", "nifes", {"match": "substring"}),
    Question("search", "bour", {"match": "substring"}),
    Question("search", "Obi-Wan", {"preset": "wiki"}),
    Question("search", "search harbour", {"preset": "brain", "explain": True}),
    Question("search", "#sea harbour manifest", {"preset": "vault"}),
    Question("search", "search", {"sort": "updated", "facets": ["tags", "folder"]}),
    Question("search", "", {"ancestor": "en", "return_all": True}),
    Question("retrieve", "harbour manifest", {"lang": ["en"]}),
    Question("backlinks", "tides", {}),
    Question("backlinks", "reference/search-box.md", {}),
]


@pytest.mark.parametrize("name", ["example_site", "harbour_site"])
def test_unplanned_pages_are_fetched_in_pyodide(name: str, request: pytest.FixtureRequest) -> None:
    """Every read fails first and is repeated; the answers are those of a normal library."""
    site: Path = request.getfixturevalue(name)
    questions = json.dumps([(method, {"query": query, **options}) for method, query, options in QUESTIONS])
    command = ["node", str(Path(__file__).with_name("unplanned_reads.mjs")), str(site), str(engine_files().folder), questions]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    answers = json.loads(result.stdout)
    with ranvier.open_snapshot(site) as library:
        expected = [answer_of(library, question)["done"] for question in QUESTIONS]
    assert [without_time(answer) for answer in answers["results"]] == [without_time(answer) for answer in expected]
    assert answers["misses"] > 0
    assert answers["plannedMisses"] == 0


@pytest.mark.parametrize("name", ["example_site", "harbour_site"])
def test_unplanned_pages_are_fetched_in_cpython(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing page is a hole in a file there; each file with pages is missed once."""
    site: Path = request.getfixturevalue(name)
    with ranvier.open_snapshot(site) as library:
        expected = [answer_of(library, question)["done"] for question in QUESTIONS]
        assert library.engine.snapshot.misses == 0
    monkeypatch.setattr(Snapshot, "fetch_terms", fetch_nothing)
    monkeypatch.setattr("ranvier.engine.SMALL", 0)  # else the first round fetches all of a small site
    with ranvier.open_snapshot(site) as library:
        results = [answer_of(library, question)["done"] for question in QUESTIONS]
        snapshot = library.engine.snapshot
        owners = {piece.owner for piece in snapshot._loaded}
        assert owners == {*snapshot.manifest.packs, "substring_fts", "terms"}
        assert snapshot.misses == len(snapshot._loaded)
    assert [without_time(answer) for answer in results] == [without_time(answer) for answer in expected]


def fetch_nothing(self: Snapshot, lookups: Iterable[Any] = (), packs: Iterable[str] = ()) -> Steps[None]:
    """Fetch no term."""
    return
    yield


def without_time(answer: Any) -> Any:
    return {name: value for name, value in answer.items() if name != "timing"} if isinstance(answer, dict) else answer
