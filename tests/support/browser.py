"""A real browser: Debian's Chromium, driven by Playwright. A page whose console is not empty at the end fails its test.

Tests run in Chromium's build without windows, which has the same renderer, and takes half the processor time for a page.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect, sync_playwright

AXE = Path(__file__).parents[2] / "runtime" / "node_modules" / "axe-core" / "axe.min.js"  # by `npm --prefix runtime ci`
CHROMIUM = os.environ.get("RANVIER_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
_WITHOUT_WINDOWS = os.environ.get("RANVIER_CHROMIUM") or shutil.which("chromium-headless-shell") or CHROMIUM
expect.set_options(timeout=20_000)  # milliseconds; the engine starts within them on a slow machine
# During a test, Chromium sends no requests of its own.
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Most tests call a function of the engine only a few times: compiling it a second time, for speed, costs more than it saves.
_BASELINE_COMPILER = "--js-flags=--liftoff-only"

# Chromium's estimate of its connection depends on the load of the machine. A test of slow connections sets its own values.
_FAST_CONNECTION = """Object.defineProperty(Navigator.prototype, "connection", {
  configurable: true, value: { effectiveType: "4g", downlink: 10, saveData: false },
})"""

OPEN_ENGINE = """async (options) => {
  const base = new URL("_ranvier/", document.baseURI).href;
  const entry = await (await fetch(base + "entry.json")).json();
  const { open } = await import(base + entry.api);
  globalThis.engine = open(base, options ?? {});
  const timeout = new Promise((_, reject) => setTimeout(() => reject(new Error("no engine after 40 s")), 40_000));
  await Promise.race([globalThis.engine.ready, timeout]);
}"""
# Several calls share one message to the browser: a message takes longer than a search.
_CALL_ENGINE = """async (calls) => {
  const answers = [];
  for (const [method, query, options] of JSON.parse(calls)) {
    try { answers.push({ done: await globalThis.engine[method](query, options) }); }
    catch (error) { answers.push({ name: error.name, code: error.code, message: error.message }); }
  }
  return JSON.stringify(answers);
}"""


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as instance:
        yield instance


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One browser for the whole run."""
    browser = playwright.chromium.launch(executable_path=_WITHOUT_WINDOWS, args=[*_ARGUMENTS, _BASELINE_COMPILER])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def full_chromium(playwright: Playwright) -> Iterator[Browser]:
    """The browser of readers, with all its compilers."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
    yield browser
    browser.close()


@dataclass
class Tab:
    """A page in a fresh profile, and the messages of its console."""

    page: Page
    messages: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)  # parts of messages that this test causes on purpose

    @property
    def query_field(self) -> Locator:
        """The field of the search box."""
        return self.page.locator("ranvier-search input[role=combobox]")

    @property
    def options(self) -> Locator:
        """The rows of the search box."""
        return self.page.locator("ranvier-search [role=option]")

    @property
    def snippet(self) -> Locator:
        """The first snippet: the engine has answered."""
        return self.page.locator("ranvier-search .snippet").first

    def search(self, query: str) -> None:
        """Open the search box and type a query."""
        self.page.keyboard.press("Control+k")
        self.query_field.fill(query)

    def wait_for_answer(self, query: str) -> None:
        """Wait until the list has the results for the whole query: while it is typed, they can be those for a part."""
        expect(self.page.locator("ranvier-search [role=status]")).to_have_text(re.compile(f"results? for “{re.escape(query)}”"))

    def open_engine(self, url: str, **options: Any) -> None:
        """Go to a page of a built site and start the engine there through the public API; options by JavaScript's names."""
        self.page.goto(url)
        self.page.evaluate(OPEN_ENGINE, options)

    def ask(self, method: str, query: str, **options: Any) -> dict[str, Any]:
        """Search or retrieve through the public API; return the answer, or the error as a dict."""
        return self.ask_all([(method, query, options)])[0]

    def ask_all(self, questions: Sequence[tuple[str, str, dict[str, Any]]]) -> list[dict[str, Any]]:
        """Call methods of the public API in order, with the options' JavaScript names; return an answer or error for each."""
        # JSON in ASCII keeps lone surrogates.
        answers: list[dict[str, Any]] = json.loads(self.page.evaluate(_CALL_ENGINE, json.dumps(questions)))
        return answers

    def unexpected(self) -> list[str]:
        """Return the console messages that the test did not expect, without empty lines."""
        messages = [line for line in self.messages if line.partition(": ")[2].strip()]
        return [line for line in messages if not any(part in line for part in self.expected)]


def workers(context: BrowserContext, part: str = "/web-") -> list[dict[str, Any]]:
    """Return the debugger's targets of the site's workers; `part` is in their addresses."""
    assert context.browser
    session = context.browser.new_browser_cdp_session()
    targets = session.send("Target.getTargets")["targetInfos"]
    session.detach()
    return [target for target in targets if part in target["url"] and "worker" in target["type"]]


@contextmanager
def opened_tab(chromium: Browser, **options: Any) -> Iterator[Tab]:
    """Open a tab in a fresh profile, with Playwright's options of a context; its console must be empty at the end."""
    context: BrowserContext = chromium.new_context(**options)
    context.add_init_script(_FAST_CONNECTION)
    opened = Tab(context.new_page())
    opened.page.on("console", lambda message: opened.messages.append(f"{message.type}: {message.text}"))
    opened.page.on("pageerror", lambda error: opened.messages.append(f"error: {error}"))
    yield opened
    text = opened.unexpected()
    context.close()
    assert text == [], text


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Tab]:
    """A fresh tab; its console must be empty at the end."""
    with opened_tab(chromium) as opened:
        yield opened
