"""X3, B2: a damaged script is fetched again, a rewritten one runs, and every import has a timeout."""

import re
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect
from support.browser import Tab
from support.fault_site import build_small
from support.faults import Fault, FaultyHost, faulty
from support.shared import entered_fixture, site_fixture

SCRIPTS = ("api.js", "ui/answers.js", "worker.js")


site = site_fixture(build_small)
host = entered_fixture(faulty, "site")


@pytest.mark.parametrize("name", SCRIPTS)
def test_truncated_script_is_an_error_with_a_retry(host: FaultyHost, tab: Tab, name: str) -> None:
    """The retry works on the same page as soon as the file is complete."""
    tab.expected += ["SyntaxError", "Unexpected end of input"]
    host.faults.append(Fault(f"/web-[^/]*/{name}$", "truncated"))
    tab.page.goto(host.url)
    tab.search("axon")
    retry = tab.page.get_by_role("button", name="Try again")
    expect(retry).to_be_visible()
    expect(tab.page.locator("ranvier-search .reason")).to_contain_text(name.rpartition("/")[2])
    host.faults.clear()
    retry.click()
    expect(tab.snippet).to_be_visible()


def test_truncated_worker_script_is_the_error_of_every_request(host: FaultyHost, tab: Tab) -> None:
    """X3: also of a request whose retry is slower than that of another one."""
    tab.expected += ["SyntaxError", "Unexpected end of input"]
    host.faults.append(Fault("/web-[^/]*/worker.js$", "truncated"))
    tab.page.goto(host.url)
    errors = tab.page.evaluate("""async () => {
      const [send, retries] = [globalThis.fetch, []];
      globalThis.fetch = async (url, init) => {
        const isRetry = String(url).endsWith("/worker.js") && init?.cache === "reload";
        if (isRetry && retries.push(url) === 2) await new Promise((done) => setTimeout(done, 3000));
        return send(url, init);
      };
      const { api } = await (await send("/_ranvier/entry.json")).json();
      const engine = (await import(`/_ranvier/${api}?own`)).open("/_ranvier/", { start: "on-demand" });
      const results = await Promise.allSettled([engine.search("axon"), engine.search("myelin")]);
      return results.map(({ reason }) => `${reason.code}: ${reason.message}`);
    }""")
    assert [error.split(":")[:2] for error in errors] == [["fetch", " worker.js"]] * 2, errors


