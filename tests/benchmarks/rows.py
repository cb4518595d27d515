"""Count the faults of rows in the search box, with the queries of `tests/support/rows.py` or with others.

.venv/bin/python tests/benchmarks/rows.py CONTENT ["query" ...]
"""

import argparse
import re
from collections import Counter
from pathlib import Path

from common import built
from playwright.sync_api import expect, sync_playwright
from selectolax.lexbor import LexborHTMLParser
from support.browser import _ARGUMENTS, CHROMIUM
from support.rows import QUERIES, ROWS, faults
from support.sites import serving

PAUSE = 600  # ms in which the list settles
TIMEOUT = 30_000  # ms: the start of the engine


def main() -> None:
    """Print the numbers of faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("queries", nargs="*", default=QUERIES)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    with built(arguments.content) as site, sync_playwright() as playwright:
        titles = {name for file in site.rglob("index.html") for name in names(file)}
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        with serving(site) as server:
            page = browser.new_page()
            page.goto(server.url)
            page.keyboard.press("Control+k")
            box = page.locator("ranvier-search")
            for query in arguments.queries:
                box.locator("input").fill(query)
                expect(box.locator("[role=status]")).to_have_text(re.compile(re.escape(query)), timeout=TIMEOUT)
                page.wait_for_timeout(PAUSE)
                rows = box.locator(".group").evaluate_all(ROWS)
                pages = Counter(row["href"].partition("#")[0] for row in rows)
                counts.update({"hits": len(rows), "page twice": sum(count - 1 for count in pages.values())})
                for row in rows:
                    row_faults = faults(row, titles)
                    counts.update(row_faults)
                    if any(row_faults.values()):
                        print(f"{query!r}: {row_faults}: {row}")
        browser.close()
    print(dict(counts))


def names(file: Path) -> list[str]:
    """Return the names of pages and folders in the menu of a page."""
    page = LexborHTMLParser(file.read_text("utf-8"))
    return [" ".join(link.text().split()) for link in page.css(".menu a, .crumbs a")]


if __name__ == "__main__":
    main()
