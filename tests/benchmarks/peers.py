"""Ranvier beside Pagefind, over the same pages, in the same browser, from the same server: `python peers.py CONTENT`.

Needs Node (`npx` fetches Pagefind 1.6.0) and Brotli (`pip install brotli`). Bytes are those on the wire, headers left out. A
line is shaped by the server: every answer waits for a round trip, and all bodies share one bandwidth. Rounds are the longest
chain of requests of which each began after the one before had ended.
"""

from __future__ import annotations

import argparse
import http.server
import json
import mimetypes
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import brotli
from common import PUBLIC, queries
from playwright.sync_api import Browser, Page, sync_playwright
from ranvier_builder import build
from support.browser import _ARGUMENTS, CHROMIUM

PAGEFIND = "pagefind@1.6.0"
LINES = {"loopback": (0.0, 0.0), "4G: 100 ms, 10 Mbit/s": (0.1, 10e6), "3G: 300 ms, 1.6 Mbit/s": (0.3, 1.6e6)}
COMPRESSED = {".js", ".mjs", ".css", ".html", ".json", ".svg", ".wasm", ".txt", ".xml"}
TYPED = "highlight"
UNASKED = "taxonomy permalinks"
KEY = 150  # ms from key to key

# Both answer `first` (pages that have the words), `full` (the whole ranking, and what rows show) and `typed` (one more key).
OURS = """
const base = new URL("/_ranvier/", location.href).href;
globalThis.peer = {
  async open() {
    if (this.engine) return;
    const [{ api }] = await Promise.all([fetch(base + "entry.json", { cache: "no-cache" }).then((r) => r.json())]);
    const { open } = await import(base + api);
    this.engine = open(base);
  },
  async first(query) { await this.open(); return (await this.engine.instant(query, { limit: 8 })).length; },
  async full(query) {
    await this.open();
    return (await this.engine.search(query, { limit: 8, prefix: true, typing: true })).hits.length;
  },
  async typed(query) {
    await this.open();
    const found = await this.engine.suggest(query);
    this.stop?.abort();
    this.stop = new AbortController();
    this.engine.search(query, { limit: 8, prefix: true, typing: true, signal: this.stop.signal }).catch(() => {});
    return found.length;
  },
};
"""
THEIRS = """
globalThis.peer = {
  async open() {
    if (this.engine) return;
    this.engine = await import("/pagefind/pagefind.js");
    await this.engine.init();
  },
  async full(query) {
    await this.open();
    const { results } = await this.engine.search(query);
    return (await Promise.all(results.slice(0, 8).map((result) => result.data()))).length;
  },
  first(query) { return this.full(query); },
  typed(query) { return this.full(query); },
};
"""


@dataclass
class Request:
    """One request, as the server saw it: seconds and bytes."""

    path: str
    began: float
    ended: float
    size: int


@dataclass
class Line:
    """A static host at the end of a line."""

    site: Path
    trip: float = 0.0  # seconds
    speed: float = 0.0  # bits a second; 0: no limit
    log: list[Request] = field(default_factory=list)
    clock: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, body: bytes, write: Any) -> None:
        """Write a body at the line's speed, which all answers share."""
        if not self.speed:
            write(body)
            return
        for at in range(0, len(body), 16_384):
            piece = body[at : at + 16_384]
            with self.lock:
                now = time.monotonic()
                self.clock = max(self.clock, now) + len(piece) * 8 / self.speed
                wait = self.clock - now
            time.sleep(max(0.0, wait))
            write(piece)


@cache
def packed(file: Path) -> tuple[bytes, str]:
    """Return a file as the host sends it, and its encoding."""
    data = file.read_bytes()
    if file.suffix not in COMPRESSED:
        return data, ""
    return brotli.compress(data, quality=11), "br"


@contextmanager
def served(line: Line) -> Iterator[str]:
    """Serve a site; yield its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            began = time.monotonic()
            file = line.site / unquote(urlsplit(self.path).path).lstrip("/")
            file = file / "index.html" if file.is_dir() else file
            time.sleep(line.trip)
            body, encoding = packed(file) if file.is_file() else (b"", "")
            self.send_response(200 if file.is_file() else 404)
            self.send_header("content-type", mimetypes.guess_type(file)[0] or "application/octet-stream")
            self.send_header("content-length", str(len(body)))
            self.send_header("cache-control", "max-age=600")
            if encoding:
                self.send_header("content-encoding", encoding)
            self.end_headers()
            try:
                line.send(body, self.wfile.write)
            except OSError:
                return
            with line.lock:
                line.log.append(Request(self.path, began, time.monotonic(), len(body)))

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            """Say nothing of a browser that closed a connection: a page was left."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


def rounds(log: list[Request]) -> int:
    """Return the length of the longest chain of requests that waited for each other."""
    longest: list[tuple[float, int]] = []
    for request in sorted(log, key=lambda request: request.began):
        before = max((count for ended, count in longest if ended <= request.began), default=0)
        longest.append((request.ended, before + 1))
    return max((count for _, count in longest), default=0)


def weight(log: list[Request]) -> str:
    """Say what some requests cost."""
    return f"{sum(request.size for request in log) / 1000:,.0f} kB in {len(log)}, {rounds(log)} rounds"


def quiet(line: Line, page: Page, most: float = 4.0) -> None:
    """Wait until nothing is asked for any more."""
    end, count = time.monotonic() + most, -1
    while time.monotonic() < end and count != len(line.log):
        count = len(line.log)
        page.wait_for_timeout(400)


_TIMED = """async ([what, query]) => {
  const began = performance.now();
  await globalThis.peer[what](query);
  return performance.now() - began;
}"""


