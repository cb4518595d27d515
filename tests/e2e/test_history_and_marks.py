"""B6: the dialog in the browser's history, recent searches, marks on the page of a result, and copying."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from support.browser import Tab
from support.sites import SiteServer

SELECTED = "ranvier-search [aria-selected=true]"
MARKS = "[...(CSS.highlights.get('ranvier-marks') ?? [])].map(String)"


def wait_for_answer(tab: Tab) -> None:
    """Wait until the engine's answer is in the list."""
    expect(tab.snippet).to_be_visible()


def search(tab: Tab, query: str) -> None:
    tab.search(query)
    wait_for_answer(tab)


def store_marks(tab: Tab, url: str, *exact: str) -> None:
    """Store the words that a page marks when it is opened next."""
    marks = {"url": url, "exact": exact, "words": []}
    tab.page.evaluate("marks => sessionStorage.setItem('ranvier-marks', JSON.stringify(marks))", marks)


def history_length(tab: Tab) -> int:
    return int(tab.page.evaluate("history.length"))


def wait_for_history_entry(tab: Tab) -> None:
    """Wait until the dialog is an entry of the history."""
    tab.page.wait_for_function("history.state?.ranvier")


def wait_for_back(tab: Tab) -> None:
    """Wait until the browser has gone back from the entry of a closed dialog; another navigation must start later."""
    tab.page.wait_for_function("!history.state?.ranvier")


@pytest.mark.parametrize("action", ["Back", "Escape", "button"])
def test_dialog_is_one_entry_of_the_history(tab: Tab, server: SiteServer, action: str) -> None:
    """Back closes it and stays on the page; a closed dialog leaves no entry in the history."""
    tab.page.goto(f"{server.url}guide/")
    tab.page.goto(server.url)
    for _ in range(2):
        tab.page.keyboard.press("Control+k")
        wait_for_history_entry(tab)
        if action == "Back":
            tab.page.go_back()
        elif action == "Escape":
            tab.page.keyboard.press("Escape")
        else:
            tab.page.locator("ranvier-search .close").click()
        expect(tab.query_field).not_to_be_visible()
        wait_for_back(tab)
        assert tab.page.url == server.url
    tab.page.go_back()
    assert tab.page.url == f"{server.url}guide/"


