"""A7: after the lock, nothing of a private page is in any box, in the page, or in a page that the browser has kept."""

import contextlib

import pytest
from e2e.test_layers_box import (
    ADD_SECOND_BOX,
    BOX,
    TIMEOUT,
    open_dialog,
    open_quagga,
    search,
    search_quagga,
    unlock,
    unlock_and_wait,
)
from playwright.sync_api import Error, Page, Playwright, Route, expect
from support.browser import CHROMIUM, Tab
from support.layered import ANNA
from support.sites import SiteServer

pytestmark = pytest.mark.timeout(500)  # the fixture makes four builds
SECOND = f"{BOX}#second"
# All texts of the page and of its boxes, hidden ones too.
_ALL_TEXT = """() => {
  const textOf = (root) => [root.textContent, ...[...root.querySelectorAll("*")].flatMap(attributesOf)];
  const attributesOf = ({ attributes }) => [...attributes].map(({ value }) => value);
  const boxes = [...document.querySelectorAll("ranvier-search")];
  return [document.body, ...boxes.map(({ shadowRoot }) => shadowRoot)].flatMap(textOf).join(" ");
}"""


@pytest.fixture
def two_boxes(box_page: Page) -> Page:
    """The dialog has unlocked, and the second box lists a private page."""
    unlock_and_wait(box_page)
    box_page.keyboard.press("Escape")
    box_page.evaluate(ADD_SECOND_BOX)
    box_page.locator(f"{SECOND} input[role=combobox]").fill("quagga plans")
    expect(box_page.locator(f"{SECOND} .option.page", has_text="Quagga plans").first).to_be_visible(timeout=TIMEOUT)
    return box_page


def lock(page: Page) -> None:
    page.locator(f"{BOX} button.unlock", has_text="Lock").first.click()
    expect(page.locator(f"{BOX} button.unlock").first).to_have_text("Unlock private pages", timeout=TIMEOUT)


def test_lock_in_one_box_empties_the_other(two_boxes: Page) -> None:
    two_boxes.evaluate("document.querySelector('ranvier-search').open()")
    two_boxes.locator(f"{BOX} dialog button.unlock", has_text="Lock").click()
    expect(two_boxes.locator(f"{SECOND} .option")).to_have_count(0, timeout=TIMEOUT)
    assert "uagga" not in two_boxes.evaluate(_ALL_TEXT)


