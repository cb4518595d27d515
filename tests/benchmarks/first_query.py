"""Bytes of a first query without the engine, from a host with gzip: entry file, manifest, hot pack and search files.

Vectors are listed separately: their first files are prefetched with the engine, whatever the query is.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from common import built, queries
from playwright.sync_api import sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM, OPEN_ENGINE
from support.sites import serving

LIMIT = 8  # as in the search box
PARTS = ("entry.json", "manifest-", "hot-", "index/", "packs/", "words/", "text/")  # without the core and the engine


def main() -> None:
    """Run each query in a new browser profile, and count the bytes of the server."""
    content = Path(sys.argv[1])
    query_texts = sys.argv[2:] or queries(content)
    totals, requests = [], []
    with built(content) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        for query in query_texts:
            with serving(site) as server:
                context = browser.new_context()
                page = context.new_page()
                page.goto(server.url)
                server.recorder.paths.clear()
                server.recorder.sent.clear()
                page.evaluate(OPEN_ENGINE.replace("entry.json", "entry.json?own"))
                result = page.evaluate(
                    f"q => globalThis.engine.search(q, {{ limit: {LIMIT}, prefix: true }}).then(r => r.totalHits)", query
                )
                context.close()
                bytes_by_path = dict(server.recorder.sent)
            parts = {part: [size for path, size in bytes_by_path.items() if part in path] for part in (*PARTS, "vectors/")}
            data = [size for part in PARTS for size in parts[part]]
            totals.append(sum(data))
            requests.append(len(data))
            detail = "  ".join(f"{part.strip('/-')} {len(sizes)}/{sum(sizes):,}" for part, sizes in parts.items())
            print(f"{query:42} {totals[-1]:>8,} bytes {requests[-1]:>3} requests  {result:>4} hits   {detail}")
        browser.close()
    middle, trips = statistics.median(totals), statistics.median(requests)
    print(f"median {middle:,.0f}, worst {max(totals):,} bytes; requests median {trips:.0f}, worst {max(requests)}")


main()
