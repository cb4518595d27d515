"""B1, B5 in Firefox and WebKit: the same box and answers under the same strict policy."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ranvier
from e2e.test_hosting import POLICY
from e2e.test_layers_box import LAYER_POLICY
from parity.compare import answer_of, compare
from ranvier.bridge import camel
from support.layered import ANNA, LayeredManual
from support.other_browsers import BROWSERS, RemoteBrowser
from support.queries import Question
from support.shared import entered_fixture
from support.sites import SiteServer, serving

BOX = "document.querySelector('ranvier-search').shadowRoot"
FIRST = f"{BOX}.querySelector('[role=option]')"
# WebDriver has no command for console messages: the first script of each page stores them in the session storage.
LISTEN = """{
  const messages = () => JSON.parse(sessionStorage.getItem("messages") ?? "[]");
  const note = (line) => sessionStorage.setItem("messages", JSON.stringify([...messages(), line]));
  for (const level of ["error", "warn"]) {
    const write = console[level];
    console[level] = (...parts) => { note(`${level}: ${parts.join(" ")}`); write.apply(console, parts); };
  }
  let leaving = false; // in some browsers, scripts that are still loading fail when the page is left
  addEventListener("beforeunload", () => { leaving = true; });
  addEventListener("error", ({ message, target }) => {
    if (message || !leaving) note(`error: ${message ?? target.src ?? target.href}`);
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => note(`rejection: ${reason}`));
  addEventListener("securitypolicyviolation", (event) => note(`policy: ${event.violatedDirective} ${event.blockedURI}`));
}"""
# Answers the questions of a file through the public API, and writes the answers into the page.
QUESTIONS_SCRIPT = """
const base = new URL("_ranvier/", document.baseURI).href;
const entry = await (await fetch(base + "entry.json")).json();
const { open } = await import(base + entry.api);
const engine = open(base);
await engine.ready;
const answers = [];
for (const [method, query, options] of await (await fetch("questions.json")).json()) {
  try { answers.push({ done: await engine[method](query, options) }); }
  catch (error) { answers.push({ name: error.name, code: error.code, message: error.message }); }
}
document.querySelector("output").textContent = JSON.stringify(answers);
"""
QUESTIONS_PAGE = (
    "<!doctype html><html><head><title>Ask</title></head><body><script type='module' src='ask.js'></script><output></output>"
)
# Firefox reports an exception that Pyodide's loader catches: it tests for a classic worker by a call that the policy forbids.
# When a page is left, Firefox reports its pending modules as missing or as having the digest of an empty file, requests that a
# service worker is answering, and a script that is running.
EXPECTED_MESSAGES = re.compile(
    r"47DEQpj8HBSa\+|injection sink.*/pyodide\.m?js\)$|^warning: Loading failed for the module"
    r"|^error: Failed to load ‘[^’]*’\. A ServiceWorker intercepted the request|^warning: Script terminated by timeout"
)
QUESTIONS = [
    Question("search", "content security policy", {"limit": 8}),
    Question("search", "how do I keep private notes out of the site", {"limit": 10, "explain": True}),
    Question("search", '"search core" browser', {"limit": 20}),
    Question("search", "search NOT (python OR javascript)", {}),
    Question("search", "sea* brow*", {"limit": 5, "offset": 5}),
    Question("search", "browzer serch", {"facets": ["tags", "kind"]}),
    Question("search", "#reference search", {}),
    Question("search", "STRASSE ΩΣ 検索 naïve", {}),
    Question("search", "hot pack", {"strategy": "vector"}),
    Question("search", "xyzzyplugh", {}),
    Question("search", "manifest", {"limit": -1}),
    Question("retrieve", "how does the browser read the index", {"top_k": 4}),
    Question("backlinks", "index.md", {}),
]


@pytest.fixture(scope="module")
def site(example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, with a script in each page that records messages, and with a page that calls the API."""
    folder = Path(shutil.copytree(example_site, tmp_path_factory.mktemp("other") / "site"))
    requests = [
        (method, query, {camel(name): value for name, value in options.items()}) for method, query, options in QUESTIONS
    ]
    (folder / "questions.json").write_text(json.dumps(requests))
    (folder / "ask.js").write_text(QUESTIONS_SCRIPT)
    (folder / "ask.html").write_text(QUESTIONS_PAGE)
    (folder / "nothing.html").write_text("<!doctype html><html><head><title>Nothing</title></head>")
    (folder / "listen.js").write_text(LISTEN)
    for page in folder.rglob("*.html"):
        page.write_text(page.read_text("utf-8").replace("<head>", '<head><script src="/listen.js"></script>', 1), "utf-8")
    return folder


server = entered_fixture(serving, "site", "module", headers={"content-security-policy": POLICY})


@pytest.fixture(scope="module", params=list(BROWSERS))
def remote_browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteBrowser]:
    with BROWSERS[request.param](tmp_path_factory.mktemp(request.param)) as browser:
        yield browser


@pytest.fixture
def browser(remote_browser: RemoteBrowser, server: SiteServer) -> Iterator[RemoteBrowser]:
    """A browser whose console is empty at the end."""
    yield remote_browser
    remote_browser.goto(f"{server.url}nothing.html")
    remote_browser.wait_for("location.pathname.endsWith('/nothing.html')")
    messages = remote_browser.messages() + remote_browser.evaluate("JSON.parse(sessionStorage.getItem('messages') ?? '[]')")
    remote_browser.evaluate("sessionStorage.clear()")
    assert [line for line in messages if not EXPECTED_MESSAGES.search(line)] == []


