"""How well the peers rank: known items of a content folder, and judged collections."""

from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

import relevance
from playwright.sync_api import Browser
from ranvier_builder.evaluate.measures import scores
from ranvier_builder.model import Rendered
from support.known_items import NamedItem

from peers import fts5, visits
from peers.sites import Peer

DEPTH = 10
WARM = 100  # queries that are repeated


def answers(browser: Browser, peer: Peer, queries: list[str], limit: int, passes: int = 1) -> list[tuple[list[str], float]]:
    """Return the paths of the best pages for each query, and the milliseconds of the last pass."""
    if peer.name == "fts5":
        return [list(fts5.run_queries(peer.index, queries, limit)) for _ in range(passes)][-1]
    return [(paths, ms) for paths, ms in visits.run_queries(browser, peer, queries, limit, passes)]


def rank_items(browser: Browser, peer: Peer, kinds: dict[str, list[NamedItem]]) -> dict[str, float]:
    """Return MRR@10 of each kind of known items."""
    result = {}
    for kind, pairs in kinds.items():
        pages = [paths for paths, _ in answers(browser, peer, [query for query, _ in pairs], DEPTH)]
        result[kind] = fmean(_reciprocal(f"/{url}", paths) for (_, url), paths in zip(pairs, pages, strict=True))
    return result


def _reciprocal(url: str, paths: list[str]) -> float:
    return 1 / (paths.index(url) + 1) if url in paths else 0.0


def warm(browser: Browser, peer: Peer, queries: list[str]) -> dict[str, float]:
    """Return milliseconds of queries whose files are in memory: all queries run twice, and the second pass counts."""
    times = [ms for _, ms in answers(browser, peer, queries[:WARM], 8, passes=2)]
    return {"median": median(times), "p95": quantiles(times, n=20)[-1]}


def judged(browser: Browser, peer: Peer, collection: relevance.Collection, docs: dict[str, str]) -> dict[str, float]:
    """Return nDCG@10 and recall@100, given the document of each path."""
    rows = answers(browser, peer, list(collection.queries.values()), relevance.DEPTH)
    run = [[docs[path] for path in paths if path in docs] for paths, _ in rows]
    result = scores(collection.judged(), run, ("nDCG@10", "recall@100"))
    return {name: fmean(values) for name, values in result.items()}


def documents(collection: relevance.Collection, content: Path) -> dict[str, str]:
    """Write a collection as Markdown; return the document of each file."""
    content.mkdir(parents=True, exist_ok=True)
    return relevance.write(collection, content)


def paths(pages: list[Rendered], names: dict[str, str]) -> dict[str, str]:
    """Return the document of each path on the host."""
    return {f"/{item.page.url}": names[item.page.neuron.path] for item in pages}


def rounded(value: Any) -> Any:
    """Round all numbers of a result to four decimals."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value
