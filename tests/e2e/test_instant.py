"""B4, B6, X1: pages with the words of the query are listed before the engine is ready, and stay if it cannot start.

Except in the last tests, the tests control the engine and the clock of the browser.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import expect
from support.box import TYPING_PAUSE, Box, IdleBox
from support.browser import Tab
from support.sites import SiteServer, serving

FIRST_STATUS = "First results are listed. All results of the search will follow."
SIMPLER_SEARCH = "The list above comes from a simpler search: it has words, but no phrases, filters or meaning."


def set_instant_hits(box: Box, query: str, *hits: dict[str, Any] | str) -> None:
    """Set the instant hits of a query: ids of pages, or hits with more fields."""
    rows = [{"id": hit} if isinstance(hit, str) else hit for hit in hits]
    box.page.evaluate("([query, rows]) => { globalThis.instantHits[query] = rows; }", [query, rows])


def hrefs(box: IdleBox) -> list[str]:
    results: list[str] = box.rows().locator("a").evaluate_all("links => links.map((link) => link.href)")
    return [href.split("/", 3)[3] for href in results]


def test_names_come_before_text_matches(box: IdleBox) -> None:
    """Each page once, at most eight rows; the section is the second line, and the link leads to it."""
    box.open()
    set_instant_hits(box, "how", "b", {"id": "c", "heading": "By <b>hand</b>", "anchor": "by-hand"}, *"defghi")
    box.write("how", "a", {"id": "b", "kind": "heading", "text": "[How]", "title": "Page b", "anchor": "how"})
    expect(box.rows()).to_have_count(8)
    assert hrefs(box) == ["a/", "b/#how", "c/#by-hand", "d/", "e/", "f/", "g/", "h/"]
    assert box.crumbs().all_inner_texts() == ["Page b", "# By <b>hand</b>"]
    assert box.page.locator("ranvier-search .option b").count() == 0
    assert box.row_ids()[2:4] == ["c", "d"]
    expect(box.label).to_have_text("Jump to")
    assert box.selected == "a"


def test_later_text_matches_do_not_move_rows(box: IdleBox) -> None:
    box.open()
    box.page.evaluate("() => { globalThis.instantHits.how = new Promise((resolve) => { globalThis.resolveHits = resolve; }); }")
    box.write("how", "a", "b")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    before = box.tops()
    box.page.evaluate("globalThis.resolveHits([{ id: 'c' }, { id: 'a' }])")
    expect(box.rows()).to_have_count(3)
    assert (box.order, box.selected, box.kept_rows()) == ("a b c", "b", ["a", "b"])
    assert {id_: box.tops()[id_] for id_ in "ab"} == before


def test_answer_of_the_engine_replaces_instant_rows(box: IdleBox) -> None:
    """A page of both lists keeps its row, and has one row, also if its instant hit is a section."""
    box.open()
    set_instant_hits(box, "how to stop", {"id": "a", "heading": "Part", "anchor": "part"}, "b")
    box.write("how to stop")
    expect(box.label).to_have_text("First results")
    expect(box.status).to_have_text(FIRST_STATUS)
    box.watch()
    box.run(TYPING_PAUSE)
    box.answer(0, "d b a")
    assert (box.order, box.kept_rows()) == ("d b a", ["b"])
    expect(box.label).to_have_text("3 results")


def test_instant_rows_under_the_pointer_stay(box: IdleBox) -> None:
    box.open()
    set_instant_hits(box, "how to stop", {"id": "a", "heading": "Part", "anchor": "part"}, "b", "c")
    box.write("how to stop")
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.run(TYPING_PAUSE)
    box.answer(0, "d b a")
    assert (box.order, box.selected) == ("a b d", "b")
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/b/"]


def test_query_of_function_words_keeps_the_former_rows(box: IdleBox) -> None:
    """Dimmed, and with the same height, until other rows arrive."""
    box.open()
    set_instant_hits(box, "stop", "a", "b")
    box.write("stop")
    box.run(TYPING_PAUSE)
    height = box.body.evaluate("body => body.getBoundingClientRect().height")
    box.write("stop zzz")
    expect(box.body).to_have_attribute("aria-busy", "true")
    assert box.order == "a b"
    set_instant_hits(box, "stop zzz how", "c")
    box.write("stop zzz how")
    expect(box.rows()).to_have_count(1)
    expect(box.body).not_to_have_attribute("aria-busy", "true")
    assert box.body.evaluate("body => body.getBoundingClientRect().height") == height
    box.write("stop zzz how do")
    box.run(TYPING_PAUSE)
    assert box.order == "c"
    box.page.wait_for_function("globalThis.searches.at(-1)?.query === 'stop zzz how do'")
    box.answer(box.page.evaluate("globalThis.searches.length - 1"), "")
    expect(box.message).to_contain_text("No results for “stop zzz how do”.")
    assert box.order == ""


def test_running_engine_answers_without_instant_rows(box: IdleBox) -> None:
    box.open()
    set_instant_hits(box, "how", "x", "y")
    box.start()
    box.write("how")
    box.run(10 * TYPING_PAUSE)
    box.answer(0, "a")
    assert box.order == "a"


@pytest.mark.parametrize("unsettled", [False, True])
def test_enter_without_rows_waits_for_the_settled_answer(box: IdleBox, unsettled: bool) -> None:
    """Vectors may put another page first."""
    box.open()
    box.write("how to stop")
    box.watch()
    box.page.keyboard.press("Enter")
    box.answer(0, "d a", unsettled=unsettled)
    assert box.opened_pages == ([] if unsettled else ["/d/"])
    if unsettled:
        box.answer(1, "a d")
        assert box.opened_pages == ["/a/"]


def test_enter_opens_a_later_exact_title(box: IdleBox) -> None:
    box.open()
    number = box.page.evaluate("globalThis.suggestRequests.length")
    box.field.fill("hugo")
    box.watch()
    box.page.keyboard.press("Enter")
    box.suggest(number, {"id": "a", "text": "[Hugo]"}, "b")
    assert box.opened_pages == ["/a/"]
    box.answer(0, "d")
    assert box.opened_pages == ["/a/"]


@pytest.mark.parametrize("action", ["type", "move", "close", "reopen", "compose"])
def test_other_input_cancels_a_waiting_enter(box: IdleBox, action: str) -> None:
    box.open()
    set_instant_hits(box, "howx", "y")
    number = box.page.evaluate("globalThis.suggestRequests.length")
    box.field.fill("how")
    box.watch()
    box.page.keyboard.press("Enter")
    box.page.wait_for_function("globalThis.searches.length === 1")
    if action == "type":
        box.page.keyboard.type("x")
    elif action == "move":
        box.suggest(number, "a", "b")
        box.page.keyboard.press("ArrowDown")
    elif action == "compose":
        box.field.evaluate("field => field.dispatchEvent(new InputEvent('input', { isComposing: true }))")
    else:
        box.page.keyboard.press("Escape")
        expect(box.field).to_be_hidden()
    if action == "reopen":
        box.open()
        expect(box.field).to_be_focused()
    box.answer(0, "d a")
    assert box.opened_pages == []


def test_instant_rows_stay_if_the_engine_fails(box: IdleBox) -> None:
    """X1: with a message; Enter opens the first row, and other queries are answered as well."""
    box.open()
    set_instant_hits(box, "how", "a", "b")
    set_instant_hits(box, "stop", "c")
    box.write("how")
    box.run(TYPING_PAUSE)
    box.fail(0, "engine")
    expect(box.message).to_contain_text("The search engine could not be started.")
    expect(box.message).to_contain_text(SIMPLER_SEARCH)
    expect(box.status).to_contain_text(SIMPLER_SEARCH)
    assert box.order == "a b"
    box.write("stop")
    box.run(TYPING_PAUSE)
    box.fail(1, "engine")
    expect(box.message).to_contain_text(SIMPLER_SEARCH)
    assert box.order == "c"
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/c/"]


@pytest.mark.parametrize("fails", [True, False])
def test_enter_during_a_retry_opens_a_row_only_if_the_retry_fails(box: IdleBox, fails: bool) -> None:
    """X1: a working engine may list other rows first."""
    box.open()
    set_instant_hits(box, "how", "a", "b")
    box.write("how")
    box.run(TYPING_PAUSE)
    box.fail(0, "engine")
    box.retry.click()
    box.page.wait_for_function("globalThis.searches.length === 2")
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.opened_pages == []
    if fails:
        box.fail(1, "engine")
    else:
        box.answer(1, "d a")
    assert box.opened_pages == (["/a/"] if fails else [])


def test_error_below_many_rows_is_in_view(box: IdleBox) -> None:
    """Otherwise, a reader would not see that the rows come from the simpler search."""
    box.page.set_viewport_size({"width": 1000, "height": 600})
    box.open()
    set_instant_hits(box, "how", *"abcdefgh")
    box.write("how")
    box.run(TYPING_PAUSE)
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


def test_rows_of_a_former_query_are_removed_if_the_engine_fails(box: IdleBox) -> None:
    box.open()
    set_instant_hits(box, "how", "a", "b")
    box.write("how")
    box.write("howx")
    assert box.order == "a b"
    box.run(TYPING_PAUSE)
    box.fail(0, "engine")
    expect(box.retry).to_be_visible()
    assert box.order == ""
    assert SIMPLER_SEARCH not in box.message.inner_text()


NO_SHARED_WORKER = "delete globalThis.SharedWorker"  # tests cannot intercept its requests
QUESTION = "how do I deploy the site"


def test_instant_rows_are_the_search_without_webassembly(tab: Tab, example_site: Path) -> None:
    """X1: the policy of the host forbids WebAssembly, for which Pyodide would wait without a timeout."""
    tab.expected += ["WebAssembly", "wasm", "Content Security Policy"]
    policy = POLICY.replace(" 'wasm-unsafe-eval'", "")
    with serving(example_site, headers={"content-security-policy": policy}) as server:
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        tab.page.keyboard.insert_text(QUESTION)  # at once, because a search for the first letters would fail, too
        message = tab.page.locator("ranvier-search .message")
        expect(message).to_contain_text("The search engine could not be started.")
        expect(message).to_contain_text(SIMPLER_SEARCH)
        expect(tab.page.get_by_role("button", name="Try again")).to_be_visible()
        address = tab.options.first.get_attribute("href") or ""
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url(address)


def test_root_of_the_lists_is_prefetched(tab: Tab, server: SiteServer, example_site: Path) -> None:
    """Then at most three files for the words of the query, each once."""
    entry = json.loads((example_site / "_ranvier" / "entry.json").read_bytes())
    tab.page.add_init_script(NO_SHARED_WORKER)
    tab.page.add_init_script("Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })")
    tab.page.goto(server.url)
    tab.page.wait_for_load_state("networkidle")
    assert list_files(server) == []
    with tab.page.expect_response(f"**/{entry['lists']}"):
        tab.page.keyboard.press("Control+k")
    assert list_files(server) == [entry["lists"]]
    tab.page.keyboard.insert_text("how do I deploy the site ")
    expect(tab.page.locator("ranvier-search .heading")).to_have_text("First results")
    assert 1 <= len(list_files(server)) <= 3
    assert len(list_files(server)) == len(set(list_files(server)))


def list_files(server: SiteServer) -> list[str]:
    return [path.partition("/_ranvier/")[2] for path in server.recorder.paths if "/lists/" in path]
