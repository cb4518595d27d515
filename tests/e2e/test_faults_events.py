"""X1, X2, X3: workers, tabs, versions and caches change during searches; every answer belongs to one version of the site."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import ranvier
from parity.compare import compare, plain
from playwright.sync_api import Browser, BrowserContext, Page
from support.browser import workers
from support.fault_site import build_faulty
from support.faults import BLANK, Fault, FaultyHost, faulty

QUERIES = ("unique40x2 wombat", "bemena", "womabt")
LIMIT = 3
TIMEOUT = 10_000  # ms; a worker without a message for twice this time counts as dead, and six starts at once take long

# `engines`: each has its own address below `/@NAME/`.
DRIVER = """
  globalThis.engines = {};
  globalThis.openEngine = async (name, options = {}) => {
    const base = new URL(name ? `/@${name}/_ranvier/` : "/_ranvier/", location.href).href;
    const { api } = await (await fetch(`${base}entry.json`, { cache: "no-cache" })).json();
    const { open } = await import(base + api);
    return (engines[name] = open(base, { frugal: false, ...options }));
  };
  globalThis.search = async (name, query, options = {}) => {
    try { return { done: await engines[name].search(query, { limit: 3, ...options }) }; }
    catch ({ name, code, message }) { return { name, code, message }; }
  };
  globalThis.ownWorkers = [];
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native { constructor(...parts) { super(...parts); ownWorkers.push(this); } };
"""
OPEN = "async ([name, options]) => void (await (await openEngine(name, options)).ready)"
SEARCH = "([name, query]) => search(name, query)"


@pytest.fixture(scope="module")
def expected(faulty_folder: Path) -> dict[str, Any]:
    """The answers of the core in CPython."""
    return answers(faulty_folder / "site")


def answers(site: Path, queries: tuple[str, ...] = QUERIES) -> dict[str, Any]:
    """Search in CPython."""
    with ranvier.open_snapshot(site) as library:
        return {query: plain(library.search(query, limit=LIMIT)) for query in queries}


@contextmanager
def visiting(chromium: Browser) -> Iterator[BrowserContext]:
    """Open a fresh profile; no page in it may have an uncaught error."""
    context = chromium.new_context()
    page_errors: list[str] = []
    context.add_init_script(DRIVER)
    context.on("weberror", lambda error: page_errors.append(str(error.error)))
    yield context
    context.close()
    assert page_errors == []


@pytest.fixture
def visit(chromium: Browser) -> Iterator[BrowserContext]:
    with visiting(chromium) as context:
        yield context


@pytest.fixture
def host(faulty_folder: Path) -> Iterator[FaultyHost]:
    with faulty(faulty_folder / "site") as server:
        yield server


def blank(visit: BrowserContext, host: FaultyHost) -> Page:
    """Open an empty page of the site."""
    page = visit.new_page()
    page.goto(host.url.rstrip("/") + BLANK)
    return page


def end(visit: BrowserContext, target: str) -> None:
    """Kill a worker as a browser without free memory does: without an event."""
    assert visit.browser
    session = visit.browser.new_browser_cdp_session()
    session.send("Target.closeTarget", {"targetId": target})
    session.detach()


def assert_answer(expected: dict[str, Any], query: str, answer: dict[str, Any]) -> None:
    """Compare an answer with that of CPython."""
    assert "done" in answer, answer
    assert compare(expected[query], answer["done"]) == []


def test_trapped_engine_is_replaced(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """A trap in the module ends its interpreter. A new engine answers."""
    page = blank(visit, host)
    query = QUERIES[0]
    page.evaluate("([name, options]) => openEngine(name, options)", ["trapped", {"shared": False, "timeout": TIMEOUT}])
    page.evaluate("(name) => engines[name].ready", "trapped")
    trap = """() => {
      const { parse } = JSON;
      JSON.parse = () => { JSON.parse = parse; throw new WebAssembly.RuntimeError("unreachable"); };
    }"""
    for _ in range(2):
        page.workers[-1].evaluate(trap)
        for request in (query, QUERIES[1]):
            page.evaluate("([name, query]) => { engines[name].answer = search(name, query); }", ["trapped", request])
            assert_answer(expected, request, page.evaluate("(name) => engines[name].answer", "trapped"))
    assert sum(path.endswith("python_stdlib.wasm") for path in host.paths if "/@trapped/" in path) == 1, (
        "the second start reads the cache"
    )


def test_first_vector_search_needs_no_round_for_head_and_tokens(
    visit: BrowserContext, host: FaultyHost, faulty_folder: Path
) -> None:
    """B2: they are prefetched with the engine; rows are requested at the same time as postings, even if these never arrive."""
    prefetched = json.loads((faulty_folder / "site/_ranvier/entry.json").read_text("utf-8"))["vectors"]
    page = blank(visit, host)
    finished: list[str] = []
    page.on("requestfinished", lambda request: finished.append(request.url))
    page.evaluate(OPEN, ["early", {"shared": False}])
    assert {f"/@early/_ranvier/{name}" for name in prefetched} == {path for path in host.paths if "/vectors/" in path}
    for _ in range(200):  # the session may be ready before they have arrived
        if sum(url.endswith(tuple(prefetched)) for url in finished) == len(prefetched):
            break
        page.wait_for_timeout(50)
    host.faults.append(Fault("/@early/_ranvier/index/", "silent"))
    page.evaluate("() => void search('early', 'what did the keeper write', { strategy: 'rag' })")
    for _ in range(100):
        if any("/vectors/" in path and not path.endswith(tuple(prefetched)) for path in host.paths):
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError("rows wait for the postings")
    page.evaluate("() => engines.early.close()")


def wait_until_used(page: Page, fault: Fault) -> None:
    """Wait until a fault has affected all its requests."""
    for _ in range(300):
        if not fault.times:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"no request for {fault.part}")


def test_killed_worker_does_not_lose_the_search(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """While it starts, answers, or is idle; a shared worker or a dedicated one."""
    page = blank(visit, host)
    query = QUERIES[0]
    for shared in (True, False):
        for state in ("starting", "answering", "idle"):
            name = f"{state}-{shared}"
            slow = {"starting": "hot-", "answering": "text/"}.get(state)
            options = {"shared": shared, "timeout": TIMEOUT}
            fault = Fault(f"/@{name}/_ranvier/{slow}", "silent", 1 if slow else 0)
            host.faults.append(fault)
            page.evaluate(
                "([name, options]) => openEngine(name, options).then((engine) => void engine.status())", [name, options]
            )
            if state != "starting":
                page.evaluate("(name) => engines[name].ready", name)
            page.evaluate("([name, query]) => { engines[name].answer = search(name, query); }", [name, query])
            wait_until_used(page, fault)
            if state == "idle":
                assert_answer(expected, query, page.evaluate("(name) => engines[name].answer", name))
            if shared:
                (worker,) = workers(visit, f"/@{name}/")
                end(visit, worker["targetId"])
            else:
                page.evaluate("ownWorkers.at(-1).terminate()")
            if state == "idle":
                page.evaluate("([name, query]) => { engines[name].answer = search(name, query); }", [name, query])
    names = page.evaluate("Object.keys(engines)")
    assert len(names) == 6
    for name in names:
        assert_answer(expected, query, page.evaluate("(name) => engines[name].answer", name))
        assert page.evaluate("(name) => engines[name].status().shared", name) is False
    assert page.evaluate("ownWorkers.length") == 3 + 6, "a worker of the page replaces each"


def test_network_failure_during_a_visit(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Files in memory still answer, others are an error; searches work when the network is back."""
    page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    assert_answer(expected, QUERIES[0], page.evaluate(SEARCH, ["", QUERIES[0]]))
    host.faults.append(Fault("", "lost"))
    assert_answer(expected, QUERIES[0], page.evaluate(SEARCH, ["", QUERIES[0]]))
    error = page.evaluate(SEARCH, ["", QUERIES[1]])
    assert (error["name"], error["code"]) == ("RanvierError", "fetch")
    assert ".bin" in error["message"]
    host.faults.clear()
    assert_answer(expected, QUERIES[1], page.evaluate(SEARCH, ["", QUERIES[1]]))


