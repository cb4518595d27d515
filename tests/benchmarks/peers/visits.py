"""Visits of readers, in Chromium: the first search of a visitor, ten searches, a typed word.

Each visit has a new profile and starts on a page. All files of the library are fetched after the query.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from line import VISITED, Line, Request, fresh, quiet, served
from playwright.sync_api import Browser, Page

from peers.sites import Peer, is_code

KEY = 150  # ms from key to key
_LOAD = "globalThis.peer ?? await import('/search.js');"
_SEARCH = f"""async ([method, query]) => {{
  const began = performance.now();
  {_LOAD}
  const {{ length }} = await globalThis.peer[method](query);
  return {{ ms: performance.now() - began, rows: length }};
}}"""
_TYPE = f"""async ([word, key]) => {{
  let began;
  let answer;
  for (let end = 1; end <= word.length; end++) {{
    if (end > 1) await new Promise((resolve) => setTimeout(resolve, key));
    began = performance.now();
    const typed = word.slice(0, end);
    answer = (async () => {{ {_LOAD} return globalThis.peer.typed(typed); }})();
    answer.catch(() => {{}}); // a later key replaces the query
  }}
  const {{ length }} = await answer;
  return {{ ms: performance.now() - began, rows: length }};
}}"""
_RUN_QUERIES = f"""async ([queries, limit]) => {{
  {_LOAD}
  const answers = [];
  for (const query of queries) {{
    const began = performance.now();
    const urls = await globalThis.peer.full(query, limit);
    answers.push([urls.map((url) => new URL(url, location.origin).pathname), performance.now() - began]);
  }}
  return answers;
}}"""

Figures = dict[str, Any]
Shape = tuple[float, float]


@contextmanager
def visitor(browser: Browser, peer: Peer, shape: Shape = (0.0, 0.0)) -> Iterator[tuple[Page, Line]]:
    """Open a page of a site at the end of a line."""
    host = Line(peer.site, *shape)
    with served(host) as url:
        page = fresh(browser, url + VISITED, peer.script, shape[1])
        try:
            yield page, host
        finally:
            page.context.close()


def cold(browser: Browser, peer: Peer, method: str, query: str, shape: Shape) -> Figures:
    """Run a first query; return milliseconds, bytes and files up to the answer, and the bytes of code among them."""
    with visitor(browser, peer, shape) as (page, host):
        host.log.clear()
        result: Figures = page.evaluate(_SEARCH, [method, query])
        log = list(host.log)
        quiet(host, page)
        return result | _traffic(log) | {"code": sum(item.size for item in log if is_code(item.path))}


def session(browser: Browser, peer: Peer, queries: list[str], shape: Shape) -> Figures:
    """Run queries in sequence, each when the line is quiet; return milliseconds of each, and all bytes and files."""
    with visitor(browser, peer, shape) as (page, host):
        host.log.clear()
        times = []
        for query in queries:
            times.append(page.evaluate(_SEARCH, ["full", query])["ms"])
            quiet(host, page)
        return {"ms": times} | _traffic(host.log)


def typing(browser: Browser, peer: Peer, word: str, shape: Shape) -> Figures:
    """Type a word first in a visit; return milliseconds from its last letter to the rows, and all bytes and files."""
    with visitor(browser, peer, shape) as (page, host):
        host.log.clear()
        result: Figures = page.evaluate(_TYPE, [word, KEY])
        quiet(host, page)
        return result | _traffic(host.log)


def run_queries(browser: Browser, peer: Peer, queries: list[str], limit: int, passes: int = 1) -> list[list[Any]]:
    """Run all queries in one visit, several times; return the last pass: paths of pages and milliseconds."""
    with visitor(browser, peer) as (page, _):
        for _ in range(passes):
            answers: list[list[Any]] = page.evaluate(_RUN_QUERIES, [queries, limit])
        return answers


def _traffic(log: list[Request]) -> Figures:
    return {"bytes": sum(item.size for item in log), "files": len(log)}
