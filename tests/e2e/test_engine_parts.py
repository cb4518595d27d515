"""X3, B2: a call of a function in the second part of the engine module fetches this part; without it, the search fails."""

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error
from ranvier_builder import build
from ranvier_builder.engine import engine_files, prepare
from support.browser import Tab, opened_tab
from support.content import OPEN, write_tree
from support.engine_parts import LINKED, PARTS, executed, instrument, instrumented_module, pinned_hot, replace_files, split
from support.sites import serving

SECOND = PARTS[1]
QUERY = "manifest"
# Parts of Pyodide's messages after a fatal error.
_FATAL = (
    "500", "fatal error", "RuntimeError", "Stack", "Current thread", 'File "', "<no Python frame>",
    "null function", "Aborted", "error occurred while", "fatal_error",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(chromium: Browser, example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, whose first part lacks the functions that run in the first search only."""
    folder = tmp_path_factory.mktemp("parts")
    instrumented = Path(shutil.copytree(example_site, folder / "instrumented"))
    instrument(instrumented, instrumented_module())
    with serving(instrumented) as server, opened_tab(chromium) as tab:
        tab.open_engine(server.url, shared=False)
        tab.ask("backlinks", "index.md")  # runs the deferred tasks of the start
        before_search = executed(tab.page)
        tab.ask("search", QUERY)
        functions = zip(pinned_hot(), before_search, executed(tab.page), strict=False)  # the last byte has padding
        hot = [pinned and (before or not after) for pinned, before, after in functions]
    copy = Path(shutil.copytree(example_site, folder / "site"))
    replace_files(copy, split(folder / "tools", hot))
    return copy


def search(tab: Tab, url: str) -> tuple[int, int]:
    """Start an engine and search once; return how often a second part was linked, before and after the search."""
    tab.open_engine(url, shared=False)
    before = tab.page.workers[-1].evaluate(LINKED)
    assert tab.ask("search", QUERY)["done"]["hits"][0]["title"]
    return before, tab.page.workers[-1].evaluate(LINKED)


def test_call_of_a_cold_function_waits_for_the_second_part(tab: Tab, site: Path) -> None:
    with serving(site) as server:
        assert search(tab, server.url) == (0, 1)
        assert len([path for path in server.recorder.paths if path.endswith(SECOND)]) == 1


@pytest.mark.parametrize(("fault", "requests"), [("500", 4), ("cut", 3)])
def test_missing_second_part_is_an_error(tab: Tab, site: Path, fault: str, requests: int) -> None:
    """The engine ends, another one fails, too, and the error names the file. Later, the next search starts an engine.

    The browser keeps a damaged file in its cache, so the second engine does not request this address again.
    """
    tab.expected += [SECOND, *_FATAL]
    with serving(site) as server:
        server.recorder.faults[SECOND] = fault
        tab.open_engine(server.url, shared=False)
        error = tab.ask("search", QUERY)
        assert error["code"] in ("fetch", "integrity")
        assert SECOND in error["message"]
        assert len([path for path in server.recorder.paths if path.endswith(SECOND)]) == requests
        server.recorder.faults.clear()
        assert tab.ask("search", QUERY)["done"]["hits"][0]["title"]
        assert tab.page.evaluate("engine.status().state") == "ready"


def test_missing_second_part_during_the_start_is_an_error(
    tab: Tab, example_site: Path, bare_parts: dict[str, Path], tmp_path: Path
) -> None:
    tab.expected += [SECOND, *_FATAL]
    site = Path(shutil.copytree(example_site, tmp_path / "site"))
    replace_files(site, bare_parts)
    with serving(site) as server:
        server.recorder.faults[SECOND] = "500"
        with pytest.raises(Error, match=re.escape(SECOND)):
            tab.open_engine(server.url, shared=False)
        server.recorder.faults.clear()
        assert tab.ask("search", QUERY)["done"]["hits"][0]["title"]


def test_core_as_source_needs_the_second_part(tab: Tab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Node there is no bytecode, so a browser needs Python's compiler; the stemmers of languages are sources, too."""
    engine_files()  # made with Node, if it is not in the cache
    monkeypatch.setattr(prepare, "ready", lambda core, engine: None)
    monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
    pages = {"index.md": "# Harbour\n\nShips.\n", "de.md": "---\nlang: de\n---\n# Hafen\n\nDie Schiffe liegen vor Anker.\n"}
    build(write_tree(tmp_path / "content", pages), tmp_path / "site", OPEN)
    entry = json.loads((tmp_path / "site/_ranvier/entry.json").read_text("utf-8"))
    assert entry["langs"]
    with serving(tmp_path / "site") as server:
        tab.open_engine(server.url, shared=False)
        assert tab.page.workers[-1].evaluate(LINKED) == 1
        assert [hit["title"] for hit in tab.ask("search", "Schiff liegt")["done"]["hits"]] == ["Hafen"]
