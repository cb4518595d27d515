"""B6: the search box by keyboard, on the built manual."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect
from support.browser import CHROMIUM, Tab, opened_tab
from support.sites import SiteServer

# What a browser reports when a keyboard appears, or when the reader zooms.
_SHOW_PART = """([height, scale]) => {
  for (const [name, value] of Object.entries({ height, scale })) {
    Object.defineProperty(visualViewport, name, { value, configurable: true });
  }
  visualViewport.dispatchEvent(new Event("resize"));
}"""


def test_typing_and_enter_lead_to_the_page(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("javascript api", delay=20)
    tab.wait_for_answer("javascript api")
    first = tab.options.first
    expect(first.locator("mark").first).to_be_visible()
    address = first.get_attribute("href") or ""
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(re.compile(re.escape(address.lstrip("./"))))
    assert "javascript-api" in tab.page.url


def test_keys_open_move_and_close_the_box(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.keyboard.press("/")
    expect(tab.query_field).to_be_focused()
    tab.query_field.fill("search")
    expect(tab.options.first).to_be_visible()
    active_row = lambda: tab.query_field.get_attribute("aria-activedescendant")  # noqa: E731
    tab.page.keyboard.press("ArrowDown")
    first = active_row()
    tab.page.keyboard.press("ArrowDown")
    assert first
    assert active_row() != first
    tab.page.keyboard.press("ArrowUp")
    assert active_row() == first
    tab.page.keyboard.press("Escape")
    expect(tab.query_field).not_to_be_visible()
    tab.page.keyboard.press("Control+k")
    expect(tab.query_field).to_be_visible()
    tab.page.keyboard.press("Control+k")
    expect(tab.query_field).not_to_be_visible()


def test_key_that_is_held_down_stays_with_the_box(tab: Tab, server: SiteServer) -> None:
    """After the first press, the browser's own search took the focus."""
    tab.page.goto(server.url)
    tab.page.evaluate("""() => {
      globalThis.presses = [];
      addEventListener("keydown", (event) => event.key === "k" && presses.push([event.repeat, event.defaultPrevented]));
    }""")
    tab.page.keyboard.down("Control")
    for _ in range(3):
        tab.page.keyboard.down("k")
    expect(tab.query_field).to_be_focused()
    assert tab.page.evaluate("presses") == [[False, True], [True, True], [True, True]]


def test_slash_that_is_held_down_does_not_type(tab: Tab, server: SiteServer) -> None:
    """B6: nor does it replace the query of before, which is selected; a slash that is typed into the box repeats."""
    tab.page.goto(server.url)
    for query in ("", "axon"):
        for _ in range(3):
            tab.page.keyboard.down("/")
        tab.page.keyboard.up("/")
        expect(tab.query_field).to_have_value(query)
        tab.query_field.fill("axon")
        tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Control+k")
    for _ in range(3):
        tab.page.keyboard.down("/")
    expect(tab.query_field).to_have_value("///")


def test_slash_at_once_after_escape_opens_the_box(tab: Tab, server: SiteServer) -> None:
    """B6: until the next frame, the field of the closed dialog has the focus."""
    tab.page.goto(server.url)
    tab.page.keyboard.press("/")
    expect(tab.query_field).to_be_focused()
    tab.query_field.evaluate("""(field) => {
      document.querySelector("ranvier-search").close();
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true, composed: true }));
    }""")
    expect(tab.query_field).to_be_focused()
    expect(tab.query_field).to_be_visible()
    expect(tab.query_field).to_have_value("")


def test_tap_beside_the_dialog_opens_no_link_below_it(chromium: Browser, server: SiteServer) -> None:
    """B6: the tap closes the dialog, and the browser looks for its target afterwards."""
    with opened_tab(chromium, viewport={"width": 1024, "height": 768}, has_touch=True) as tab:
        tab.page.goto(server.url)
        link = tab.page.locator(".menu a").first.bounding_box() or {}
        tab.page.get_by_role("button", name="Search").tap()
        expect(tab.query_field).to_be_focused()
        tab.page.touchscreen.tap(link["x"] + 20, link["y"] + 20)
        expect(tab.query_field).not_to_be_visible()
        tab.page.wait_for_timeout(300)
        assert tab.page.url == server.url


def test_page_behind_the_dialog_does_not_scroll(tab: Tab, server: SiteServer) -> None:
    """B6: a reader who closes the dialog is where the dialog was opened."""
    tab.page.goto(f"{server.url}reference/configuration/")
    tab.page.keyboard.press("/")
    expect(tab.query_field).to_be_focused()
    tab.page.mouse.move(10, 500)
    tab.page.mouse.wheel(0, 400)
    tab.page.wait_for_timeout(500)
    assert tab.page.evaluate("scrollY") == 0


