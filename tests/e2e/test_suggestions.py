"""B6, X1: suggestions appear before the engine is ready; its answer replaces them and keeps the selected row in place.

The tests control the engine and the clock of the browser.
"""

import time
from typing import Any

import pytest
from playwright.sync_api import expect
from support.box import ABOVE, PAUSE, REACTION, TYPING_PAUSE, IdleBox
from support.browser import Tab
from support.sites import SiteServer

ENGINE_GRACE = 180  # ms after a key in which a running engine answers before suggestions are shown
SAVE_DATA_DELAY = 400  # ms after the last key until an engine starts with Save-Data
STATUS = "Pages to jump to are listed. All results of the search will follow."


def test_results_replace_suggestions_in_place(box: IdleBox) -> None:
    """From the first key on. A page of both lists keeps its element and its place."""
    box.write("h", "a", "b", "c")
    expect(box.label).to_have_text("Jump to")
    assert (box.order, box.selected) == ("a b c", "a")
    expect(box.status).to_have_text(STATUS)
    expect(box.field).to_have_attribute("aria-expanded", "true")
    box.watch()
    before = box.tops()
    box.run(TYPING_PAUSE - 1)
    assert box.requests == []
    box.run(1)
    box.page.wait_for_function("globalThis.searches.length === 1")
    assert box.order == "a b c"
    box.answer(0, "a d c")
    assert box.order == "a d c"
    assert box.tops()["a"] == before["a"]
    assert box.kept_rows() == ["a", "c"]
    expect(box.label).to_have_text("3 results")
    box.expect_announced("3 results for “h”.")
    assert box.messages == ["3 results for “h”."]
    assert box.selected == "a"
    expect(box.field).to_be_focused()


def test_use_of_older_suggestions_keeps_no_row(box: IdleBox) -> None:
    """The rows of the next key are new: the answer replaces them as if no row had been selected."""
    box.write("h", "a", "b", "c")
    box.page.keyboard.press("ArrowDown")
    box.write("ho", "a", "b")
    box.run(TYPING_PAUSE)
    box.answer(0, "d a")
    assert (box.order, box.selected) == ("d a", "d")


@pytest.mark.parametrize(("coverage", "order"), [("none", "How it ends a c"), ("some", "How it ends a c b")])
def test_page_that_is_only_near_is_not_repeated_below_its_section(box: IdleBox, coverage: str, order: str) -> None:
    """A hit with words is listed below the kept suggestion: it may have other sections."""
    box.write("how", {"id": "b", "text": "[How] it ends", "kind": "heading", "title": "Page of b", "anchor": "end"}, "a")
    box.page.keyboard.press("ArrowDown")
    box.page.evaluate("coverage => void (globalThis.coverage = { b: coverage })", coverage)
    box.run(TYPING_PAUSE)
    box.answer(0, "c b")
    assert box.order == order


def test_suggestion_rows_show_the_match_and_its_page(box: IdleBox) -> None:
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


def test_newest_query_wins(box: IdleBox) -> None:
    box.write("h", "a", "b")
    box.field.fill("ho")
    box.field.fill("how")
    box.page.wait_for_function("globalThis.suggestRequests.length === 3")
    assert box.page.evaluate("globalThis.suggestRequests.map(({ query, aborted }) => [query, aborted])") == [
        ["h", True],
        ["ho", True],
        ["how", False],
    ]
    box.suggest(1, "x")
    assert box.order == "a b"
    box.suggest(2, "y")
    assert box.order == "y"
    box.write("howx")  # without suggestions, the former rows stay dimmed until other rows arrive
    expect(box.body).to_have_attribute("aria-busy", "true")
    assert box.order == "y"
    expect(box.label).to_be_visible()


def test_suggestions_are_announced_once(box: IdleBox) -> None:
    box.write("h", "a", "b")
    box.watch()
    for query in ("ho", "how"):
        box.write(query, "a")
        box.run(TYPING_PAUSE)
    assert box.messages == []
    expect(box.status).to_have_text(STATUS)


