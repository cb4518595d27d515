"""The search of sites that MkDocs and Sphinx built, with our plugins, in a browser (G1, B6)."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page, expect
from support.browser import Tab, opened_tab
from support.content import write_tree
from support.generators import PAGES, THEMES, mkdocs_site, sphinx_site
from support.sites import SiteServer, serving

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the generators and their themes

UNDER = "/docs/"
MATERIAL = {
    **THEMES["material"],
    "features": ["navigation.instant"],
    "palette": [
        {"scheme": "default", "toggle": {"icon": "material/weather-night", "name": "To dark mode"}},
        {"scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "To light mode"}},
    ],
}


@pytest.fixture(scope="module")
def site_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build the site of a theme by its generator, once."""

    @cache
    def build(theme: str) -> Path:
        folder = tmp_path_factory.mktemp(theme)
        if theme in THEMES:
            return mkdocs_site(folder, {"theme": MATERIAL if theme == "material" else THEMES[theme]})
        return sphinx_site(folder, f"html_theme = {theme!r}")

    return build


@pytest.fixture
def server(site_of: Callable[[str], Path], request: pytest.FixtureRequest) -> Iterator[SiteServer]:
    """The site of the theme in the test's parameter, below a path."""
    with serving(site_of(request.param), under=UNDER) as server:
        yield server


def visit(tab: Tab, server: SiteServer, path: str = "") -> Page:
    tab.page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    tab.expected += ["[PST]", "invalid theme mode"]  # the pydata theme writes to the console
    tab.page.goto(server.url + path)
    tab.page.wait_for_function("!!customElements.get('ranvier-search')")
    return tab.page


def dialog(page: Page) -> Locator:
    return page.locator("ranvier-search dialog[open]")


def field(page: Page) -> Locator:
    return page.locator("ranvier-search input[role=combobox]")


OPENERS = {
    "material": "ranvier-search button.trigger",
    "mkdocs": ".nav-link:has(.fa-search)",
    "readthedocs": "#rtd-search-form input[name=q]",
    "furo": "input.sidebar-search",
    "pydata_sphinx_theme": "button.search-button__button >> visible=true",
    "sphinx_rtd_theme": "#rtd-search-form input[name=q]",
    "alabaster": "#searchbox input[name=q]",
}


@pytest.mark.parametrize(("server", "opener"), OPENERS.items(), indirect=["server"], ids=list(OPENERS))
def test_search_of_the_theme_opens_the_box(tab: Tab, server: SiteServer, opener: str) -> None:
    """By a click, and by the keys of the box."""
    page = visit(tab, server)
    page.locator(opener).first.click()
    expect(field(page)).to_be_focused()
    page.wait_for_function("history.state?.ranvier")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.wait_for_function("!history.state?.ranvier")
    for key in ("/", "Control+k"):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        expect(field(page)).to_be_focused()
        expect(field(page)).to_have_value("")
        page.wait_for_function("history.state?.ranvier")
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)
        page.wait_for_function("!history.state?.ranvier")


@pytest.mark.parametrize("server", ["furo", "readthedocs"], indirect=True)
def test_text_typed_into_the_field_of_a_theme_goes_to_the_box(tab: Tab, server: SiteServer) -> None:
    page = visit(tab, server)
    opener = page.locator(f"{OPENERS['furo']}, {OPENERS['readthedocs']}")
    opener.focus()
    expect(opener).to_be_focused()
    expect(dialog(page)).to_have_count(0)
    page.keyboard.type("ke")
    expect(field(page)).to_have_value("ke")


@pytest.mark.parametrize("server", ["mkdocs"], indirect=True)
def test_keys_of_a_theme_do_not_act_on_text_in_the_box(tab: Tab, server: SiteServer) -> None:
    """In the theme `mkdocs`, N and P are the next and the previous page."""
    page = visit(tab, server, "knots/")
    page.keyboard.press("s")  # the theme's key for its search
    expect(field(page)).to_be_focused()
    page.keyboard.type("np")
    expect(field(page)).to_have_value("np")
    assert page.url == f"{server.url}knots/"
    page.wait_for_function("history.state?.ranvier")
    page.keyboard.press("Escape")
    page.wait_for_function("!history.state?.ranvier")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"/docs/boats/ketch/$"))


@pytest.mark.parametrize("server", ["mkdocs"], indirect=True)
def test_slash_opens_the_box_without_the_help_of_the_theme(tab: Tab, server: SiteServer) -> None:
    """The theme `mkdocs` takes the key for a question mark."""
    page = visit(tab, server)
    help_of_theme = page.locator("#mkdocs_keyboard_modal")
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    expect(help_of_theme).to_be_hidden()
    page.wait_for_function("history.state?.ranvier")
    page.keyboard.press("Escape")
    page.wait_for_function("!history.state?.ranvier")
    page.keyboard.press("Shift+?")
    expect(help_of_theme).to_be_visible()


def follow(page: Page, query: str, end: str) -> None:
    """Search, and open the result whose address has this end."""
    page.keyboard.press("Control+k")
    page.keyboard.type(query, delay=20)
    page.locator(f'ranvier-search [role=option][href$="{end}"]').first.click()


