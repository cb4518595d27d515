"""X1, X2, X3: workers, tabs, deployments and caches change while somebody searches; every answer is right for one version."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import ranvier
from parity.compare import plain, same
from playwright.sync_api import Browser, BrowserContext, Page
from support.fault_site import build_faulty
from support.faults import BLANK, Fault, FaultyHost, faulty

REQUEST = ("unique40x2 wombat", "bemena", "womabt")
LIMIT = 3
PATIENCE = 10_000  # ms; a worker that is silent for twice this time is dead, and six that start at once are silent for long

# `engines`, by name: each below an address of its own.
DRIVER = """
  globalThis.engines = {};
  globalThis.opened = async (name, options = {}) => {
    const base = new URL(name ? `/@${name}/_ranvier/` : "/_ranvier/", location.href).href;
    const { api } = await (await fetch(`${base}entry.json`, { cache: "no-cache" })).json();
    const { open } = await import(base + api);
    return (engines[name] = open(base, { frugal: false, ...options }));
  };
  globalThis.asked = async (name, query, options = {}) => {
    try { return { done: await engines[name].search(query, { limit: 3, ...options }) }; }
    catch ({ name, code, message }) { return { name, code, message }; }
  };
  globalThis.own = [];
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native { constructor(...given) { super(...given); own.push(this); } };
"""
OPEN = "async ([name, options]) => void (await (await opened(name, options)).ready)"
ASK = "([name, query]) => asked(name, query)"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the site was built. Not to be changed: copy it."""
    folder = tmp_path_factory.mktemp("events")
    build_faulty(folder)
    return folder


@pytest.fixture(scope="module")
def expected(built: Path) -> dict[str, Any]:
    """What the server's core answers."""
    return answers(built / "site")


def answers(site: Path, queries: tuple[str, ...] = REQUEST) -> dict[str, Any]:
    """Ask the server's core."""
    with ranvier.open_snapshot(site) as library:
        return {query: plain(library.search(query, limit=LIMIT)) for query in queries}


