"""Which functions of the engine's module run when sites are searched: `python hot.py` adds them to `engine/hot.json`.

Needs Node and npm. In Chromium, the manual, a site in ten languages, a site with many sections and a large site are searched,
from the snapshot and from the library, with the questions of the parity tests; the manual also in Firefox and WebKit with some
questions. The module notes each function that is called. It takes about ten minutes.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import common  # noqa: F401  # the path of the tests
import ranvier
from e2e.test_other_browsers import ASK, ASK_PAGE, QUESTIONS
from made_tree import SEED, Pool
from made_tree import made as made_pages
from parity.compare import in_browser
from parity.harbour import harbour
from parity.sections import many_sections, questions
from parity.test_parity import SEMANTIC_QUERIES
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder import Config, build, load_config
from ranvier_builder.engine import make
from support.browser import _ARGUMENTS, CHROMIUM, opened_tab
from support.content import write_tree
from support.engine_parts import ASK_WHAT_RAN, hot_list, note, noting_module, pinned_hot, ran
from support.other_browsers import BROWSERS
from support.queries import Question, by_hand, made, retrievals, searches
from support.sites import EXAMPLE, serving

PRESETS = ("default", "desktop", "brain", "vault")


def main() -> None:
    """Search both sites in both ways, and write down what ran in any of them."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        module = noting_module()
        manual = folder / "manual"
        build(EXAMPLE / "content", manual, load_config(EXAMPLE / "ranvier.toml"))
        tongues, sections = harbour(folder / "harbour"), many_sections(folder / "sections")
        tree = large(folder / "large")
        for site in (manual, tongues, sections, tree):
            note(site, module)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        request = (
            (manual, of_manual(manual)),
            (tongues, of_tongues(tongues)),
            (sections, questions()),
            (tree, of_large(tree)),
        )
        profiles = [profile(browser, *each, frugal=frugal) for each in request for frugal in (False, True)]
        browser.close()
        for name in BROWSERS:
            profiles += elsewhere(name, manual, folder / name)
    # What ran once may run again, and not in every profile: the collector of garbage comes when it likes.
    existing = pinned_hot() or [False] * len(profiles[0])
    hot = [any(each) for each in zip(existing, *profiles, strict=False)]  # the last byte is filled up
    (make.HERE / make.HOT).write_text(hot_list(hot), "utf-8")
    print(f"{sum(hot):,} hot functions of {len(hot):,}")


def large(folder: Path) -> Path:
    """Build a site of 6,000 pages, made of the sections of the manual."""
    dice = random.Random(SEED)
    pages = made_pages([Pool(EXAMPLE / "content", dice)], 6000, dice)
    tagged = {path: f"---\ntags: [part{number % 9}]\n---\n{text}" for number, (path, text) in enumerate(pages.items())}
    content = write_tree(folder / "content", dict(tagged))
    build(content, folder / "public", Config(default_audience="public"))
    return folder / "public"


def of_large(site: Path) -> list[Question]:
    """Searches of all kinds over long posting lists."""
    with ranvier.open_snapshot(site) as library:
        return list(searches([*by_hand(), *made(EXAMPLE / "content", 60)], library, 5))


def of_manual(site: Path) -> list[Question]:
    """What the parity tests ask the manual."""
    content = EXAMPLE / "content"
    with ranvier.open_snapshot(site) as library:
        plainly = [Question("search", query, {"limit": 20, "prefix": bool(at % 2)}) for at, query in enumerate(by_hand())]
        expected = [
            Question("search", query, {"limit": 50, "preset": preset, "strategy": strategy, "explain": True})
            for query in SEMANTIC_QUERIES
            for preset in PRESETS
            for strategy in ("auto", "rag", "vector")
        ]
        context = retrievals([*by_hand()[::2], *made(content, 60)], library, 3)
        listed = [Question("backlinks", hit.path, {}) for hit in library.search("", return_all=True).hits]
        return [*plainly, *searches([*by_hand(), *made(content, 250)], library, 1), *expected, *context, *listed]


def of_tongues(site: Path) -> list[Question]:
    """What they ask the site in ten languages."""
    content = site.parent / "content"
    with ranvier.open_snapshot(site) as library:
        queries = [*by_hand(), *made(content, 200, overlapping=True)]
        context = retrievals([*by_hand()[1::2], *made(content, 60, overlapping=True)], library, 4)
        return [*searches(queries, library, 2), *context]


def profile(browser: Browser, site: Path, questions: Sequence[Question], *, frugal: bool) -> list[int]:
    """Search a site, and return for each function whether it ran."""
    with serving(site) as served, opened_tab(browser) as tab:
        tab.open_engine(served.url, shared=False, frugal=frugal)
        in_browser(tab, questions)
        result = ran(tab.page)
    method = "library" if frugal else "snapshot"
    print(f"{site.name}, {method}: {sum(result):,} of {len(result):,} after {len(questions):,} questions")
    return result


def elsewhere(name: str, site: Path, profile: Path) -> Iterator[list[int]]:
    """Ask some questions in another browser, whose start may run other functions; return the same, for both ways."""
    (site / "questions.json").write_text(json.dumps([(what, query, {}) for what, query, _ in QUESTIONS]))
    (site / "ask.js").write_text(f"{ASK}\nglobalThis.ran = JSON.stringify(await {ASK_WHAT_RAN});\n")
    (site / "ask.html").write_text(ASK_PAGE)
    for method in ("library", "snapshot"):
        with serving(site) as served, BROWSERS[name](profile / method) as other:
            other.go(f"{served.url}ask.html?{'frugal' if method == 'library' else ''}")
            results: list[int] = json.loads(other.wait("globalThis.ran"))
        print(f"{name}, {method}: {sum(results):,} of {len(results):,}")
        yield results


if __name__ == "__main__":
    main()
