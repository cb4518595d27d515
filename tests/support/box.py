"""The search dialog with a stub engine and a clock that the test controls."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from support.browser import Tab

STUB = Path(__file__).parents[1].joinpath("e2e", "stub_engine.js").read_text("utf-8")
# ms after a key until a word search; after the last key until the vector search; in which a key acts on the former list
TYPING_PAUSE, PAUSE, REACTION = 80, 250, 300
ANNOUNCE_PAUSE = 400  # ms after an answer until it is announced
ABOVE = "a b c d"
BELOW = "e f g h i j k l m n o p q r s t"  # enough for any window to scroll


class Box:
    """The dialog of a page with a stub engine."""

    def __init__(self, tab: Tab, url: str, connection: dict[str, Any] | None = None) -> None:
        self.page = tab.page
        # A browser's own estimate of its connection depends on the load of the machine.
        value = json.dumps(connection or {"effectiveType": "4g"})
        self.page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'connection', {{ value: {value} }})")
        self.page.route("**/web-*/api.js", lambda route: route.fulfill(body=STUB, content_type="text/javascript"))
        self.page.clock.install(time=0)
        self.page.goto(url)
        self.page.clock.pause_at(15)  # seconds: less than the timeout of a script
        self.field = self.page.locator("ranvier-search input[role=combobox]")
        self.status = self.page.locator("ranvier-search [role=status]")
        self.hint = self.page.locator("ranvier-search .hint")
        self.more = self.page.locator("ranvier-search .more")

    def type(self, query: str) -> None:
        """Open the dialog, type a query, and let the time until the word search pass."""
        self.open()
        self.field.fill(query)
        self.run(TYPING_PAUSE)

    def open(self) -> None:
        """Open the dialog and wait for the stub engine."""
        self.page.keyboard.press("Control+k")
        self.page.wait_for_function("globalThis.searches !== undefined")

    def words(self, ids: str, **result: Any) -> None:
        """Type three words and answer the word search; the list may settle."""
        self.type("how to stop")
        self.answer(0, ids, unsettled=True, **result)

    def settle(self, ids: str, **result: Any) -> None:
        """Let the pause pass and answer the vector search."""
        self.run(PAUSE - TYPING_PAUSE)
        self.answer(1, ids, **result)

    def run(self, ms: int) -> None:
        self.page.clock.run_for(ms)

    def expect_announced(self, text: str) -> None:
        """Let the time until an announcement pass, and compare it."""
        self.run(ANNOUNCE_PAUSE)
        expect(self.status).to_have_text(text)

    def answer(self, number: int, ids: str, **result: Any) -> None:
        self.page.wait_for_function(f"globalThis.searches?.length > {number}")
        self.page.evaluate("async ([number, ids, result]) => globalThis.answer(number, ids, result)", [number, ids, result])

    def fail(self, number: int, code: str) -> None:
        self.page.wait_for_function(f"globalThis.searches?.length > {number}")
        self.page.evaluate("async ([number, code]) => globalThis.fail(number, code)", [number, code])

    @property
    def requests(self) -> list[tuple[str, bool, int, int]]:
        """Return query, typing, offset and limit of each request."""
        requests = self.page.evaluate(
            "globalThis.searches.map(({ query, options: { typing, offset, limit } }) => [query, typing, offset, limit])"
        )
        return [tuple(request) for request in requests]

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
          for (const node of root.querySelectorAll(".group, .option")) node.marked = true;
          globalThis.messages = [];
          const status = root.querySelector("[role=status]");
          const record = () => globalThis.messages.push(status.textContent);
          new MutationObserver(record).observe(status, { childList: true, characterData: true, subtree: true });
          globalThis.openedPages = [];
          document.addEventListener("click", (event) => {
            const link = event.composedPath().find((node) => node.href);
            if (link) { event.preventDefault(); globalThis.openedPages.push(new URL(link.href).pathname); }
          });
        }""")

    def kept_rows(self) -> list[str]:
        """Return the rows whose nodes existed at `watch`."""
        texts: list[str] = self.rows().evaluate_all(
            "rows => rows.filter((row) => row.marked && row.firstChild.marked).map((row) => row.innerText)"
        )
        return [text.split("\n")[0].removeprefix("Page ") for text in texts]

    @property
    def opened_pages(self) -> list[str]:
        paths: list[str] = self.page.evaluate("globalThis.openedPages")
        return paths

    @property
    def messages(self) -> list[str]:
        messages: list[str] = self.page.evaluate("globalThis.messages")
        return messages


class IdleBox(Box):
    """A box whose engine has not been started."""

    def __init__(self, tab: Tab, url: str, connection: dict[str, Any] | None = None) -> None:
        tab.page.add_init_script("Object.defineProperty(globalThis, 'initialState', { value: 'idle' })")
        super().__init__(tab, url, connection)
        self.label = self.page.locator("ranvier-search .heading")
        self.body = self.page.locator("ranvier-search .body")
        self.message = self.page.locator("ranvier-search .message")
        self.retry = self.page.get_by_role("button", name="Try again")

    def write(self, query: str, *results: dict[str, Any] | str) -> None:
        """Open the dialog, type a query, and return its suggestions: ids of pages, or suggestions with more fields."""
        if not self.field.is_visible():
            self.open()
        number = self.page.evaluate("globalThis.suggestRequests.length")
        self.field.fill(query)
        self.suggest(number, *results)

    def suggest(self, number: int, *results: dict[str, Any] | str) -> None:
        self.page.wait_for_function(f"globalThis.suggestRequests.length > {number}")
        rows = [{"id": result, "text": f"Page [{result}]"} if isinstance(result, str) else result for result in results]
        self.page.evaluate("async ([number, rows]) => globalThis.suggest(number, rows)", [number, rows])

    def start(self) -> None:
        """Report that the engine is ready."""
        self.page.evaluate("globalThis.progress('ready', 0, 0)")

    @property
    def starts(self) -> int:
        count: int = self.page.evaluate("globalThis.starts")
        return count

    def crumbs(self) -> Locator:
        return self.page.locator("ranvier-search .crumbs")