@contextmanager
def visiting(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh profile; no page in it may end with an error that nobody caught."""
    context = chromium.new_context()
    crashed: list[str] = []
    context.add_init_script(DRIVER)
    context.on("weberror", lambda error: crashed.append(str(error.error)))
    yield context
    context.close()
    assert crashed == []


@pytest.fixture
def visit(chromium: Browser) -> Iterator[BrowserContext]:
    with visiting(chromium) as context:
        yield context


@pytest.fixture
def host(built: Path) -> Iterator[FaultyHost]:
    with faulty(built / "site") as served:
        yield served


def blank(visit: BrowserContext, host: FaultyHost) -> Page:
    """Open an empty page of the site."""
    page = visit.new_page()
    page.goto(host.url.rstrip("/") + BLANK)
    return page


def workers(visit: BrowserContext, part: str = "/web-") -> list[str]:
    """Return the targets of the browser's shared workers."""
    assert visit.browser
    session = visit.browser.new_browser_cdp_session()
    targets = session.send("Target.getTargets")["targetInfos"]
    session.detach()
    return [target["targetId"] for target in targets if target["type"] == "shared_worker" and part in target["url"]]


def end(visit: BrowserContext, target: str) -> None:
    """Kill a worker as a browser does that has no memory left: nobody is told."""
    assert visit.browser
    session = visit.browser.new_browser_cdp_session()
    session.send("Target.closeTarget", {"targetId": target})
    session.detach()


def right(expected: dict[str, Any], query: str, answer: dict[str, Any]) -> None:
    """Hold an answer against the server's."""
    assert "done" in answer, answer
    assert same(expected[query], answer["done"]) == []


def test_trapped_engine_is_replaced(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """A trap in the module ends its interpreter. A new engine starts from the library and answers."""
    page = blank(visit, host)
    query = REQUEST[0]
    page.evaluate("([name, options]) => opened(name, options)", ["ended", {"shared": False, "timeout": PATIENCE}])
    page.evaluate("(name) => engines[name].ready", "ended")
    ends = """() => {
      const { parse } = JSON;
      JSON.parse = () => { JSON.parse = parse; throw new WebAssembly.RuntimeError("unreachable"); };
    }"""
    for _ in range(2):
        page.workers[-1].evaluate(ends)
        for request in (query, REQUEST[1]):
            page.evaluate("([name, query]) => { engines[name].answer = asked(name, query); }", ["ended", request])
            right(expected, request, page.evaluate("(name) => engines[name].answer", "ended"))
    assert sum(path.endswith("python_stdlib.bin") for path in host.paths if "/@ended/" in path) == 1, "then from the cache"


def test_first_vector_search_needs_no_round_for_head_and_tokens(visit: BrowserContext, host: FaultyHost, built: Path) -> None:
    """B2: they were prefetched with the engine; rows are requested with the postings, even if these never arrive."""
    begins = json.loads((built / "site/_ranvier/entry.json").read_text("utf-8"))["vectors"]
    page = blank(visit, host)
    page.evaluate(OPEN, ["early", {"shared": False}])
    assert {f"/@early/_ranvier/{name}" for name in begins} == {path for path in host.paths if "/vectors/" in path}
    host.faults.append(Fault("/@early/_ranvier/index/", "silent"))
    page.evaluate("() => void asked('early', 'what did the keeper write', { strategy: 'rag' })")
    for _ in range(100):
        if any("/vectors/" in path and not path.endswith(tuple(begins)) for path in host.paths):
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError("rows wait for the postings")
    page.evaluate("() => engines.early.close()")


def struck(page: Page, fault: Fault) -> None:
    """Wait until a fault has met the last of its requests."""
    for _ in range(300):
        if not fault.times:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"nobody asked for {fault.part}")


def test_killed_worker_does_not_lose_the_search(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """While it starts, answers, or is idle; a shared worker or a dedicated one."""
    page = blank(visit, host)
    query = REQUEST[0]
    for shared in (True, False):
        for when in ("starting", "answering", "idle"):
            name = f"{when}-{shared}"
            slow = {"starting": "hot-", "answering": "text/"}.get(when)
            options = {"shared": shared, "timeout": PATIENCE}
            fault = Fault(f"/@{name}/_ranvier/{slow}", "silent", 1 if slow else 0)
            host.faults.append(fault)
            page.evaluate("([name, options]) => opened(name, options).then((engine) => void engine.status())", [name, options])
            if when != "starting":
                page.evaluate("(name) => engines[name].ready", name)
            page.evaluate("([name, query]) => { engines[name].answer = asked(name, query); }", [name, query])
            struck(page, fault)
            if when == "idle":
                right(expected, query, page.evaluate("(name) => engines[name].answer", name))
            if shared:
                (worker,) = workers(visit, f"/@{name}/")
                end(visit, worker)
            else:
                page.evaluate("own.at(-1).terminate()")
            if when == "idle":
                page.evaluate("([name, query]) => { engines[name].answer = asked(name, query); }", [name, query])
    names = page.evaluate("Object.keys(engines)")
    assert len(names) == 6
    for name in names:
        right(expected, query, page.evaluate("(name) => engines[name].answer", name))
        assert page.evaluate("(name) => engines[name].status().shared", name) is False
    assert page.evaluate("own.length") == 3 + 6, "each was followed by one of the page's own"


def test_network_failure_during_a_visit(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Files in memory still answer, others are an error; searches work when the network is back."""
    page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    right(expected, REQUEST[0], page.evaluate(ASK, ["", REQUEST[0]]))
    host.faults.append(Fault("", "lost"))
    right(expected, REQUEST[0], page.evaluate(ASK, ["", REQUEST[0]]))
    lost = page.evaluate(ASK, ["", REQUEST[1]])
    assert (lost["name"], lost["code"]) == ("RanvierError", "fetch")
    assert ".bin" in lost["message"]
    host.faults.clear()
    right(expected, REQUEST[1], page.evaluate(ASK, ["", REQUEST[1]]))


def deployed(folder: Path, *, scripts: bool) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """Build another version of the site in its place, perhaps with other scripts; return it and both entries."""
    entry = folder / "site" / "_ranvier" / "entry.json"
    before = json.loads(entry.read_text("utf-8"))
    site = build_faulty(folder, animal="numbat")
    now = json.loads(entry.read_text("utf-8"))
    assert before["manifest"] != now["manifest"]
    assert not (site / "_ranvier" / before["manifest"]).exists()
    if scripts:
        old = site / "_ranvier" / now["api"].partition("/")[0]
        new = old.rename(old.with_name("web-0123456789ab"))
        now["api"] = f"{new.name}/api.js"
        entry.write_text(json.dumps(now), "utf-8")
    return site, before, now


@pytest.mark.parametrize("scripts", [True, False])
def test_new_version_under_open_pages(
    visit: BrowserContext, built: Path, tmp_path: Path, expected: dict[str, Any], *, scripts: bool
) -> None:
    """A page that has searched, one that has read the entry only, and a later one; with an entry file from a cache."""
    folder = Path(shutil.copytree(built, tmp_path / "copy"))
    before = (folder / "site" / "_ranvier" / "entry.json").read_bytes()
    with faulty(folder / "site") as host:
        searched, waiting = blank(visit, host), blank(visit, host)
        searched.evaluate(OPEN, ["", {"shared": False}])
        right(expected, REQUEST[0], searched.evaluate(ASK, ["", REQUEST[0]]))
        waiting.evaluate("async () => (await opened('', { shared: false, start: 'asked' })).suggest('page')")
        site, _, now = deployed(folder, scripts=scripts)
        new = answers(site, ("numbat bemena", *REQUEST))
        for page in (searched, waiting):
            right(new, REQUEST[1], page.evaluate(ASK, ["", REQUEST[1]]))
        later = blank(visit, host)
        later.evaluate(OPEN, ["", {"shared": False}])
        right(new, "numbat bemena", later.evaluate(ASK, ["", "numbat bemena"]))
        visit.clear_cookies()
        host.replaced["/_ranvier/entry.json"] = before
        stale = blank(visit, host)
        stale.evaluate(
            """async (api) => { const { open } = await import(new URL(`/_ranvier/${api}`, location.href).href);
               engines[""] = open("/_ranvier/", { shared: false, frugal: false, start: "asked" }); }""",
            now["api"],
        )
        visit.new_cdp_session(stale).send("Network.clearBrowserCache")
        failed = stale.evaluate(ASK, ["", REQUEST[1]])
        assert (failed["name"], failed["code"]) == ("RanvierError", "fetch")
        assert any(name in failed["message"] for name in (json.loads(before)["manifest"], "site-version.js", "hot-")), failed
        host.replaced.clear()
        right(new, REQUEST[1], stale.evaluate(ASK, ["", REQUEST[1]]))


def test_full_cache_does_not_break_the_search(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Answers are right, and a download says why it ended."""
    page = blank(visit, host)
    session = visit.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/"), "quotaSize": 3_000_000})
    page.evaluate(OPEN, ["", {"shared": False}])
    page.evaluate(
        """async () => {
          const entry = await (await fetch("/_ranvier/entry.json")).json();
          const { register } = await import(`/_ranvier/${entry.api.replace("api.js", "offline/register.js")}`);
          await register("/_ranvier/", entry, { idle: false });
        }"""
    )
    assert page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state)") == "activated"
    for query in REQUEST:
        right(expected, query, page.evaluate(ASK, ["", query]))
    refused = page.evaluate("engines[''].preload({ all: true }).then(() => 'all', ({ name, code }) => [name, code])")
    assert refused == ["RanvierError", "quota"]
    session.send("Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/")})
    assert page.evaluate("engines[''].preload({ all: true }).then(() => 'all', ({ message }) => message)") == "all"