@pytest.mark.parametrize("server", ["material"], indirect=True)
def test_results_navigate_within_the_page_of_material(tab: Tab, server: SiteServer, site_of: Callable[[str], Path]) -> None:
    """Instant navigation: the document stays. Back leads to the page before, and to the search."""
    # Material's router follows the addresses in the sitemap. It adapts their host to the page's, but not their port.
    origin = server.url.removesuffix(UNDER)
    sitemap = site_of("material").joinpath("sitemap.xml").read_text().replace("https://example.org", origin)
    tab.page.route("**/sitemap.xml", lambda route: route.fulfill(body=sitemap, content_type="text/xml"))
    page = visit(tab, server, "boats/ketch/")
    page.evaluate("globalThis.stays = true")
    follow(page, "bowline jams", "#the-bowline")
    page.wait_for_url(re.compile(r"/docs/knots/#the-bowline$"))
    expect(page.locator("article h1")).to_contain_text("Knots")
    assert page.evaluate("globalThis.stays") is True
    expect(dialog(page)).to_have_count(0)
    page.go_back()
    page.wait_for_url(re.compile(r"/docs/boats/ketch/$"))
    expect(page.locator("article h1")).to_contain_text("Ketch")
    expect(dialog(page)).to_have_count(1)
    expect(field(page)).to_have_value("bowline jams")


@pytest.mark.parametrize("server", ["material"], indirect=True)
def test_box_follows_the_palette_of_material(tab: Tab, server: SiteServer) -> None:
    page = visit(tab, server)
    box = page.locator("ranvier-search")
    assert background(box) == "rgb(255, 255, 255)"
    page.locator("label[title='To dark mode']").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.wait_for_function("getComputedStyle(document.querySelector('ranvier-search')).colorScheme === 'dark'")
    assert background(box) == page.evaluate("getComputedStyle(document.body).backgroundColor")


def background(box: Locator) -> str:
    return str(box.evaluate("(box) => getComputedStyle(box.shadowRoot.querySelector('dialog')).backgroundColor"))


@pytest.mark.parametrize("server", ["furo"], indirect=True)
def test_box_follows_the_switch_of_furo(tab: Tab, server: SiteServer) -> None:
    page = visit(tab, server)
    page.evaluate("document.body.dataset.theme = 'dark'")
    page.wait_for_function("getComputedStyle(document.querySelector('ranvier-search')).colorScheme === 'dark'")
    assert background(page.locator("ranvier-search")) == page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("server", ["material"], indirect=True)
def test_magnifier_opens_the_box_on_a_phone(chromium: Browser, server: SiteServer) -> None:
    """A single one, 44 pixels wide and high."""
    with opened_tab(chromium, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as tab:
        page = visit(tab, server)
        expect(page.locator("label[for=__search]")).to_be_hidden()
        trigger = page.get_by_role("button", name="Search")
        box = trigger.bounding_box()
        assert box is not None
        assert (round(box["width"]), round(box["height"])) == (44, 44)
        trigger.tap()
        expect(field(page)).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("server", ["furo"], indirect=True)
def test_results_lead_to_the_sections_of_sphinx(tab: Tab, server: SiteServer) -> None:
    page = visit(tab, server, "boats/ketch.html")
    follow(page, "bowline jams", "#the-bowline")
    page.wait_for_url(re.compile(r"/docs/knots\.html#the-bowline$"))


@pytest.mark.parametrize("server", ["furo", "alabaster"], indirect=True)
def test_search_page_of_sphinx_still_searches(tab: Tab, server: SiteServer) -> None:
    page = visit(tab, server, "search.html?q=masts")
    expect(page.locator("#search-results a").first).to_have_text("Ketch")


def test_preview_of_mkdocs_is_indexed_after_each_change(tmp_path: Path) -> None:
    """Also after an error, which does not end the server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    write_tree(tmp_path / "docs", dict(PAGES))
    write_tree(tmp_path, {"ranvier.toml": "", "mkdocs.yml": yaml.safe_dump({"site_name": "x", "plugins": ["ranvier"]})})
    command = [sys.executable, "-m", "mkdocs", "serve", "-q", "-f", str(tmp_path / "mkdocs.yml"), "-a", f"127.0.0.1:{port}"]
    server = subprocess.Popen(command)
    try:
        first = entry(port, lambda entry: True)
        assert first["offline"] is None
        write_tree(tmp_path, {"ranvier.toml": "titel = 1"})
        write_tree(tmp_path, {"docs/new.md": "# New", "ranvier.toml": "[synonyms]\na = ['b']"})
        assert entry(port, lambda entry: entry["manifest"] != first["manifest"])["titles"] != first["titles"]
        assert server.poll() is None
    finally:
        server.terminate()
        server.wait(10)


def entry(port: int, is_new: Callable[[dict[str, object]], bool]) -> dict[str, object]:
    """Fetch the entry file of a preview, until it is the wanted one."""
    for _ in range(200):
        try:
            with urlopen(f"http://127.0.0.1:{port}/_ranvier/entry.json", timeout=20) as answer:
                if is_new(answer_json := json.load(answer)):
                    return dict(answer_json)
        except OSError:
            pass  # the server is not ready
        time.sleep(0.1)
    raise AssertionError("the preview did not change")