@pytest.mark.parametrize(("path", "page_keys"), [("", []), ("search/", ["Escape", "Tab"])], ids=["dialog", "inline"])
def test_page_gets_no_key_events_of_the_box(tab: Tab, server: SiteServer, path: str, page_keys: list[str]) -> None:
    """B6: except with Ctrl; in a box that is part of the page also Escape and Tab, which may belong to a dialog around it."""
    tab.page.route("**/entry.json", lambda _: None)  # there is no row, which Enter would open
    tab.page.goto(f"{server.url}{path}")
    tab.page.keyboard.press("/")
    expect(tab.query_field).to_be_focused()
    tab.page.evaluate("""() => {
      globalThis.pageKeys = [];
      const record = ({ type, key }) => globalThis.pageKeys.push([type, key]);
      for (const type of ["keydown", "keypress", "keyup"]) addEventListener(type, record);
    }""")
    tab.page.keyboard.type("n/")
    for key in ("ArrowLeft", "Enter", "Control+b", "Tab", "Escape"):
        tab.page.keyboard.press(key)
    events = tab.page.evaluate("globalThis.pageKeys")
    assert [key for _, key in events if len(key) == 1] == ["b", "b"]
    # The dialog may be closed when Escape is released.
    assert {key for kind, key in events if kind == "keydown" and len(key) > 1} == {"Control", *page_keys}


def test_messages_of_queries(tab: Tab, server: SiteServer) -> None:
    """No results, also for a long query; missing words; an unknown filter."""
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    for query, message, has_rows in (
        ("xyzzyplugh", "No results for “xyzzyplugh”.", False),
        ("xyzzyplugh manifest digest inventory ", "No page has all of these words.", True),
        ("xyzzyplugh manifest ", "No page seems to be about this.", True),
        ("#include keyboard", "No page matches the filter #include, so it was searched as words.", True),
        ("xyzzyplugh" * 50, f"No results for “{'xyzzyplugh' * 8}…”.", False),
    ):
        tab.query_field.fill(query)
        expect(tab.page.get_by_text(message).first).to_be_visible()
        if has_rows:
            expect(tab.options.first).to_be_visible()
        else:
            expect(tab.options).to_have_count(0)


def test_corrected_spelling_is_announced_and_can_be_undone(tab: Tab, server: SiteServer) -> None:
    """With one click the query is searched as typed."""
    tab.page.goto(server.url)
    tab.search("browzer serch")
    notice = tab.page.locator("ranvier-search .notice")
    expect(notice).to_have_text("Showing results for “browser search”. Search instead for “browzer serch”")
    expect(tab.options.locator("mark").first).to_have_text(re.compile("search|browser", re.IGNORECASE))
    status = tab.page.locator("ranvier-search [role=status]")
    expect(status).to_have_text(
        re.compile(r"^Showing results for “browser search”\. (More than )?\d+ results for “browser search”")
    )
    tab.page.get_by_role("button", name="Search instead for “browzer serch”").click()
    expect(status).to_have_text("No results for “browzer serch”.")
    expect(tab.query_field).to_be_focused()
    expect(tab.query_field).to_have_value("browzer serch")
    tab.query_field.fill("manifset")  # the next query is corrected again
    expect(notice).to_have_text("Showing results for “manifest”. Search instead for “manifset”")


def test_exclusions_are_announced_and_can_be_undone(tab: Tab, server: SiteServer) -> None:
    """Q5: a hyphen before a word is not always an exclusion."""
    tab.page.goto(server.url)
    tab.search("search -browser")
    notice = tab.page.locator("ranvier-search .notice")
    expect(notice).to_contain_text("Pages with a word that has “-” before it are left out.")
    tab.page.get_by_role("button", name="Search instead for “search browser”").click()
    expect(tab.query_field).to_have_value("search browser")
    expect(tab.page.locator("ranvier-search [role=status]")).to_contain_text("results for “search browser”")
    expect(notice).to_be_hidden()


def test_undo_link_is_reachable_by_keyboard(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.search("pyodyde")
    expect(tab.page.get_by_role("button", name="Search instead for")).to_be_visible()
    expect(tab.page.get_by_role("button", name="Query syntax and keys")).to_be_visible()
    for _ in ("filters", "help", "close", "instead"):
        tab.page.keyboard.press("Tab")
    expect(tab.page.get_by_role("button", name="Search instead for")).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_text("No results for “pyodyde”.").first).to_be_visible()
    expect(tab.query_field).to_be_focused()


