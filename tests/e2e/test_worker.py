"""The worker: the pages of a site share it, and it outlives each of them; or a page has its own."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import Browser, Error, Page
from support.browser import Tab, opened_tab, workers
from support.sites import serving

_OPEN = """async (options) => {
  const base = new URL(document.querySelector("ranvier-search").getAttribute("base"), document.baseURI).href;
  const { api } = await (await fetch(base + "entry.json", { cache: "no-cache" })).json();
  const { open } = await import(base + api);
  globalThis.engine = open(base, options);
  await globalThis.engine.ready;
  return globalThis.engine.status();
}"""


def open_engine(page: Page, **options: Any) -> dict[str, Any]:
    """Open an engine on the page that is shown; return its status."""
    status: dict[str, Any] = page.evaluate(_OPEN, options)
    return status


def worker_types(page: Page) -> list[str]:
    return [worker["type"] for worker in workers(page.context)]


@pytest.mark.parametrize("shared", [True, False])
def test_next_page_uses_the_running_engine_or_the_cache(tab: Tab, example_site: Path, shared: bool) -> None:
    """The second page requests the entry file only: a shared worker keeps running, and all other files are cached."""
    with serving(example_site) as server:
        tab.page.goto(server.url)
        assert open_engine(tab.page, frugal=False, shared=shared)["shared"] is shared
        tab.ask("search", "manifest")
        before = len(server.recorder.paths)
        tab.page.goto(f"{server.url}guide/")
        status = open_engine(tab.page, frugal=False, shared=shared)
        assert (status["state"], status["shared"]) == ("ready", shared)
        assert tab.ask("search", "manifest")["done"]["totalHits"] > 0
        requests = {path for path in server.recorder.paths[before:] if "/_ranvier/" in path}
        # The offline scripts load after an answer, on either page.
        offline = {path for path in requests if "/offline/" in path or path.endswith(("/trusted.js", "/errors.js"))}
        assert requests - offline == {"/_ranvier/entry.json"}
        assert worker_types(tab.page) == (["shared_worker"] if shared else ["worker"])


@pytest.mark.parametrize("connection", [{"downlink": 4}, {"downlink": 3.9}, {"downlink": 10, "saveData": True}, None])
def test_vector_files_do_not_delay_the_engine(tab: Tab, example_site: Path, connection: dict[str, Any] | None) -> None:
    """B4: nothing is prefetched for readers who save data or have a slow connection."""
    tab.page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'connection', {{ value: {json.dumps(connection)} }})")
    with serving(example_site) as server:
        tab.page.goto(server.url)
        open_engine(tab.page, shared=False)
        vectors = [at for at, path in enumerate(server.recorder.paths) if "/vectors/" in path]
        engine = [at for at, path in enumerate(server.recorder.paths) if "/engine-" in path or "/core-" in path]
    if connection and (connection.get("saveData") or connection["downlink"] < 4):
        assert not vectors
    else:
        assert min(vectors) > max(engine)


def test_vector_files_wait_for_the_core(tab: Tab, example_site: Path) -> None:
    """The core is needed first. If it does not arrive, no vectors are requested."""
    tab.expected.append("500")
    with serving(example_site) as server:
        server.recorder.faults["/core-"] = "500"
        with pytest.raises(Error, match="core-"):
            tab.open_engine(server.url, shared=False)
        assert any("/core-" in path for path in server.recorder.paths)
        assert not any("/vectors/" in path for path in server.recorder.paths)


def test_two_tabs_share_one_worker(tab: Tab, example_site: Path) -> None:
    """Request numbers belong to a page; an aborted request of one page does not affect the other."""
    with serving(example_site) as server:
        tab.page.goto(server.url)
        other = tab.page.context.new_page()
        other.goto(f"{server.url}guide/")
        open_engine(tab.page)
        open_engine(other)
        assert worker_types(tab.page) == ["shared_worker"]
        ask = "(query) => globalThis.engine.search(query).then((r) => r.hits.map((h) => h.id))"
        first, second = tab.page.evaluate(ask, "manifest"), other.evaluate(ask, "obsidian vault")
        assert first
        assert second
        assert first != second
        code = tab.page.evaluate(
            """() => { const stop = new AbortController();
               const result = globalThis.engine.search("static host", { signal: stop.signal }); stop.abort();
               return result.catch((error) => error.code); }"""
        )
        assert code == "stale"
        assert other.evaluate(ask, "static host")


def test_close_ends_the_worker_with_the_last_page(tab: Tab, example_site: Path) -> None:
    """A closed engine answers nothing."""
    with serving(example_site) as server:
        tab.page.goto(server.url)
        other = tab.page.context.new_page()
        other.goto(server.url)
        open_engine(tab.page)
        open_engine(other)
        tab.page.evaluate("globalThis.engine.close()")
        assert tab.ask("search", "manifest")["code"] == "stale"
        assert tab.page.evaluate("globalThis.engine.status().state") == "closed"
        assert other.evaluate("globalThis.engine.search('manifest').then((r) => r.totalHits)") > 0
        assert worker_types(tab.page) == ["shared_worker"]
        other.evaluate("globalThis.engine.close()")
        tab.page.wait_for_timeout(300)
        assert worker_types(tab.page) == []


@pytest.mark.parametrize("reason", ["option", "no SharedWorker"])
def test_dedicated_worker_gives_the_same_answers(tab: Tab, example_site: Path, reason: str) -> None:
    """`close()` ends it at once."""
    with serving(example_site) as server:
        if reason == "no SharedWorker":
            tab.page.add_init_script("delete globalThis.SharedWorker")
        tab.page.goto(server.url)
        status = open_engine(tab.page, **({"shared": False} if reason == "option" else {}))
        assert status["shared"] is False
        assert tab.ask("search", "manifest")["done"]["totalHits"] > 0
        tab.page.evaluate("globalThis.engine.close()")
        assert tab.ask("search", "manifest")["code"] == "stale"


def test_shared_worker_is_used_only_if_it_outlives_its_page(tab: Tab, example_site: Path) -> None:
    """In Firefox and WebKit it does not; the check starts no worker."""
    script = """(() => {
      globalThis.started = 0;
      globalThis.SharedWorker = class {
        constructor(url) { new URL(url); globalThis.started += 1; throw new Error("started"); }
      };
    })()"""
    with serving(example_site) as server:
        tab.page.add_init_script(script)
        tab.page.goto(server.url)
        assert open_engine(tab.page)["shared"] is False
        assert tab.page.evaluate("globalThis.started") == 0


_LEAVE_AND_RETURN = """(search) => {
  const during = search ? globalThis.engine.search("manifest").then(({ totalHits }) => totalHits) : 0;
  for (const name of ["pagehide", "pageshow"]) dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
  return during;
}"""


def test_page_restored_from_the_back_forward_cache_gets_its_answers(tab: Tab, example_site: Path) -> None:
    """The page sends its pending requests again, also while the engine starts."""
    with serving(example_site) as server:
        tab.page.goto(server.url)
        tab.page.evaluate(_OPEN.replace("await globalThis.engine.ready;", ""), {"shared": True})
        assert tab.page.evaluate(_LEAVE_AND_RETURN, True) > 0, "during the start of the engine"
        assert tab.page.evaluate(_LEAVE_AND_RETURN, True) > 0, "after it"


def test_closing_page_leaves_the_worker_to_a_cached_page(tab: Tab, example_site: Path) -> None:
    with serving(example_site) as server:
        tab.page.goto(server.url)
        open_engine(tab.page)
        other = tab.page.context.new_page()
        other.goto(server.url)
        open_engine(other)
        tab.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        other.evaluate("globalThis.engine.close()")
        other.wait_for_timeout(300)
        assert worker_types(tab.page) == ["shared_worker"]
        tab.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        assert tab.ask("search", "manifest")["done"]["totalHits"] > 0
        assert tab.page.evaluate("globalThis.engine.status().shared")


def test_older_api_module_uses_the_version_of_the_entry_file(tab: Tab, example_site: Path) -> None:
    """A bundle or a cached page has another copy of the API: it imports the site's own copy, which answers.

    Also under the strictest policy, which allows the policy for addresses once.
    """
    with serving(example_site, headers={"content-security-policy": f"{POLICY}; trusted-types ranvier"}) as server:
        tab.page.goto(server.url)
        tab.page.route(
            "**/old/**",
            lambda route: route.fulfill(body=_below(example_site, route.request.url), content_type="text/javascript"),
        )
        status = tab.page.evaluate(
            """async () => {
              const { open } = await import(new URL("old/api.js", document.baseURI).href);
              globalThis.engine = open("_ranvier/");
              await globalThis.engine.ready;
              return globalThis.engine.status();
            }"""
        )
        assert status["state"] == "ready"
        assert tab.ask("search", "manifest")["done"]["totalHits"] > 0
        assert any("/web-" in path and path.endswith("/site-version.js") for path in server.recorder.paths)
        assert not any("/old/" in path for path in server.recorder.paths)


def _below(site: Path, url: str) -> str:
    web = next((site / "_ranvier").glob("web-*"))
    return (web / url.partition("/old/")[2]).read_text("utf-8")


# Stores Python's memory in a global variable, which a debugger can read.
_EXPOSE_MEMORY = """
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...parts) => {
  const result = await instantiate(...parts);
  globalThis.memory ??= (result.instance ?? result).exports.memory;
  return result;
};
"""


def test_thousand_searches_do_not_grow_the_heap(full_chromium: Browser, example_site: Path, tmp_path: Path) -> None:
    """JavaScript's objects and buffers, and Python's memory, after 200 searches and after 1,000 more.

    With all compilers, because so many searches run faster in optimised code.
    """
    words = "manifest snapshot chunk theme audience leak vault link search index".split()
    site = Path(shutil.copytree(example_site, tmp_path / "site"))
    script = next((site / "_ranvier").glob("web-*/worker.js"))
    script.write_text(_EXPOSE_MEMORY + script.read_text("utf-8"), "utf-8")
    with serving(site) as server, opened_tab(full_chromium) as tab:
        tab.page.goto(server.url)
        open_engine(tab.page)
        sizes = []
        for count in (200, 1000):
            requests = [f"{words[n % 10]} {words[n // 10 % 10]}" for n in range(count)]
            answers = tab.ask_all([("search", query, {"limit": 3, "typing": n % 3 > 0}) for n, query in enumerate(requests)])
            assert all("done" in answer for answer in answers)
            sizes.append(heap(tab.page))
    (used_bytes, memory), (used_after, memory_after) = sizes
    assert memory > 20_000_000
    assert memory_after == memory, sizes
    assert used_after < used_bytes + 1_500_000, sizes


def heap(page: Page) -> tuple[int, int]:
    """Return the bytes of the shared worker's objects and buffers after a collection, and those of Python's memory."""
    worker = WorkerDebugger(page)
    worker.send("HeapProfiler.collectGarbage")
    usage = worker.send("Runtime.getHeapUsage")
    memory = worker.send("Runtime.evaluate", expression="globalThis.memory.buffer.byteLength")["result"]["value"]
    return usage["usedSize"] + usage["backingStorageSize"], memory


class WorkerDebugger:
    """A debugger's connection to the shared worker."""

    def __init__(self, page: Page) -> None:
        browser = page.context.browser
        assert browser
        self._page, self._cdp = page, browser.new_browser_cdp_session()
        self._messages: list[dict[str, Any]] = []
        self._cdp.on("Target.receivedMessageFromTarget", lambda event: self._messages.append(json.loads(event["message"])))
        target = workers(page.context)[0]["targetId"]
        session = self._cdp.send("Target.attachToTarget", {"targetId": target, "flatten": False})
        self._session, self._number = session["sessionId"], 0

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command; return its result."""
        self._number += 1
        message = json.dumps({"id": self._number, "method": method, "params": parameters})
        self._cdp.send("Target.sendMessageToTarget", {"sessionId": self._session, "message": message})
        for _ in range(200):
            for item in self._messages:
                if item.get("id") == self._number:
                    return dict(item["result"])
            self._page.wait_for_timeout(50)
        raise AssertionError(f"no response to {method}")
