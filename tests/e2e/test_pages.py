"""Pages in a browser (G1): the theme's script, and pages without it."""

import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from ranvier_builder import Config
from support.browser import AXE, Tab
from support.content import build_tree, write_tree
from support.pictures import PNG
from support.sites import SiteServer, serving

LONG_PAGE = "reference/configuration/"
_BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
_SMALL_TARGETS = """() => [...document.querySelectorAll(
    ".top a, .top button, .side a, .side summary, .crumbs a, .facts a, .backlinks a, .bottom a, .steps a, .copy")]
  .filter((node) => node.checkVisibility({ contentVisibilityAuto: true }))
  .map((node) => [node.textContent.trim() || node.className, Math.round(node.getBoundingClientRect().height)])
  .filter(([, height]) => height < 44)"""


def test_theme_is_stored_and_does_not_flash(tab: Tab, server: SiteServer) -> None:
    """G1: auto, light, dark; a stored theme is set before the first paint."""
    page = tab.page
    page.emulate_media(color_scheme="light")
    page.goto(f"{server.url}guide/")
    button = page.get_by_role("button", name="Theme: auto")
    light = page.evaluate(_BACKGROUND)
    button.click()
    expect(page.get_by_role("button", name="Theme: light")).to_be_focused()
    assert page.evaluate(_BACKGROUND) == light
    page.get_by_role("button", name="Theme: light").click()
    dark = page.evaluate(_BACKGROUND)
    assert dark != light
    page.add_init_script("""new MutationObserver((changes, observer) => {
      if (!document.body) return;
      window.firstTheme = document.documentElement.dataset.theme;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });""")
    page.goto(f"{server.url}{LONG_PAGE}")
    assert page.evaluate("window.firstTheme") == "dark"
    assert page.evaluate(_BACKGROUND) == dark
    page.get_by_role("button", name="Theme: dark").click()
    assert page.evaluate("localStorage.getItem('ranvier-theme')") == "auto"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(_BACKGROUND) == dark, "auto follows the system"
    page.evaluate("""localStorage.setItem("ranvier-theme", "light"); // on another page, before the reader goes back to this one
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));""")
    expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
    assert page.evaluate(_BACKGROUND) == light


def test_code_is_copied(tab: Tab, server: SiteServer) -> None:
    """G1: the text of the block, by keyboard."""
    page = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}{LONG_PAGE}")
    code = page.locator(".prose pre").first
    button = page.locator(".copy").first
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == (code.text_content() or "").rstrip()


def test_code_is_selected_if_it_cannot_be_copied(tab: Tab, server: SiteServer) -> None:
    """G1: a browser may deny the clipboard, for example in a frame of another site."""
    page = tab.page
    page.add_init_script("navigator.clipboard.writeText = async () => { throw new DOMException('denied', 'NotAllowedError'); }")
    page.goto(f"{server.url}{LONG_PAGE}")
    button = page.locator(".copy").first
    button.click()
    page.wait_for_function("getSelection().toString().length > 0")
    assert page.evaluate("getSelection().toString()").strip() == page.locator(".prose pre").first.inner_text().strip()
    expect(button).to_have_text("Copy")


def test_current_heading_and_page_are_marked_and_in_view(tab: Tab, server: SiteServer) -> None:
    """G1."""
    page = tab.page
    page.set_viewport_size({"width": 1400, "height": 500})
    page.goto(f"{server.url}guide/writing-neurons/")
    assert page.evaluate("window.scrollY") == 0
    expect(page.locator('.menu [aria-current="page"]')).to_be_in_viewport()
    current = page.locator('.toc [aria-current="true"]')
    expect(current).to_have_count(1)
    last = page.locator(".toc a").nth(2)
    last.click()
    expect(last).to_have_attribute("aria-current", "true")
    expect(current).to_have_count(1)


@pytest.mark.parametrize(("fragment", "anchor"), [("The_--tree", "the-tree"), ("%", "%"), ("--", "--")])
def test_anchor_of_another_system_leads_to_its_section(tab: Tab, server: SiteServer, fragment: str, anchor: str) -> None:
    """N4: links of other sites have it. Back leads to the page before."""
    page = tab.page
    page.goto(f"{server.url}guide/")
    page.goto(f"{server.url}guide/writing-neurons/#{fragment}")
    expect(page).to_have_url(f"{server.url}guide/writing-neurons/#{anchor}")
    page.go_back()
    expect(page).to_have_url(f"{server.url}guide/")


