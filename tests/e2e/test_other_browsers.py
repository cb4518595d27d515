"""B1, B5 in Firefox and WebKit: the same box and answers under the same strict policy."""

from __future__ import annotations

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
from parity.compare import answered, same
from ranvier.bridge import camel
from support.layered import ANNA, LayeredManual
from support.other_browsers import BROWSERS, OtherBrowser
from support.queries import Question
from support.sites import Served, serving

BOX = "document.querySelector('ranvier-search').shadowRoot"
FIRST = f"{BOX}.querySelector('[role=option]')"
# WebDriver cannot hear a console: a script before all others keeps what comes in, from one page to the next.
LISTEN = """{
  const messages = () => JSON.parse(sessionStorage.getItem("messages") ?? "[]");
  const note = (line) => sessionStorage.setItem("messages", JSON.stringify([...messages(), line]));
  for (const level of ["error", "warn"]) {
    const write = console[level];
    console[level] = (...parts) => { note(`${level}: ${parts.join(" ")}`); write.apply(console, parts); };
  }
  let leaving = false; // then scripts that are still on their way fail, in some browsers
  addEventListener("beforeunload", () => { leaving = true; });
  addEventListener("error", ({ message, target }) => {
    if (message || !leaving) note(`error: ${message ?? target.src ?? target.href}`);
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => note(`rejection: ${reason}`));
  addEventListener("securitypolicyviolation", (event) => note(`policy: ${event.violatedDirective} ${event.blockedURI}`));
}"""
# The public API, used as the manual says. Questions lie beside it; answers are left in the page.
ASK = """
const base = new URL("_ranvier/", document.baseURI).href;
const entry = await (await fetch(base + "entry.json")).json();
const { open } = await import(base + entry.api);
const frugal = location.search === "?frugal";
const engine = open(base, frugal ? { frugal, shared: false } : {});
await engine.ready;
const answers = [];
for (const [what, query, options] of await (await fetch("questions.json")).json()) {
  try { answers.push({ done: await engine[what](query, options) }); }
  catch (error) { answers.push({ name: error.name, code: error.code, message: error.message }); }
}
document.querySelector("output").textContent = JSON.stringify(answers);
"""
ASK_PAGE = (
    "<!doctype html><html><head><title>Ask</title></head><body><script type='module' src='ask.js'></script><output></output>"
)
# Pyodide's loader asks by a call that the policy refuses whether a worker is a classic one: Firefox notes even what was caught.
# And it notes a module that was still on its way when the page was left, as one that is missing, or as one with the digest of
# nothing; and a request that a service worker still answered then. It stops a script that runs then, with a warning.
NOISE = re.compile(
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
    """The manual with a listener in every page, and a page that asks through the API."""
    folder = Path(shutil.copytree(example_site, tmp_path_factory.mktemp("other") / "site"))
    requests = [(what, query, {camel(name): value for name, value in options.items()}) for what, query, options in QUESTIONS]
    (folder / "questions.json").write_text(json.dumps(requests))
    (folder / "ask.js").write_text(ASK)
    (folder / "ask.html").write_text(ASK_PAGE)
    (folder / "nothing.html").write_text("<!doctype html><html><head><title>Nothing</title></head>")
    (folder / "listen.js").write_text(LISTEN)
    for page in folder.rglob("*.html"):
        page.write_text(page.read_text("utf-8").replace("<head>", '<head><script src="/listen.js"></script>', 1), "utf-8")
    return folder


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[Served]:
    with serving(site, headers={"content-security-policy": POLICY}) as server:
        yield server


@pytest.fixture(scope="module", params=list(BROWSERS))
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OtherBrowser]:
    with BROWSERS[request.param](tmp_path_factory.mktemp(request.param)) as browser:
        yield browser


@pytest.fixture
def browser(started: OtherBrowser, served: Served) -> Iterator[OtherBrowser]:
    """A browser whose console is empty at the end."""
    yield started
    started.go(f"{served.url}nothing.html")
    started.wait("location.pathname.endsWith('/nothing.html')")
    messages = started.messages() + started.look("JSON.parse(sessionStorage.getItem('messages') ?? '[]')")
    started.look("sessionStorage.clear()")
    assert [line for line in messages if not NOISE.search(line)] == []


def open_page(browser: OtherBrowser, url: str) -> None:
    """Open a page and wait for its search box, which is a module and so comes after the rest."""
    browser.go(url)
    browser.wait("document.querySelector('ranvier-search')?.shadowRoot")