def test_running_engine_answers_without_flashing_suggestions(tab: Tab, server: SiteServer) -> None:
    box = IdleBox(tab, server.url)
    box.write("h", "a")
    box.run(TYPING_PAUSE)
    box.answer(0, ABOVE)
    box.start()
    box.write("ho", "x", "y")
    box.run(TYPING_PAUSE)
    assert box.order == ABOVE
    box.answer(1, "d c")
    box.run(10 * ENGINE_GRACE)
    assert box.order == "d c"
    expect(box.label).to_be_hidden()
    box.write("how", "x", "y")  # a slower answer
    box.run(ENGINE_GRACE - 1)
    assert box.order == "d c"
    box.run(1)
    expect(box.label).to_be_visible()
    assert box.order == "x y"


@pytest.mark.parametrize("device", ["arrow", "pointer"])
def test_chosen_suggestion_stays_under_pointer_and_cursor(box: IdleBox, device: str) -> None:
    box.write("how", "a", "b", "c")
    box.watch()
    if device == "arrow":
        box.page.keyboard.press("ArrowDown")
    else:
        box.row("b").hover()
    before = box.tops()
    box.run(TYPING_PAUSE)
    box.answer(0, "d b a", unsettled=True, notices=[{"code": "some-words", "subject": ""}])
    assert (box.order, box.selected) == ("a b d", "b")
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    box.run(PAUSE)
    box.answer(1, "e d b")
    assert (box.order, box.selected) == ("a b e d", "b")
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/b/"]


def test_enter_without_a_choice_waits_for_results(box: IdleBox) -> None:
    """If the first suggestion is no exact title. A second Enter right after the first answer opens nothing."""
    box.write("how", "a", "b")
    box.watch()
    box.page.keyboard.press("Enter")
    box.answer(0, "d a", unsettled=True)
    assert box.opened_pages == []
    box.page.keyboard.press("Enter")
    assert box.opened_pages == []
    box.answer(1, "d a")
    box.run(REACTION)
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/d/"]
    assert [typing for _, typing, _, _ in box.requests] == [True, False]


@pytest.mark.parametrize("query", ["Élan vital", "elan  vital "])
def test_enter_opens_an_exact_title(box: IdleBox, query: str) -> None:
    box.write(query, {"id": "a", "text": "[Élan] [vital]"}, "b")
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/a/"]


def test_enter_ignores_suggestions_of_an_older_query(box: IdleBox) -> None:
    box.write("how", {"id": "a", "text": "[how]"}, "b")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.page.keyboard.type("x")
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.searches.length === 1")
    assert box.requests[0][0] == "howx"
    assert box.opened_pages == []


def wait_for_searches(box: IdleBox, count: int) -> None:
    """Poll in real time, because the box loads scripts before it calls the engine and the page's clock is stopped."""
    for _ in range(200):
        if box.page.evaluate("globalThis.searches.length") == count:
            return
        time.sleep(0.05)
    raise AssertionError(box.page.evaluate("globalThis.searches.length"))


def test_panel_keeps_its_height_until_results_arrive(box: IdleBox) -> None:
    def height() -> float:
        return float(box.page.locator("ranvier-search .body").evaluate("body => body.getBoundingClientRect().height"))

    box.write("h", "a", "b", "c", "d", "e", "f")
    box.run(TYPING_PAUSE)
    wait_for_searches(box, 1)
    full = height()
    box.write("ho", "a")
    assert height() == full
    box.write("how")
    box.run(TYPING_PAUSE)
    assert height() == full
    assert box.order == "a"  # the row of the former query
    wait_for_searches(box, 2)
    box.answer(1, "a")
    assert height() < full


def test_suggestions_stay_if_the_engine_fails(box: IdleBox) -> None:
    """With the error and a retry below them."""
    box.write("how", "a", "b")
    box.run(TYPING_PAUSE)
    before = box.tops()
    box.fail(0, "engine")
    expect(box.message).to_contain_text("The search engine could not be started.")
    assert (box.order, box.tops()) == ("a b", before)
    expect(box.label).to_have_text("Jump to")
    message = box.message.bounding_box()
    assert message
    assert message["y"] > before["b"]
    box.retry.click()
    box.suggest(1, "a", "b")
    expect(box.message).to_be_hidden()
    assert box.order == "a b"
    box.answer(1, "b c")
    assert box.order == "b c"


