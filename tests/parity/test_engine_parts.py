"""B1 with the module in two parts: the same answers; searches like those that chose the first part need no second part."""

from __future__ import annotations

import shutil
from pathlib import Path

import ranvier
from parity import sections
from parity.compare import Sides
from playwright.sync_api import Browser
from support.browser import opened_tab
from support.engine_parts import LINKED, guard, replace_files
from support.queries import Question, by_hand, generated_queries, retrievals, searches
from support.sites import EXAMPLE, serving


def questions(library: ranvier.Library) -> list[Question]:
    """Return some of the questions that chose the first part, with all presets and strategies."""
    requests = [*searches(by_hand()[::3], library, 1), *retrievals(by_hand()[::9], library, 3)]
    return [
        *requests,
        *(Question("search", "how do I deploy", {"preset": name}) for name in ("default", "desktop", "brain", "vault")),
    ]


def test_many_sections_need_no_second_part(chromium: Browser, sections_site: Path) -> None:
    """For long posting lists, SQLite runs functions that it does not run for short ones."""
    with serving(sections_site) as server, ranvier.open_snapshot(sections_site) as library, opened_tab(chromium) as tab:
        tab.open_engine(server.url, shared=False)
        assert Sides(library, tab, sections_site.parent / "content").differences(sections.questions()) == {}
        assert tab.page.workers[-1].evaluate(LINKED) == 0


def test_first_part_reads_no_deferred_data(chromium: Browser, harbour_site: Path, tmp_path: Path) -> None:
    """A first part in which each read of such data traps answers in ten languages."""
    site = Path(shutil.copytree(harbour_site, tmp_path / "site"))
    guard(site)
    with serving(site) as server, ranvier.open_snapshot(harbour_site) as library, opened_tab(chromium) as tab:
        tab.open_engine(server.url, shared=False)
        words = generated_queries(harbour_site.parent / "content", 40, overlapping=True)
        requests = [*questions(library)[::3], *searches(words, library, 2)]
        assert Sides(library, tab, harbour_site.parent / "content").differences(requests) == {}
        assert tab.page.workers[-1].evaluate(LINKED) == 0


def test_first_part_without_any_function_answers(
    chromium: Browser, example_site: Path, bare_parts: dict[str, Path], tmp_path: Path
) -> None:
    """Every call goes through a stub; the second part is linked once."""
    site = Path(shutil.copytree(example_site, tmp_path / "site"))
    replace_files(site, bare_parts)
    with serving(site) as server, ranvier.open_snapshot(example_site) as library, opened_tab(chromium) as tab:
        tab.open_engine(server.url, shared=False)
        assert Sides(library, tab, EXAMPLE / "content").differences(questions(library)) == {}
        assert tab.page.workers[-1].evaluate(LINKED) == 1
