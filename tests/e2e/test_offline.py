"""B3: visited pages and searches work offline, and all after a download; builds are not mixed; withdrawn pages are removed."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from ranvier_builder import Config, build
from ranvier_builder.indexing import index, snippet
from support.browser import Tab
from support.content import OPEN, write_pages, write_tree
from support.sites import SiteServer, serving

TRUSTED_TYPES_POLICY = f"{POLICY}; trusted-types ranvier"
# What the search box does; with `shared: false`, because a shared worker would answer from memory.
_MODULES = """
  const base = new URL(document.querySelector("ranvier-search").getAttribute("base"), document.baseURI).href;
  const entry = await (await fetch(base + "entry.json", { cache: "no-cache" })).json();
  const offline = await import(base + entry.api.replace("api.js", "offline/register.js"));
"""
_REGISTER = f"async () => {{ {_MODULES} return offline.register(base, entry); }}"
_REPORT_USED = f"async (names) => {{ {_MODULES} return offline.reportUsed(base, entry, names); }}"
_DOWNLOAD = f"""async () => {{ {_MODULES}
  const steps = [];
  try {{ return [await offline.downloadAll(base, entry, {{ onProgress: (step) => steps.push(step) }}), steps]; }}
  catch (error) {{ return [{{ code: error.code, message: error.message }}, steps]; }}
}}"""
_OPEN = f"""async () => {{ {_MODULES}
  const {{ open }} = await import(base + entry.api);
  globalThis.engine = open(base, {{ shared: false }});
  await globalThis.engine.ready;
  return entry.manifest;
}}"""
_CACHED = """async () => {
  const files = {};
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) {
      const response = await (await caches.open(name)).match(request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      files[new URL(request.url).pathname] = [bytes.length, hex];
    }
  }
  return files;
}"""
_WAIT_UNTIL_UNREGISTERED = """async () => {
  while ((await navigator.serviceWorker.getRegistrations()).length) await new Promise((resolve) => setTimeout(resolve, 50));
}"""
_OFFLINE_ERRORS = (
    "ERR_CONNECTION_REFUSED",
    "ERR_FAILED",
    "Failed to load resource",
    "ERR_INTERNET_DISCONNECTED",
    "Failed to fetch",
)


@contextmanager
def stoppable(site: Path, **options: Any) -> Iterator[tuple[SiteServer, Callable[[], None]]]:
    """Serve a site and yield a function that stops the server; later connections are refused."""
    with ExitStack() as stack:
        yield stack.enter_context(serving(site, **options)), stack.close


def visit(tab: Tab, url: str) -> None:
    """Go to a page and register the service worker, as the page does when it is idle."""
    tab.page.goto(url)
    assert tab.page.evaluate(_REGISTER) is True


def cached(tab: Tab) -> dict[str, tuple[int, str]]:
    files: dict[str, tuple[int, str]] = tab.page.evaluate(_CACHED)
    return files


def titles(answer: dict[str, Any]) -> list[str]:
    return [hit["title"] for hit in answer["done"]["hits"]]


def failing(tab: Tab, *queries: str) -> list[str]:
    """Return the queries whose files are not cached; each of them must fail with the code `fetch`."""
    codes = {query: tab.ask("search", query, limit=8).get("code") for query in queries}
    assert set(codes.values()) <= {None, "fetch"}
    return [query for query, code in codes.items() if code]


VISITED_QUERY = "content security policy"
OTHER_QUERIES = (
    "frontmatter fields",
    "obsidian vault",
    "trigram",
    "daily notes",
    "embedding model",
    "leak check",
    "pdf transcript",
)


@pytest.mark.parametrize("under", ["/", "/docs/v2/"])
def test_visited_pages_and_searches_work_offline(tab: Tab, example_site: Path, under: str) -> None:
    """Under the strictest policy. A file that was not fetched is an error (X3)."""
    tab.expected += _OFFLINE_ERRORS
    with stoppable(example_site, headers={"content-security-policy": TRUSTED_TYPES_POLICY}, under=under) as (server, stop):
        visit(tab, f"{server.url}guide/")
        tab.page.evaluate(_OPEN)
        online = {query: tab.ask("search", query, limit=8) for query in (VISITED_QUERY, "security policy")}
        settle(tab)
        stop()
        tab.page.goto(f"{server.url}guide/?x=1")
        expect(tab.page.locator("main h1").first).to_be_visible()
        tab.page.evaluate(_OPEN)
        for query, answer in online.items():
            assert titles(tab.ask("search", query, limit=8)) == titles(answer) != []
        assert failing(tab, *OTHER_QUERIES) != []
        assert failing(tab, VISITED_QUERY) == [], "after a failed search"
        tab.page.keyboard.press("Control+k")
        box = tab.query_field
        box.fill(VISITED_QUERY)
        expect(tab.options.first).to_be_visible()
        box.fill(failing(tab, *OTHER_QUERIES)[0])
        expect(tab.page.get_by_role("button", name="Try again")).to_be_visible()


@pytest.mark.parametrize("under", ["/", "/docs/v2/"])
def test_page_that_a_router_shows_works_offline(tab: Tab, example_site: Path, under: str) -> None:
    """Its HTML was fetched by a script, which the service worker leaves to the browser."""
    tab.expected += _OFFLINE_ERRORS
    with stoppable(example_site, under=under) as (server, stop):
        visit(tab, server.url)
        tab.page.goto(f"{server.url}guide/")
        settle(tab)
        tab.page.evaluate(
            """async (address) => {
          const icon = document.querySelector("link[rel=icon]");
          icon.href = icon.href;  // a relative address would depend on the page's own address
          const text = await (await fetch(address)).text();
          history.pushState({}, "", address);
          const next = new DOMParser().parseFromString(text, "text/html");
          document.querySelector("main").replaceChildren(...next.querySelector("main").children);
        }""",
            f"{server.url}reference/",
        )
        settle(tab)
        stop()
        tab.page.goto(f"{server.url}reference/")
        expect(tab.page.locator("main h1").first).to_have_text("Reference")


def test_files_fetched_before_the_service_worker_are_cached(tab: Tab, example_site: Path) -> None:
    """The search of a first visit ends before the worker controls the page."""
    tab.expected += _OFFLINE_ERRORS
    with stoppable(example_site) as (server, stop):
        tab.page.goto(server.url)
        tab.page.evaluate(_OPEN)
        online = tab.ask("search", VISITED_QUERY, limit=8)
        names = [path.partition("/_ranvier/")[2] for path in server.recorder.paths if "/_ranvier/" in path]
        before = len(server.recorder.paths)
        assert tab.page.evaluate(_REGISTER)
        assert tab.page.evaluate(_REPORT_USED, names)
        paths = server.recorder.paths[before:]
        modules = [path.rpartition("/")[2] for path in paths if re.search(r"/pyodide\.\w+\.wasm$", path)]
        assert modules == [], "the first part is in the browser's own cache, and no search needed the second"
        settle(tab)
        stop()
        tab.page.goto(server.url)
        tab.page.evaluate(_OPEN)
        assert titles(tab.ask("search", VISITED_QUERY, limit=8)) == titles(online) != []


@pytest.mark.parametrize("visited", [True, False])
def test_download_makes_every_search_work_offline(tab: Tab, example_site: Path, visited: bool) -> None:
    """With progress; also without a search before. The answers are those of the online site."""
    tab.expected += _OFFLINE_ERRORS
    with stoppable(example_site) as (server, stop):
        if visited:
            visit(tab, server.url)
        else:
            tab.page.goto(server.url)
        result, steps = tab.page.evaluate(_DOWNLOAD)
        assert result["files"] > 50
        assert [step["loaded"] for step in steps] == sorted(step["loaded"] for step in steps)
        assert steps[-1]["loaded"] == steps[-1]["total"] == result["bytes"] > 5_000_000
        tab.page.evaluate(_OPEN)
        online = {query: titles(tab.ask("search", query, limit=8)) for query in (VISITED_QUERY, *OTHER_QUERIES)}
        settle(tab)
        stop()
        tab.page.goto(server.url)
        tab.page.evaluate(_OPEN)
        assert {query: titles(tab.ask("search", query, limit=8)) for query in (VISITED_QUERY, *OTHER_QUERIES)} == online
        on_disk = json.loads((example_site / "_ranvier" / entry(example_site)["sizes"]).read_text())
        paths = {path.partition("/_ranvier/")[2] for path in cached(tab)}
        assert on_disk.keys() - paths == set()


def entry(site: Path) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((site / "_ranvier" / "entry.json").read_text())
    return fields


def test_new_version_replaces_the_old_one_offline(tab: Tab, tmp_path: Path) -> None:
    """An open page uses it. Offline, every file is of the new build."""
    tab.expected += [*_OFFLINE_ERRORS, "404"]
    content, out = tmp_path / "content", tmp_path / "public"
    write_pages(content, "wombat")
    build(content, out, OPEN)
    with stoppable(out) as (server, stop):
        visit(tab, server.url)
        before = tab.page.evaluate(_OPEN)
        assert tab.ask("search", "page3")["done"]["hits"]
        first = entry(out)
        page = content / "p17.md"
        page.write_text(page.read_text() + "\nThe quokka is awake.\n")
        build(content, out, OPEN)
        assert tab.ask("search", "page5 sleeps", limit=8)["done"]["hits"]
        assert tab.ask("search", "quokka")["done"]["hits"], "the open page searches the new version"
        visit(tab, f"{server.url}p5/")
        assert tab.page.evaluate(_OPEN) == entry(out)["manifest"] != before
        assert tab.ask("search", "quokka")["done"]["hits"]
        settle(tab)
        current_files = {*json.loads((out / "_ranvier" / entry(out)["sizes"]).read_text()), entry(out)["files"]}
        paths = {path.partition("/_ranvier/")[2] for path in cached(tab) if "/_ranvier/" in path} - {".cache-index"}
        assert paths <= current_files
        assert first["manifest"] not in paths
        stop()
        tab.page.goto(f"{server.url}p5/")
        assert tab.page.evaluate(_OPEN) == entry(out)["manifest"]
        assert titles(tab.ask("search", "quokka")) == ["Page17"]


SECRET = {
    "index.md": "# Home\n\nWelcome to the aviary.\n",
    "finch.md": "# Zebrafinch\n\nThe zebrafinch of the aviary.\n\n![its nest](nest.svg)\n",
    "nest.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle r='9'/></svg>",
}
_SUGGESTED = "async (query) => (await globalThis.engine.suggest(query)).map(({ title }) => title)"


@pytest.mark.parametrize(("open_path", "searched"), [("", True), ("", False), ("finch/", True), ("plain.html", False)])
def test_withdrawn_page_is_removed_from_the_cache(tab: Tab, tmp_path: Path, open_path: str, searched: bool) -> None:
    """B3: page, picture and search files, when a page is opened online: any page, the withdrawn one, or one without a box.

    While the site cannot be reached, they stay. Without a search before, the same holds for a page with `noindex`.
    """
    tab.expected += [*_OFFLINE_ERRORS, "404", "500"]
    fields, page = "" if searched else "noindex: true\n", SECRET["finch.md"]
    content, out = write_tree(tmp_path / "content", SECRET | {"finch.md": f"---\n{fields}---\n{page}"}), tmp_path / "public"
    build(content, out, OPEN)
    (out / "plain.html").write_text("<!doctype html><title>Plain</title><link rel=icon href='data:,'>")
    with stoppable(out) as (server, stop):
        visit(tab, server.url)
        visit(tab, f"{server.url}finch/")
        if searched:
            tab.page.evaluate(_OPEN)
            assert titles(tab.ask("search", "zebrafinch")) == ["Zebrafinch"]
            assert tab.page.evaluate(_SUGGESTED, "zeb") == ["Zebrafinch"]
        settle(tab)
        before = entry(out)
        assert {"/finch/", *(f"/_media/{file.name}" for file in (out / "_media").iterdir())} <= cached(tab).keys()
        (content / "finch.md").write_text(f"---\n{fields}audience: curator\n---\n{page}")
        build(content, out, OPEN)
        server.recorder.faults["/"] = "500"
        tab.page.goto(f"{server.url}finch/")
        expect(tab.page.locator("main")).to_contain_text("The zebrafinch of the aviary")
        settle(tab)
        server.recorder.faults.clear()
        response = tab.page.goto(server.url + open_path)
        assert response
        assert response.status == (404 if open_path == "finch/" else 200)
        settle(tab)
        paths = {path.removeprefix("/_ranvier/") for path in cached(tab)}
        assert not [path for path in paths if "finch" in path or "nest" in path]
        current_files = json.loads((out / "_ranvier" / entry(out)["sizes"]).read_text())
        search = {path for path in paths if not path.startswith("/")} - {".cache-index"}
        assert search <= {*current_files, entry(out)["files"]}
        assert (before["manifest"] == entry(out)["manifest"]) == (not searched)
        assert not searched or before["manifest"] not in paths
        visit(tab, server.url)
        if searched:
            tab.page.evaluate(_OPEN)
            assert [titles(tab.ask("search", query)) for query in ("aviary", "zebrafinch")] == [["Home"], []]
        settle(tab)
        stop()
        with pytest.raises(PlaywrightError, match="ERR_"):
            tab.page.goto(f"{server.url}finch/")
        tab.page.wait_for_url("chrome-error://**")
        tab.page.goto(server.url)
        expect(tab.page.locator("main")).to_contain_text("Welcome to the aviary")
        if searched:
            tab.page.evaluate(_OPEN)
            assert [titles(tab.ask("search", query)) for query in ("aviary", "zebrafinch")] == [["Home"], []]
            assert tab.page.evaluate(_SUGGESTED, "zeb") == []


def settle(tab: Tab) -> None:
    """Wait until the service worker has stored its changes."""
    tab.page.wait_for_timeout(1000)


def test_offline_false_removes_an_older_service_worker_and_its_caches(tab: Tab, example_site: Path, tmp_path: Path) -> None:
    out = tmp_path / "public"
    shutil.copytree(example_site, out)
    with serving(out) as server:
        visit(tab, server.url)
        assert cached(tab)
        module = (out / "ranvier-sw.js").read_text()
        (out / "ranvier-sw.js").write_text(module.replace("service-worker.js", "removal.js"))
        tab.page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        tab.page.evaluate(_WAIT_UNTIL_UNREGISTERED)
        assert cached(tab) == {}
        tab.page.goto(server.url)
        assert tab.page.evaluate("navigator.serviceWorker.controller") is None


def test_save_data_prefetches_nothing(tab: Tab, example_site: Path) -> None:
    with serving(example_site) as server:
        tab.page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true, downlink: 10 } })")
        tab.page.goto(server.url)
        assert tab.page.evaluate(_REGISTER) is False
        assert tab.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_foreign_service_worker_stays(tab: Tab, example_site: Path, tmp_path: Path) -> None:
    out = tmp_path / "public"
    shutil.copytree(example_site, out)
    (out / "foreign.js").write_text("addEventListener('install', () => skipWaiting());")
    with serving(out) as server:
        tab.page.goto(server.url)
        register = "await navigator.serviceWorker.register('/foreign.js'); await navigator.serviceWorker.ready;"
        tab.page.evaluate(f"async () => {{ {register} }}")
        assert tab.page.evaluate(_REGISTER) is False
        script = tab.page.evaluate("async () => (await navigator.serviceWorker.ready).active.scriptURL")
        assert script.endswith("/foreign.js")


@pytest.mark.parametrize("wide", [True, False])
def test_indexed_site_works_offline(tab: Tab, tmp_path: Path, wide: bool) -> None:
    """N8: pages only with a header of the host; the search also without it."""
    tab.expected += _OFFLINE_ERRORS
    lines = snippet().replace("<ranvier-search>", '<ranvier-search base="/_ranvier/">')
    style = "<link rel=stylesheet href=/style.css>"
    page = f"<!doctype html><title>Nerves</title>{style}{lines}<main><h1>Nerves</h1>Axons.</main>"
    site = write_tree(tmp_path / "site", {"index.html": page, "style.css": "main { color: rgb(1, 2, 3) }"})
    index(site, Config(search=type(Config().search)(vectors=False)))
    headers = {"service-worker-allowed": "/"} if wide else {}
    with stoppable(site, headers=headers) as (server, stop):
        visit(tab, server.url)
        tab.page.evaluate(_OPEN)
        assert titles(tab.ask("search", "axons")) == ["Nerves"]
        settle(tab)
        scope = tab.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations())[0].scope")
        assert scope == (server.url if wide else f"{server.url}_ranvier/")
        assert f"/_ranvier/{entry(site)['manifest']}" in cached(tab)
        stop()
        if wide:
            tab.page.goto(server.url)
            color = tab.page.evaluate("getComputedStyle(document.querySelector('main')).color")
            assert color == "rgb(1, 2, 3)"
            tab.page.evaluate(_OPEN)
            assert titles(tab.ask("search", "axons")) == ["Nerves"]