def test_searches_do_not_need_the_second_part_of_the_module(browser: OtherBrowser, served: Served) -> None:
    """With Save-Data nothing is prefetched, so a request would be a call of a stub."""
    before = len(served.recorder.paths)
    browser.go(f"{served.url}ask.html?frugal")
    answers = json.loads(browser.wait("document.querySelector('output').textContent"))
    assert sum("done" in answer for answer in answers) >= len(QUESTIONS) - 1
    modules = [path.rpartition("/")[2] for path in served.recorder.paths[before:] if path.endswith(".wasm")]
    assert modules == ["pyodide.primary.wasm"]


def test_search_by_keyboard_leads_to_a_page(browser: OtherBrowser, served: Served) -> None:
    open_page(browser, f"{served.url}guide/")
    browser.press("Control", "k")
    browser.type("policy")
    browser.wait(f"{BOX}.querySelector('[role=option] mark')")
    browser.press("ArrowDown")  # Enter alone would ask for the whole answer first
    browser.press("Enter")
    browser.wait("location.pathname !== '/guide/' && document.querySelector('ranvier-search')?.shadowRoot")
    # A second page, and with it the engine that the first one started, or a new one.
    browser.press("/")
    browser.type("manifest")
    marked = browser.wait(f"{BOX}.querySelector('[role=option] mark')?.textContent")
    assert marked.lower().startswith("manifest")


def test_search_by_mouse_leads_to_a_page(browser: OtherBrowser, served: Served) -> None:
    open_page(browser, served.url)
    browser.click(f"{BOX}.querySelector('button.trigger')")
    browser.wait(f"{BOX}.activeElement?.localName === 'input'")
    browser.type("javascript api")
    address = browser.wait(f"{FIRST}?.href")
    assert "javascript-api" in address
    browser.click(FIRST)
    browser.wait(f"location.href === {json.dumps(address)} && document.querySelector('ranvier-search')?.shadowRoot")


def test_answers_are_the_same_as_on_the_server(browser: OtherBrowser, site: Path, served: Served) -> None:
    """B1: ids, scores to the ninth decimal, texts and errors."""
    browser.go(f"{served.url}ask.html")
    theirs: list[Any] = json.loads(browser.wait("document.querySelector('output').textContent"))
    with ranvier.open_snapshot(site) as library:
        ours = [answered(library, question) for question in QUESTIONS]
    assert [answer for answer in theirs if answer.get("code", "request") != "request"] == []
    assert sum(bool(answer["done"]["hits"]) for answer in ours if "hits" in answer.get("done", ())) >= 7
    pairs = zip(QUESTIONS, ours, theirs, strict=True)
    assert {question.query: lines[:3] for question, pair, other in pairs if (lines := same(pair, other))} == {}


@pytest.mark.timeout(500)  # it waits for four builds
def test_private_page_opens_under_a_strict_policy(browser: OtherBrowser, layered_manual: LayeredManual) -> None:
    """A7: unlock, search, read and lock."""
    button = f"{BOX}.querySelector('button.unlock')"
    with serving(layered_manual.site, headers={"content-security-policy": LAYER_POLICY}) as host:
        open_page(browser, host.url)
        browser.press("Control", "k")
        browser.wait(f"{button}?.textContent.startsWith('Unlock')")
        browser.click(button)
        browser.wait(f"{BOX}.activeElement?.type === 'password'")
        browser.type(ANNA)
        browser.press("Enter")
        browser.wait(f"{button}?.textContent === 'Lock'")
        browser.click(f"{BOX}.querySelector('input[role=combobox]')")
        browser.type("quagga")
        row = f"[...{BOX}.querySelectorAll('.option.page')].find((row) => /Quagga plans/.test(row.textContent))"
        browser.wait(f"{row}?.textContent.includes('curator')")  # a suggestion may be there before the names of folders
        browser.click(row)
        browser.wait("document.querySelector('.ranvier-private h1')?.textContent.startsWith('Quagga plans')")
        browser.wait("document.querySelector('.ranvier-private img[src^=\"blob:\"]')?.naturalWidth > 0")
        assert "uagga" not in browser.look("location.href")
        browser.press("Control", "k")
        browser.wait(f"/\\d result/.test({BOX}.querySelector('dialog').innerText)")
        browser.type("quagga stable")  # a later query: the worker still has its session
        browser.wait(f"/results? for “quagga stable”/.test({BOX}.querySelector('dialog').innerText)")
        browser.click(button)
        browser.wait(f"{button}?.textContent.startsWith('Unlock')")
        assert not browser.look("document.querySelector('.ranvier-private')")
        browser.go("about:blank")
        host.recorder.wait_idle()  # a service worker notes a request that fails because its server stops
