"""B6, X1: suggestions appear before the engine is ready; its answer replaces them without moving the selected row.

The tests control the engine and the clock of the browser.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect
from support.box import ABOVE, PAUSE, REACTION, TYPED, Cold
from support.browser import Tab
from support.sites import Served

GRACE = 180  # ms after a key in which an engine that is there answers
LATE = 400  # ms after a key before an engine is started where bytes are dear
REPORT = "Pages to jump to are listed. All results of the search will follow."


@pytest.fixture
def box(tab: Tab, served: Served) -> Cold:
    return Cold(tab, served.url)


def test_results_replace_suggestions_in_place(box: Cold) -> None:
    """From the first key on. A page of both keeps its node and its place, and the label its line."""
    box.write("h", "a", "b", "c")
    expect(box.label).to_have_text("Jump to")
    assert (box.order, box.selected) == ("a b c", "a")
    expect(box.status).to_have_text(REPORT)
    expect(box.field).to_have_attribute("aria-expanded", "true")
    box.watch()
    before = box.tops()
    box.run(TYPED - 1)
    assert box.requests == []
    box.run(1)
    box.page.wait_for_function("globalThis.asked.length === 1")
    assert box.order == "a b c"
    box.answer(0, "a d c")
    assert box.order == "a d c"
    assert box.tops()["a"] == before["a"]
    assert box.kept_rows() == ["a", "c"]
    expect(box.label).to_have_text("3 results")
    expect(box.status).to_have_text("3 results for “h”.")
    assert box.messages == ["3 results for “h”."]
    assert box.selected == "a"
    expect(box.field).to_be_focused()


@pytest.mark.parametrize(("coverage", "order"), [("none", "How it ends a c"), ("some", "How it ends a c b")])
def test_page_that_is_only_near_is_not_repeated_below_its_section(box: Cold, coverage: str, order: str) -> None:
    """A hit with words is listed below the kept suggestion: it may have other sections."""
    box.write("how", {"id": "b", "text": "[How] it ends", "kind": "heading", "title": "Page of b", "anchor": "end"}, "a")
    box.page.keyboard.press("ArrowDown")
    box.page.evaluate("coverage => void (globalThis.covers = { b: coverage })", coverage)
    box.run(TYPED)
    box.answer(0, "c b")
    assert box.order == order


def test_suggestion_rows_show_the_match_and_its_page(box: Cold) -> None:
    """Text of a title never becomes an element."""
    box.write(
        "in",
        {"id": "a", "text": "[In]stall <b>it</b>"},
        {"id": "b", "text": "The [In]side", "kind": "heading", "title": "Page of b", "anchor": "inside"},
        {"id": "c", "text": "[In]tro", "kind": "alias", "title": "Page of c"},
        {"id": "d", "text": "[in]ner", "kind": "tag", "title": "Page of d"},
        {"id": "a", "text": "The other [in]", "kind": "alias", "title": "Page of a"},
    )
    titles = box.page.locator("ranvier-search .option .title")
    assert titles.all_inner_texts() == ["Install <b>it</b>", "The Inside", "Intro", "#inner"]
    assert box.page.locator("ranvier-search .option b").count() == 0
    assert box.page.locator("ranvier-search mark").all_inner_texts() == ["In", "In", "In", "in"]
    assert box.crumbs().all_inner_texts() == ["Page of b", "Page of c", "Page of d"]
    hrefs = [box.rows().nth(at).locator("a").get_attribute("href") or "" for at in range(4)]
    assert [href.split("/", 3)[3] for href in hrefs] == ["a/", "b/#inside", "c/", "d/"]


def test_newest_query_wins(box: Cold) -> None:
    box.write("h", "a", "b")
    box.field.fill("ho")
    box.field.fill("how")
    box.page.wait_for_function("globalThis.suggesting.length === 3")
    assert box.page.evaluate("globalThis.suggesting.map(({ query, aborted }) => [query, aborted])") == [
        ["h", True],
        ["ho", True],
        ["how", False],
    ]
    box.suggest(1, "x")
    assert box.order == "a b"
    box.suggest(2, "y")
    assert box.order == "y"
    box.write("howx")  # nothing begins so: what was there stays, dimmed, until there is something else
    expect(box.body).to_have_attribute("aria-busy", "true")
    assert box.order == "y"
    expect(box.label).to_be_visible()


def test_suggestions_are_announced_once(box: Cold) -> None:
    box.write("h", "a", "b")
    box.watch()
    for query in ("ho", "how"):
        box.write(query, "a")
        box.run(TYPED)
    assert box.messages == []
    expect(box.status).to_have_text(REPORT)


def test_running_engine_answers_without_flashing_suggestions(tab: Tab, served: Served) -> None:
    box = Cold(tab, served.url)
    box.write("h", "a")
    box.run(TYPED)
    box.answer(0, ABOVE)
    box.start()
    box.write("ho", "x", "y")
    box.run(TYPED)
    assert box.order == ABOVE
    box.answer(1, "d c")
    box.run(10 * GRACE)
    assert box.order == "d c"
    expect(box.label).to_be_hidden()
    box.write("how", "x", "y")  # this time it needs longer
    box.run(GRACE - 1)
    assert box.order == "d c"
    box.run(1)
    expect(box.label).to_be_visible()
    assert box.order == "x y"


@pytest.mark.parametrize("hand", ["arrow", "pointer"])
def test_chosen_suggestion_stays_under_pointer_and_cursor(box: Cold, hand: str) -> None:
    box.write("how", "a", "b", "c")
    box.watch()
    if hand == "arrow":
        box.page.keyboard.press("ArrowDown")
    else:
        box.row("b").hover()
    before = box.tops()
    box.run(TYPED)
    box.answer(0, "d b a", unsettled=True, notices=[{"code": "some-words", "subject": ""}])
    assert (box.order, box.selected) == ("a b d", "b")
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    box.run(PAUSE)
    box.answer(1, "e d b")
    assert (box.order, box.selected) == ("a b e d", "b")
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    box.page.keyboard.press("Enter")
    assert box.gone == ["/b/"]


def test_enter_without_a_choice_waits_for_results(box: Cold) -> None:
    """If the first suggestion is no exact title; nor does a key that comes just after the suggestions open one."""
    box.write("how", "a", "b")
    box.watch()
    box.page.keyboard.press("Enter")
    box.answer(0, "d a", unsettled=True)
    assert box.gone == []
    box.page.keyboard.press("Enter")
    assert box.gone == []
    box.answer(1, "d a")
    box.run(REACTION)
    box.page.keyboard.press("Enter")
    assert box.gone == ["/d/"]
    assert [typing for _, typing, _, _ in box.requests] == [True, False]


@pytest.mark.parametrize("query", ["Élan vital", "elan  vital "])
def test_enter_opens_an_exact_title(box: Cold, query: str) -> None:
    box.write(query, {"id": "a", "text": "[Élan] [vital]"}, "b")
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.gone == ["/a/"]


def test_enter_opens_a_chosen_suggestion(box: Cold) -> None:
    box.write("how", "a", "b")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.page.keyboard.press("Enter")
    assert box.gone == ["/b/"]


def test_enter_ignores_suggestions_of_an_older_query(box: Cold) -> None:
    box.write("how", {"id": "a", "text": "[how]"}, "b")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.page.keyboard.type("x")
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.asked.length === 1")
    assert box.requests[0][0] == "howx"
    assert box.gone == []


def reached(box: Cold, questions: int) -> None:
    """Wait, by the clock on the wall, until so many questions have come to the engine: its door loads scripts first."""
    for _ in range(200):
        if box.page.evaluate("globalThis.asked.length") == questions:
            return
        time.sleep(0.05)
    raise AssertionError(box.page.evaluate("globalThis.asked.length"))


def test_panel_keeps_its_height_until_results_arrive(box: Cold) -> None:
    def height() -> float:
        return float(box.page.locator("ranvier-search .body").evaluate("body => body.getBoundingClientRect().height"))

    box.write("h", "a", "b", "c", "d", "e", "f")
    box.run(TYPED)
    reached(box, 1)
    full = height()
    box.write("ho", "a")
    assert height() == full
    box.write("how")
    box.run(TYPED)
    assert height() == full
    assert box.order == "a"  # of the query before
    reached(box, 2)
    box.answer(1, "a")
    assert height() < full


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("engine", "The search engine could not be started."),
        ("fetch", "A part of the index could not be fetched."),
        ("gone", "The browser has stopped the search engine."),
        ("updated", "The site is being updated just now."),
        ("internal", "The search engine failed with an internal error."),
    ],
)
def test_suggestions_stay_if_the_engine_fails(box: Cold, code: str, text: str) -> None:
    """With the error and a retry below them."""
    box.write("how", "a", "b")
    box.run(TYPED)
    before = box.tops()
    box.fail(0, code)
    expect(box.message).to_contain_text(text)
    assert (box.order, box.tops()) == ("a b", before)
    expect(box.label).to_have_text("Jump to")
    below = box.message.bounding_box()
    assert below
    assert below["y"] > before["b"]
    box.retry.click()
    box.suggest(1, "a", "b")
    expect(box.message).to_be_hidden()
    assert box.order == "a b"
    box.answer(1, "b c")
    assert box.order == "b c"


def test_suggestions_after_an_engine_failure_are_shown(box: Cold) -> None:
    box.open()
    box.field.fill("how")
    box.run(TYPED)
    box.fail(0, "engine")
    expect(box.retry).to_be_visible()
    box.suggest(0, "a")
    assert box.order == "a"
    expect(box.retry).to_be_visible()


@pytest.mark.parametrize("first", ["suggestions", "answer"])
def test_suggestions_stay_if_the_search_finds_nothing(box: Cold, first: str) -> None:
    """X1: the beginning of a word may match a title only."""
    box.open()
    box.field.fill("ho")
    if first == "suggestions":
        box.suggest(0, "a", "b")
    box.run(TYPED)
    box.answer(0, "")
    if first == "answer":
        box.suggest(0, "a", "b")
    expect(box.status).to_have_text("No other results for “ho”.")
    expect(box.label).to_have_text("Jump to")
    assert box.order == "a b"
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.gone == ["/a/"]


def test_failing_suggestions_do_not_stop_the_search(box: Cold) -> None:
    box.open()
    box.field.fill("how")
    box.page.wait_for_function("globalThis.suggesting.length === 1")
    box.page.evaluate("globalThis.refuse(0, 'fetch')")
    box.run(TYPED)
    box.answer(0, ABOVE)
    assert box.order == ABOVE


def test_outdated_page_has_a_reload_button(box: Cold) -> None:
    box.write("how", "a")
    box.run(TYPED)
    box.fail(0, "format")
    with box.page.expect_navigation():
        box.page.get_by_role("button", name="Reload the page").click()


def test_opening_the_box_starts_the_engine(box: Cold) -> None:
    assert box.page.evaluate("globalThis.asked") is None
    box.open()
    box.page.wait_for_function("globalThis.started === 1")


@pytest.mark.parametrize("connection", [{"saveData": True}, {"effectiveType": "2g"}, {"effectiveType": "slow-2g"}])
def test_save_data_starts_the_engine_with_a_query(tab: Tab, served: Served, connection: dict[str, Any]) -> None:
    """Suggestions are shown."""
    box = Cold(tab, served.url, connection)
    box.write("h", "a")
    box.run(10 * LATE)
    box.write("ho", "b")
    box.run(LATE - 1)
    assert (box.order, box.started, box.requests) == ("b", 0, [])
    box.run(1)
    box.page.wait_for_function("globalThis.asked.length === 1")
    assert box.started == 1


def test_save_data_starts_the_engine_with_enter(tab: Tab, served: Served) -> None:
    box = Cold(tab, served.url, {"saveData": True})
    box.write("h", "a")
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.asked.length === 1")
    box.answer(0, "d", unsettled=True)
    box.page.wait_for_function("globalThis.asked.length === 2")


def test_start_progress_is_shown_below_the_rows(box: Cold) -> None:
    box.write("how", "a", "b")
    before = box.tops()
    box.run(TYPED)
    box.page.wait_for_function("globalThis.asked.length === 1")
    box.page.evaluate("globalThis.progress('engine', 2_100_000, 4_000_000)")
    boot = box.page.locator("ranvier-search .boot")
    expect(boot).to_have_text("Getting search ready… 2.1 of 4.0 MB")
    assert box.tops() == before
    box.start()
    expect(boot).to_be_hidden()
    assert box.tops() == before
