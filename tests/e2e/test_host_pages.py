"""B6: the search box on pages of other systems: their colours, sizes, languages, scripts and routers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browser import AXE, Tab, opened_tab
from support.sites import ROOT, SiteServer

WHITE, DARK = "rgb(255, 255, 255)", "rgb(23, 27, 31)"
# For each system: the attributes of <html> and <body>, its style sheet, and the expected background of the box.
PAGES: dict[str, tuple[str, str, str, str]] = {
    "Material": ("", 'data-md-color-scheme="slate"', "", DARK),
    "Material light": ("", 'data-md-color-scheme="default"', "body { background: #fff }", WHITE),
    "Furo": ("", 'data-theme="dark"', "", DARK),
    "Furo auto": ("", 'data-theme="auto"', "body { background: #131416 }", DARK),
    "Docusaurus": ('data-theme="dark" data-theme-choice="system"', "", "", DARK),
    "Docusaurus light": ('data-theme="light"', "", "", WHITE),
    "Starlight": ('data-theme="dark"', "", ":root { --ranvier-ink: #eee }", DARK),
    "Bootstrap": ('data-bs-theme="dark"', "", "", DARK),
    "Tailwind": ('class="dark scroll-smooth"', "", "", DARK),
    "mdBook": ('class="js navy"', "", "html { background: hsl(226, 23%, 11%) }", DARK),
    "Quartz": ('saved-theme="dark"', "", "", DARK),
    "no attribute, dark": ("", "", "body { background: #111 }", DARK),
    "no attribute, oklch": ("", "", "body { background: oklch(0.2 0.02 250) }", DARK),
    "no attribute, white": ("", "", "html { background: white }", WHITE),
    "20 px root": ("", 'data-theme="dark"', "html { font-size: 20px }", DARK),
}
SITE = """<!doctype html><html {html}><head><meta charset="utf-8"><title>Test</title><style>{css}</style>
<script type="module" src="/{script}"></script></head><body {body}><main><h1>Test</h1>{box}</main></body></html>"""
PANEL = """() => {
  const root = document.querySelector("ranvier-search").shadowRoot;
  const panel = getComputedStyle(root.querySelector("dialog")).backgroundColor;
  const { height } = root.querySelector(".trigger").getBoundingClientRect();
  return [panel, height, getComputedStyle(root.querySelector("input")).fontSize];
}"""


@pytest.fixture
def show(tab: Tab, server: SiteServer, example_site: Path) -> Callable[..., None]:
    """Show a page of another system with a box on it."""
    [script] = example_site.glob("_ranvier/web-*/ui/search-box.js")
    address = script.relative_to(example_site).as_posix()

    def show_page(
        html: str = 'lang="en"', body: str = "", css: str = "", box: str = "<ranvier-search></ranvier-search>"
    ) -> None:
        page = SITE.format(script=address, html=html, body=body, css=css, box=box)
        tab.page.route("**/other/**", lambda route: route.fulfill(body=page, content_type="text/html"))
        tab.page.goto(f"{server.url}other/")
        tab.page.wait_for_function("document.querySelector('ranvier-search').shadowRoot?.querySelector('input')")

    return show_page


@pytest.mark.parametrize("system", PAGES)
def test_colours_and_sizes_fit_the_page(tab: Tab, show: Callable[..., None], system: str) -> None:
    """The reader's system colours do not count, and a larger root font does not enlarge the box."""
    html, body, css, background = PAGES[system]
    tab.page.emulate_media(color_scheme="light" if background == DARK else "dark")
    show(f'lang="en" {html}', body, css)
    assert tab.page.evaluate(PANEL) == [background, 36, "18px"]
    tab.page.emulate_media(color_scheme="dark" if background == DARK else "light")
    assert tab.page.evaluate(PANEL) == [background, 36, "18px"]


