"""A7: unlocking in the search box, and private pages that are shown in place."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import Browser, Locator, Page, expect
from support.browser import Tab, opened_tab
from support.layered import ANNA, LayeredManual
from support.sites import SiteServer, serving

pytestmark = pytest.mark.timeout(500)  # the fixture makes four builds
BOX = "ranvier-search"
# The number of locks in a row; each is a pseudo-element of a line.
LOCKS = (
    "row => [...row.querySelectorAll('.crumbs')].filter((line) => getComputedStyle(line, '::before').width === '12px').length"
)
ADD_SECOND_BOX = """() => {
  const box = document.querySelector("ranvier-search").cloneNode();
  box.id = "second";
  box.setAttribute("inline", "");
  document.querySelector("header, body").append(box);
}"""
TIMEOUT = 60_000  # ms: the start of an engine on a busy machine
# A private page needs two more permissions: the addresses of its decrypted pictures, and a policy of trusted types.
LAYER_POLICY = POLICY.replace("img-src 'self'", "img-src 'self' blob:") + "; trusted-types ranvier ranvier-layers"


def open_dialog(page: Page, url: str) -> Page:
    """Open the home page and its dialog, and wait for the button to unlock."""
    page.goto(url)
    page.keyboard.press("Control+k")
    expect(page.locator(f"{BOX} button.unlock")).to_have_text("Unlock private pages", timeout=TIMEOUT)
    return page


def unlock(page: Page, passphrase: str = ANNA, *, keep: bool = False) -> None:
    page.locator(f"{BOX} button.unlock").click()
    page.get_by_label("Passphrase").fill(passphrase, timeout=TIMEOUT)
    if keep:
        page.get_by_label("Stay unlocked").check()
    page.keyboard.press("Enter")


def unlock_and_wait(page: Page) -> None:
    unlock(page)
    expect(page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)


def search(page: Page, query: str) -> None:
    page.locator(f"{BOX} input[role=combobox]").fill(query)


def search_quagga(page: Page) -> Locator:
    search(page, "quagga plans")
    row = page.locator(f"{BOX} .option.page", has_text="curator").filter(has_text="Quagga plans").first
    expect(row).to_be_visible(timeout=TIMEOUT)
    return row


def quagga_with_lock(page: Page) -> Locator:
    """Return the row of a private page when it has a lock: a list that is shown again replaces its rows once more."""
    row = search_quagga(page)
    for _ in range(50):
        if row.evaluate(LOCKS) == 1:
            return row
        page.wait_for_timeout(100)
    raise AssertionError("the row has no lock, or several")


def open_quagga(page: Page) -> None:
    quagga_with_lock(page).click()
    expect(page.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)


def test_locked_box_has_only_a_button(box_page: Page) -> None:
    """A7: no hit, no suggestion."""
    search(box_page, "quagga")
    expect(box_page.locator(f"{BOX} .message")).to_contain_text("No results", timeout=TIMEOUT)


def test_wrong_passphrase_shows_an_error(box_page: Page) -> None:
    unlock(box_page, "not the passphrase")
    expect(box_page.locator(f"{BOX} [role=alert]")).to_have_text(
        "No private pages open with this passphrase. ", timeout=TIMEOUT
    )
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Unlock private pages", timeout=TIMEOUT)


def test_unlock_read_and_lock(box_page: Page, layer_host: SiteServer) -> None:
    """A7: rows name the audience; the page, its picture and its links are shown in place; the address never changes."""
    before, contents = box_page.url, box_page.locator("details.toc")
    expect(contents).to_be_visible()
    unlock_and_wait(box_page)
    open_quagga(box_page)
    expect(box_page.locator(f"{BOX} dialog")).not_to_be_visible(timeout=TIMEOUT)
    expect(contents).to_be_hidden()
    picture = box_page.locator(".ranvier-private img")
    expect(picture).to_have_attribute("src", re.compile("^blob:"), timeout=TIMEOUT)
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    links = box_page.locator(".ranvier-private article a[href]")
    hrefs = links.evaluate_all("(links) => links.map(({ href }) => href)")
    assert not [href for href in hrefs if "quagga" in href or "thornmere" in href]
    box_page.locator(".ranvier-private article a", has_text="the notes").click()
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Plans for later versions", timeout=TIMEOUT)
    box_page.go_back()
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)
    assert box_page.url == before
    assert "uagga" not in box_page.evaluate(
        "JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }, document.title])"
    )
    box_page.keyboard.press("Control+k")
    box_page.locator(f"{BOX} button.unlock", has_text="Lock").click()
    expect(box_page.locator(".ranvier-private")).to_have_count(0, timeout=TIMEOUT)
    expect(box_page.locator("main h1")).to_have_text("Ranvier", timeout=TIMEOUT)
    expect(contents).to_be_visible()
    search(box_page, "quagga")
    expect(box_page.locator(f"{BOX} .message")).to_contain_text("No results", timeout=TIMEOUT)
    assert not [path for path in layer_host.recorder.paths if "uagga" in path or "thornmere" in path]


def test_private_page_opens_from_the_search_page(tab: Tab, layer_host: SiteServer) -> None:
    """Its box is in the place where the private page is shown, and stays unlocked."""
    page = tab.page
    page.goto(f"{layer_host.url}search/?q=quagga+plans")
    unlock_and_wait(page)
    page.evaluate("""() => {
      const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      document.querySelector("main").append("The text of the public page.", picture);
    }""")
    open_quagga(page)
    expect(page.locator(f"{BOX} input[role=combobox]")).not_to_be_visible()
    expect(page.locator("main")).not_to_contain_text("The text of the public page.")
    expect(page.locator("main > svg")).not_to_be_visible()
    page.get_by_role("button", name="Back to the public page").click()
    expect(page.locator(".ranvier-private")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("The text of the public page.")
    expect(page.locator("main > svg")).to_be_visible()
    quagga_with_lock(page)


@pytest.mark.parametrize("way", ["Control+Enter", "click", "middle"])
def test_private_page_opens_in_its_tab_only(box_page: Page, way: str) -> None:
    """Its link has a meaning there alone: a new tab would show the home page."""
    unlock_and_wait(box_page)
    row = search_quagga(box_page)
    if way == "click":
        row.click(modifiers=["Control"])
    elif way == "middle":
        row.click(button="middle")
    else:
        row.hover()
        box_page.keyboard.press(way)
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)
    expect(box_page.locator(f"{BOX} dialog")).not_to_be_visible(timeout=TIMEOUT)
    box_page.locator(".ranvier-private article a", has_text="the notes").click(button="middle")
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Plans for later versions", timeout=TIMEOUT)
    assert len(box_page.context.pages) == 1


def test_key_is_kept_for_the_tab_only_on_request(tab: Tab, box_page: Page) -> None:
    unlock(box_page, keep=True)
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    box_page.reload()  # the history reopens the dialog
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Lock", timeout=TIMEOUT)
    box_page.locator(f"{BOX} button.unlock").click()
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Unlock private pages", timeout=TIMEOUT)
    box_page.reload()
    expect(box_page.locator(f"{BOX} button.unlock")).to_have_text("Unlock private pages", timeout=TIMEOUT)


def test_recent_searches_are_not_kept_while_unlocked(box_page: Page) -> None:
    unlock_and_wait(box_page)
    open_quagga(box_page)
    assert box_page.evaluate("JSON.stringify({ ...localStorage })").find("quagga") == -1


def test_second_box_keeps_no_recent_searches_while_the_first_is_unlocked(box_page: Page) -> None:
    """They share the engine, and so the layer."""
    unlock_and_wait(box_page)
    box_page.keyboard.press("Escape")
    box_page.evaluate(ADD_SECOND_BOX)
    box_page.locator("#second input[role=combobox]").fill("quagga plans")
    row = box_page.locator("#second .option.page", has_text="Quagga plans").first
    row.click(timeout=TIMEOUT)
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)
    assert "quagga" not in box_page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")


@pytest.fixture
def hidden_layers_site(layered_manual: LayeredManual, tmp_path: Path) -> Path:
    """The site with a hidden name, as the setting `unlock` writes it."""
    site = Path(shutil.copytree(layered_manual.site, tmp_path / "site"))
    base = site / "_ranvier"
    (base / "layers/locked.json").rename(base / "layers/moon-7.json")
    entry = json.loads((base / "entry.json").read_bytes())
    del entry["locked"]
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")
    return site


def test_hidden_layers_have_a_button_only_at_their_address(chromium: Browser, hidden_layers_site: Path) -> None:
    """A7: `#unlock=NAME`."""
    with serving(hidden_layers_site) as server, opened_tab(chromium) as tab:
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        expect(tab.page.locator(f"{BOX} .searches, {BOX} .sections").first).to_be_visible(timeout=TIMEOUT)
        expect(tab.page.locator(f"{BOX} button.unlock")).to_have_count(0, timeout=TIMEOUT)
        tab.page.goto(f"{server.url}#unlock=moon-7")
        tab.page.reload()
        tab.page.keyboard.press("Control+k")
        unlock_and_wait(tab.page)


@pytest.fixture
def opened_without_policy(tab: Tab, layered_manual: LayeredManual) -> Iterator[Page]:
    with serving(layered_manual.site) as server:
        yield open_dialog(tab.page, server.url)


def test_script_of_a_private_page_does_not_run(opened_without_policy: Page) -> None:
    """A7: even if the layer's build trusts the HTML of its authors, and the host sends no policy."""
    box_page = opened_without_policy
    unlock_and_wait(box_page)
    html = (
        '<main><article><h1>Quagga plans</h1><script>document.title = "ran"</script>'
        '<img src="x" onerror="document.title = 1">'
        '<a href="javascript:document.title=1">js</a><iframe srcdoc="<p>x"></iframe></article></main>'
    )
    box_page.evaluate(
        """([html]) => {
          const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
          crypto.subtle.decrypt = async (...parts) => {
            const plain = new Uint8Array(await decrypt(...parts));
            const text = new TextEncoder().encode(html);
            const page = new Uint8Array(5 + text.length);
            new DataView(page.buffer).setUint32(1, text.length);
            page.set(text, 5);
            return plain.length > 0 && globalThis.replaces ? page.buffer : plain.buffer;
          };
        }""",
        [html],
    )
    search(box_page, "quagga plans")
    row = box_page.locator(f"{BOX} .option.page", has_text="curator").first
    expect(row).to_be_visible(timeout=TIMEOUT)
    box_page.evaluate("globalThis.replaces = true")
    row.click()
    expect(box_page.locator(".ranvier-private h1")).to_have_text("Quagga plans", timeout=TIMEOUT)
    assert box_page.locator(".ranvier-private img").get_attribute("src") is None  # the public site has no such file
    assert box_page.locator(".ranvier-private").locator("script, iframe, [onerror], [href^=javascript]").count() == 0
    assert box_page.title() == "Ranvier"