def test_anchor_that_a_page_has_is_kept(tab: Tab, server: SiteServer) -> None:
    """N4: the page has a heading with the anchor `linked-from` above it."""
    address = f"{server.url}guide/links/#_linked-from"
    tab.page.goto(address)
    tab.page.wait_for_load_state("networkidle")
    expect(tab.page).to_have_url(address)
    assert tab.page.evaluate("document.querySelector(':target').id") == "_linked-from"


def test_blocks_that_scroll_can_be_focused(tab: Tab, server: SiteServer) -> None:
    """G1: only those."""
    page = tab.page
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server.url}guide/publish-on-a-static-host/")
    page.wait_for_function("document.querySelector('.prose pre[tabindex]')")
    count = page.locator(".prose [tabindex]").count()
    wrong = """() => [...document.querySelectorAll(".prose pre, .prose table")]
      .filter((block) => (block.scrollWidth > block.clientWidth) !== (block.tabIndex === 0)).length"""
    assert page.evaluate(wrong) == 0
    code = page.get_by_role("group", name="Code").first
    expect(code).to_have_attribute("tabindex", "0")
    page.set_viewport_size({"width": 4000, "height": 800})
    page.wait_for_function(f"document.querySelectorAll('.prose [tabindex]').length < {count}")
    assert page.evaluate(wrong) == 0
    expect(page.locator(".prose pre:not([tabindex])[role]")).to_have_count(0)


