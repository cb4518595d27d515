"""X1, B6: random keys, clicks, answers and failures in any order; the rows at the end are those of the query in the field."""

import random
from collections.abc import Callable

import pytest
from support.box import IdleBox
from support.browser import Tab
from support.sites import SiteServer

QUERIES = ("ab", "abc", "ab cd", "ab cd ", "xy zz", "")
ROUNDS, STEPS = 25, 14
QUIET = 700  # ms, longer than each delay of the box
# Without the navigation. A late Enter opens a row that has left the document.
RECORD_OPENED = """
  globalThis.openedPages = [];
  HTMLAnchorElement.prototype.click = function () { globalThis.openedPages.push(this.pathname); };
"""
STATE = """() => {
  const root = document.querySelector("ranvier-search").shadowRoot;
  const message = root.querySelector(".message");
  return {
    pages: [...root.querySelectorAll(".option.page")].map((row) => row.pathname),
    selected: root.querySelectorAll("[aria-selected=true]").length,
    message: message?.checkVisibility() ? message.innerText : "",
    isBusy: root.querySelector("[aria-busy]") !== null,
  };
}"""


def slug(query: str) -> str:
    return query.strip().replace(" ", "-")


class RandomReader:
    """Uses a box at random, and answers the requests of the box in random order."""

    def __init__(self, tab: Tab, url: str, seed: int) -> None:
        tab.page.add_init_script(RECORD_OPENED)
        self.box = IdleBox(tab, url)
        self.random = random.Random(seed)
        self.answered = {"searches": 0, "suggestRequests": 0}
        self.pending: dict[str, list[int]] = {"searches": [], "suggestRequests": []}
        self.entered: str | None = None
        self.log: list[str] = []
        self.box.type(QUERIES[0])

    def step(self) -> None:
        actions: list[Callable[[], None]] = [
            self.type,
            self.press,
            self.click,
            self.reopen,
            self.compose,
            self.answer,
            self.suggest,
        ]
        weights = (5, 3, 2, 1, 1, 5, 3)
        self.random.choices(actions, weights)[0]()
        if self.random.random() < 0.6:
            self.box.run(self.random.choice((10, 60, 90, 200, 400)))
        self.check_opened()

    def type(self) -> None:
        self.entered = None
        query = self.random.choice(QUERIES)
        self.log.append(f"type {query!r}")
        self.box.field.fill(query)

    def press(self) -> None:
        key = self.random.choice(("Enter", "ArrowDown"))
        self.log.append(key)
        if key == "Enter":
            self.entered = self.box.field.input_value()
        self.box.page.keyboard.press(key)

    def click(self) -> None:
        for button in (self.box.more, self.box.retry):
            if button.is_visible() and button.is_enabled():
                self.log.append("click")
                button.evaluate("button => button.click()")
                self.box.field.focus()

    def reopen(self) -> None:
        self.log.append("reopen")
        self.entered = None
        self.box.page.keyboard.press("Escape")
        self.box.page.wait_for_function("!document.querySelector('ranvier-search').hasAttribute('open')")
        self.box.page.keyboard.press("Control+k")

    def compose(self) -> None:
        self.entered = None
        query = self.random.choice(QUERIES)
        self.log.append(f"compose {query!r}")
        self.box.field.evaluate(
            "(field, query) => { field.value = query; field.dispatchEvent(new InputEvent('input', { isComposing: true })); }",
            query,
        )

    def take(self, kind: str) -> int | None:
        """Return the number of a request that is not answered yet, or None."""
        count: int = self.box.page.evaluate(f"globalThis.{kind}.length")
        pending = self.pending[kind]
        pending += range(self.answered[kind], count)
        self.answered[kind] = count
        return pending.pop(self.random.randrange(len(pending))) if pending else None

    def answer(self, *, well: bool = False) -> bool:
        number = self.take("searches")
        if number is None:
            return False
        query, typing, offset, _ = self.box.requests[number]
        outcome = "hits" if well else self.random.choice(("hits", "hits", "hits", "nothing", "failure"))
        self.log.append(f"answer {number} {query!r} {outcome}")
        if outcome == "failure":
            self.box.fail(number, "fetch")
            return True
        ids = " ".join(f"{slug(query)}.{offset + n}" for n in (range(3) if typing else range(3, 0, -1)))
        more = offset + 3 if offset < 6 else None
        self.box.answer(
            number, ids if outcome == "hits" else "", unsettled=typing, nextOffset=more if outcome == "hits" else None
        )
        return True

    def suggest(self, *, well: bool = False) -> bool:
        number = self.take("suggestRequests")
        if number is None:
            return False
        query = self.box.page.evaluate(f"globalThis.suggestRequests[{number}].query")
        titles = ("x y", query.strip()) if well or self.random.random() < 0.7 else ()
        self.log.append(f"suggest {number} {query!r} {len(titles)}")
        self.box.suggest(number, *[{"id": f"{slug(query)}.{n}", "text": title} for n, title in enumerate(titles)])
        return True

    def check_opened(self) -> None:
        """A page is opened only for the query of the last Enter."""
        for path in self.box.page.evaluate("globalThis.openedPages.splice(0)"):
            self.log.append(f"opened {path}")
            assert self.entered is not None, self.log
            assert path.startswith(f"/{slug(self.entered)}."), self.log

    def finish(self) -> None:
        """Answer all requests, and check the state of the box."""
        self.box.run(QUIET)
        while self.answer(well=True) or self.suggest(well=True):
            self.box.run(QUIET)
            self.check_opened()
        state = self.box.page.evaluate(STATE)
        query = self.box.field.input_value()
        self.log.append(f"end {query!r} {state}")
        assert not state["isBusy"], self.log
        assert {path.partition(".")[0] for path in state["pages"]} <= {f"/{slug(query)}"}, self.log
        assert len(set(state["pages"])) == len(state["pages"]), self.log
        assert (state["selected"] > 0) == bool(state["pages"]), self.log
        assert state["pages"] or state["message"], self.log
        self.log = []


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_those_of_the_query_in_the_field(tab: Tab, server: SiteServer, seed: int) -> None:
    reader = RandomReader(tab, server.url, seed)
    for _ in range(ROUNDS):
        for _ in range(STEPS):
            reader.step()
        reader.finish()
