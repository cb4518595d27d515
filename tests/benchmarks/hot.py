"""Add the functions of the engine's module that run in searches to `engine/hot.json`: `python hot.py [CONTENT…]`.

Needs Node and npm; takes about ten minutes. Chromium searches the manual, a site in ten languages, one with many sections and a
large site, with the questions of the parity tests; and the site of the fault tests and one of each CONTENT, with questions made
of their words. Firefox and WebKit send some questions to the manual. The module records each function that is called.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import common  # noqa: F401  # the path of the tests
import ranvier
from e2e.test_other_browsers import QUESTIONS, QUESTIONS_PAGE, QUESTIONS_SCRIPT
from made_tree import SEED, Pool, generated_pages
from parity.compare import in_browser
from parity.harbour import harbour
from parity.sections import many_sections, questions
from parity.test_parity import SEMANTIC_QUERIES
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder import Config, build, load_config
from ranvier_builder.engine import make
from support.browser import _ARGUMENTS, CHROMIUM, opened_tab
from support.content import write_tree
from support.engine_parts import READ_EXECUTED, executed, hot_list, instrument, instrumented_module, pinned_hot
from support.fault_site import build_faulty
from support.other_browsers import BROWSERS
from support.queries import Question, by_hand, generated_queries, retrievals, searches
from support.sites import EXAMPLE, serving

PRESETS = ("default", "desktop", "brain", "vault")


def main() -> None:
    """Search all sites, and write the functions that ran in any search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contents", type=Path, nargs="*", help="folders of Markdown")
    contents = parser.parse_args().contents
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        module = instrumented_module()
        manual = folder / "manual"
        build(EXAMPLE / "content", manual, load_config(EXAMPLE / "ranvier.toml"))
        languages, sections = harbour(folder / "harbour"), many_sections(folder / "sections")
        tree = large(folder / "large")
        sites = {build_faulty(folder / "faulty"): folder / "faulty" / "content"}
        for number, content in enumerate(contents):
            build(content, folder / f"content{number}", Config(default_audience="public"))
            sites[folder / f"content{number}"] = content
        for site in (manual, languages, sections, tree, *sites):
            instrument(site, module)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        plan = (
            (manual, manual_questions(manual)),
            (languages, language_questions(languages)),
            (sections, questions()),
            (tree, large_questions(tree)),
            *((site, content_questions(site, content)) for site, content in sites.items()),
        )
        profiles = [profile(browser, *item) for item in plan]
        browser.close()
        for name in BROWSERS:
            profiles.append(other_profile(name, manual, folder / name))
    # Functions of earlier runs stay: the garbage collector, for example, does not run in every profile.
    earlier = pinned_hot() or [False] * len(profiles[0])
    hot = [any(flags) for flags in zip(earlier, *profiles, strict=False)]  # the last byte has padding
    (make.HERE / make.HOT).write_text(hot_list(hot), "utf-8")
    print(f"{sum(hot):,} hot functions of {len(hot):,}")


def large(folder: Path) -> Path:
    """Build a site of 6,000 pages, made of the sections of the manual."""
    rng = random.Random(SEED)
    pages = generated_pages([Pool(EXAMPLE / "content", rng)], 6000, rng)
    tagged = {path: f"---\ntags: [part{number % 9}]\n---\n{text}" for number, (path, text) in enumerate(pages.items())}
    content = write_tree(folder / "content", dict(tagged))
    build(content, folder / "public", Config(default_audience="public"))
    return folder / "public"


def large_questions(site: Path) -> list[Question]:
    """Return searches of all kinds over long posting lists."""
    with ranvier.open_snapshot(site) as library:
        return list(searches([*by_hand(), *generated_queries(EXAMPLE / "content", 60)], library, 5))


def content_questions(site: Path, content: Path) -> list[Question]:
    """Return questions of all kinds, made of the words of a content folder."""
    with ranvier.open_snapshot(site) as library:
        queries = [*by_hand()[::3], *generated_queries(content, 600, overlapping=True)]
        return [*searches(queries, library, 7), *retrievals(generated_queries(content, 60), library, 3)]


def manual_questions(site: Path) -> list[Question]:
    """Return the questions of the parity tests to the manual."""
    content = EXAMPLE / "content"
    with ranvier.open_snapshot(site) as library:
        simple = [Question("search", query, {"limit": 20, "prefix": bool(at % 2)}) for at, query in enumerate(by_hand())]
        by_meaning = [
            Question("search", query, {"limit": 50, "preset": preset, "strategy": strategy, "explain": True})
            for query in SEMANTIC_QUERIES
            for preset in PRESETS
            for strategy in ("auto", "rag", "vector")
        ]
        context = retrievals([*by_hand()[::2], *generated_queries(content, 60)], library, 3)
        backlinks = [Question("backlinks", hit.path, {}) for hit in library.search("", return_all=True).hits]
        return [
            *simple,
            *searches([*by_hand(), *generated_queries(content, 250)], library, 1),
            *by_meaning,
            *context,
            *backlinks,
        ]


def language_questions(site: Path) -> list[Question]:
    """Return the questions of the parity tests to the site in ten languages."""
    content = site.parent / "content"
    with ranvier.open_snapshot(site) as library:
        queries = [*by_hand(), *generated_queries(content, 200, overlapping=True)]
        context = retrievals([*by_hand()[1::2], *generated_queries(content, 60, overlapping=True)], library, 4)
        return [*searches(queries, library, 2), *context]


def profile(browser: Browser, site: Path, questions: Sequence[Question]) -> list[int]:
    """Search a site, and return for each function whether it ran."""
    with serving(site) as server, opened_tab(browser) as tab:
        tab.open_engine(f"{server.url}404.html", shared=False)  # a home page may show pictures of other hosts
        in_browser(tab, questions)
        result = executed(tab.page)
    print(f"{site.name}: {sum(result):,} of {len(result):,} after {len(questions):,} questions")
    return result


def other_profile(name: str, site: Path, profile: Path) -> list[int]:
    """Return the same for another browser, whose start may run other functions."""
    (site / "questions.json").write_text(json.dumps([(method, query, {}) for method, query, _ in QUESTIONS]))
    (site / "ask.js").write_text(f"{QUESTIONS_SCRIPT}\nglobalThis.executed = JSON.stringify(await {READ_EXECUTED});\n")
    (site / "ask.html").write_text(QUESTIONS_PAGE)
    with serving(site) as server, BROWSERS[name](profile) as driven:
        driven.goto(f"{server.url}ask.html")
        result: list[int] = json.loads(driven.wait_for("globalThis.executed"))
    print(f"{name}: {sum(result):,} of {len(result):,}")
    return result


if __name__ == "__main__":
    main()