def test_twenty_tabs_share_one_worker(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    tabs = [blank(visit, host) for _ in range(20)]
    for number, page in enumerate(tabs):
        script = "(query) => { globalThis.answer = opened('').then(() => asked('', query)); }"
        page.evaluate(script, REQUEST[number % len(REQUEST)])
    for number, page in enumerate(tabs):
        right(expected, REQUEST[number % len(REQUEST)], page.evaluate("globalThis.answer"))
    assert len(workers(visit)) == 1
    # The second part is prefetched ten seconds after the first question, which is soon on a slow machine.
    modules = [path.rpartition("/")[2] for path in host.paths if path.endswith(".wasm")]
    assert modules in (["pyodide.primary.wasm"], ["pyodide.primary.wasm", "pyodide.secondary.wasm"])


def test_pages_that_come_and_go_leave_one_worker(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """They are left while the engine starts or answers; the last page has its answer."""
    page = blank(visit, host)
    for number in range(12):
        page.evaluate("(query) => { opened('').then(() => asked('', query)); }", REQUEST[number % len(REQUEST)])
        page.wait_for_timeout(20 * (number % 4))
        if number % 3:
            page.goto(host.url.rstrip("/") + BLANK + f"?{number}")
        else:
            page.close()
            page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    for query in REQUEST:
        right(expected, query, page.evaluate(ASK, ["", query]))
    assert len(workers(visit)) == 1


def test_aborting_half_of_fifty_searches(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """All start before the first fetch; the others have their own answers."""
    page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    value = page.evaluate(
        """(queries) => {
          const stop = new AbortController();
          const all = Array.from({ length: 50 }, (_, at) =>
            asked("", queries[at % queries.length], at % 2 ? { signal: stop.signal } : {}));
          setTimeout(() => stop.abort(), 5);
          return Promise.all(all);
        }""",
        REQUEST,
    )
    assert [item["code"] for item in value[1::2]] == ["stale"] * 25
    for at, answer in enumerate(value[::2]):
        right(expected, REQUEST[2 * at % len(REQUEST)], answer)
    right(expected, REQUEST[1], page.evaluate(ASK, ["", REQUEST[1]]))


PARTS = {
    "wasm": "pyodide.primary.wasm",
    "glue": "pyodide.asm.js",
    "manifest": "manifest-",
    "index": "index/",
    "snapshot": "snapshot-",
}


def test_integrity_is_checked_on_plain_http(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """There is no `crypto.subtle`; altered files are found in pages and workers."""
    without = "Object.defineProperty(Crypto.prototype, 'subtle', { get() {} });\n"
    visit.add_init_script(without)
    script = next((host.folder / "_ranvier").glob("web-*/worker.js"))
    for name, part in {**PARTS, "titles": "titles/"}.items():
        host.replaced[f"/@{name}/{script.relative_to(host.folder).as_posix()}"] = without.encode() + script.read_bytes()
        host.faults.append(Fault(f"/@{name}/.*{part}", "altered"))
    page = blank(visit, host)
    assert page.evaluate("crypto.subtle === undefined")
    opening = "(names) => Promise.all(names.map((name) => opened(name, { shared: false, start: 'asked' }))).then(() => {})"
    page.evaluate(opening, [*PARTS, "titles"])
    asking = "([names, query]) => Promise.all(names.map((name) => asked(name, query)))"
    messages = dict(zip(PARTS, page.evaluate(asking, [[*PARTS], REQUEST[1]]), strict=True))
    suggesting = "engines.titles.suggest('page').catch(({ name, code, message }) => ({ name, code, message }))"
    messages["titles"] = page.evaluate(suggesting)
    right(expected, REQUEST[1], messages.pop("snapshot"))
    assert page.evaluate("engines.snapshot.status().bootMethod") == "library"
    for name, failed in messages.items():
        assert (failed["name"], failed["code"] in ("fetch", "integrity")) == ("RanvierError", True), name
        assert (PARTS | {"titles": "titles/"})[name] in failed["message"]
    host.faults.clear()
    for answer in page.evaluate(asking, [[*PARTS], REQUEST[1]]):
        right(expected, REQUEST[1], answer)
    assert len(page.evaluate(suggesting)) == 8
