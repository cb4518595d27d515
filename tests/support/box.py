"""The search dialog with an engine and a clock that the test controls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator

from support.browser import Tab

STUB = Path(__file__).parents[1].joinpath("e2e", "stub_engine.js").read_text("utf-8")
TYPED, PAUSE, REACTION = 80, 250, 300  # ms: a search after a key, settling after the last key, a key meant for the list before
ABOVE = "a b c d"
STATE = "Object.defineProperty(globalThis, 'beginsAs', { value: 'idle' })"
BELOW = "e f g h i j k l m n o p q r s t"  # enough for any window to scroll


class Box:
    """The dialog of a page with the engine of the test."""

    def __init__(self, tab: Tab, url: str, connection: dict[str, Any] | None = None) -> None:
        self.page = tab.page
        # What a browser makes of a busy machine's network is its own business.
        here = json.dumps(connection or {"effectiveType": "4g"})
        self.page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'connection', {{ value: {here} }})")
        self.page.route("**/web-*/api.js", lambda route: route.fulfill(body=STUB, content_type="text/javascript"))
        self.page.clock.install(time=0)
        self.page.goto(url)
        self.page.clock.pause_at(15)  # seconds: fewer than a script may take to come
        self.field = self.page.locator("ranvier-search input[role=combobox]")
        self.status = self.page.locator("ranvier-search [role=status]")
        self.aside = self.page.locator("ranvier-search .aside")
        self.more = self.page.locator("ranvier-search .more")

    def type(self, query: str) -> None:
        """Open the dialog and type a query; the word search has been requested, and the pause has begun."""
        self.open()
        self.field.fill(query)
        self.run(TYPED)

    def open(self) -> None:
        """Open the dialog with the engine of the test."""
        self.page.keyboard.press("Control+k")
        self.page.wait_for_function("globalThis.asked !== undefined")

    def words(self, ids: str, **more: Any) -> None:
        """Type three words and answer the word search; the list may settle."""
        self.type("how to stop")
        self.answer(0, ids, unsettled=True, **more)

    def settle(self, ids: str, **more: Any) -> None:
        """Let the pause pass and answer the vector search."""
        self.run(PAUSE - TYPED)
        self.answer(1, ids, **more)

    def run(self, ms: int) -> None:
        self.page.clock.run_for(ms)

    def answer(self, number: int, ids: str, **more: Any) -> None:
        self.page.wait_for_function(f"globalThis.asked?.length > {number}")
        self.page.evaluate("async ([number, ids, more]) => globalThis.answer(number, ids, more)", [number, ids, more])

    def fail(self, number: int, code: str) -> None:
        self.page.wait_for_function(f"globalThis.asked?.length > {number}")
        self.page.evaluate("async ([number, code]) => globalThis.fail(number, code)", [number, code])

    @property
    def requests(self) -> list[tuple[str, bool, int, int]]:
        """Return query, typing, offset and limit of each request."""
        message = self.page.evaluate(
            "globalThis.asked.map(({ query, options: { typing, offset, limit } }) => [query, typing, offset, limit])"
        )
        return [tuple(item) for item in message]

    def rows(self) -> Locator:
        return self.page.locator("ranvier-search .group")

    def row(self, id_: str) -> Locator:
        return self.page.locator(f"ranvier-search .option[href$='/{id_}/']")

    @property
    def order(self) -> str:
        return " ".join(self.row_ids())

    def row_ids(self) -> list[str]:
        return [text.removeprefix("Page ") for text in self.rows().locator(".page .title").all_inner_texts()]

    def tops(self) -> dict[str, float]:
        """Return the position of each row in the window."""
        tops: list[float] = self.rows().evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().top)")
        return dict(zip(self.row_ids(), tops, strict=True))

    @property
    def selected(self) -> str:
        text: str = self.page.locator("ranvier-search [aria-selected=true] .title").inner_text()
        return text.removeprefix("Page ")

    def watch(self) -> None:
        """Mark the node of each row, and record every change of the status and every opened page."""
        self.page.evaluate("""() => {
          const root = document.querySelector("ranvier-search").shadowRoot;
          for (const node of root.querySelectorAll(".group, .option")) node.known = true;
          globalThis.said = [];
          const status = root.querySelector("[role=status]");
          const note = () => globalThis.said.push(status.textContent);
          new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
          globalThis.gone = [];
          document.addEventListener("click", (event) => {
            const link = event.composedPath().find((node) => node.href);
            if (link) { event.preventDefault(); globalThis.gone.push(new URL(link.href).pathname); }
          });
        }""")

    def kept_rows(self) -> list[str]:
        """Return the rows whose nodes existed at `watch`."""
        existing: list[str] = self.rows().evaluate_all(
            "rows => rows.filter((row) => row.known && row.firstChild.known).map((row) => row.innerText)"
        )
        return [text.split("\n")[0].removeprefix("Page ") for text in existing]

    @property
    def gone(self) -> list[str]:
        gone: list[str] = self.page.evaluate("globalThis.gone")
        return gone

    @property
    def messages(self) -> list[str]:
        messages: list[str] = self.page.evaluate("globalThis.said")
        return messages


class Cold(Box):
    """A box whose engine has not been started."""

    def __init__(self, tab: Tab, url: str, connection: dict[str, Any] | None = None) -> None:
        tab.page.add_init_script(STATE)
        super().__init__(tab, url, connection)
        self.label = self.page.locator("ranvier-search .heading")
        self.body = self.page.locator("ranvier-search .body")
        self.message = self.page.locator("ranvier-search .message")
        self.retry = self.page.get_by_role("button", name="Try again")

    def write(self, query: str, *results: dict[str, Any] | str) -> None:
        """Open the dialog, type a query, and give its suggestions: pages by their ids, or more of each."""
        if not self.field.is_visible():
            self.open()
        number = self.page.evaluate("globalThis.suggesting.length")
        self.field.fill(query)
        self.suggest(number, *results)

    def suggest(self, number: int, *results: dict[str, Any] | str) -> None:
        self.page.wait_for_function(f"globalThis.suggesting.length > {number}")
        existing = [{"id": result, "text": f"Page [{result}]"} if isinstance(result, str) else result for result in results]
        self.page.evaluate("async ([number, results]) => globalThis.suggest(number, results)", [number, existing])

    def start(self) -> None:
        """Report that the engine is ready."""
        self.page.evaluate("globalThis.progress('ready', 0, 0)")

    @property
    def started(self) -> int:
        started: int = self.page.evaluate("globalThis.started")
        return started

    def crumbs(self) -> Locator:
        return self.page.locator("ranvier-search .crumbs")
