"""X3, B2: the second part of the engine module is fetched when it is called; if it is missing, the engine restarts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from support.browser import Tab, opened_tab
from support.engine_parts import LINKED, PARTS, WHOLE, note, noting_module, parts, pinned_hot, put, ran
from support.sites import serving

SECOND = PARTS[1]
QUERY = "manifest"
# What Pyodide says at its end.
_END = (
    "500",
    "fatal error",
    "snapshot:",
    "RuntimeError",
    "Stack",
    "Current thread",
    'File "',
    "<no Python frame>",
    "null function",
    "Aborted",
    "error occurred while",
    "fatal_error",
)


@pytest.fixture(scope="module")
def site(chromium: Browser, example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, with a first part that lacks what the first search runs, and neither a start nor another question does."""
    folder = tmp_path_factory.mktemp("parts")
    noting = Path(shutil.copytree(example_site, folder / "noting"))
    note(noting, noting_module())
    with serving(noting) as served, opened_tab(chromium) as tab:
        tab.open_engine(served.url, shared=False)
        tab.ask("backlinks", "index.md")  # what tidies up after a start comes when the browser likes
        started = ran(tab.page)
        tab.ask("search", QUERY)
        both = zip(pinned_hot(), started, ran(tab.page), strict=False)  # the last byte is filled up
        hot = [pinned and (before or not after) for pinned, before, after in both]
    copy = Path(shutil.copytree(example_site, folder / "site"))
    put(copy, parts(folder / "tools", hot))
    return copy


def ask(tab: Tab, url: str) -> int:
    """Start, ask once, and return how often a second part was linked before and after: as tens and ones."""
    tab.open_engine(url, shared=False)
    before = tab.page.workers[-1].evaluate(LINKED)
    assert tab.ask("search", QUERY)["done"]["hits"][0]["title"]
    return int(10 * before + tab.page.workers[-1].evaluate(LINKED))


def test_call_of_a_cold_function_waits_for_the_second_part(tab: Tab, site: Path) -> None:
    with serving(site) as served:
        assert ask(tab, served.url) == 1
        assert [path for path in served.recorder.paths if path.endswith(".wasm") and not path.endswith(PARTS[0])] == [
            path for path in served.recorder.paths if path.endswith(SECOND)
        ]


@pytest.mark.parametrize("how", ["500", "cut"])
def test_missing_second_part_starts_another_engine(tab: Tab, site: Path, how: str) -> None:
    """The first engine ends with the name of the file; the other starts from the library and the whole module."""
    tab.expected += [SECOND, *_END]
    with serving(site) as served:
        served.recorder.broken[SECOND] = how
        assert ask(tab, served.url) == 0
        assert any(SECOND in line for line in tab.messages), tab.messages
        assert tab.page.evaluate("engine.status().state") == "ready"
        tried = [path for path in served.recorder.paths if path.endswith((SECOND, WHOLE))]
        assert [path.rpartition("/")[2] for path in tried] == [SECOND, SECOND, WHOLE]


def test_missing_second_part_during_the_start_restarts_the_engine(
    tab: Tab, example_site: Path, bare_parts: dict[str, Path], tmp_path: Path
) -> None:
    tab.expected += [SECOND, *_END]
    site = Path(shutil.copytree(example_site, tmp_path / "site"))
    put(site, bare_parts)
    with serving(site) as served:
        served.recorder.broken[SECOND] = "500"
        assert ask(tab, served.url) == 0
        tried = [path for path in served.recorder.paths if path.endswith((SECOND, WHOLE))]
        assert [path.rpartition("/")[2] for path in tried] == [SECOND, SECOND, WHOLE]
