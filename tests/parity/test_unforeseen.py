"""A page that was not foreseen is asked for, and the query runs again: never a wrong or an empty answer (X3, B2).

Foresight is switched off in the same Pyodide that browsers run, here under Node, so that SQLite itself meets missing pages.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import ranvier
from ranvier.bridge import camelised
from ranvier.store.snapshot import Snapshot
from ranvier.types import SearchRequest, to_plain
from support.sites import ROOT

QUERIES = ["search", "how to install", '"search core"', "sea*", "search NOT browser", "xyzzyplugh", "audience OR manifest"]


def test_in_pyodide(example_site: Path) -> None:
    """Every read fails first and is mended; the answers are those of a library that foresees."""
    command = ["node", str(Path(__file__).with_name("unforeseen.mjs")), str(example_site), json.dumps(QUERIES)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    answers = json.loads(ran.stdout)
    with ranvier.open_snapshot(example_site) as library:
        expected = [to_plain(library.search(query)) for query in QUERIES]
    assert [answer["hits"] for answer in answers["results"]] == [camelised(one)["hits"] for one in expected]
    assert answers["misses"] > 0
    assert answers["foreseenMisses"] == 0


def test_in_cpython(example_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on a server, where a missing page is a hole in a file."""
    with ranvier.open_snapshot(example_site) as library:
        expected = [library.search(query).hits for query in QUERIES]
        assert library.engine.snapshot.misses == 0
    monkeypatch.setattr(Snapshot, "_files", lambda self, sought: set())
    with ranvier.open_snapshot(example_site) as library:
        assert [library.search(query).hits for query in QUERIES] == expected
        assert library.engine.snapshot.misses > 0


def test_only_what_a_query_touches_is_read(example_site: Path) -> None:
    """Two rounds, and of the index only a part: the files that the query's words lie in."""
    with ranvier.open_snapshot(example_site) as library:
        steps = library.engine.search(SearchRequest("chunk"))
        postings = next(steps)
        assert 0 < len(postings.files) < len(library.engine.snapshot.manifest.index.sizes) / 2
        assert all(name.startswith("index/") for name in postings.files)
        texts = steps.send({name: library.source.read(name) for name in postings.files})
        assert all(name.startswith("text/") for name in texts.files)
        with pytest.raises(StopIteration):
            steps.send({name: library.source.read(name) for name in texts.files})
        assert (library.engine.rounds, library.engine.snapshot.misses) == (2, 0)