def test_unlock_in_one_box_closes_the_form_of_the_other(box_page: Page) -> None:
    """A second passphrase would replace the open layer, and its lock would leave a private page open."""
    box_page.keyboard.press("Escape")
    box_page.evaluate(ADD_SECOND_BOX)
    box_page.locator(f"{SECOND} input[role=combobox]").focus()
    box_page.locator(f"{SECOND} button.unlock").click()
    passphrase = box_page.locator(f"{SECOND} input[type=password]")
    passphrase.fill(ANNA)
    box_page.evaluate("document.querySelector('ranvier-search').open()")
    box_page.locator(f"{BOX} dialog button.unlock").click()
    box_page.locator(f"{BOX} dialog input[type=password]").fill(ANNA)
    box_page.keyboard.press("Enter")
    expect(box_page.locator(f"{BOX} dialog button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    expect(box_page.locator(f"{BOX} dialog input[role=combobox]")).to_be_focused()
    expect(passphrase).not_to_be_visible()
    expect(passphrase).to_have_value("")


def test_second_box_shows_a_private_page_in_place_and_locks(two_boxes: Page, layer_host: SiteServer) -> None:
    two_boxes.locator(f"{SECOND} .option.page", has_text="Quagga plans").first.click()
    expect(two_boxes.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)
    assert "#private" not in two_boxes.url
    button = two_boxes.locator(f"{SECOND} button.unlock")
    expect(button).to_have_text("Lock", timeout=TIMEOUT)
    button.click()
    expect(two_boxes.locator(".ranvier-private")).to_have_count(0, timeout=TIMEOUT)


@pytest.mark.parametrize("empty", [False, True])
def test_lock_removes_the_filters_of_private_pages(box_page: Page, empty: bool) -> None:
    """Also from the filters of an empty field."""
    unlock_and_wait(box_page)
    search(box_page, "format or plans")
    expect(box_page.locator(f"{BOX} .option.page", has_text="curator").first).to_be_visible(timeout=TIMEOUT)
    expect(box_page.get_by_role("button", name="Filters")).to_be_visible(timeout=TIMEOUT)
    if empty:
        search(box_page, "")
    box_page.get_by_role("button", name="Filters").click()
    drawer = box_page.locator(f"{BOX} .drawer")
    expect(drawer).to_contain_text("curator", ignore_case=True, timeout=TIMEOUT)
    lock(box_page)
    if not empty:
        expect(drawer.locator(".facet").first).to_be_visible(timeout=TIMEOUT)
    expect(drawer).not_to_contain_text("curator", ignore_case=True, timeout=TIMEOUT)


def test_private_page_that_fails_after_the_lock_is_not_named(tab: Tab, box_page: Page) -> None:
    tab.expected.append("ERR_FAILED")
    unlock_and_wait(box_page)
    row = search_quagga(box_page)
    held: list[Route] = []
    locked = []
    box_page.route("**/layers/**", lambda route: route.abort() if locked else held.append(route))
    row.click()
    expect(box_page.locator(f"{BOX} dialog")).not_to_be_visible(timeout=TIMEOUT)
    while not held:
        box_page.wait_for_timeout(50)
    box_page.keyboard.press("Control+k")
    lock(box_page)
    locked.append(True)  # the second attempt fails too
    held[0].abort()
    box_page.wait_for_timeout(1000)
    assert "uagga" not in box_page.evaluate(_ALL_TEXT)


def test_box_that_leaves_the_page_while_it_unlocks_leaves_no_key(box_page: Page) -> None:
    box_page.evaluate("""() => {
      const derive = crypto.subtle.deriveBits.bind(crypto.subtle);
      const released = new Promise((resolve) => (globalThis.release = resolve));
      crypto.subtle.deriveBits = async (...parts) => {
        globalThis.isWaiting = true;
        await released;
        return derive(...parts);
      };
    }""")
    unlock(box_page)
    while not box_page.evaluate("Boolean(globalThis.isWaiting)"):
        box_page.wait_for_timeout(50)
    box_page.evaluate("""() => {
      const box = document.querySelector("ranvier-search");
      box.replaceWith(box.cloneNode());
    }""")
    box_page.evaluate("release()")
    box_page.wait_for_timeout(2000)
    box_page.keyboard.press("Control+k")
    search(box_page, "quagga plans")
    expect(box_page.locator(f"{BOX} .message")).to_contain_text("No results", timeout=TIMEOUT)


def test_kept_key_opens_the_layer_in_a_box_that_replaces_the_first(box_page: Page) -> None:
    """A site's own router may replace the box with each page."""
    unlock(box_page, keep=True)
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    box_page.evaluate("() => { const box = document.querySelector('ranvier-search'); box.replaceWith(box.cloneNode()); }")
    box_page.keyboard.press("Control+k")
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    open_quagga(box_page)
    box_page.keyboard.press("Control+k")
    lock(box_page)
    expect(box_page.locator(".ranvier-private")).to_have_count(0, timeout=TIMEOUT)


def _is_restored(page: Page, left: str) -> bool:
    """Return whether the page that the history leads to, away from the page `left`, comes from the browser's cache.

    `wait_for_function` fails if the document changes while it waits.
    """
    for _ in range(150):
        with contextlib.suppress(Error):
            address, is_persisted = page.evaluate("[location.href, globalThis.persisted]")
            if address != left and is_persisted is not None:
                return bool(is_persisted)
        page.wait_for_timeout(100)
    return False


def _go_back_after_lock(page: Page, host: str) -> bool:
    """Leave a private page, lock the layer elsewhere and go back; return whether the page was in the browser's cache."""
    page.add_init_script("addEventListener('pageshow', (e) => { globalThis.persisted = e.persisted })")
    open_dialog(page, host)
    unlock(page, ANNA, keep=True)
    expect(page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    open_quagga(page)
    page.wait_for_timeout(1000)  # a page with open requests is not kept
    page.goto(f"{host}format/")
    page.keyboard.press("Control+k")
    expect(page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    lock(page)
    page.wait_for_timeout(500)
    left = page.url
    page.evaluate("history.go(-2)")
    return _is_restored(page, left)


def test_page_of_the_history_is_locked(playwright: Playwright, layer_host: SiteServer) -> None:
    """A busy browser may not keep a page: then it is tried again."""
    default = ["--disable-back-forward-cache"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], ignore_default_args=default)
    try:
        pages = (browser.new_page() for _ in range(3))
        page = next((page for page in pages if _go_back_after_lock(page, layer_host.url)), None)
        assert page is not None, "the browser kept no page"
        page.wait_for_timeout(1000)
        assert "uagga" not in page.evaluate(_ALL_TEXT)
    finally:
        browser.close()