def test_suggestions_after_an_engine_failure_are_shown(box: IdleBox) -> None:
    box.open()
    box.field.fill("how")
    box.run(TYPING_PAUSE)
    box.fail(0, "engine")
    expect(box.retry).to_be_visible()
    box.suggest(0, "a")
    assert box.order == "a"
    expect(box.retry).to_be_visible()


@pytest.mark.parametrize("first", ["suggestions", "answer"])
def test_suggestions_stay_if_the_search_has_no_hits(box: IdleBox, first: str) -> None:
    """X1: the prefix of a word may match a title only."""
    box.open()
    box.field.fill("ho")
    if first == "suggestions":
        box.suggest(0, "a", "b")
    box.run(TYPING_PAUSE)
    box.answer(0, "")
    if first == "answer":
        box.suggest(0, "a", "b")
    box.expect_announced("No other results for “ho”.")
    expect(box.label).to_have_text("Jump to")
    assert box.order == "a b"
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/a/"]


def test_failing_suggestions_do_not_stop_the_search(box: IdleBox) -> None:
    box.open()
    box.field.fill("how")
    box.page.wait_for_function("globalThis.suggestRequests.length === 1")
    box.page.evaluate("globalThis.refuse(0, 'fetch')")
    box.run(TYPING_PAUSE)
    box.answer(0, ABOVE)
    assert box.order == ABOVE


def test_outdated_page_has_a_reload_button(box: IdleBox) -> None:
    box.write("how", "a")
    box.run(TYPING_PAUSE)
    box.fail(0, "format")
    with box.page.expect_navigation():
        box.page.get_by_role("button", name="Reload the page").click()


def test_opening_the_box_starts_the_engine(box: IdleBox) -> None:
    assert box.page.evaluate("globalThis.searches") is None
    box.open()
    box.page.wait_for_function("globalThis.starts === 1")


@pytest.mark.parametrize("connection", [{"saveData": True}, {"effectiveType": "2g"}, {"effectiveType": "slow-2g"}])
def test_save_data_starts_the_engine_with_a_query(tab: Tab, server: SiteServer, connection: dict[str, Any]) -> None:
    """Suggestions are shown."""
    box = IdleBox(tab, server.url, connection)
    box.write("h", "a")
    box.run(10 * SAVE_DATA_DELAY)
    box.write("ho", "b")
    box.run(SAVE_DATA_DELAY - 1)
    assert (box.order, box.starts, box.requests) == ("b", 0, [])
    box.run(1)
    box.page.wait_for_function("globalThis.searches.length === 1")
    assert box.starts == 1


def test_save_data_starts_the_engine_with_enter(tab: Tab, server: SiteServer) -> None:
    box = IdleBox(tab, server.url, {"saveData": True})
    box.write("h", "a")
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.searches.length === 1")
    box.answer(0, "d", unsettled=True)
    box.page.wait_for_function("globalThis.searches.length === 2")


def test_start_progress_is_shown_below_the_rows(box: IdleBox) -> None:
    box.write("how", "a", "b")
    before = box.tops()
    box.run(TYPING_PAUSE)
    box.page.wait_for_function("globalThis.searches.length === 1")
    boot = box.page.locator("ranvier-search .boot")
    progress = {"stage": "engine", "loaded": 2_100_000, "total": 4_000_000}
    transferred = {"received": 900_000, "expected": 1_400_000}  # compressed
    for report, amount in ((progress, "2.1 of 4.0 MB"), (progress | transferred, "0.9 of 1.4 MB")):
        box.page.evaluate("(report) => globalThis.onProgress(report)", report)
        expect(boot).to_have_text(f"Getting search ready… {amount}")
    assert box.tops() == before
    box.start()
    expect(boot).to_be_hidden()
    assert box.tops() == before