def open_page(browser: RemoteBrowser, url: str) -> None:
    """Open a page and wait for its search box, which is a module and loads after the page."""
    browser.goto(url)
    browser.wait_for("document.querySelector('ranvier-search')?.shadowRoot")


def test_search_by_keyboard_leads_to_a_page(browser: RemoteBrowser, server: SiteServer) -> None:
    open_page(browser, f"{server.url}guide/")
    browser.press("Control", "k")
    browser.type("policy")
    browser.wait_for(f"{BOX}.querySelector('[role=option] mark')")
    browser.press("ArrowDown")  # without a selected row, Enter waits for the settled answer
    browser.press("Enter")
    browser.wait_for("location.pathname !== '/guide/' && document.querySelector('ranvier-search')?.shadowRoot")
    # The second page uses the running engine, or starts a new one.
    browser.press("/")
    browser.type("manifest")
    # The rows of the unfinished word may appear first.
    browser.wait_for(f"{BOX}.querySelector('[role=option] mark')?.textContent.toLowerCase().startsWith('manifest')")


def test_search_by_mouse_leads_to_a_page(browser: RemoteBrowser, server: SiteServer) -> None:
    open_page(browser, server.url)
    browser.click(f"{BOX}.querySelector('button.trigger')")
    browser.wait_for(f"{BOX}.activeElement?.localName === 'input'")
    browser.type("javascript api")
    # the first rows are of a part of the words
    address = browser.wait_for(f"{FIRST}?.href.includes('javascript-api') && {FIRST}.href")
    browser.click(FIRST)
    browser.wait_for(f"location.href === {json.dumps(address)} && document.querySelector('ranvier-search')?.shadowRoot")


def test_answers_are_the_same_as_on_the_server(browser: RemoteBrowser, site: Path, server: SiteServer) -> None:
    """B1: ids, scores to the ninth decimal, texts and errors; the second part of the engine's module is not needed."""
    browser.goto(f"{server.url}ask.html")
    answers: list[Any] = json.loads(browser.wait_for("document.querySelector('output').textContent"))
    with ranvier.open_snapshot(site) as library:
        expected = [answer_of(library, question) for question in QUESTIONS]
    assert [answer for answer in answers if answer.get("code", "request") != "request"] == []
    assert sum(bool(answer["done"]["hits"]) for answer in expected if "hits" in answer.get("done", ())) >= 7
    rows = zip(QUESTIONS, expected, answers, strict=True)
    assert {question.query: lines[:3] for question, *pair in rows if (lines := compare(*pair))} == {}
    modules = {path.rpartition("/")[2] for path in server.recorder.paths if path.endswith(".wasm")}
    assert "pyodide.primary.wasm" in modules
    assert "pyodide.secondary.wasm" not in modules


def test_visited_page_opens_without_its_host(browser: RemoteBrowser, site: Path) -> None:
    """B3: twice, because a failed request must not delete the stored page."""
    with serving(site, headers={"content-security-policy": f"{POLICY}; trusted-types ranvier"}) as host:
        open_page(browser, host.url)
        browser.press("/")
        browser.type("manifest")
        browser.wait_for(f"{BOX}.querySelector('[role=option] mark')")
        browser.wait_for("!!(await caches.match('/'))")
        open_page(browser, host.url)  # by the service worker
    for _ in range(2):
        open_page(browser, host.url)


@pytest.mark.timeout(500)  # the fixture makes four builds
def test_private_page_opens_under_a_strict_policy(browser: RemoteBrowser, layered_manual: LayeredManual) -> None:
    """A7: unlock, search, read and lock."""
    button = f"{BOX}.querySelector('button.unlock')"
    with serving(layered_manual.site, headers={"content-security-policy": LAYER_POLICY}) as host:
        open_page(browser, host.url)
        browser.press("Control", "k")
        browser.wait_for(f"{button}?.textContent.startsWith('Unlock')")
        browser.click(button)
        browser.wait_for(f"{BOX}.activeElement?.type === 'password'")
        browser.type(ANNA)
        browser.press("Enter")
        browser.wait_for(f"{button}?.textContent === 'Lock'")
        browser.click(f"{BOX}.querySelector('input[role=combobox]')")
        browser.type("quagga")
        row = f"[...{BOX}.querySelectorAll('.option.page')].find((row) => /Quagga plans/.test(row.textContent))"
        browser.wait_for(f"{row}?.textContent.includes('curator')")  # a suggestion may appear before the titles of folders
        browser.click(row)
        browser.wait_for("document.querySelector('.ranvier-private h1')?.textContent.startsWith('Quagga plans')")
        browser.wait_for("document.querySelector('.ranvier-private img[src^=\"blob:\"]')?.naturalWidth > 0")
        assert "uagga" not in browser.evaluate("location.href")
        browser.press("Control", "k")
        browser.wait_for(f"/\\d result/.test({BOX}.querySelector('dialog').innerText)")
        browser.type("quagga stable")  # a later query uses the same session of the worker
        browser.wait_for(f"/results? for “quagga stable”/.test({BOX}.querySelector('dialog').innerText)")
        browser.click(button)
        browser.wait_for(f"{button}?.textContent.startsWith('Unlock')")
        assert not browser.evaluate("document.querySelector('.ranvier-private')")
        browser.goto("about:blank")
        host.recorder.wait_idle()  # a service worker reports a request that fails because its server stops