def deploy(folder: Path, *, scripts: bool) -> tuple[Path, dict[str, Any]]:
    """Build another version of the site in place, perhaps with other scripts; return it and its entry."""
    entry = folder / "site" / "_ranvier" / "entry.json"
    before = json.loads(entry.read_text("utf-8"))
    site = build_faulty(folder, animal="numbat")
    entry_after = json.loads(entry.read_text("utf-8"))
    assert before["manifest"] != entry_after["manifest"]
    assert not (site / "_ranvier" / before["manifest"]).exists()
    if scripts:
        old = site / "_ranvier" / entry_after["api"].partition("/")[0]
        new = old.rename(old.with_name("web-0123456789ab"))
        entry_after["api"] = f"{new.name}/api.js"
        entry.write_text(json.dumps(entry_after), "utf-8")
    return site, entry_after


@pytest.mark.parametrize("scripts", [True, False])
def test_new_version_under_open_pages(
    visit: BrowserContext, faulty_folder: Path, tmp_path: Path, expected: dict[str, Any], *, scripts: bool
) -> None:
    """A page after a search, a page that has read the entry file only, a later page, and a page with a cached entry file."""
    folder = Path(shutil.copytree(faulty_folder, tmp_path / "copy"))
    before = (folder / "site" / "_ranvier" / "entry.json").read_bytes()
    with faulty(folder / "site") as host:
        searched, unsearched = blank(visit, host), blank(visit, host)
        searched.evaluate(OPEN, ["", {"shared": False}])
        assert_answer(expected, QUERIES[0], searched.evaluate(SEARCH, ["", QUERIES[0]]))
        unsearched.evaluate("async () => (await openEngine('', { shared: false, start: 'on-demand' })).suggest('page')")
        site, entry_after = deploy(folder, scripts=scripts)
        new = answers(site, ("numbat bemena", *QUERIES))
        for page in (searched, unsearched):
            assert_answer(new, QUERIES[1], page.evaluate(SEARCH, ["", QUERIES[1]]))
        later = blank(visit, host)
        later.evaluate(OPEN, ["", {"shared": False}])
        assert_answer(new, "numbat bemena", later.evaluate(SEARCH, ["", "numbat bemena"]))
        visit.clear_cookies()
        host.replaced["/_ranvier/entry.json"] = before
        stale = blank(visit, host)
        stale.evaluate(
            """async (api) => { const { open } = await import(new URL(`/_ranvier/${api}`, location.href).href);
               engines[""] = open("/_ranvier/", { shared: false, frugal: false, start: "on-demand" }); }""",
            entry_after["api"],
        )
        visit.new_cdp_session(stale).send("Network.clearBrowserCache")
        failed = stale.evaluate(SEARCH, ["", QUERIES[1]])
        assert (failed["name"], failed["code"]) == ("RanvierError", "fetch")
        assert any(name in failed["message"] for name in (json.loads(before)["manifest"], "site-version.js", "hot-")), failed
        host.replaced.clear()
        assert_answer(new, QUERIES[1], stale.evaluate(SEARCH, ["", QUERIES[1]]))


