"""Several sites in one list, in a browser (B8): two parts of the manual are two sites, merged as `ranvier.sites` does."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from parity.compare import compare, plain
from playwright.sync_api import Locator, Page, expect
from ranvier.sites import Sites, open_sites
from ranvier_builder import Config, build
from support.browser import Tab
from support.shared import entered_fixture
from support.sites import EXAMPLE, SiteServer, serving

TIMEOUT = 20_000  # ms: the start of both engines on a slow machine
WEIGHT = 0.8
TITLES = {"docs": "Guide", "blog": "Reasons"}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'"
)
QUERIES = [
    ("audience", {}),
    ("service worker", {}),
    ("how do I keep a page private", {}),
    ("how do I keep a page private", {"typing": True}),
    ("servise worker", {}),
    ("path:pyodide engine", {}),
    ("#decisions engine", {}),
    ("search -vectors", {}),
    ("xyzzyplugh", {}),
    ("", {"sort": "title", "facets": ["tags", "kind"]}),
    ("index", {"facets": ["tags"], "limit": 3, "offset": 4}),
    ("search", {"sort": "updated", "limit": 40}),
    ("files", {"limit": 100}),
    ("engine", {"explain": True, "limit": 5}),
]
SEARCH = """async ([addresses, queries]) => {
  const entry = await (await fetch("/docs/_ranvier/entry.json")).json();
  const { open } = await import(`/docs/_ranvier/${entry.api}`);
  globalThis.engine ??= open(addresses);
  const answers = [];
  for (const [query, options] of queries) answers.push(await globalThis.engine.search(query, options));
  return JSON.stringify(answers);
}"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with two sites."""
    folder = tmp_path_factory.mktemp("host")
    for name, part in (("docs", "guide"), ("blog", "decisions")):
        content = Path(shutil.copytree(EXAMPLE / "content" / part, tmp_path_factory.mktemp(name) / "content"))
        build(content, folder / name, Config(title=TITLES[name], default_audience="public"))
    return folder


server = entered_fixture(serving, "host", headers={"content-security-policy": POLICY})


@pytest.fixture
def python(host: Path) -> Iterator[Sites]:
    with open_sites([host / "docs", (host / "blog", WEIGHT)]) as sites:
        yield sites


def search(
    page: Page, url: str, queries: list[tuple[str, dict[str, Any]]], blog: str = "/blog/_ranvier/"
) -> list[dict[str, Any]]:
    page.goto(f"{url}docs/")
    answers: list[dict[str, Any]] = json.loads(page.evaluate(SEARCH, [["/docs/_ranvier/", f"{blog}={WEIGHT}"], queries]))
    return answers


def box(page: Page, part: str) -> Locator:
    return page.locator(f"ranvier-search {part}")


def open_page(page: Page, url: str, sites: str) -> None:
    """Go to a page of the first site and make its box search several sites."""
    page.goto(f"{url}docs/")
    page.locator("ranvier-search").evaluate(
        """(old, sites) => {
          const box = old.cloneNode(true);
          box.setAttribute("sites", sites);
          old.replaceWith(box);
        }""",
        sites,
    )


def test_merged_hits_are_those_of_python(tab: Tab, server: SiteServer, python: Sites) -> None:
    """B8: the same hits, order, scores, notices and counts, for words, meaning, filters, orders and later pages."""
    results = search(tab.page, server.url, QUERIES)
    count = 0
    for (query, options), result in zip(QUERIES, results, strict=True):
        expected = python.search(query, **options)  # type: ignore[arg-type]
        roots = [f"{server.url}docs/", f"{server.url}blog/"]
        for row, (site, score, hit) in zip(result["hits"], expected.hits, strict=True):
            count += 1
            fields = plain(hit)
            assert row["site"] == {"title": python.titles[site], "root": roots[site]}, query
            assert (row["id"], row["url"]) == (f"{site}:{hit.id}", roots[site] + hit.url), query
            assert row["score"] == pytest.approx(score, abs=1e-9), query
            names = "title titleHighlight snippet breadcrumb anchor confidence level coverage matchedIn".split()
            assert compare({name: fields[name] for name in names}, {name: row[name] for name in names}, query) == []
        first = options.get("offset", 0) + 1
        assert [row["rank"] for row in result["hits"]] == [*range(first, first + len(expected.hits))]
        totals = (expected.total_hits, expected.next_offset, expected.truncated, expected.unsettled)
        assert (result["totalHits"], result["nextOffset"], result["truncated"], result["unsettled"]) == totals, query
        notices = [(python.titles[site] if site is not None else None, plain(notice)) for site, notice in expected.notices]
        assert [(notice.pop("site", None), notice) for notice in result["notices"]] == notices, query
        assert result.get("facets", {}) == plain(expected.facets), query
    assert count > 150
    assert {row["site"]["title"] for result in results for row in result["hits"]} == {*TITLES.values()}


def test_two_sites_of_one_release_use_the_engine_of_the_first(tab: Tab, server: SiteServer) -> None:
    search(tab.page, server.url, QUERIES[:1])
    engine = [path for path in server.recorder.paths if "/engine-" in path or "/core-" in path]
    assert engine
    assert [path for path in engine if not path.startswith("/docs/")] == []
    assert any(path.startswith(("/blog/_ranvier/index/", "/blog/_ranvier/text/")) for path in server.recorder.paths)


