"""The first full ranking, from the library and from the memory snapshot: `python starts.py SITE CONTENT`.

It shows from which speed on the snapshot's additional bytes save time. The server shapes the lines, as in `line.py`; medians.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median

from common import queries
from peers.sites import JS, Peer
from peers.visits import cold
from playwright.sync_api import sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM

SPEEDS = (5, 10, 20, 50)  # Mbit/s
TRIPS = (20, 100, 200)  # ms
REPORTED = {"library": {"downlink": 9, "rtt": 50}, "snapshot": {"downlink": 10, "rtt": 50}}  # the worker chooses by these


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, help="a built site")
    parser.add_argument("content", type=Path, help="its content, for the queries")
    parser.add_argument("--runs", type=int, default=3, help="queries on each line (3)")
    args = parser.parse_args()
    requests = queries(args.content)[: args.runs]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        print("| Mbit/s | ms | library | snapshot |\n|--:|--:|--:|--:|", flush=True)
        for speed in SPEEDS:
            for trip in TRIPS:
                line = (trip / 1000, speed * 1e6)
                peers = [Peer("ranvier", args.site, script(reported)) for reported in REPORTED.values()]
                times = [median(cold(browser, peer, "words", query, line)["ms"] for query in requests) for peer in peers]
                print(f"| {speed} | {trip} | {times[0]:,.0f} ms | {times[1]:,.0f} ms |", flush=True)
        browser.close()


def script(reported: dict[str, int]) -> str:
    """Return the script of a page in a browser that reports this connection."""
    client = (JS / "ranvier.js").read_text("utf-8")
    return f"Object.defineProperty(navigator, 'connection', {{ value: {json.dumps(reported)} }});{client}"


if __name__ == "__main__":
    main()