def test_full_cache_does_not_break_the_search(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Answers are correct, and a download fails with its reason."""
    page = blank(visit, host)
    session = visit.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/"), "quotaSize": 3_000_000})
    page.evaluate(OPEN, ["", {"shared": False}])
    page.evaluate(
        """async () => {
          const entry = await (await fetch("/_ranvier/entry.json")).json();
          const { register } = await import(`/_ranvier/${entry.api.replace("api.js", "offline/register.js")}`);
          await register("/_ranvier/", entry);
        }"""
    )
    assert page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state)") == "activated"
    for query in QUERIES:
        assert_answer(expected, query, page.evaluate(SEARCH, ["", query]))
    refused = page.evaluate("engines[''].preload({ all: true }).then(() => 'all', ({ name, code }) => [name, code])")
    assert refused == ["RanvierError", "quota"]
    session.send("Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/")})
    assert page.evaluate("engines[''].preload({ all: true }).then(() => 'all', ({ message }) => message)") == "all"


def test_twenty_tabs_share_one_worker(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    tabs = [blank(visit, host) for _ in range(20)]
    for number, page in enumerate(tabs):
        script = "(query) => { globalThis.answer = openEngine('').then(() => search('', query)); }"
        page.evaluate(script, QUERIES[number % len(QUERIES)])
    for number, page in enumerate(tabs):
        assert_answer(expected, QUERIES[number % len(QUERIES)], page.evaluate("globalThis.answer"))
    assert [worker["type"] for worker in workers(visit)] == ["shared_worker"]
    modules = [path.rpartition("/")[2] for path in host.paths if re.search(r"/pyodide\.\w+\.wasm$", path)]
    assert modules == ["pyodide.primary.wasm"]


def test_pages_that_come_and_go_leave_one_worker(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Pages are left while the engine starts or answers; the last page gets its answer."""
    page = blank(visit, host)
    for number in range(12):
        page.evaluate("(query) => { openEngine('').then(() => search('', query)); }", QUERIES[number % len(QUERIES)])
        page.wait_for_timeout(20 * (number % 4))
        if number % 3:
            page.goto(host.url.rstrip("/") + BLANK + f"?{number}")
        else:
            page.close()
            page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    for query in QUERIES:
        assert_answer(expected, query, page.evaluate(SEARCH, ["", query]))
    assert [worker["type"] for worker in workers(visit)] == ["shared_worker"]


def test_aborting_half_of_fifty_searches(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """All start before the first fetch; the other half get their own answers."""
    page = blank(visit, host)
    page.evaluate(OPEN, ["", {}])
    answers = page.evaluate(
        """(queries) => {
          const stop = new AbortController();
          const all = Array.from({ length: 50 }, (_, at) =>
            search("", queries[at % queries.length], at % 2 ? { signal: stop.signal } : {}));
          setTimeout(() => stop.abort(), 5);
          return Promise.all(all);
        }""",
        QUERIES,
    )
    assert [item["code"] for item in answers[1::2]] == ["stale"] * 25
    for at, answer in enumerate(answers[::2]):
        assert_answer(expected, QUERIES[2 * at % len(QUERIES)], answer)
    assert_answer(expected, QUERIES[1], page.evaluate(SEARCH, ["", QUERIES[1]]))


PARTS = {"wasm": "pyodide.primary.wasm", "glue": "pyodide.asm.js", "manifest": "manifest-", "index": "index/"}


def test_integrity_is_checked_on_plain_http(visit: BrowserContext, host: FaultyHost, expected: dict[str, Any]) -> None:
    """Without `crypto.subtle`, pages and workers detect altered files."""
    remove_subtle = "Object.defineProperty(Crypto.prototype, 'subtle', { get() {} });\n"
    visit.add_init_script(remove_subtle)
    script = next((host.folder / "_ranvier").glob("web-*/worker.js"))
    for name, part in {**PARTS, "titles": "titles/"}.items():
        host.replaced[f"/@{name}/{script.relative_to(host.folder).as_posix()}"] = remove_subtle.encode() + script.read_bytes()
        host.faults.append(Fault(f"/@{name}/.*{part}", "altered"))
    page = blank(visit, host)
    assert page.evaluate("crypto.subtle === undefined")
    open_engines = (
        "(names) => Promise.all(names.map((name) => openEngine(name, { shared: false, start: 'on-demand' }))).then(() => {})"
    )
    page.evaluate(open_engines, [*PARTS, "titles"])
    search_all = "([names, query]) => Promise.all(names.map((name) => search(name, query)))"
    messages = dict(zip(PARTS, page.evaluate(search_all, [[*PARTS], QUERIES[1]]), strict=True))
    suggest = "engines.titles.suggest('page').catch(({ name, code, message }) => ({ name, code, message }))"
    messages["titles"] = page.evaluate(suggest)
    for name, failed in messages.items():
        assert (failed["name"], failed["code"] in ("fetch", "integrity")) == ("RanvierError", True), name
        assert (PARTS | {"titles": "titles/"})[name] in failed["message"]
    host.faults.clear()
    for answer in page.evaluate(search_all, [[*PARTS], QUERIES[1]]):
        assert_answer(expected, QUERIES[1], answer)
    assert len(page.evaluate(suggest)) == 8