def test_sites_of_two_releases_use_their_own_scripts_and_engines(tab: Tab, host: Path, python: Sites, tmp_path: Path) -> None:
    """The folder of the second site's scripts has another name, as in another release."""
    copy = Path(shutil.copytree(host, tmp_path / "host"))
    entry = copy / "blog" / "_ranvier" / "entry.json"
    folder = json.loads(entry.read_text("utf-8"))["api"].partition("/")[0]
    (entry.parent / folder).rename(entry.parent / "web-0")
    entry.write_text(entry.read_text("utf-8").replace(folder, "web-0"), "utf-8")
    with serving(copy, headers={"content-security-policy": POLICY}) as server:
        [result] = search(tab.page, server.url, QUERIES[:1])
        paths = server.recorder.paths
    assert [hit["title"] for hit in result["hits"]] == [hit.title for _, _, hit in python.search(QUERIES[0][0]).hits]
    for name in ("docs", "blog"):
        assert any(path.startswith(f"/{name}/_ranvier/engine-") for path in paths), name
    assert "/blog/_ranvier/web-0/worker.js" in paths


def test_site_of_another_origin_runs_none_of_its_scripts(tab: Tab, host: Path, python: Sites) -> None:
    """Under a policy that allows only its data; the hits are those of one host."""
    cors = {"access-control-allow-origin": "*"}
    with serving(host, headers=cors) as other_server:
        with serving(host, headers={"content-security-policy": f"{POLICY} {other_server.url}"}) as site_server:
            [result] = search(tab.page, site_server.url, QUERIES[:1], f"{other_server.url}blog/_ranvier/")
            assert [path for path in other_server.recorder.paths if path.endswith((".js", ".wasm"))] == []
        expected = python.search(QUERIES[0][0])
        assert [(hit["title"], hit["score"]) for hit in result["hits"]] == [
            (hit.title, pytest.approx(score, abs=1e-9)) for _, score, hit in expected.hits
        ]
        assert {hit["url"].startswith(other_server.url) for hit in result["hits"]} == {True, False}


def test_box_lists_both_sites_and_names_them(tab: Tab, server: SiteServer, python: Sites) -> None:
    """B6: rows before the engine, rows of the engine in the merged order, the site of each row, links, and further pages."""
    open_page(tab.page, server.url, f"/docs/_ranvier/ /blog/_ranvier/={WEIGHT}")
    tab.search("engine")
    expect(box(tab.page, "[role=status]")).to_have_text(re.compile(r"results? for"), timeout=TIMEOUT)
    expected = python.search("engine", prefix=True, limit=16).hits
    rows = box(tab.page, ".group .option.page")
    expect(rows).to_have_count(8)
    box(tab.page, ".more").click()
    expect(rows).to_have_count(16, timeout=TIMEOUT)
    roots = [f"{server.url}docs/", f"{server.url}blog/"]
    links = [link.split("#")[0] for link in rows.evaluate_all("links => links.map((link) => link.href)")]
    assert links == [roots[site] + hit.url for site, _, hit in expected]
    crumbs = rows.evaluate_all("links => links.map((link) => link.querySelector('.crumbs')?.textContent ?? '')")
    assert [text.split(" › ")[0].split(" · ")[0] for text in crumbs] == [python.titles[site] for site, _, _ in expected]
    assert len({*crumbs}) > 1


def test_box_lists_rows_of_both_sites_before_the_engine(tab: Tab, server: SiteServer) -> None:
    """B4: suggestions, and pages with the words of the query."""
    server.recorder.faults = {"/worker.js": "500"}
    tab.expected += ["Failed to load resource", "500"]
    open_page(tab.page, server.url, "/docs/_ranvier/ /blog/_ranvier/")
    tab.search("engine")
    expect(box(tab.page, ".group")).to_have_count(8)
    links = box(tab.page, ".option").evaluate_all("links => links.map((link) => new URL(link.href).pathname.split('/')[1])")
    assert {*links} == {"docs", "blog"}


@pytest.mark.parametrize("failing", ["docs", "blog"])
def test_failing_site_is_named_and_the_other_one_answers(tab: Tab, server: SiteServer, python: Sites, failing: str) -> None:
    """X3."""
    server.recorder.faults = {
        f"/{failing}/_ranvier/index/": "500",
        f"/{failing}/_ranvier/text/": "500",
        f"/{failing}/_ranvier/packs/": "500",
    }
    tab.expected += ["Failed to load resource", "500"]
    open_page(tab.page, server.url, f"/docs/_ranvier/ /blog/_ranvier/={WEIGHT}")
    tab.search("engine")
    expect(box(tab.page, ".notice")).to_have_text(f"{TITLES[failing]} could not be searched.", timeout=TIMEOUT)
    rows = box(tab.page, ".group .option.page")
    expect(rows).to_have_count(8)
    links = rows.evaluate_all("links => links.map((link) => new URL(link.href).pathname.split('/')[1])")
    assert failing not in links