def test_box_passes_the_language_of_the_page(tab: Tab, server: SiteServer) -> None:
    tab.page.add_init_script("delete globalThis.SharedWorker")  # the page's own worker gets the message through `postMessage`
    tab.page.goto(server.url)
    tab.page.evaluate("""() => {
      const send = Worker.prototype.postMessage;
      globalThis.sent = [];
      Worker.prototype.postMessage = function (message) { globalThis.sent.push(message); return send.call(this, message); };
      document.documentElement.lang = "de-AT";
    }""")
    tab.search("manifest")
    expect(tab.snippet).to_be_visible()
    requests = tab.page.evaluate(
        "globalThis.sent.filter(({ kind }) => kind === 'request').map(({ request }) => JSON.parse(request))"
    )
    options = {"prefix": True, "typing": True, "exact": False, "page_lang": "de-AT"}
    assert requests == [{"query": "manifest", "limit": 8, "offset": 0, **options}]


def test_search_page_keeps_its_query_in_the_address(tab: Tab, server: SiteServer) -> None:
    """`?q=` is read at the start and kept up to date."""
    tab.page.goto(f"{server.url}search/?q=manifest")
    expect(tab.options.first).to_be_visible()
    expect(tab.query_field).to_have_value("manifest")
    tab.query_field.fill("hot pack")
    expect(tab.options.first.locator("mark").first).to_be_visible()
    tab.page.wait_for_url(re.compile(r"\?q=hot(\+|%20)pack"))


def test_every_page_has_the_search_box(tab: Tab, server: SiteServer, example_site: Path) -> None:
    """Also the 404 page, at any depth."""
    for file in sorted(example_site.rglob("*.html")):
        assert "<ranvier-search" in file.read_text("utf-8"), file
    tab.expected.append("404")  # Chromium reports the missing page itself
    tab.page.goto(f"{server.url}no/such/page/")
    tab.search("manifest")
    expect(tab.options.first).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)], ids=["upright", "turned"])
def test_dialog_on_a_phone_has_space_for_results(chromium: Browser, server: SiteServer, width: int, height: int) -> None:
    """B6: the actions are in one row, and open filters leave a result visible."""
    with opened_tab(chromium, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True) as tab:
        tab.page.goto(server.url)
        tab.search("cache")
        tab.page.get_by_role("button", name="Copy as context for an LLM").wait_for()
        tab.page.get_by_role("button", name="Filters").click()
        expect(tab.page.get_by_label("Order")).to_be_visible()
        expect(tab.page.locator("ranvier-search .boot")).to_be_hidden()
        sizes = {name: tab.page.locator(f"ranvier-search {name}").bounding_box() or {} for name in ("dialog", ".body", ".foot")}
        assert (sizes["dialog"]["width"], sizes["dialog"]["height"]) == (width, height)
        assert sizes[".foot"]["height"] < 50
        shadows = tab.page.locator("ranvier-search .foot").evaluate("foot => getComputedStyle(foot).backgroundAttachment")
        assert shadows == "local, scroll", "actions out of sight leave a shadow"
        colours = "foot => [getComputedStyle(foot)].map(({ color, backgroundImage }) => [color, backgroundImage])[0]"
        text, background = tab.page.locator("ranvier-search .foot").evaluate(colours)
        assert text not in background, "a link that passes over the shadow can be read"
        assert sizes[".body"]["height"] > height / 3
        expect(tab.options.first).to_be_in_viewport()


@pytest.mark.parametrize("path", ["", "search/"], ids=["dialog", "page"])
def test_query_is_visible_if_the_font_is_twice_as_large(playwright: Playwright, server: SiteServer, path: str) -> None:
    """B6: the buttons beside the field took its whole row."""
    arguments = ["--no-sandbox", "--blink-settings=defaultFontSize=32"]
    with (
        playwright.chromium.launch(executable_path=CHROMIUM, args=arguments) as browser,
        opened_tab(browser, viewport={"width": 360, "height": 640}) as tab,
    ):
        tab.page.goto(server.url + path)
        tab.search("cache")
        help_button = tab.page.get_by_role("button", name="Query syntax and keys")
        help_button.wait_for()
        assert (tab.query_field.bounding_box() or {})["width"] > 150
        expect(help_button).to_be_in_viewport(ratio=1)
        assert tab.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize(("width", "height", "bottom"), [(360, 740, 740), (1024, 768, 677)], ids=["phone", "tablet"])
def test_keyboard_on_the_screen_covers_no_result(
    chromium: Browser, server: SiteServer, width: int, height: int, bottom: int
) -> None:
    """B6: it covers a part of the window, whose size stays; a page that is zoomed in is no keyboard."""
    with opened_tab(chromium, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True) as tab:
        tab.page.goto(server.url)
        tab.search("cache")
        tab.wait_for_answer("cache")
        tab.page.wait_for_function(
            "document.querySelector('ranvier-search').shadowRoot.querySelector('.panel').style.length > 0"
        )
        for shown, scale, space in ((400, 1, 400), (height / 2, 2, bottom)):
            tab.page.evaluate(_SHOW_PART, [shown, scale])
            foot = tab.page.locator("ranvier-search .foot").bounding_box() or {}
            assert space - 10 < foot["y"] + foot["height"] <= space