@pytest.mark.parametrize("path", [LONG_PAGE, "tags/guide/", "guide/"])
def test_targets_on_touch_screens_are_large(chromium: Browser, server: SiteServer, path: str) -> None:
    """G1: 44 pixels; and the page is not wider than the screen."""
    page = chromium.new_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page.goto(server.url + path)
    page.evaluate("for (const side of document.querySelectorAll('.side')) side.open = true")
    assert page.evaluate(_SMALL_TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_page_without_scripts_is_complete(chromium: Browser, server: SiteServer) -> None:
    """G1: text, tree and contents; no button without a function is visible."""
    page = chromium.new_page(java_script_enabled=False)
    page.goto(f"{server.url}{LONG_PAGE}")
    expect(page.locator(".prose h1")).to_be_visible()
    expect(page.locator('.menu [aria-current="page"]')).to_be_visible()
    expect(page.locator(".toc a").first).to_be_visible()
    expect(page.locator("button")).to_have_count(1)
    expect(page.locator("button.theme")).to_be_hidden()
    page.close()


def test_printed_page_is_its_text(tab: Tab, server: SiteServer) -> None:
    """G1: black on white, also with a dark theme, without controls. The search page has its results."""
    page = tab.page
    page.add_init_script("localStorage.setItem('ranvier-theme', 'dark')")
    page.goto(f"{server.url}{LONG_PAGE}")
    page.emulate_media(media="print")
    assert page.evaluate(_BACKGROUND) == "rgb(255, 255, 255)"
    expect(page.locator(".prose h1")).to_be_visible()
    for selector in (".top", ".menu", ".toc", ".copy >> nth=0", ".steps"):
        expect(page.locator(selector)).to_be_hidden()
    page.goto(f"{server.url}search/?q=layers")
    expect(page.locator("ranvier-search .option").first).to_be_visible()


# A stub of Mermaid's script, which has three megabytes.
_MERMAID = """globalThis.mermaid = {
  initialize(options) { this.options = options; },
  parse: async (text) => !text.includes("broken"),
  async render(id, text) {
    document.getElementById(id)?.remove();
    if (text.includes(`not ${this.options.theme}`)) throw new Error("this diagram has another scheme");
    if (text.includes("loop")) throw new Error("this diagram has a loop");
    return { svg: `<svg id="${id}" aria-label="${this.options.securityLevel} ${this.options.theme}"></svg>` };
  },
};"""


def themed_site(folder: Path, files: Mapping[str, str | bytes], static: Mapping[str, str | bytes]) -> Path:
    """Build a site with static files of its own theme."""
    write_tree(folder / "theme" / "static", static)
    return build_tree(folder, files, Config(default_audience="public", theme_dir=str(folder / "theme")))


def test_diagrams_are_drawn_and_labels_are_in_the_language_of_the_page(tab: Tab, tmp_path: Path) -> None:
    """G1: a block with an error stays code; a diagram has the page's scheme; a page without one loads no script for them."""
    files: dict[str, str | bytes] = {
        "de/index.md": "# Bild\n\n```mermaid\nbroken\n```\n\n```mermaid\nloop\n```\n\n```mermaid\ngraph TD\n```\n",
        "index.md": "# Home\n\n```sh\nls\n```\n",
    }
    with serving(themed_site(tmp_path, files, {"mermaid.min.js": _MERMAID})) as server:
        page = tab.page
        tab.expected.append("this diagram has a loop")
        page.emulate_media(color_scheme="dark")
        page.goto(server.url)
        expect(page.locator(".copy")).to_have_text("Copy")
        page.wait_for_load_state()
        assert not any("mermaid.min.js" in path for path in server.recorder.paths)
        page.goto(f"{server.url}de/")
        expect(page.locator("figure.diagram svg")).to_have_attribute("aria-label", "strict dark")
        page.emulate_media(media="print")
        expect(page.locator("figure.diagram")).to_have_css("filter", "invert(1) hue-rotate(180deg)")
        page.emulate_media(media="screen", color_scheme="light")
        expect(page.locator("figure.diagram svg")).to_have_attribute("aria-label", "strict default")
        page.emulate_media(media="print")
        expect(page.locator("figure.diagram")).to_have_css("filter", "none")
        page.emulate_media(media="screen")
        expect(page.locator(".prose pre")).to_have_text(["broken\n", "loop\n"])
        expect(page.locator(".copy")).to_have_text(["Kopieren"] * 2)
        expect(page.get_by_role("button", name="Farben: automatisch")).to_be_visible()
        page.locator("button.theme").click(click_count=2)
        expect(page.locator("figure.diagram svg")).to_have_attribute("aria-label", "strict dark")


def test_diagram_stays_while_it_is_drawn_again(tab: Tab, tmp_path: Path) -> None:
    """G1: also if the second drawing fails."""
    tab.expected.append("this diagram has another scheme")
    files = {"index.md": "# Home\n\n```mermaid\nnot default\n```\n"}
    with serving(themed_site(tmp_path, files, {"mermaid.min.js": _MERMAID})) as server:
        tab.page.emulate_media(color_scheme="dark")
        tab.page.goto(server.url)
        drawing = tab.page.locator("figure.diagram svg")
        expect(drawing).to_have_attribute("aria-label", "strict dark")
        with tab.page.expect_console_message(lambda message: "another scheme" in message.text):
            tab.page.emulate_media(color_scheme="light")
        expect(drawing).to_have_attribute("aria-label", "strict dark")


_SCRIPTS = {
    "ar": "---\ntitle: تثبيت البرنامج\ntags: [بحث]\ncreated: 2026-03-04\n---\n## الإعدادات\n\n"
    "| الاسم | القيمة |\n| --- | ---: |\n| `limit` | 20 |\n\n```sh\nls\n```\n\n> [!NOTE]\n> نص.\n\n> اقتباس\n",
    "ja": "---\ntitle: ソフトウェアのインストールと最初の設定について\ntags: [検索]\ncreated: 2026-03-04\n---\n## 設定\n\n"
    "| 名前 | 値 |\n| --- | ---: |\n| `limit` | 20 |\n\n```sh\nls\n```\n\n> [!NOTE]\n> 文章。\n\n> 引用\n",
}
_LINE_STARTS = """(heading) => {
  const [text, range, lines] = [heading.firstChild, document.createRange(), new Map()];
  for (let at = 0; at < text.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { top } = range.getBoundingClientRect();
    if (!lines.has(top)) lines.set(top, text.data[at]);
  }
  return [...lines.values()];
}"""
_PLACES_OF_SIGN = """(node) => [0, 1].map((at) => {
  const range = document.createRange();
  range.setStart(node.firstChild, at);
  range.setEnd(node.firstChild, at + 1);
  return range.getBoundingClientRect().left;
})"""
_VIOLATIONS = "() => axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))"
_DATE_PARTS = """(time) => [0, 8].map((start) => {
  const range = document.createRange();
  range.setStart(time.firstChild, start);
  range.setEnd(time.firstChild, start + 2);
  return range.getBoundingClientRect().left;
})"""


@pytest.mark.parametrize("lang", ["ar", "ja"])
def test_pages_of_other_scripts(chromium: Browser, tmp_path: Path, lang: str) -> None:
    """G1: columns have the alignment that the author set; dates and lines have the order of the script; axe finds nothing."""
    files = {"index.md": "# 1\n", "a/index.md": "# 2\n", "a/b.md": _SCRIPTS[lang]}
    with serving(build_tree(tmp_path, files, Config(default_audience="public", lang=lang))) as server:
        for width, scheme in itertools.product((1280, 390), ("light", "dark")):
            page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(f"{server.url}a/b/")
            expect(page.locator("html")).to_have_attribute("lang", lang)
            assert page.locator("td").nth(1).evaluate("cell => getComputedStyle(cell).textAlign") == "right"
            quote = page.locator("blockquote")
            assert quote.evaluate("node => getComputedStyle(node).paddingInlineStart") == "20px"
            year, day = page.locator(".facts time").evaluate(_DATE_PARTS)
            assert year < day
            assert "ー" not in page.locator("h1").evaluate(_LINE_STARTS)
            page.evaluate(AXE.read_text("utf-8"))
            assert page.evaluate(_VIOLATIONS) == []
            page.close()


@pytest.mark.parametrize("is_touch", [False, True])
def test_sign_of_a_tag_is_at_the_start_of_its_word(chromium: Browser, tmp_path: Path, *, is_touch: bool) -> None:
    """G1, I1: on a page from right to left, too."""
    files = {"index.md": "# 1\n", "a.md": "---\ntitle: تثبيت\nlang: ar\ntags: [sql, بحث]\n---\nنص.\n"}
    site = build_tree(tmp_path, files, Config(default_audience="public", lang="ar"))
    context = chromium.new_context(has_touch=is_touch, is_mobile=is_touch)
    with serving(site) as server:
        page = context.new_page()
        for path in ("a/", "tags/", "tags/sql/"):
            page.goto(server.url + path)
            sign, letter = page.get_by_text("#sql").last.evaluate(_PLACES_OF_SIGN)
            assert sign < letter, path
        for path in ("a/", "tags/"):
            page.goto(server.url + path)
            tag = page.get_by_text("#بحث")
            sign, letter = tag.evaluate(_PLACES_OF_SIGN)
            assert sign > letter, path
            assert not is_touch or tag.evaluate("node => node.clientHeight") >= 44
    context.close()


def test_pictures_and_own_colours_follow_the_colour_scheme(tab: Tab, tmp_path: Path) -> None:
    """G1: an accent colour for both schemes, as in the manual; the soft one is mixed from it."""
    names = ("only-light", "only-dark", "gh-light-mode-only", "gh-dark-mode-only")
    files: dict[str, str | bytes] = {
        "a.png": PNG,
        "index.md": "# Home\n\n" + " ".join(f"![{name}](a.png#{name})" for name in names),
        "b.md": "# B\n",
    }
    style = ":root { --accent: light-dark(rgb(100, 0, 0), rgb(200, 0, 0)); }"
    shown = """() => [...document.querySelectorAll(".prose img")]
      .filter((node) => node.checkVisibility()).map((node) => node.alt)"""
    with serving(themed_site(tmp_path, files, {"extra.css": style})) as server:
        page = tab.page
        for scheme, other, accent in (("light", "dark", 100), ("dark", "light", 200)):
            page.emulate_media(color_scheme=scheme)
            for theme in ("auto", scheme, other):
                page.goto(f"{server.url}b/")
                page.evaluate("theme => localStorage.setItem('ranvier-theme', theme)", theme)
                page.goto(server.url)
                assert page.evaluate(shown) == [name for name in names if (other if theme == other else scheme) in name]
            page.evaluate("localStorage.setItem('ranvier-theme', 'auto')")
            page.goto(f"{server.url}b/")
            current = page.locator(".side a[aria-current]").first
            expect(current).to_have_css("color", f"rgb({accent}, 0, 0)")
            red, green, blue = current.evaluate("node => getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).map(Number)")
            assert red > max(green, blue)