def test_colours_follow_the_page_at_once(tab: Tab, show: Callable[..., None]) -> None:
    colour = lambda: tab.page.evaluate(PANEL)[0]  # noqa: E731
    wait = lambda value: tab.page.wait_for_function(f"({PANEL})()[0] === '{value}'")  # noqa: E731
    show()
    assert colour() == WHITE
    tab.page.emulate_media(color_scheme="dark")
    wait(DARK)
    tab.page.evaluate("document.documentElement.dataset.theme = 'light'")
    wait(WHITE)
    tab.page.evaluate("document.body.classList.add('dark')")
    assert colour() == WHITE  # the attribute of the root element comes first
    tab.page.evaluate("delete document.documentElement.dataset.theme")
    wait(DARK)
    tab.page.evaluate("document.body.className = ''; document.body.style = 'transition: background 0.2s; background: #fff'")
    wait(WHITE)
    tab.page.evaluate("document.querySelector('ranvier-search').remove()")


@pytest.mark.parametrize(("theme", "background"), [("light", WHITE), ("dark", DARK)])
def test_theme_attribute_decides(show: Callable[..., None], tab: Tab, theme: str, background: str) -> None:
    other = "dark" if theme == "light" else "light"
    show(f'data-theme="{other}"', box=f'<ranvier-search theme="{theme}"></ranvier-search>')
    assert tab.page.evaluate(PANEL)[0] == background


def test_font_size_of_the_reader_and_the_site_enlarge_the_box(tab: Tab, show: Callable[..., None]) -> None:
    show(css=":root { --ranvier-size: 20px }")
    assert tab.page.evaluate(PANEL)[1:] == [45, "22.5px"]


def test_results_have_no_styles_of_the_navigation_around_the_box(tab: Tab, show: Callable[..., None]) -> None:
    """Excerpts of code were in capitals, and no line was broken."""
    show(css="main { text-transform: uppercase; white-space: nowrap; text-indent: 2em }")
    tab.page.keyboard.press("Control+k")
    tab.query_field.fill("content security policy")
    styles = tab.page.locator("ranvier-search .snippet").first.evaluate(
        "row => [getComputedStyle(row)].map((style) => [style.textTransform, style.textWrapMode, style.textIndent])[0]"
    )
    assert styles == ["none", "wrap", "0px"]


@pytest.mark.parametrize(
    ("css", "opens"),
    [
        (".wide { display: none }", [False, True]),
        (".wide { display: contents }", [True, False]),
        (".wide::part(trigger) { display: none }", [True, False]),
    ],
)
def test_key_opens_a_box_that_is_shown(tab: Tab, show: Callable[..., None], css: str, opens: list[bool]) -> None:
    """Of the boxes for wide and narrow screens, one is hidden: its dialog was invisible, and the page did not react."""
    show(css=css, box='<p><ranvier-search class="wide"></ranvier-search></p><ranvier-search></ranvier-search>')
    tab.page.keyboard.press("Control+k")
    boxes = "[...document.querySelectorAll('ranvier-search')].map((box) => box.hasAttribute('open'))"
    tab.page.wait_for_function(f"{boxes}.includes(true)")
    assert tab.page.evaluate(boxes) == opens


