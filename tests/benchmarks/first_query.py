"""What a first query costs beyond the engine, as a host with gzip sends it: entry, manifest, hot pack, all the rest.

Vectors are told apart: what every search by meaning begins with comes beside the engine, whatever is asked.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from common import built, queries
from playwright.sync_api import sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM, OPEN_ENGINE
from support.sites import serving

LIMIT = 8  # what the search box asks for
PARTS = ("entry.json", "manifest-", "hot-", "index/", "packs/", "words/", "text/")  # the core and the engine are left out


def main() -> None:
    """Run each query in a browser profile of its own, and count what the server sent."""
    content = Path(sys.argv[1])
    request = sys.argv[2:] or queries(content)
    totals, requests = [], []
    with built(content) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        for query in request:
            with serving(site) as served:
                context = browser.new_context()
                page = context.new_page()
                page.goto(served.url)
                served.recorder.paths.clear()
                served.recorder.sent.clear()
                page.evaluate(OPEN_ENGINE.replace("entry.json", "entry.json?own"))
                result = page.evaluate(
                    f"q => globalThis.engine.search(q, {{ limit: {LIMIT}, prefix: true }}).then(r => r.totalHits)", query
                )
                context.close()
                sent = dict(served.recorder.sent)
            parts = {part: [size for path, size in sent.items() if part in path] for part in (*PARTS, "vectors/")}
            data = [size for part in PARTS for size in parts[part]]
            totals.append(sum(data))
            requests.append(len(data))
            detail = "  ".join(f"{part.strip('/-')} {len(sizes)}/{sum(sizes):,}" for part, sizes in parts.items())
            print(f"{query:42} {totals[-1]:>8,} bytes {requests[-1]:>3} requests  {result:>4} hits   {detail}")
        browser.close()
    middle, trips = statistics.median(totals), statistics.median(requests)
    print(f"median {middle:,.0f}, worst {max(totals):,} bytes; requests median {trips:.0f}, worst {max(requests)}")


main()
