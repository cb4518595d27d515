"""Ranvier beside other search libraries, over the same pages: `python compare.py CONTENT`.

All libraries index the same pages (`peers/sites.py`). One Chromium sends the queries; one server counts bytes and shapes the
line (`line.py`): the first search of a visitor, ten searches, a typed word. `peers/js` has the settings of each library. Known
items and, with `--judged`, judged collections measure the ranking. Each result is stored in WORK at once: an interrupted run
continues.

It needs Node, npm and Chromium. It writes WORK/results.json, tables on standard output and, with `--manual PAGE`, the results
of a page of the manual with its plots. Times depend on the load of the machine; bytes, files and ranks are exact.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import relevance
from common import queries
from line import LINES
from peers import quality, report, visits
from peers.sites import JS, LIBRARIES, Peer, index, installed, peers, write_pages
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder.model import Rendered
from support.browser import _ARGUMENTS, CHROMIUM
from support.known_items import kinds

TYPED_WORDS = 2  # words


@dataclass
class Results:
    """Results by the names of measurements, stored in a file."""

    file: Path
    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.is_file():
            self.data = json.loads(self.file.read_text("utf-8"))

    def measure(self, name: str, run: Callable[[], Any]) -> Any:
        """Return a result; measure it if it is missing."""
        if name not in self.data:
            print(f"… {name}", file=sys.stderr, flush=True)
            self.data[name] = quality.rounded(run())
            self.file.write_text(json.dumps(self.data, indent=1, sort_keys=True) + "\n", "utf-8")
        return self.data[name]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One corpus, its peers and their results."""

    work: Path
    pages: list[Rendered]
    results: Results
    browser: Browser

    @property
    def peers(self) -> list[Peer]:
        """Return all peers; their sites may be missing."""
        return peers(self.work)

    @property
    def online(self) -> list[Peer]:
        """Return the peers that run in a browser."""
        return [peer for peer in self.peers if peer.name != "fts5"]

    def indexes(self, js: Path, runs: int) -> None:
        """Make all indexes."""
        for peer in self.peers:
            self.results.measure(f"index/{peer.name}", lambda peer=peer: index(peer, self.work, js, runs))

    def visits(self, requests: list[str], shaped: int) -> None:
        """Search in visits, with all peers in turn. On loopback, each first search runs twice, which shows the noise."""
        sample = requests[:: max(1, len(requests) // shaped)][:shaped]
        for name, line in LINES.items():
            first = requests[::2] * 2 if name == "loopback" else sample
            self.results.measure(f"first/{name}", lambda first=first, line=line: self._first(first, line))
            self.results.measure(f"session/{name}", lambda line=line: self._each(visits.session, [requests], line))
            self.results.measure(f"typing/{name}", lambda line=line: self._each(visits.typing, requests[:TYPED_WORDS], line))

    def _first(self, requests: list[str], line: visits.Shape) -> dict[str, Any]:
        figures: dict[str, Any] = {peer.name: {method: [] for method in peer.methods} for peer in self.online}
        for query in requests:
            for peer in self.online:
                for method in peer.methods:
                    figures[peer.name][method].append(visits.cold(self.browser, peer, method, query, line))
        return figures

    def _each(self, visit: Callable[..., visits.Figures], items: list[Any], line: visits.Shape) -> dict[str, Any]:
        return {peer.name: [visit(self.browser, peer, item, line) for item in items] for peer in self.online}

    def ranking(self, limit: int) -> None:
        """Search for known items, and repeat some searches."""
        items = kinds(self.pages, limit)
        self.results.measure("known queries", lambda: {kind: len(pairs) for kind, pairs in items.items()})
        phrases = [query for query, _ in items["phrases"]]
        for peer in self.peers:
            self.results.measure(f"known/{peer.name}", lambda peer=peer: quality.rank_items(self.browser, peer, items))
            self.results.measure(f"warm/{peer.name}", lambda peer=peer: quality.warm(self.browser, peer, phrases))

    def judged(self, folder: Path, limit: int, js: Path) -> None:
        """Index a judged collection, and search with its queries."""
        names = [f"judged/{folder.name}/{peer.name}" for peer in self.peers]
        if all(name in self.results.data for name in names):
            return
        collection, work = relevance.read(folder, limit), self.work / "judged" / folder.name
        shutil.rmtree(work, ignore_errors=True)
        documents = quality.documents(collection, work / "content")
        docs = quality.paths(write_pages(work / "content", work), documents)
        self.results.measure(f"judged queries/{folder.name}", lambda: [len(collection.queries), len(collection.docs)])
        for name, peer in zip(names, peers(work), strict=True):
            index(peer, work, js, 1)
            self.results.measure(name, lambda peer=peer: quality.judged(self.browser, peer, collection, docs))


def main() -> None:
    """Measure what is missing, and report."""
    args = _arguments()
    work: Path = args.work or Path(tempfile.gettempdir()) / "ranvier-compare" / args.content.resolve().name
    if args.fresh:
        shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    results = Results(work / "results.json")
    js, pages = installed(work), write_pages(args.content, work)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        results.measure("about", lambda: about(args.content, len(pages), browser.version))
        comparison = Comparison(work, pages, results, browser)
        comparison.indexes(js, args.runs)
        requests = results.measure("queries", lambda: args.query or queries(args.content))
        comparison.visits(requests, args.shaped)
        comparison.ranking(args.known)
        for folder in args.judged:
            comparison.judged(folder, args.judgments, js)
        browser.close()
    print(report.text(results.data))
    if args.manual:
        report.write(args.manual, results.data)


def about(content: Path, pages: int, chromium: str) -> dict[str, Any]:
    """Return the versions and the corpus of the figures."""
    import ranvier

    pinned = json.loads((JS / "package.json").read_text("utf-8"))["dependencies"]
    named = {name.rpartition("/")[2]: version for name, version in pinned.items()}
    versions = {"ranvier": ranvier.__version__, "fts5": sqlite3.sqlite_version}
    return {
        "corpus": content.resolve().name,
        "pages": pages,
        "versions": versions | {name: named[name] for name in ("pagefind", *LIBRARIES)},
        "chromium": chromium,
        "python": platform.python_version(),
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("query", nargs="*", help="queries to ask; default: ten headings of the content")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="for indexes and results; default: a temporary folder")
    parser.add_argument("--fresh", action="store_true", help="measure all again")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often each index is made (3)")
    parser.add_argument("--shaped", type=int, default=3, metavar="N", help="first searches on each shaped line (3)")
    parser.add_argument("--known", type=int, default=100, metavar="N", help="known items of each kind (100)")
    parser.add_argument("--judged", type=Path, nargs="*", default=[], metavar="FOLDER", help="judged collections")
    parser.add_argument("--judgments", type=int, default=200, metavar="N", help="queries of each collection at most (200)")
    parser.add_argument("--manual", type=Path, metavar="PAGE", help="rewrite the results of this Markdown page, and its plots")
    return parser.parse_args()


if __name__ == "__main__":
    main()
