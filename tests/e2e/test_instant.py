"""B4, B6, X1: pages with the words of the query are listed before the engine is ready; they stay if it cannot start.

Except in the last tests, the tests control the engine and the clock of the browser.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from support.box import PAUSE, TYPED, Box, Cold
from support.browser import Tab
from support.sites import Served

FIRST = "First results are listed. All results of the search will follow."
SIMPLER = "The list above comes from a simpler search: it has words, but no phrases, filters or meaning."


@pytest.fixture
def box(tab: Tab, served: Served) -> Cold:
    return Cold(tab, served.url)


def listed(box: Box, query: str, *hits: dict[str, Any] | str) -> None:
    """Say what the lists have for a query: pages by their ids, or more of each."""
    existing = [{"id": hit} if isinstance(hit, str) else hit for hit in hits]
    box.page.evaluate("([query, hits]) => { globalThis.listed[query] = hits; }", [query, existing])


def opened(box: Cold) -> Cold:
    box.open()
    return box


def hrefs(box: Cold) -> list[str]:
    results: list[str] = box.rows().locator("a").evaluate_all("links => links.map((link) => link.href)")
    return [href.split("/", 3)[3] for href in results]


def test_names_come_before_text_matches(box: Cold) -> None:
    """Each page once, at most eight rows; the section is the second line, and the link leads to it."""
    opened(box)
    listed(box, "how", "b", {"id": "c", "heading": "By <b>hand</b>", "anchor": "by-hand"}, *"defghi")
    box.write("how", "a", {"id": "b", "kind": "heading", "text": "[How]", "title": "Page b", "anchor": "how"})
    expect(box.rows()).to_have_count(8)
    assert hrefs(box) == ["a/", "b/#how", "c/#by-hand", "d/", "e/", "f/", "g/", "h/"]
    assert box.crumbs().all_inner_texts() == ["Page b", "# By <b>hand</b>"]
    assert box.page.locator("ranvier-search .option b").count() == 0
    assert box.row_ids()[2:4] == ["c", "d"]
    expect(box.label).to_have_text("Jump to")
    assert box.selected == "a"


def test_later_text_matches_do_not_move_rows(box: Cold) -> None:
    opened(box)
    box.page.evaluate("() => { globalThis.listed.how = new Promise((resolve) => { globalThis.come = resolve; }); }")
    box.write("how", "a", "b")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    before = box.tops()
    box.page.evaluate("globalThis.come([{ id: 'c' }, { id: 'a' }])")
    expect(box.rows()).to_have_count(3)
    assert (box.order, box.selected, box.kept_rows()) == ("a b c", "b", ["a", "b"])
    assert {id_: box.tops()[id_] for id_ in "ab"} == before


def test_answer_of_the_engine_replaces_instant_rows(box: Cold) -> None:
    """A page of both keeps its row; it is there once, also if the lists lead to a section of it."""
    opened(box)
    listed(box, "how to stop", {"id": "a", "heading": "Part", "anchor": "part"}, "b")
    box.write("how to stop")
    expect(box.label).to_have_text("First results")
    expect(box.status).to_have_text(FIRST)
    box.watch()
    box.run(TYPED)
    box.answer(0, "d b a")
    assert (box.order, box.kept_rows()) == ("d b a", ["b"])
    expect(box.label).to_have_text("3 results")


def test_instant_rows_under_the_pointer_stay(box: Cold) -> None:
    opened(box)
    listed(box, "how to stop", {"id": "a", "heading": "Part", "anchor": "part"}, "b", "c")
    box.write("how to stop")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.run(TYPED)
    box.answer(0, "d b a")
    assert (box.order, box.selected) == ("a b d", "b")
    box.page.keyboard.press("Enter")
    assert box.gone == ["/b/"]


def test_query_of_function_words_keeps_the_former_rows(box: Cold) -> None:
    """They are dimmed and keep their height until other rows arrive."""
    opened(box)
    listed(box, "stop", "a", "b")
    box.write("stop")
    box.run(TYPED)
    height = box.body.evaluate("body => body.getBoundingClientRect().height")
    box.write("stop zzz")
    expect(box.body).to_have_attribute("aria-busy", "true")
    assert box.order == "a b"
    listed(box, "stop zzz how", "c")
    box.write("stop zzz how")
    expect(box.rows()).to_have_count(1)
    expect(box.body).not_to_have_attribute("aria-busy", "true")
    assert box.body.evaluate("body => body.getBoundingClientRect().height") == height
    box.write("stop zzz how do")
    box.run(TYPED)
    assert box.order == "c"
    box.page.wait_for_function("globalThis.asked.at(-1)?.query === 'stop zzz how do'")
    box.answer(box.page.evaluate("globalThis.asked.length - 1"), "")
    expect(box.message).to_contain_text("No results for “stop zzz how do”.")
    assert box.order == ""


def test_running_engine_answers_without_instant_rows(box: Cold) -> None:
    opened(box)
    listed(box, "how", "x", "y")
    box.start()
    box.write("how")
    box.run(10 * TYPED)
    box.answer(0, "a")
    assert box.order == "a"


def test_enter_without_rows_opens_the_first_answer(box: Cold) -> None:
    opened(box)
    box.write("how")
    box.watch()
    box.page.keyboard.press("Enter")
    box.answer(0, "d a")
    assert box.gone == ["/d/"]


def test_enter_waits_for_the_settled_answer(box: Cold) -> None:
    """Vectors may put another page first."""
    opened(box)
    box.write("how to stop")
    box.watch()
    box.page.keyboard.press("Enter")
    box.answer(0, "d a", unsettled=True)
    assert box.gone == []
    box.answer(1, "a d")
    assert box.gone == ["/a/"]


def test_enter_opens_a_later_exact_title(box: Cold) -> None:
    opened(box)
    number = box.page.evaluate("globalThis.suggesting.length")
    box.field.fill("hugo")
    box.watch()
    box.page.keyboard.press("Enter")
    box.suggest(number, {"id": "a", "text": "[Hugo]"}, "b")
    assert box.gone == ["/a/"]
    box.answer(0, "d")
    assert box.gone == ["/a/"]


@pytest.mark.parametrize("then", ["types on", "moves", "closes"])
def test_other_input_cancels_a_waiting_enter(box: Cold, then: str) -> None:
    opened(box)
    listed(box, "howx", "y")
    number = box.page.evaluate("globalThis.suggesting.length")
    box.field.fill("how")
    box.watch()
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.asked.length === 1")
    if then == "types on":
        box.page.keyboard.type("x")
    elif then == "moves":
        box.suggest(number, "a", "b")
        box.page.keyboard.press("ArrowDown")
    else:
        box.page.keyboard.press("Escape")
    box.answer(0, "d a")
    assert box.gone == []


def test_instant_rows_stay_if_the_engine_fails(box: Cold) -> None:
    """X1: with a message; Enter opens the first row, and other queries are answered as well."""
    opened(box)
    listed(box, "how", "a", "b")
    listed(box, "stop", "c")
    box.write("how")
    box.run(TYPED)
    box.fail(0, "engine")
    expect(box.message).to_contain_text("The search engine could not be started.")
    expect(box.message).to_contain_text(SIMPLER)
    expect(box.status).to_contain_text(SIMPLER)
    assert box.order == "a b"
    box.write("stop")
    box.run(TYPED)
    box.fail(1, "engine")
    expect(box.message).to_contain_text(SIMPLER)
    assert box.order == "c"
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.gone == ["/c/"]


@pytest.mark.parametrize("fails", [True, False])
def test_enter_during_another_attempt_opens_a_row_only_if_that_fails(box: Cold, fails: bool) -> None:
    """X1: the reader presses it once. The results of a working engine may be other rows."""
    opened(box)
    listed(box, "how", "a", "b")
    box.write("how")
    box.run(TYPED)
    box.fail(0, "engine")
    box.retry.click()
    box.page.wait_for_function("globalThis.asked.length === 2")
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.gone == []
    if fails:
        box.fail(1, "engine")
    else:
        box.answer(1, "d a")
    assert box.gone == (["/a/"] if fails else [])


def test_error_below_many_rows_is_in_view(box: Cold) -> None:
    """Otherwise a reader takes the rows of the simpler search for all results."""
    box.page.set_viewport_size({"width": 1000, "height": 600})
    opened(box)
    listed(box, "how", *"abcdefgh")
    box.write("how")
    box.run(TYPED)
    box.fail(0, "engine")
    expect(box.rows()).to_have_count(8)
    expect(box.message.locator(".lead")).to_be_in_viewport(ratio=1)
    for _ in range(8):
        box.page.keyboard.press("ArrowDown")
        row = box.page.locator("ranvier-search [aria-selected=true]").bounding_box()
        message = box.message.bounding_box()
        assert row is not None
        assert message is not None
        assert row["y"] + row["height"] <= message["y"] + 1


def test_rows_of_a_former_query_go_if_the_engine_fails(box: Cold) -> None:
    opened(box)
    listed(box, "how", "a", "b")
    box.write("how")
    box.write("howx")
    assert box.order == "a b"
    box.run(TYPED)
    box.fail(0, "engine")
    expect(box.retry).to_be_visible()
    assert box.order == ""
    assert SIMPLER not in box.message.inner_text()


def test_start_progress_shows_transferred_bytes(box: Cold) -> None:
    opened(box)
    listed(box, "how", "a")
    box.write("how")
    box.run(TYPED)
    box.page.wait_for_function("globalThis.asked.length === 1")
    boot = box.page.locator("ranvier-search .boot")
    for received, expected, messages in ((900_000, 1_400_000, " 0.9 of 1.4 MB"), (900_000, 0, " 900 kB"), (0, 0, "")):
        sent = {"received": received, "expected": expected}
        progress = {"stage": "engine", "loaded": 2_100_000, "total": 4_000_000, **sent}
        box.page.evaluate("(progress) => globalThis.onProgress(progress)", progress)
        expect(boot).to_have_text(f"Getting search ready…{messages}")


def test_settled_answer_replaces_instant_rows(box: Cold) -> None:
    opened(box)
    listed(box, "how to stop", "a", "b")
    box.write("how to stop")
    box.run(TYPED)
    box.answer(0, "b c", unsettled=True)
    assert box.order == "b c"
    box.run(PAUSE)
    box.answer(1, "c a")
    assert box.order == "c a"


HOLD = "delete globalThis.SharedWorker"  # what that asks for no page can hold back
QUESTION = "how do I deploy the site"


def options(tab: Tab) -> list[str]:
    return tab.page.locator("ranvier-search .option.page .title").all_inner_texts()


def test_manual_answers_before_the_engine(tab: Tab, served: Served) -> None:
    """Its pages within a second, then the answer of the engine."""
    held: list[Route] = []
    tab.page.add_init_script(HOLD)
    tab.page.context.route("**/pyodide.primary.wasm", lambda route: held.append(route))
    tab.page.goto(served.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type(QUESTION, delay=10)
    expect(tab.page.locator("ranvier-search .heading")).to_have_text("First results")
    expect(tab.page.locator("ranvier-search .group")).to_have_count(8)
    assert "Publish on a static host" in options(tab)
    while not held:
        tab.page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    expect(tab.page.locator("ranvier-search .snippet").first).to_be_visible()
    expect(tab.page.locator("ranvier-search .heading")).not_to_have_text("First results")


def test_instant_rows_are_the_search_without_webassembly(tab: Tab, served: Served) -> None:
    """An old browser, or a policy that forbids it."""
    tab.page.add_init_script(HOLD)
    policy = {"content-security-policy": "script-src 'self'"}
    tab.expected += ["WebAssembly", "unsafe-eval", "Content Security Policy"]

    def forbid(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers=answer.headers | policy)

    tab.page.context.route("**/worker.js", forbid)
    tab.page.context.route(served.url, forbid)
    tab.page.goto(served.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.insert_text(QUESTION)  # at once: a search for its first letters would fail, too
    message = tab.page.locator("ranvier-search .message")
    expect(message).to_contain_text("The search engine could not be started.")
    expect(message).to_contain_text(SIMPLER)
    first = tab.page.locator("ranvier-search [role=option]").first
    address = first.get_attribute("href") or ""
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(address)


def test_root_of_the_lists_is_prefetched(tab: Tab, served: Served, example_site: Path) -> None:
    """Then at most two files for each word, each once."""
    entry = json.loads((example_site / "_ranvier" / "entry.json").read_bytes())
    tab.page.add_init_script(HOLD)
    tab.page.add_init_script("Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })")
    tab.page.goto(served.url)
    tab.page.wait_for_load_state("networkidle")
    assert asked_of(served) == []
    with tab.page.expect_response(f"**/{entry['lists']}"):
        tab.page.keyboard.press("Control+k")
    assert asked_of(served) == [entry["lists"]]
    tab.page.keyboard.insert_text("how do I deploy the site ")
    expect(tab.page.locator("ranvier-search .heading")).to_have_text("First results")
    assert 1 <= len(asked_of(served)) <= 3
    assert len(asked_of(served)) == len(set(asked_of(served)))


def asked_of(served: Served) -> list[str]:
    return [path.partition("/_ranvier/")[2] for path in served.recorder.paths if "/lists/" in path]