def test_reopening_at_once_keeps_the_dialog_open(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    wait_for_history_entry(tab)
    for _ in range(3):
        tab.page.evaluate("document.querySelector('ranvier-search').close()")
        tab.page.evaluate("document.querySelector('ranvier-search').open()")
    tab.page.wait_for_timeout(300)
    expect(tab.query_field).to_be_visible()
    wait_for_history_entry(tab)
    tab.page.go_back()
    expect(tab.query_field).not_to_be_visible()
    assert tab.page.url == server.url


def test_back_from_a_result_restores_query_list_and_selection(tab: Tab, server: SiteServer) -> None:
    """Also the rows of "Show more results"."""
    tab.page.goto(server.url)
    search(tab, "search")
    tab.page.locator("ranvier-search .more").click()
    expect(tab.page.locator("ranvier-search .group")).to_have_count(16)
    tab.page.keyboard.press("ArrowDown")
    selected = tab.page.locator(SELECTED).get_attribute("href") or ""
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(selected)
    tab.page.go_back()
    expect(tab.query_field).to_have_value("search")
    expect(tab.page.locator(SELECTED)).to_have_attribute("href", selected)
    expect(tab.page.locator("ranvier-search .group")).to_have_count(16)
    tab.page.keyboard.press("Escape")
    expect(tab.query_field).not_to_be_visible()
    assert tab.page.url == server.url


def test_back_from_a_result_on_the_same_page_restores_the_query(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(f"{server.url}reference/search-box/")
    search(tab, "keyboard shortcuts")
    link = tab.page.locator("ranvier-search .option[href*='/reference/search-box/#']").first
    target = link.get_attribute("href") or ""
    link.click()
    expect(tab.query_field).not_to_be_visible()
    assert tab.page.url == target
    tab.page.wait_for_function(f"{MARKS}.length > 0")
    tab.page.go_back()
    expect(tab.query_field).to_have_value("keyboard shortcuts")


@pytest.mark.parametrize("path", ["guide/install/", "guide/install/#extras"])
def test_result_that_is_the_current_address_shows_the_page(tab: Tab, server: SiteServer, path: str) -> None:
    """A browser loads the page of a link to itself again, with the state of the open dialog."""
    tab.page.goto(server.url + path)
    search(tab, "install extras")
    tab.page.evaluate("document.isKept = true")
    tab.page.locator(f"ranvier-search .option[href='{server.url}{path}']").first.click()
    tab.page.wait_for_function(f"{MARKS}.length > 0")
    expect(tab.query_field).not_to_be_visible()
    assert tab.page.evaluate("document.isKept")
    tab.page.go_back()
    expect(tab.query_field).to_have_value("install extras")
    tab.page.go_forward()
    expect(tab.query_field).not_to_be_visible()
    tab.page.reload()
    tab.page.wait_for_function("document.querySelector('ranvier-search').shadowRoot.querySelector('.trigger')")
    tab.page.wait_for_timeout(300)
    expect(tab.query_field).not_to_be_visible()


def test_link_with_a_query_opens_the_dialog(tab: Tab, server: SiteServer) -> None:
    """The address has the current query; Back closes the dialog and removes it."""
    tab.page.goto(f"{server.url}guide/?q=manifest")
    expect(tab.query_field).to_have_value("manifest")
    wait_for_answer(tab)
    tab.query_field.fill("hot pack")
    tab.page.wait_for_url(re.compile(r"guide/\?q=hot(\+|%20)pack"))
    tab.page.go_back()
    expect(tab.query_field).not_to_be_visible()
    assert tab.page.url == f"{server.url}guide/"


def test_every_query_of_the_search_page_is_an_entry(tab: Tab, server: SiteServer) -> None:
    """But not every letter that is typed. Its title has the query, for the reader's history and tabs."""
    tab.page.goto(f"{server.url}search/")
    title = tab.page.title()
    tab.query_field.press_sequentially("manifest", delay=120)
    tab.wait_for_answer("manifest")
    tab.page.wait_for_timeout(1600)
    before = history_length(tab)
    tab.query_field.fill("")
    tab.query_field.press_sequentially("vectors", delay=120)
    tab.page.wait_for_url(re.compile(r"\?q=vectors$"))
    tab.page.wait_for_timeout(300)
    assert history_length(tab) == before + 1
    expect(tab.page).to_have_title(f"vectors · {title}")
    tab.page.go_back()
    expect(tab.query_field).to_have_value("manifest")
    expect(tab.page).to_have_title(f"manifest · {title}")
    expect(tab.options.first.locator("mark").first).to_have_text(re.compile("manifest", re.IGNORECASE))
    tab.page.go_forward()
    expect(tab.query_field).to_have_value("vectors")
    tab.page.evaluate("document.body.append(document.querySelector('ranvier-search'))")
    expect(tab.query_field).to_have_value("vectors")
    wait_for_answer(tab)
    expect(tab.page).to_have_title(f"vectors · {title}")
    tab.query_field.fill("")
    expect(tab.page).to_have_title(title)


def test_words_are_marked_on_the_page_of_a_result(tab: Tab, server: SiteServer) -> None:
    """Without a change of its elements, until Escape or the button removes the marks."""
    tab.page.goto(f"{server.url}format/manifest/")
    elements = "document.querySelectorAll('body *').length + document.body.getBoundingClientRect().height"
    before = tab.page.evaluate(elements)
    tab.page.goto(server.url)
    search(tab, "manifest digest")
    tab.page.locator("ranvier-search .option[href$='/format/manifest/']").first.click()
    tab.page.wait_for_url(re.compile("/format/manifest/"))
    tab.page.wait_for_function(f"{MARKS}.length > 3")
    assert {word.lower() for word in tab.page.evaluate(MARKS)} <= {"manifest", "manifests", "digest", "digests"}
    assert tab.page.evaluate(elements) == before
    button = tab.page.get_by_role("button", name=re.compile(r"Remove \d+ marks"))
    expect(button).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(button).to_be_hidden()
    assert tab.page.evaluate(MARKS) == []
    tab.page.reload()
    tab.page.wait_for_timeout(300)
    assert tab.page.evaluate(MARKS) == []


def test_first_mark_below_the_heading_is_scrolled_to(tab: Tab, server: SiteServer) -> None:
    tab.page.set_viewport_size({"width": 900, "height": 400})
    tab.page.goto(server.url)
    store_marks(tab, f"{server.url}reference/search-box/", "service worker")
    tab.page.goto(f"{server.url}reference/search-box/")
    tab.page.wait_for_function(f"{MARKS}.length > 0")
    tab.page.wait_for_function("[...CSS.highlights.get('ranvier-marks')][0].getBoundingClientRect().bottom < innerHeight")
    assert tab.page.evaluate("[...CSS.highlights.get('ranvier-marks')][0].getBoundingClientRect().top") > 0
    tab.page.get_by_role("button", name=re.compile("Remove 1 mark$")).click()
    assert tab.page.evaluate(MARKS) == []


@pytest.mark.parametrize("ending", ["", ".html", "/index.html"])
def test_page_that_the_host_shows_at_another_form_of_its_address_has_marks(tab: Tab, server: SiteServer, ending: str) -> None:
    """Some hosts redirect an address with an ending or a slash to one without."""
    tab.page.goto(server.url)
    store_marks(tab, f"{server.url}reference/search-box{ending}", "service worker")
    tab.page.goto(f"{server.url}reference/search-box/")
    tab.page.wait_for_function(f"{MARKS}.length > 0")


def test_section_with_a_marked_heading_stays_at_the_top(tab: Tab, server: SiteServer) -> None:
    """Even if the browser is still scrolling to it: it is the current one in the list of headings."""
    url = f"{server.url}guide/publish-on-a-static-host/#caching"
    tab.page.goto(server.url)
    store_marks(tab, url, "Caching")
    tab.page.goto(url)
    tab.page.wait_for_function(f"{MARKS}.length > 0")
    tab.page.wait_for_function("document.getElementById('caching').getBoundingClientRect().top < 100")
    expect(tab.page.locator(".toc [aria-current]")).to_have_text("Caching")


def open_with_late_marks(tab: Tab, site: str) -> Callable[[], None]:
    """Open a page at its section "Caching", which has words to mark; return a function that lets the marks appear."""
    url = f"{site}guide/publish-on-a-static-host/#caching"
    tab.page.goto(site)
    store_marks(tab, url, "Caching")
    held: list[Route] = []
    tab.page.route(re.compile(r"/ui/box-features\.js"), lambda route: held.append(route))
    tab.page.goto(url)
    expect(tab.page.locator("ranvier-search .trigger")).to_be_visible()
    expect(tab.page.locator(".toc [aria-current]")).to_have_text("Caching")
    tab.page.wait_for_timeout(300)

    def show() -> None:
        held[0].continue_()
        tab.page.wait_for_function(f"{MARKS}.length > 0")
        tab.page.wait_for_timeout(300)

    return show


def test_place_of_a_reader_who_has_scrolled_is_kept(tab: Tab, server: SiteServer) -> None:
    """If the marks appear late, and the heading and the first mark are in view."""
    show_marks = open_with_late_marks(tab, server.url)
    tab.page.evaluate("scrollBy({ top: -150, behavior: 'instant' })")
    before = tab.page.evaluate("scrollY")
    show_marks()
    assert tab.page.evaluate("scrollY") == before


@pytest.mark.parametrize("action", ["wheel", "End"])
def test_reader_who_has_scrolled_away_is_not_moved(tab: Tab, server: SiteServer, action: str) -> None:
    """If the marks appear late; a result that is opened after that scrolls to its mark again."""
    show_marks = open_with_late_marks(tab, server.url)
    if action == "wheel":
        tab.page.mouse.move(600, 400)
        tab.page.mouse.wheel(0, -5000)
    else:
        tab.page.keyboard.press("End")
    expect(tab.page.locator("#caching")).not_to_be_in_viewport()
    tab.page.wait_for_timeout(500)  # a smooth scroll
    before = tab.page.evaluate("scrollY")
    show_marks()
    assert tab.page.evaluate("scrollY") == before
    search(tab, "strict content security policy")
    tab.page.locator("ranvier-search .option[href*='/publish-on-a-static-host/#content-security-policy']").first.click()
    expect(tab.page.locator("ranvier-search .unmark")).to_be_visible()
    expect(tab.page.locator("#content-security-policy")).to_be_in_viewport()


_FRAMES = "async (count) => { for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame); }"


def test_page_that_is_drawn_slowly_scrolls_to_the_section_of_a_result(tab: Tab, server: SiteServer) -> None:
    """A smooth scroll then stands still for longer than a timer."""
    tab.page.goto(f"{server.url}guide/publish-on-a-static-host/")
    search(tab, "strict content security policy")
    tab.page.keyboard.press("End")
    tab.page.add_style_tag(content="main * { filter: blur(2px) drop-shadow(0 0 30px red); will-change: transform; }")
    tab.page.evaluate(_FRAMES, 10)
    tab.page.locator("ranvier-search .option[href*='/publish-on-a-static-host/#content-security-policy']").first.click()
    expect(tab.page.locator("ranvier-search .unmark")).to_be_visible()
    tab.page.evaluate(_FRAMES, 40)
    expect(tab.page.locator("#content-security-policy")).to_be_in_viewport()


def open_with_block(tab: Tab, url: str, *blocks: str) -> None:
    """Open a page that has more blocks, and marks that a search has stored."""
    page = tab.page.request.get(url).text().replace("</article>", f"{''.join(blocks)}</article>")
    tab.page.route(url, lambda route: route.fulfill(body=page, content_type="text/html"))
    tab.page.goto(url)
    store_marks(tab, url, "zymurgy")
    tab.page.reload()


def test_block_that_hides_all_marks_is_opened(tab: Tab, server: SiteServer) -> None:
    """A block with other marks than those that are visible stays closed."""
    block = "<details><summary>More</summary><details><summary>{0}</summary><p>zymurgy {0}</p></details></details>"
    open_with_block(tab, server.url, *map(block.format, "ab"))
    expect(tab.page.get_by_text("zymurgy a")).to_be_in_viewport()
    expect(tab.page.locator("ranvier-search .unmark")).to_have_text("Remove 2 marks")
    expect(tab.page.get_by_text("zymurgy b")).not_to_be_visible()


BLOCK = "<details><summary>More</summary>zymurgy</details>"


def hold(tab: Tab, script: str) -> list[Route]:
    """Let the requests of a script wait."""
    held: list[Route] = []
    tab.page.route(re.compile(f"/ui/{script}"), lambda route: held.append(route))
    return held


def let_go(tab: Tab, held: list[Route]) -> None:
    while not held:
        tab.page.wait_for_timeout(50)
    held.pop().continue_()
    tab.page.wait_for_timeout(500)


def test_text_directly_in_a_closed_block_is_not_visible(tab: Tab, server: SiteServer) -> None:
    """It has a place in Chromium. Blocks of a group are tabs: only one is open."""
    tabs = ("<details name=g open><summary>Tab</summary>a</details>", "<details name=g><summary>Tab</summary>zymurgy</details>")
    open_with_block(tab, server.url, *tabs, BLOCK)
    expect(tab.page.locator("article details[open]", has_text="zymurgy")).to_be_in_viewport()
    assert tab.page.eval_on_selector_all("article details", "blocks => blocks.map(({ open }) => open)") == [False, True, False]


def test_summary_with_a_mark_is_visible_in_a_closed_block(tab: Tab, server: SiteServer) -> None:
    """Only the blocks that hide it are opened; a mark that nothing can show is skipped."""
    unseen = '<p style="display: none">zymurgy</p>'
    open_with_block(tab, server.url, unseen, "<details><summary>More</summary><details><summary>zymurgy</summary>")
    expect(tab.page.locator("article summary", has_text="zymurgy")).to_be_in_viewport()
    assert tab.page.eval_on_selector_all("article details", "blocks => blocks.map(({ open }) => open)") == [True, False]


@pytest.mark.parametrize("script", ["box-features.js", "page-marks.js"])
def test_dialog_that_opens_before_the_marks_removes_them(tab: Tab, server: SiteServer, script: str) -> None:
    """The page behind it keeps its place and its closed blocks, also when the dialog has its first answer."""
    held = hold(tab, script)
    open_with_block(tab, server.url, BLOCK)
    expect(tab.page.locator("ranvier-search .trigger")).to_be_visible()
    tab.page.keyboard.press("Control+k")
    let_go(tab, held)
    tab.query_field.fill("search")
    wait_for_answer(tab)
    tab.page.wait_for_timeout(300)
    assert tab.page.evaluate(MARKS) == []
    assert tab.page.evaluate("[scrollY, document.querySelector('article details').open]") == [0, False]
    assert tab.page.evaluate("sessionStorage.getItem('ranvier-marks')") is None


def test_result_of_this_page_that_is_opened_before_the_marks_load_has_marks(tab: Tab, server: SiteServer) -> None:
    held = hold(tab, "page-marks.js")
    tab.page.goto(f"{server.url}guide/publish-on-a-static-host/")
    search(tab, "strict content security policy")
    tab.page.locator("ranvier-search .option[href*='/publish-on-a-static-host/#content-security-policy']").first.click()
    let_go(tab, held)
    expect(tab.page.locator("ranvier-search .unmark")).to_be_visible()
    expect(tab.page.locator("#content-security-policy")).to_be_in_viewport()


def test_box_that_has_left_the_page_shows_no_marks(tab: Tab, server: SiteServer) -> None:
    """They are for the box that replaces it: without a box, nothing removes them."""
    held = hold(tab, "page-marks.js")
    open_with_block(tab, server.url, BLOCK)
    expect(tab.page.locator("ranvier-search .trigger")).to_be_visible()
    while not held:
        tab.page.wait_for_timeout(50)
    box = tab.page.evaluate_handle("document.querySelector('ranvier-search')")
    box.evaluate("box => { box.before(document.createComment('')); box.remove(); }")
    let_go(tab, held)
    assert tab.page.evaluate(MARKS) == []
    tab.page.evaluate("box => document.querySelector('header').append(box)", box)
    expect(tab.page.locator("ranvier-search .unmark")).to_be_visible()


@pytest.mark.parametrize("leaves", [False, True])
def test_boxes_of_a_page_share_the_marks_and_their_button(tab: Tab, server: SiteServer, leaves: bool) -> None:
    """A search in the second box removes both. The second box removes neither when it leaves the page."""
    tab.page.add_init_script("""addEventListener("DOMContentLoaded", () => {
      const box = document.querySelector("ranvier-search").cloneNode();
      box.id = "second";
      document.querySelector("header").append(box);
    }, true)""")
    open_with_block(tab, server.url, BLOCK)
    buttons = tab.page.locator("ranvier-search .unmark")
    expect(buttons).to_have_count(1)
    tab.page.wait_for_timeout(500)  # both boxes have looked at the page
    shown_by_second = tab.page.locator("#second .unmark").count() == 1
    other = "ranvier-search:not(#second)" if shown_by_second else "#second"
    tab.page.evaluate("([box, leaves]) => document.querySelector(box)[leaves ? 'remove' : 'open']()", [other, leaves])
    expect(buttons).to_have_count(1 if leaves else 0)
    assert tab.page.evaluate(MARKS) == (["zymurgy"] if leaves else [])


def test_words_are_kept_for_the_box_that_replaces_the_one_with_the_search(tab: Tab, server: SiteServer) -> None:
    """As a site's own router does; the words were lost if the next box came after the first look at the page."""
    tab.page.goto(server.url)
    tab.page.evaluate("""() => {
      const icon = document.querySelector("link[rel=icon]");
      icon.href = icon.href;  // a relative address would depend on the page's own address
      const box = document.querySelector("ranvier-search");
      const [place, nextBox] = [box.parentNode, box.cloneNode()];
      for (const name of ["base", "page"]) nextBox.setAttribute(name, new URL(box.getAttribute(name), location.href).href);
      box.addEventListener("ranvier-select", (event) => {
        event.preventDefault();
        setTimeout(() => {
          history.pushState({}, "", event.detail.url);
          box.remove();
          document.querySelector("main").innerHTML = "<p>The manifest is here.</p>";
          setTimeout(() => place.append(nextBox), 400);
        }, 50);
      });
    }""")
    search(tab, "manifest")
    tab.options.first.click()
    expect(tab.page.locator("ranvier-search .unmark")).to_have_text("Remove 1 mark")


def test_marked_words_may_contain_any_character(tab: Tab, server: SiteServer) -> None:
    """Such as the hyphen of `search-box`; an error would disable history and recent searches, too."""
    tab.page.goto(server.url)
    store_marks(tab, server.url, "static site", "no-such-word", r"a/b\c", "(C++)[^$|{}?.*]")
    tab.page.reload()
    expect(tab.page.locator("ranvier-search .unmark")).to_be_visible()
    assert set(tab.page.evaluate(MARKS)) == {"static site"}


def test_browser_without_highlights_shows_the_page(tab: Tab, server: SiteServer) -> None:
    tab.page.add_init_script("delete CSS.highlights")
    tab.page.goto(server.url)
    search(tab, "manifest digest")
    tab.options.first.click()
    tab.page.wait_for_timeout(500)
    assert tab.page.evaluate("'highlights' in CSS") is False
    expect(tab.page.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)


def follow(tab: Tab, query: str) -> None:
    search(tab, query)
    before = tab.page.url
    tab.options.first.click()
    tab.page.wait_for_function("(before) => location.href !== before", arg=before)
    tab.page.wait_for_load_state()  # the keys work as soon as the script has run


def test_recent_searches_can_be_repeated_pinned_and_deleted(tab: Tab, server: SiteServer) -> None:
    """By keyboard alone: arrows, Tab and Enter."""
    tab.page.goto(server.url)
    follow(tab, "manifest")
    follow(tab, "hot pack")
    tab.page.keyboard.press("Control+k")
    recent = tab.page.locator("ranvier-search .searches-link")
    expect(recent).to_have_text(["hot pack", "manifest"])
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    expect(recent.nth(1)).to_be_focused()
    tab.page.keyboard.press("Tab")
    expect(tab.page.get_by_role("button", name="Pin “manifest”")).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(recent).to_have_text(["manifest", "hot pack"])
    expect(tab.page.get_by_role("button", name="Pin “manifest”", pressed=True)).to_be_focused()
    tab.page.keyboard.press("Shift+Tab")
    tab.page.keyboard.press("Enter")
    expect(tab.query_field).to_have_value("manifest")
    expect(tab.query_field).to_be_focused()
    wait_for_answer(tab)
    tab.page.keyboard.press("Escape")
    wait_for_back(tab)
    tab.page.reload()
    tab.page.keyboard.press("Control+k")
    expect(recent).to_have_text(["manifest", "hot pack"])
    tab.page.get_by_role("button", name="Forget all searches").press("Enter")
    expect(recent).to_have_count(0)
    expect(tab.query_field).to_be_focused()
    assert tab.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ranvier-recent'))") == []


def test_recent_searches_can_be_switched_off(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.evaluate("document.querySelector('ranvier-search').setAttribute('recent', 'off')")
    follow(tab, "manifest")
    assert tab.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ranvier-recent'))") == []


def test_link_and_passages_can_be_copied(tab: Tab, server: SiteServer) -> None:
    """The passages are those of `retrieve`, with the addresses of their pages."""
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.goto(server.url)
    search(tab, "hot pack")
    tab.page.get_by_role("link", name="Copy link").click()
    expect(tab.page.get_by_role("link", name="Copied.")).to_be_visible()
    assert tab.page.evaluate("navigator.clipboard.readText()") == f"{server.url}search/?q=hot+pack"
    tab.page.get_by_role("button", name="Copy as context for an LLM").click()
    expect(tab.page.get_by_role("button", name="Copied.")).to_be_visible()
    text = tab.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("# hot pack\n\n## Neuron 1")
    assert f"\n## Sources\n\n1. Hot pack: {server.url}" in text
    assert len(text) < 12_000
