"""Encrypted layers beside plain builds: files, bytes, requests and times of unlocking and of ten queries in Chromium.

`python tests/benchmarks/layers.py CONTENT [--audience NAME=AUDIENCE…]`: other names of audiences, in lower case.
Exits with an error if hits, order or scores differ.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from common import PUBLIC, queries
from line import VISITED, Line, compress, fresh, quiet, served
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder import Config, build
from ranvier_builder.audience import AUDIENCES
from ranvier_builder.layers import key_file
from ranvier_builder.layers.build import build_layers
from support.browser import _ARGUMENTS, CHROMIUM, OPEN_ENGINE

PASSPHRASE = "six words that nobody could guess {}"
_TIMED = """async ([call, ...values]) => {
  const started = performance.now();
  const answer = await engine[call](...values);
  return [performance.now() - started, JSON.stringify(answer.hits?.map(({ path, score }) => [path, score]) ?? null)];
}"""


class Session(NamedTuple):
    """Requests, bytes and times of ten queries in one visit; times in ms."""

    unlock: float
    unlocked: tuple[int, int]  # requests and bytes
    requests: int
    size: int
    first: float
    later: float  # median
    hits: list[str]


def main() -> None:
    """Build all sites, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--audience", action="append", default=[], metavar="NAME=AUDIENCE")
    args = parser.parse_args()
    config = replace(PUBLIC, audience=dict(pair.split("=") for pair in args.audience))
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder, sync_playwright() as playwright:
        sites, questions = _build_sites(args.content, Path(folder), config), queries(args.content)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        print(f"{'site':24}{'files':>7}{'bytes':>13}{'unlock':>26}{'ten queries':>22}{'first, ms':>11}{'later, ms':>11}")
        for audience in AUDIENCES:
            plain = _row(browser, f"plain {audience}", sites[audience], questions)
            if audience != "public":
                passphrase = PASSPHRASE.format(audience)
                layered = _row(browser, f"unlocked {audience}", sites["layers"], questions, passphrase)
                assert layered == plain, f"hits of {audience} differ"
        browser.close()


def _build_sites(content: Path, folder: Path, config: Config) -> dict[str, Path]:
    keys: dict[str, key_file.LayerKey] = {}
    for audience in AUDIENCES[1:]:
        keys = key_file.add_slot(keys, audience, audience, PASSPHRASE.format(audience))
    key_file.write_keys(folder / "keys.json", keys)
    build_layers(content, folder / "layers", config, AUDIENCES, folder / "keys.json")
    for audience in AUDIENCES:
        build(content, folder / audience, replace(config, publish_for=audience))
    return {name: folder / name for name in ("layers", *AUDIENCES)}


def _row(browser: Browser, name: str, site: Path, questions: list[str], passphrase: str = "") -> list[str]:
    files = [file for file in site.rglob("*") if file.is_file()]
    compress(files)
    sizes = [file.stat().st_size for file in files]
    session = _session(browser, site, questions, passphrase)
    unlock = "{:.0f} ms {}/{:,}".format(session.unlock, *session.unlocked) if passphrase else ""
    traffic = f"{session.requests}/{session.size:,}"
    print(f"{name:24}{len(sizes):>7,}{sum(sizes):>13,}{unlock:>26}{traffic:>22}{session.first:>11.0f}{session.later:>11.0f}")
    return session.hits


def _session(browser: Browser, site: Path, questions: list[str], passphrase: str) -> Session:
    line = Line(site)
    with served(line) as url:
        page = fresh(browser, url + VISITED, "")
        page.evaluate(OPEN_ENGINE)
        quiet(line, page)
        unlock, unlocked = 0.0, (0, 0)
        if passphrase:
            unlock, unlocked = _measured(line, lambda: page.evaluate(_TIMED, ["unlock", passphrase])[0])
        answers: list[Any] = []
        _, (requests, size) = _measured(
            line, lambda: answers.extend(page.evaluate(_TIMED, ["search", query, {"limit": 10}]) for query in questions)
        )
        quiet(line, page)
        page.context.close()
    times, hits = zip(*answers, strict=True)
    return Session(unlock, unlocked, requests, size, times[0], median(times[1:]), [*hits])


def _measured(line: Line, run: Any) -> tuple[Any, tuple[int, int]]:
    """Return a result, and the number and bytes of its requests."""
    before = len(line.log)
    result = run()
    log = line.log[before:]
    return result, (len(log), sum(request.size for request in log))


if __name__ == "__main__":
    main()