@pytest.mark.parametrize("effect", ["altered", "truncated"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_script_that_is_damaged_once_is_no_error(host: FaultyHost, tab: Tab, name: str, effect: str) -> None:
    """The browser's cache keeps the damaged copy for a year, so the second request bypasses it."""
    tab.expected += ["SyntaxError", "Unexpected"]
    host.faults.append(Fault(f"/web-[^/]*/{name}$", effect, times=1))
    tab.page.goto(host.url)
    tab.search("axon")
    expect(tab.snippet).to_be_visible()
    assert not host.faults[0].times
    expect(tab.page.get_by_role("button", name="Try again")).to_have_count(0)


def test_proxy_may_rewrite_scripts_and_styles(site: Path, tab: Tab, tmp_path: Path) -> None:
    """B2: also the engine's scripts. The service worker returns them, but stores only files with the expected digest."""
    copy = Path(shutil.copytree(site, tmp_path / "site"))
    for file in (*copy.rglob("*.js"), *copy.rglob("*.css")):
        file.write_text(f"/* rewritten */ {file.read_text('utf-8')}", "utf-8")
    with faulty(copy) as host:
        tab.page.goto(host.url)
        tab.search("axon")
        expect(tab.snippet).to_be_visible()
        tab.page.wait_for_function("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')")
        for query, path in (("axon", "myelin/"), ("myelin", "")):
            tab.page.goto(f"{host.url}{path}")
            assert tab.page.evaluate("navigator.serviceWorker.controller !== null")
            tab.search(query)
            expect(tab.snippet).to_be_visible()


def test_page_without_the_script_of_the_box_is_readable(host: FaultyHost, tab: Tab) -> None:
    """It shows a message, and the search works after a reload without the cache."""
    tab.expected += ["error: "]  # the text depends on where the script ends
    host.faults.append(Fault("/web-[^/]*/ui/search-box.js$", "truncated"))
    tab.page.goto(host.url)
    expect(tab.page.get_by_text("Search has not loaded.")).to_be_visible()
    assert "JavaScript" not in tab.page.locator("body").inner_text()
    expect(tab.page.locator("main")).to_contain_text("Welcome to the home page of nerves")
    host.faults.clear()
    tab.page.context.new_cdp_session(tab.page).send("Network.clearBrowserCache")
    tab.page.reload()
    tab.search("axon")
    expect(tab.snippet).to_be_visible()


def test_page_without_scripts_says_so_once(host: FaultyHost, chromium: Browser) -> None:
    """Readers get no advice for authors."""
    page = chromium.new_page(java_script_enabled=False)
    for path in ("", "search/", "404.html"):
        page.goto(host.url + path)
        expect(page.locator("noscript.no-search")).to_be_visible()  # a locator by text finds nothing there
        expect(page.get_by_text("Search has not loaded.")).to_be_hidden()
        expect(page.get_by_text("ranvier serve")).to_be_hidden()
        assert page.locator("ranvier-search").inner_text() == "Search needs JavaScript."
    page.goto(f"{host.url}search/")
    page.get_by_role("link", name="Go to the front page").click()
    expect(page.locator("main")).to_contain_text("Welcome to the home page of nerves")
    page.close()


def test_page_from_a_folder_names_the_command_for_authors(site: Path, tab: Tab) -> None:
    tab.expected += ["file://", "net::ERR_FAILED"]
    tab.page.goto((site / "index.html").as_uri())
    expect(tab.page.get_by_text("Search needs JavaScript and a web server: ranvier serve")).to_be_visible()
    expect(tab.page.get_by_text("Search has not loaded.")).to_be_hidden()


def test_error_before_the_other_styles_has_space_around_it(host: FaultyHost, tab: Tab) -> None:
    """On a first visit without a network they are never fetched."""
    tab.expected += ["net::ERR_FAILED"]
    tab.page.route(re.compile("/(answers|box-features)[.]js"), lambda route: route.abort())
    tab.page.goto(host.url)
    tab.search("axon")
    expect(tab.page.locator("ranvier-search .message")).to_have_css("padding", "16px 12px 20px")


def test_each_script_is_requested_once_and_the_worker_s_with_the_entry_file(host: FaultyHost, tab: Tab) -> None:
    """The first page requests the worker's script while it waits for the entry file; the second page requests no script."""
    tab.page.add_init_script("delete Navigator.prototype.serviceWorker")  # it would request all scripts after an answer
    host.faults.append(Fault("entry.json", "late"))
    tab.page.goto(host.url)
    tab.search("axon")
    expect(tab.snippet).to_be_visible()
    (worker,) = [at for at, path in enumerate(host.paths) if path.endswith("/worker.js")]
    assert worker < min(at for at, path in enumerate(host.paths) if "/titles/" in path or "/engine-" in path)
    scripts = [path.rpartition("/")[2] for path in host.paths if "/web-" in path]
    features = [
        "answer-strings.js",
        "answers.js",
        "box-features.js",
        "extras.js",
        "folders.js",
        "help.js",
        "marks.js",
        "page-marks.js",
    ]
    assert sorted(scripts) == sorted([*features, "api.js", "search-box.js", "worker.js"])
    before = len(host.paths)
    tab.page.goto(f"{host.url}myelin/")
    tab.search("axon")
    expect(tab.snippet).to_be_visible()
    files = {path.rpartition("/")[2] for path in host.paths[before:]}
    assert files <= {"", "entry.json", "favicon.svg"}


@pytest.mark.parametrize("name", ["api.js", "ui/answers.js"])
def test_pending_import_has_a_timeout(host: FaultyHost, tab: Tab, name: str) -> None:
    """Browsers have none. After twenty seconds, the box shows an error; the retry uses another address."""
    pending: list[Route] = []
    tab.page.route(f"**/web-*/{name}", lambda route: pending.append(route))  # the address with `?try=1` differs
    tab.page.clock.install(time=0)
    tab.page.goto(host.url, wait_until="domcontentloaded")
    tab.page.clock.pause_at(15)
    # The search waits for the same import as the suggestions only if its own script arrives before the timeout.
    with tab.page.expect_response("**/ui/answers.js") if name == "api.js" else nullcontext():
        tab.search("axon")
        tab.page.clock.run_for(400)
    retry = tab.page.get_by_role("button", name="Try again")
    while not pending:
        tab.page.wait_for_timeout(50)
    tab.page.wait_for_timeout(500)
    tab.page.clock.run_for(19_000)
    tab.page.wait_for_timeout(200)
    expect(retry).to_have_count(0)
    tab.page.clock.run_for(2_000)
    expect(retry).to_be_visible()
    expect(tab.page.locator("ranvier-search .reason")).to_contain_text("no data for 20 seconds")
    tab.page.clock.resume()
    retry.click()
    expect(tab.snippet).to_be_visible()


def test_policy_that_allows_scripts_by_a_nonce_only(host: FaultyHost, tab: Tab) -> None:
    """B5: the permission of a page's script extends to its imports; the link that preloads the API needs the nonce."""
    policy = "script-src 'nonce-abc' 'wasm-unsafe-eval'; worker-src 'self'"

    def add_nonce(route: Route) -> None:
        response = route.fetch()
        body = response.text().replace("<script", '<script nonce="abc"').replace("<link", '<link nonce="abc"')
        route.fulfill(response=response, body=body, headers={**response.headers, "content-security-policy": policy})

    tab.page.route(host.url, add_nonce)
    tab.page.goto(host.url)
    tab.search("axon")
    expect(tab.snippet).to_be_visible()


def test_page_of_an_older_build_requests_its_worker_once(tab: Tab, site: Path, tmp_path: Path) -> None:
    """X3: it has not searched yet. The worker of the new version answers."""
    tab.expected += ["404"]
    copy = Path(shutil.copytree(site, tmp_path / "site"))
    (web,) = copy.glob("_ranvier/web-*")
    with faulty(copy) as host:
        tab.page.goto(host.url)
        open_engine = "async (url) => { globalThis.engine = (await import(url)).open('/_ranvier/', { start: 'on-demand' }); }"
        tab.page.evaluate(open_engine, f"/_ranvier/{web.name}/api.js")
        entry = copy / "_ranvier" / "entry.json"
        entry.write_text(entry.read_text("utf-8").replace(web.name, "web-000000000000"), "utf-8")
        web.rename(web.with_name("web-000000000000"))
        for query in ("axon", "myelin", "node"):
            assert tab.page.evaluate("(query) => engine.search(query).then(({ hits }) => hits.length)", query)
        requests = [path for path in host.paths if path.endswith(f"{web.name}/worker.js")]
        assert 0 < len(requests) <= 2  # the second request bypasses the cache
