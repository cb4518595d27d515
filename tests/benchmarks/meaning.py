"""Costs of a vector search in Chromium, beyond a word search: bytes from a host with gzip, requests, milliseconds.

Each question is sent as the search box does: for words while it is typed, and then with vectors. The script prints the costs of
a visit's first question, in a new browser profile, and of each later one.
"""

import argparse
import random
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from common import built
from playwright.sync_api import Page, sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM, OPEN_ENGINE
from support.sites import SiteServer, serving

SEED = 7
_SEARCH = """async ([query, typing]) => {
  const start = performance.now();
  const result = await globalThis.engine.search(query, { limit: 8, prefix: true, typing });
  return [performance.now() - start, result.strategy, result.unsettled];
}"""


class VectorCost(NamedTuple):
    """Costs of the vector search for one question."""

    bytes: int
    requests: int
    first: float  # ms, with the fetches of its files
    repeated: float  # ms


def main() -> None:
    """Print a row for each question, and medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument(
        "--questions", type=Path, help="a file with a question on each line; else headings of three words or more"
    )
    parser.add_argument("--most", type=int, default=20, metavar="N")
    args = parser.parse_args()
    questions = args.questions.read_text("utf-8").split("\n") if args.questions else _headings(args.content)
    questions = [question.split("\t")[0].strip() for question in questions if question.strip()][: args.most]
    with built(args.content) as site, serving(site) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        cold = []
        for question in questions:
            context = browser.new_context()
            cold.append(_measure(_open_page(context.new_page(), server), server, question))
            context.close()
        page = _open_page(browser.new_page(), server)
        warm = [_measure(page, server, question) for question in questions]
        browser.close()
    for question, first, later in zip(questions, cold, warm, strict=True):
        print(f"{question[:50]:50} first of a visit {_row(first)}   later {_row(later)}")
    _sum("first of a visit", cold)
    _sum("later", warm[1:])


def _headings(content: Path) -> list[str]:
    text = "\n".join(file.read_text("utf-8", "replace") for file in sorted(content.rglob("*.md")))
    heads = sorted({head for head in re.findall(r"^#{1,4} ([A-Za-z][A-Za-z ]+)$", text, re.MULTILINE) if len(head.split()) > 2})
    random.Random(SEED).shuffle(heads)
    return heads


def _open_page(page: Page, server: SiteServer) -> Page:
    page.goto(server.url)
    page.evaluate(OPEN_ENGINE)
    page.evaluate(_SEARCH, ["axon", True])
    return page


def _measure(page: Page, server: SiteServer, question: str) -> VectorCost:
    _, _, unsettled = page.evaluate(_SEARCH, [question, True])
    if not unsettled:
        raise SystemExit(f"{question!r} has no vector search: fewer than three words, or a site without vectors")
    page.evaluate(_SEARCH, [question, True])
    server.recorder.paths.clear()
    server.recorder.sent.clear()
    first, _, _ = page.evaluate(_SEARCH, [question, False])
    repeated, *_ = page.evaluate(_SEARCH, [question, False])
    words, *_ = page.evaluate(_SEARCH, [question, True])
    responses = {path: size for path, size in server.recorder.sent.items() if path.endswith(".bin")}
    return VectorCost(sum(responses.values()), len(responses), first - words, repeated - words)


def _row(cost: VectorCost) -> str:
    return f"{cost.bytes / 1000:6.1f} kB {cost.requests:3} files {cost.first:6.0f} ms, again {cost.repeated:5.0f}"


def _sum(name: str, rows: Sequence[VectorCost]) -> None:
    columns: dict[str, list[Any]] = {field: [getattr(row, field) for row in rows] for field in VectorCost._fields}
    middle, worst = (VectorCost(*(f(column) for column in columns.values())) for f in (median, max))
    print(f"{name}: median {_row(middle)}; worst {_row(worst)}")


main()