def timed(page: Page, what: str, query: str) -> float:
    """Ask; return milliseconds."""
    took: float = page.evaluate(_TIMED, [what, query])
    return took


def fresh(browser: Browser, url: str, script: str, trip: float = 0.0, speed: float = 0.0) -> Page:
    """Open a page in a profile of its own, in a browser that knows its line, as it does where the line is a real one."""
    page = browser.new_context().new_page()
    downlink = min(speed / 1e6, 10) if speed else 10
    existing = {"effectiveType": "3g" if 0 < speed < 4e6 else "4g", "downlink": downlink, "rtt": trip * 1000}
    page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'connection', {{ value: {json.dumps(existing)} }})")
    page.add_init_script(script)
    page.goto(url)
    return page


def cold(
    browser: Browser, site: Path, script: str, requests: list[str], line: tuple[float, float], what: str
) -> tuple[float, str]:
    """Ask each query first in a visit; return the median of milliseconds, and what the middle one cost."""
    times, costs = [], []
    for query in requests:
        host = Line(site, *line)
        with served(host) as url:
            page = fresh(browser, url, script, *line)
            quiet(host, page)
            host.log.clear()
            times.append(timed(page, what, query))
            costs.append((sum(request.size for request in host.log), weight(host.log)))
            page.context.close()
    return statistics.median(times), sorted(costs)[len(costs) // 2][1]


def visit(browser: Browser, site: Path, script: str, requests: list[str], second: str) -> dict[str, str]:
    """Walk through one visit: questions, a typed word, a second page, no network."""
    host = Line(site)
    messages = {}
    with served(host) as url:
        page = fresh(browser, url, script)
        timed(page, "full", requests[0])
        quiet(host, page)
        times, sizes, counts = [], [], []
        for query in requests[1:]:
            host.log.clear()
            times.append(timed(page, "full", query))
            quiet(host, page)
            sizes.append(sum(request.size for request in host.log))
            counts.append(len(host.log))
        middle = statistics.median
        messages["each further query"] = f"{middle(sizes) / 1000:,.0f} kB in {middle(counts):.0f}, {middle(times):,.0f} ms"
        host.log.clear()
        for end in range(1, len(TYPED) + 1):
            timed(page, "typed", TYPED[:end])
            page.wait_for_timeout(KEY)
        quiet(host, page)
        messages[f"typing “{TYPED}” after that"] = (
            f"{sum(request.size for request in host.log) / 1000:,.0f} kB in {len(host.log)}"
        )
        host.log.clear()
        page.goto(url + second)
        took = timed(page, "full", requests[0])
        messages["the same query on the second page"] = f"{took:,.0f} ms, {weight(host.log)}"
        if "_ranvier" in script:
            page.evaluate("() => globalThis.peer.engine.preload({ all: true })")
        page.context.set_offline(True)
        try:
            page.reload()
            took = timed(page, "full", UNASKED)
            messages["the page loaded again without a network, and a new query"] = f"{took:,.0f} ms"
        except Exception as error:
            messages["the page loaded again without a network, and a new query"] = f"fails: {str(error).splitlines()[0][:60]}"
        page.context.close()
    return messages


def table(rows: dict[str, list[str]]) -> None:
    """Print it."""
    print("\n| | Pagefind 1.6.0 | Ranvier |\n|---|---|---|")
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")


def prepared(content: Path, folder: Path) -> tuple[Path, Path]:
    """Build both sites in a folder, or use those that an earlier run left there; return Ranvier's and Pagefind's."""
    ours, theirs = folder / "ours", folder / "theirs"
    if not theirs.is_dir():
        build(content, ours, PUBLIC)
        shutil.copytree(ours, theirs, ignore=shutil.ignore_patterns("_ranvier"))
        command = ["npx", "--yes", PAGEFIND, "--site", str(theirs), "--root-selector", "main"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for file in (*ours.rglob("*"), *theirs.rglob("*")):
        if file.suffix in COMPRESSED and file.stat().st_size > 100_000:
            packed(file)  # hosts compress when a site is published; here it takes seconds
    return ours, theirs


def main() -> None:
    """Build, index, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("query", nargs="*", help="queries to ask; default: ten headings of the content")
    parser.add_argument("--sites", type=Path, metavar="FOLDER", help="keep the built sites here for the next run")
    parser.add_argument("--shaped", type=int, default=5, metavar="N", help="queries on each shaped line (5)")
    args = parser.parse_args()
    request = args.query or queries(args.content)
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as temporary, sync_playwright() as playwright:
        ours, theirs = prepared(args.content, args.sites or Path(temporary))
        second = sorted(str(page.parent.relative_to(ours)) for page in ours.glob("*/index.html"))[0] + "/"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        peers = ((theirs, THEIRS), (ours, OURS))
        walks = [visit(browser, site, script, request, second) for site, script in peers]
        rows: dict[str, list[str]] = {}
        for name, line in LINES.items():
            some = request if name == "loopback" else request[: args.shaped]
            for what, title in (("first", "first full-text answer"), ("full", "full ranking")):
                results = [cold(browser, site, script, some, line, what) for site, script in peers]
                rows[f"{title}, {name}"] = [f"{took:,.0f} ms" for took, _ in results]
                print(title, name, results, file=sys.stderr)  # it takes a while
                if name == "loopback":
                    rows[f"{title}: fetched"] = [cost for _, cost in results]
        rows |= {name: [walk[name] for walk in walks] for name in walks[0]}
        browser.close()
    table(rows)
    print(json.dumps(request))


if __name__ == "__main__":
    main()