def test_every_element_with_a_class_is_a_part(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.search("search -browser")
    expect(tab.snippet).to_be_visible()
    elements = tab.page.evaluate("""[...document.querySelector("ranvier-search").shadowRoot.querySelectorAll("[class], mark")]
      .filter((node) => !node.part.length).map((node) => node.outerHTML)""")
    assert elements == []
    text = (ROOT / "site_example" / "content" / "reference" / "search-box.md").read_text("utf-8")
    parts = tab.page.evaluate("""[...document.querySelector("ranvier-search").shadowRoot.querySelectorAll("[part]")]
      .flatMap((node) => [...node.part])""")
    assert {"trigger", "dialog", "panel", "input", "option", "title", "snippet", "mark", "foot"} <= set(parts)
    assert [part for part in sorted(set(parts)) if f"`{part}`" not in text] == []


def test_page_receives_events_and_a_router_can_load_the_page(tab: Tab, server: SiteServer) -> None:
    """If the page prevents `ranvier-select`, the box loads nothing; it marks the words when the router has drawn the page."""
    tab.page.goto(server.url)
    tab.page.evaluate("""() => {
      const icon = document.querySelector("link[rel=icon]");
      icon.href = icon.href;  // a relative address would depend on the page's own address
      globalThis.events = [];
      const record = ({ type, detail }) => globalThis.events.push([type, detail?.query]);
      for (const name of ["ranvier-open", "ranvier-results"]) addEventListener(name, record);
      addEventListener("ranvier-select", (event) => {
        event.preventDefault();
        record(event);
        setTimeout(() => {
          history.pushState({}, "", event.detail.url);
          const id = decodeURIComponent(location.hash.slice(1)) || "top";
          const main = document.querySelector("main");
          main.innerHTML = "Loading";
          const html =
            `<h1>Routed</h1><p>A manifest.</p><p style="height: 40in"></p><h2 id="${id}">Part</h2><p>The manifest is here.</p>`;
          setTimeout(() => (main.innerHTML = html), 600);
        }, 100);
      });
    }""")
    tab.search("manifest")
    expect(tab.snippet).to_be_visible()
    link = tab.page.locator("ranvier-search .option[href*='#']").first
    target = link.get_attribute("href")
    link.click()
    tab.page.wait_for_url(target or "")
    expect(tab.page.locator("main h1")).to_have_text("Routed")
    assert tab.page.evaluate("globalThis.events") == [
        ["ranvier-open", None],
        ["ranvier-results", "manifest"],
        ["ranvier-select", "manifest"],
    ]
    tab.page.wait_for_function("CSS.highlights.get('ranvier-marks')?.size === 2")
    tab.page.wait_for_function("scrollY > 1000")  # the mark in the section of the address
    tab.page.go_back()
    expect(tab.query_field).to_have_value("manifest")


def test_router_that_intercepts_links_needs_no_event(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.evaluate("""const icon = document.querySelector("link[rel=icon]");
    icon.href = icon.href;  // a relative address would depend on the page's own address
    document.addEventListener("click", (event) => {
      const link = event.composedPath().find((node) => node.href);
      if (!link) return;
      event.preventDefault();
      globalThis.routed = link.href;
      history.pushState({}, "", link.href);
    })""")
    tab.search("manifest")
    expect(tab.snippet).to_be_visible()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("globalThis.routed === location.href")
    expect(tab.query_field).not_to_be_visible()


def test_site_can_render_its_own_rows(tab: Tab, server: SiteServer) -> None:
    """After an error in its function, the usual row is shown."""
    tab.page.goto(server.url)
    tab.page.evaluate("""() => void (document.querySelector("ranvier-search").renderHit = (hit, link) => {
      if (hit.url.startsWith("guide/")) throw new Error("no template");
      const line = document.createElement("b");
      line.textContent = `own: ${hit.title} ${link.href.startsWith("http")}`;
      return line;
    })""")
    tab.expected.append("no template")
    tab.search("manifest")
    expect(tab.page.locator("ranvier-search .option.page b").first).to_have_text(re.compile(r"^own: .* true$"))
    guide = tab.page.locator("ranvier-search .option.page[href*='/guide/'] .title")
    expect(guide.first).to_be_visible()


@pytest.mark.parametrize(
    ("lang", "label", "placeholder", "direction"),
    [
        ("en", "Search", "Search this site", "ltr"),
        ("de-AT", "Suchen", "Diese Website durchsuchen", "ltr"),
        ("ja", "検索", "サイト内を検索", "ltr"),
        ("zh-Hans", "搜索", "搜索本站", "ltr"),
        ("zh-TW", "Search", "Search this site", "ltr"),
        ("ar", "بحث", "ابحث في هذا الموقع", "rtl"),
        ("he", "Search", "Search this site", "rtl"),
        ("nl", "Search", "Search this site", "ltr"),
    ],
)
def test_box_is_in_the_language_of_the_page(
    tab: Tab, server: SiteServer, show: Callable[..., None], lang: str, label: str, placeholder: str, direction: str
) -> None:
    """For English, no translation is loaded."""
    show(f'lang="{lang}"')
    expect(tab.page.locator("ranvier-search .label")).to_have_text(label)
    expect(tab.query_field).to_have_attribute("placeholder", placeholder)
    assert tab.page.evaluate("getComputedStyle(document.querySelector('ranvier-search')).direction") == direction
    scripts = [path.rpartition("/")[2] for path in server.recorder.paths if "/languages/" in path or "translation" in path]
    translated = label != "Search"
    assert scripts == (["translation.js", f"{lang[:2]}.js"] if translated else ["translation.js"] if lang == "he" else [])


def test_language_attribute_of_the_box_overrides_the_page(tab: Tab, show: Callable[..., None]) -> None:
    show('lang="en"', body='lang="fr"', box='<ranvier-search lang="es"></ranvier-search>')
    expect(tab.page.locator("ranvier-search .label")).to_have_text("Buscar")


def test_messages_are_in_the_language_of_the_box(tab: Tab, show: Callable[..., None]) -> None:
    show('lang="da"')
    tab.page.keyboard.press("Control+k")
    expect(tab.page.get_by_text("Skriv nogle ord, eller søg mere præcist:")).to_be_visible()
    tab.query_field.fill("xyzzyplugh")
    expect(tab.page.get_by_text("Ingen resultater for “xyzzyplugh”.").first).to_be_visible()


def test_tools_are_in_the_language_of_the_box_and_code_is_left_to_right(tab: Tab, show: Callable[..., None]) -> None:
    show('lang="ar"')
    tab.page.keyboard.press("Control+k")
    box = tab.page.locator("ranvier-search")
    box.locator("input").fill("cache-control")
    expect(box.locator(".why")).to_have_text("لماذا هنا؟")
    expect(box.locator(".snippet.code").first).to_have_css("text-align", "left")
    expect(box.locator(".snippet.code").first).to_have_css("direction", "ltr")
    expect(box.locator(".option").first).to_have_css("direction", "rtl")
    box.locator("input").fill("cache-control -path:guide")
    expect(box.locator(".strip .chip")).to_have_css("direction", "ltr")
    tab.page.keyboard.press("Alt+Enter")
    expect(box.locator(".pane")).to_contain_text("كلمات الصفحة")
    box.locator(".tool").first.click()
    expect(box.locator(".drawer")).to_contain_text("الوسوم")


def test_missing_translation_leaves_an_english_box(tab: Tab, server: SiteServer, show: Callable[..., None]) -> None:
    tab.expected += ["500"]
    server.recorder.faults["languages/de.js"] = "500"
    show('lang="de"')
    expect(tab.page.locator("ranvier-search .label")).to_have_text("Search")


@pytest.mark.parametrize(
    ("lang", "scheme", "width"), [("en", "light", 390), ("en", "dark", 1200), ("ar", "light", 1200), ("ar", "dark", 390)]
)
def test_box_is_accessible_in_every_state(chromium: Browser, server: SiteServer, lang: str, scheme: str, width: int) -> None:
    """axe-core finds no problem: with recent searches, with results and all tools, without results, and with marks."""
    options: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with opened_tab(chromium, **options, has_touch=width < 500, is_mobile=width < 500) as tab:
        set_lang = f"document.documentElement && (document.documentElement.lang = {lang!r})"
        tab.page.add_init_script(f"new MutationObserver(() => {set_lang}).observe(document, {{ childList: true }})")
        tab.page.goto(server.url)
        box = tab.page.locator("ranvier-search")
        tab.page.evaluate(
            """localStorage.setItem("ranvier-recent /_ranvier/", '{"recent":["hot pack"],"pinned":["manifest"]}')"""
        )
        problems: list[str] = []

        def check(state: str) -> None:
            problems.extend(axe(tab, state))
            problems.extend(small_targets(tab, state) if width < 500 else [])

        box.locator(".trigger").click()
        expect(box.locator(".searches-link").first).to_be_visible()
        check("empty")
        box.locator("input").fill("search -browser")
        expect(box.locator(".snippet").first).to_be_visible()
        check("results")
        for tool, content in ((0, ".facet"), (1, ".example")):
            box.locator(".tool").nth(tool).click()
            expect(box.locator(f".drawer {content}").first).to_be_visible()
            check(content)
            box.locator(".tool").nth(tool).click()
        box.locator(".why").click()
        for view, content in ((1, ".bar"), (0, "mark")):
            box.locator(".pane-head .chip").nth(view).click()
            expect(box.locator(f".pane {content}").first).to_be_visible()
            check(content)
        box.locator(".pane-head .tool").click()
        box.locator("input").fill("xyzzyplugh")
        expect(box.locator(".message .lead")).to_be_visible()
        check("nothing")
        box.locator("input").fill("manifest ")
        box.locator(".option[href$='/format/manifest/']").first.click()
        expect(box.locator(".unmark")).to_be_visible()
        check("marks")
        assert problems == []


def axe(tab: Tab, state: str) -> list[str]:
    """Return the problems that axe-core finds in the box."""
    tab.page.evaluate(AXE.read_text("utf-8"))
    tab.page.wait_for_timeout(250)  # transitions
    faults = tab.page.evaluate("""() => axe.run("ranvier-search").then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)))""")
    return [f"{state}: {line}" for line in faults]


def small_targets(tab: Tab, state: str) -> list[str]:
    """Return the targets below 44 pixels."""
    faults = tab.page.evaluate("""() => [
        ...document.querySelector("ranvier-search").shadowRoot.querySelectorAll("a, button, input, select"),
      ].map((node) => [node.outerHTML.slice(0, 120), node.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 0 && (width < 43.9 || height < 43.9))
      .map(([html, { width, height }]) => `${width} x ${height}: ${html}`)""")
    return [f"{state}: {line}" for line in faults]


def test_keyboard_alone_reaches_every_feature(tab: Tab, server: SiteServer) -> None:
    """Open, search, show more, copy, open a result, remove marks, go back, open a recent search."""
    keys = tab.page.keyboard
    box = tab.page.locator("ranvier-search")
    focused = lambda: tab.page.evaluate("document.querySelector('ranvier-search').shadowRoot.activeElement?.className ?? ''")  # noqa: E731
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.goto(server.url)
    keys.press("/")
    keys.type("search", delay=20)
    tab.wait_for_answer("search")
    reached = []
    for _ in range(9):
        keys.press("Tab")
        reached.append(focused())
        if reached[-1] == "more":
            keys.press("Enter")
            expect(box.locator(".group")).to_have_count(16)
            break
    assert reached[-1] == "more"
    expect(box.locator("input")).to_be_focused()
    reached = []
    for _ in range(12):
        keys.press("Tab")
        reached.append(focused())
        if reached[-1] == "copy":
            break
    keys.press("Enter")
    expect(tab.page.get_by_role("button", name="Copied.")).to_be_visible()
    for _ in range(12):
        keys.press("Tab")
        if focused() == "":
            break
    assert (
        tab.page.evaluate("document.querySelector('ranvier-search').shadowRoot.activeElement.tagName") == "INPUT"
    )  # the focus wraps around
    keys.press("ArrowDown")
    keys.press("Enter")
    tab.page.wait_for_url(lambda url: url.split("#")[0] != server.url)
    expect(box.locator(".unmark")).to_be_visible()
    keys.press("Escape")
    expect(box.locator(".unmark")).to_have_count(0)
    tab.page.go_back()  # the headless browser has no key for this
    expect(box.locator("input")).to_have_value("search")
    keys.press("Escape")
    expect(box.locator("input")).not_to_be_visible()
    keys.press("Control+k")
    expect(box.locator("input")).to_be_visible()
    keys.press("Control+a")
    keys.press("Delete")
    keys.press("ArrowDown")
    assert focused() == "searches-link"
    keys.press("ArrowUp")
    expect(box.locator("input")).to_be_focused()
