"""Time of an answer in Pyodide, in Chromium: the first time, with the fetches of its files, and a second time.

The queries are headings of the content: unchanged, with two letters swapped, as phrases, and their prefixes, as the search box
sends them while a reader types.
"""

import argparse
import random
import re
from pathlib import Path
from statistics import median

from common import built
from playwright.sync_api import Page, sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM, OPEN_ENGINE
from support.sites import serving

OPTIONS = '{ limit: 8, prefix: true, pageLang: "" }'  # the options of the search box on a page without a language
SEED = 7
# Returns the time in the page, the time of the core in the worker, and the hits.
_TIMED = f"""async (queries) => {{
  const times = [];
  for (const query of queries) {{
    const start = performance.now();
    const {{ timing, totalHits }} = await globalThis.engine.search(query, {OPTIONS});
    times.push([performance.now() - start, timing.totalMs, totalHits]);
  }}
  return times;
}}"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--queries", type=int, default=60, metavar="N", help="of each kind")
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="show the slowest repeated searches of each kind")
    args = parser.parse_args()
    with built(args.content) as site, serving(site) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        page = browser.new_page()
        print(f"{'':10} {'first, ms':>28} {'again, ms':>28}")
        for kind, queries in _kinds(args.content, args.queries).items():
            page.goto(server.url)
            page.evaluate(OPEN_ENGINE)  # a new engine without the files of another kind
            page.evaluate(_TIMED, ["axon"])
            _measure(page, kind, queries, args.slowest)
        browser.close()


def _kinds(content: Path, count: int) -> dict[str, list[str]]:
    text = "\n".join(file.read_text("utf-8", "replace") for file in sorted(content.rglob("*.md")))
    heads = sorted({head.strip() for head in re.findall(r"^#{1,4} ([^\n#{}<>`]{3,60})$", text, re.MULTILINE)})
    random.Random(SEED).shuffle(heads)
    heads = heads[:count]
    return {
        "headings": [f"{head} " for head in heads],
        "typing": [head[: 2 + number % (len(head) - 1)] for number, head in enumerate(heads)],
        "misspelled": [f"{_swapped(head)} " for head in heads],
        "phrases": [f'"{head}" ' for head in heads],
    }


def _swapped(head: str) -> str:
    """Swap two letters in the middle of the longest word."""
    word = max(head.split(), key=len)
    at = len(word) // 2
    return head.replace(word, word[: at - 1] + word[at : at + 1] + word[at - 1 : at] + word[at + 1 :], 1)


def _measure(page: Page, kind: str, queries: list[str], slowest: int) -> None:
    first, repeated = page.evaluate(_TIMED, queries), page.evaluate(_TIMED, queries)
    print(f"{kind:10} {_figures([row[0] for row in first]):>28} {_figures([row[0] for row in repeated]):>28}")
    print(f"{'  in core':10} {_figures([row[1] for row in first]):>28} {_figures([row[1] for row in repeated]):>28}")
    for row, query in sorted(zip(repeated, queries, strict=True), reverse=True)[:slowest]:
        print(f"    {row[0]:6.0f} ms   {row[2]:4} hits   {query!r}")


def _figures(times: list[float]) -> str:
    ranked = sorted(times)
    return f"median {median(ranked):.0f}, p95 {ranked[int(len(ranked) * 0.95)]:.0f}, worst {ranked[-1]:.0f}"


main()
