"""B6, X1: words are searched while typing, vectors after a pause; the list settles and keeps the rows in use in place.

The tests control the engine and the clock of the browser.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from support.box import ABOVE, ANNOUNCE_PAUSE, BELOW, PAUSE, REACTION, TYPING_PAUSE, Box, IdleBox
from support.browser import Tab
from support.sites import SiteServer


@pytest.fixture
def box(tab: Tab, server: SiteServer) -> Box:
    return Box(tab, server.url)


def test_list_settles_after_the_pause(box: Box) -> None:
    """Rows in both answers keep their elements, the focus stays, and nothing is dimmed."""
    box.words(ABOVE)
    assert box.requests == [("how to stop", True, 0, 8)]
    assert box.order == ABOVE
    box.watch()
    box.run(PAUSE - TYPING_PAUSE - 1)
    assert len(box.requests) == 1
    box.run(1)
    assert box.requests[1:] == [("how to stop", False, 0, 8)]
    assert box.page.locator("ranvier-search [aria-busy]").count() == 0
    box.answer(1, "d a x b")
    assert box.order == "d a x b"
    assert box.kept_rows() == ["d", "a", "b"]
    assert box.selected == "d"
    expect(box.field).to_be_focused()
    assert box.field.get_attribute("aria-activedescendant") == box.row("d").get_attribute("id")


def test_settled_list_updates_rows_below_selection(box: Box) -> None:
    """With new passages and sections in the same elements; rows down to the selection keep their content and height."""
    text = "Another passage of this page, and one that is long enough to need a second line in the list of results, or a third."
    box.words(ABOVE)
    box.watch()
    arrow(box)
    before = box.tops()
    box.settle("d c b a", passages={"a": text, "b": text, "c": text})
    assert box.order == "a b d c"
    assert box.kept_rows() == ["a", "b", "d", "c"]
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    expect(box.rows().nth(1)).not_to_contain_text(text)
    expect(box.rows().nth(3).locator(".option.page .snippet")).to_have_text(text)
    expect(box.rows().nth(3).locator(".option.section")).to_have_count(1)


def test_settled_answer_is_not_requested_again(box: Box) -> None:
    box.type("one two")
    box.answer(0, ABOVE, unsettled=False)
    box.run(10 * PAUSE)
    assert len(box.requests) == 1


def test_answer_that_arrives_with_the_next_search_is_ignored(box: Box) -> None:
    box.type("how to stop")
    box.page.wait_for_function("globalThis.searches.length === 1")
    box.page.evaluate("""() => {
      globalThis.answer(0, "z");
      document.querySelector("ranvier-search").open("another query");
    }""")
    box.page.wait_for_function("globalThis.searches.length === 2")
    assert box.order == ""
    box.answer(1, "b c")
    assert box.order == "b c"


def test_key_cancels_settling(box: Box) -> None:
    """During the pause, and during the vector search, whose answer is ignored."""
    box.words(ABOVE)
    box.page.keyboard.type("x")
    box.run(TYPING_PAUSE)
    box.answer(1, "b c", unsettled=True)
    box.run(PAUSE - TYPING_PAUSE)
    box.page.wait_for_function("globalThis.searches.length === 3")
    box.page.keyboard.type("y")
    assert box.page.evaluate("globalThis.searches[2].aborted")
    box.answer(2, "z")
    assert box.order == "b c"
    assert [(query, typing) for query, typing, _, _ in box.requests] == [
        ("how to stop", True),
        ("how to stopx", True),
        ("how to stopx", False),
    ]


@pytest.mark.parametrize("hits", [ABOVE, ""])
def test_late_answer_to_an_older_query_is_not_settled(box: Box, hits: str) -> None:
    """The reader has typed on. The older answer is shown, if it has hits, and its vector search would replace the newer one."""
    box.type("how to sto")
    box.page.wait_for_function("globalThis.searches.length === 1")
    box.page.keyboard.type("p")
    box.answer(0, hits, unsettled=True)
    assert box.order == hits
    expect(box.page.locator("ranvier-search .message .lead")).to_be_hidden()
    box.run(PAUSE)
    box.answer(1, "d c", unsettled=True)
    box.answer(2, "c d")
    assert box.order == "c d"
    assert [(query, typing) for query, typing, _, _ in box.requests] == [
        ("how to sto", True),
        ("how to stop", True),
        ("how to stop", False),
    ]


def arrow(box: Box) -> None:
    box.page.keyboard.press("ArrowDown")


def pointer(box: Box) -> None:
    box.row("b").hover()


def finger(box: Box) -> None:
    box.row("b").dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True, "composed": True})


def test_word_is_searched_while_an_input_method_composes_it(box: Box) -> None:
    """Keyboards of phones compose each word until a blank, Korean each last syllable. It also cancels settling."""
    box.words(ABOVE)
    box.run(PAUSE - TYPING_PAUSE)
    box.page.wait_for_function("globalThis.searches.length === 2")
    session = box.page.context.new_cdp_session(box.page)
    box.field.fill("")
    for text in ("메", "메뉴"):
        session.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    assert box.page.evaluate("globalThis.searches[1].aborted")
    box.run(TYPING_PAUSE)
    box.answer(2, "d a")
    assert (box.requests[2][0], box.order) == ("메뉴", "d a")


@pytest.mark.parametrize(("use", "selected"), [(arrow, "b"), (pointer, "b"), (finger, "a")])
def test_settled_list_keeps_rows_above_selection(box: Box, use: Callable[[Box], None], selected: str) -> None:
    """New rows are inserted below it; a row under the pointer stays, even if it is not in the settled answer."""
    box.words(ABOVE)
    box.watch()
    use(box)
    before = box.tops()
    box.settle("d x a c", notices=[{"code": "some-words", "subject": ""}])
    assert box.order == "a b d x c"
    assert {id_: box.tops()[id_] for id_ in "ab"} == {id_: before[id_] for id_ in "ab"}
    assert set(box.kept_rows()) == set("abcd")
    assert box.selected == selected


def test_selection_in_an_older_answer_keeps_no_row(box: Box) -> None:
    box.words(f"{ABOVE} {BELOW}")
    finger(box)
    arrow(box)
    box.page.locator("ranvier-search .body").evaluate("body => body.scrollTo(0, 150)")
    box.field.fill("how to go on")
    box.run(TYPING_PAUSE)
    box.answer(1, f"{ABOVE} {BELOW}", unsettled=True)
    box.run(PAUSE - TYPING_PAUSE)
    box.answer(2, "d c b a")
    assert (box.order, box.selected) == ("d c b a", "d")


def test_settled_list_keeps_visible_rows_after_scrolling(box: Box) -> None:
    box.words(f"{ABOVE} {BELOW}")
    box.page.locator("ranvier-search .body").evaluate("body => body.scrollTo(0, 150)")
    bottom = box.page.locator("ranvier-search .body").bounding_box()
    assert bottom
    visible = [id_ for id_, top in box.tops().items() if top < bottom["y"] + bottom["height"]]
    before = box.tops()
    assert 2 < len(visible) < 20
    box.settle(f"x y {BELOW}")
    assert box.row_ids()[: len(visible)] == visible
    assert box.row_ids()[len(visible) : len(visible) + 2] == ["x", "y"]
    assert {id_: box.tops()[id_] for id_ in visible} == {id_: before[id_] for id_ in visible}


def test_pointer_that_does_not_move_keeps_no_row(box: Box) -> None:
    """The dialog often opens below the pointer."""
    box.words(ABOVE)
    at = box.row("c").bounding_box()
    assert at
    box.page.keyboard.press("Escape")
    box.page.mouse.move(at["x"] + 50, at["y"] + 10)
    box.page.keyboard.press("Control+k")
    box.field.fill("how to go")
    box.run(TYPING_PAUSE)
    box.answer(1, ABOVE, unsettled=True)
    box.run(PAUSE - TYPING_PAUSE)
    box.answer(2, "d c b a")
    assert (box.order, box.selected) == ("d c b a", "d")


def test_click_during_settling_opens_the_row_of_the_press(box: Box) -> None:
    box.words(ABOVE)
    box.watch()
    box.row("b").hover()
    box.page.mouse.down()
    box.settle("d c b a")
    box.page.mouse.up()
    assert box.opened_pages == ["/b/"]


def test_enter_before_the_pause_requests_the_settled_answer(box: Box) -> None:
    """The next Enter opens its first row."""
    box.words(ABOVE)
    box.watch()
    box.page.keyboard.press("Enter")
    assert box.requests[1:] == [("how to stop", False, 0, 8)]
    assert box.opened_pages == []
    box.answer(1, "d a")
    box.run(REACTION)
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/d/"]


def test_enter_right_after_settling_opens_the_former_first_row(box: Box) -> None:
    """The reader has not seen the change."""
    box.words(ABOVE)
    box.watch()
    box.settle("d a")
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/a/"]


def test_enter_after_an_arrow_key_opens_the_selected_row(box: Box) -> None:
    box.words(ABOVE)
    box.watch()
    box.page.keyboard.press("ArrowDown")
    box.page.keyboard.press("Enter")
    assert box.opened_pages == ["/b/"]


@pytest.mark.parametrize(
    ("settled", "messages"), [({"totalHits": 4}, []), ({"totalHits": 40}, ["40 results for “how to stop”."])]
)
def test_settling_is_announced_only_if_something_changes(box: Box, settled: dict[str, Any], messages: list[str]) -> None:
    box.words(ABOVE)
    box.expect_announced("4 results for “how to stop”.")
    box.watch()
    box.settle("d c b a", **settled)
    box.run(ANNOUNCE_PAUSE)
    assert box.order == "d c b a"
    assert box.messages == messages


def test_answers_are_announced_after_a_pause_in_typing(box: Box) -> None:
    """Not with every letter; a search that follows takes back what is not announced yet."""
    box.words("")
    box.watch()
    for number, query in enumerate(("axon", "axons"), start=1):
        box.run(ANNOUNCE_PAUSE - PAUSE)
        box.field.fill(query)
        box.run(TYPING_PAUSE)
        box.answer(number, ABOVE)
    box.run(ANNOUNCE_PAUSE - 1)
    assert box.messages == []
    box.run(1)
    assert box.messages == ["4 results for “axons”."]


def test_empty_word_answer_waits_for_vectors(box: Box) -> None:
    box.words("")
    expect(box.page.locator("ranvier-search .message")).to_have_text("Searching…")
    box.settle("d a")
    assert box.order == "d a"
    expect(box.page.locator("ranvier-search .message")).to_be_hidden()
    box.expect_announced("2 results for “how to stop”.")


def test_no_results_message_after_settling(box: Box) -> None:
    box.words("")
    box.settle("")
    box.expect_announced("No results for “how to stop”.")


ONLY_WORDS = "Only words were searched, not their meaning."


@pytest.mark.parametrize("failure", ["a notice", "fetch", "integrity", "engine"])
def test_failing_vectors_keep_the_words_and_warn_once_a_visit(box: Box, failure: str) -> None:
    """X1: if the core searches words only, and if a file is missing."""

    def settle(number: int) -> None:
        box.run(PAUSE - TYPING_PAUSE)
        if failure == "a notice":
            box.answer(number, ABOVE, notices=[{"code": "no-vectors", "subject": ""}])
        else:
            box.fail(number, failure)

    box.words(ABOVE)
    box.watch()
    settle(1)
    expect(box.hint).to_have_text(ONLY_WORDS)
    box.expect_announced(f"4 results for “how to stop”. {ONLY_WORDS}")
    assert (box.order, box.selected, box.kept_rows()) == (ABOVE, "a", ABOVE.split())
    box.field.fill("how to go on")
    box.run(TYPING_PAUSE)
    box.answer(2, ABOVE, unsettled=True)
    expect(box.hint).to_be_hidden()
    settle(3)
    box.expect_announced("4 results for “how to go on”.")
    expect(box.hint).to_be_hidden()
    box.page.goto(box.page.url + "?next")  # with the same address, the history would reopen the dialog
    box.words(ABOVE)
    settle(1)
    box.expect_announced("4 results for “how to stop”.")


def test_empty_word_answer_and_failing_vectors_have_two_messages(box: Box) -> None:
    box.words("")
    box.run(PAUSE - TYPING_PAUSE)
    box.fail(1, "fetch")
    box.expect_announced(f"No results for “how to stop”. {ONLY_WORDS}")


def test_search_without_hits_has_nothing_to_explain_or_copy(box: Box) -> None:
    """After an error, without a match, or without a query."""
    tools = box.page.locator("ranvier-search .foot").locator(".why:visible, .copy:visible")
    box.words(ABOVE)
    expect(tools).to_have_count(2)
    for number, query in ((1, "fails"), (3, "nothing")):
        box.field.fill(query)
        box.run(TYPING_PAUSE)
        if query == "fails":
            box.fail(number, "fetch")
        else:
            box.answer(number, "")
        expect(tools).to_have_count(0)
        box.field.fill("again")
        box.run(TYPING_PAUSE)
        box.answer(number + 1, ABOVE)
        expect(tools).to_have_count(2)
    box.field.fill("")
    expect(tools).to_have_count(0)


def test_more_results_before_settling_are_of_the_settled_answer(box: Box) -> None:
    """Including the rows that settling would put first; no row is repeated."""
    box.words(ABOVE, nextOffset=8)
    box.more.click()
    assert box.requests[1:] == [("how to stop", False, 0, 12)]
    box.answer(1, "x a b y", nextOffset=12)
    assert (box.order, box.selected) == ("a b c d x y", "x")
    box.expect_announced("2 more results below.")
    box.run(10 * PAUSE)
    box.more.click()
    assert box.requests[2:] == [("how to stop", False, 12, 8)]
    box.answer(2, "c z")
    assert box.order == "a b c d x y z"


def test_more_results_continue_the_settled_answer(box: Box) -> None:
    box.words(ABOVE, nextOffset=8)
    arrow(box)
    box.settle("d x", nextOffset=8)
    assert box.order == "a b d x"
    box.more.click()
    assert box.requests[2:] == [("how to stop", False, 8, 8)]
    box.answer(2, "a y")
    assert (box.order, box.selected) == ("a b d x y", "y")
    expect(box.more).to_be_hidden()


def test_more_results_that_fail_leave_the_list_and_the_focus(box: Box) -> None:
    """X3: the button repeats the request."""
    box.type("how to stop")
    box.answer(0, ABOVE, nextOffset=8)
    box.more.press("Enter")
    box.fail(1, "fetch")
    box.expect_announced("A part of the index could not be fetched. You may be offline, or the site has just been updated.")
    expect(box.hint).to_be_visible()
    assert box.order == ABOVE
    expect(box.more).to_be_focused()
    box.more.press("Enter")
    box.answer(2, "e", nextOffset=16)
    assert box.order == f"{ABOVE} e"
    expect(box.hint).to_be_hidden()


def test_each_page_of_more_results_is_announced(box: Box) -> None:
    """B6: a screen reader says a text that replaces another one."""
    box.type("how to stop")
    box.answer(0, ABOVE, nextOffset=8)
    for number, page in enumerate("ef", start=1):
        box.more.click()
        expect(box.status).to_have_text("")
        box.answer(number, page, nextOffset=8 * number)
        box.expect_announced("1 more result below.")


def test_more_results_of_an_older_query_are_not_requested(box: Box) -> None:
    """The request would cancel the search of the newer query, also if its letters are those of the rows again."""
    box.type("how to stop")
    box.answer(0, ABOVE, nextOffset=8)
    box.field.fill("how to go on")
    box.more.click()
    box.run(TYPING_PAUSE)
    box.more.click()
    box.field.fill("how to stop")
    box.run(TYPING_PAUSE)
    box.more.click()
    assert [(query, offset) for query, _, offset, _ in box.requests] == [
        ("how to stop", 0),
        ("how to go on", 0),
        ("how to stop", 0),
    ]
    box.answer(2, "d c")
    assert box.order == "d c"


def test_more_results_are_not_added_to_newer_suggestions(tab: Tab, server: SiteServer) -> None:
    box = IdleBox(tab, server.url)
    box.type("how to stop")
    box.answer(0, ABOVE, nextOffset=8)
    box.more.click()
    box.write("how to go", "s")
    expect(box.rows()).to_have_count(1)
    box.answer(1, "e f")
    assert box.order == "s"


def test_save_data_settles_with_enter_only(tab: Tab, server: SiteServer) -> None:
    box = Box(tab, server.url, {"saveData": True})
    box.words(ABOVE)
    expect(box.hint).to_have_text("Press Enter to search by meaning too.")
    box.run(10 * PAUSE)
    assert len(box.requests) == 1
    box.page.keyboard.press("Enter")
    assert box.requests[1:] == [("how to stop", False, 0, 8)]
    box.answer(1, "d a")
    assert box.order == "d a"
    expect(box.hint).to_be_hidden()


def test_query_in_the_address_skips_the_pause(tab: Tab, server: SiteServer) -> None:
    box = Box(tab, f"{server.url}search/?q=how+to+stop")
    box.answer(0, ABOVE, unsettled=True)
    box.answer(1, "d a")
    assert [typing for _, typing, _, _ in box.requests] == [True, False]
    assert box.order == "d a"


def test_search_page_keeps_visible_rows(tab: Tab, server: SiteServer) -> None:
    """On this page, the document scrolls."""
    box = Box(tab, f"{server.url}search/?q=how+to+stop")
    box.answer(0, f"{ABOVE} {BELOW}", unsettled=True)
    box.page.evaluate("scrollTo(0, 200)")
    before = box.tops()
    visible = [id_ for id_, top in before.items() if top < box.page.evaluate("innerHeight")]
    assert 4 < len(visible) < 20
    box.answer(1, f"x y {BELOW}")
    assert box.row_ids()[: len(visible) + 2] == [*visible, "x", "y"]
    assert {id_: box.tops()[id_] for id_ in visible} == {id_: before[id_] for id_ in visible}


def test_late_footer_moves_no_row(box: Box) -> None:
    """The button that explains a row is shown with the footer, and not in a bar above the rows."""
    routes: list[Route] = []
    box.page.route("**/box-features.js", lambda route: routes.append(route))
    box.words(ABOVE)
    expect(box.page.locator("ranvier-search .tool")).to_have_count(2)
    before = box.tops()
    routes[0].continue_()
    expect(box.page.locator("ranvier-search .foot .why")).to_be_visible()
    assert box.tops() == before
