"""The layout of pages in a browser (G1): long words, small screens, print, forced colours, and headings of several lines."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect
from ranvier_builder import Config
from ranvier_builder.assets import modules
from support.browser import AXE, CHROMIUM, Tab
from support.content import build_tree, write_tree
from support.sites import SiteServer, serving

_WORD = "org.apache.kafka.clients.producer.internals." + "Transaction" * 8
_ROW = "| cell " * 9 + "|\n"
_LONG_PAGE = f"""---
tags: [{"Word" * 20}]
---
# {_WORD}

[Leaf]({"d/" * 3}leaf.md)

> [!warning]- Folded
> The text in it.

{_ROW.replace("cell", _WORD[-40:])}{_ROW.replace("cell", "---")}{_ROW}
$${" + ".join("abcdefghijklmnopqrstuvwxyz" * 3)}$$

=== "Linux"

    One.

=== "Windows"

    Two.

## The first heading, {"with so many words that it has several lines " * 3}

Text.

## The next heading

"""
_TEXT = "Text.\n\n" * 40
_FILES: dict[str, str | bytes] = {
    "index.md": "# Home\n",
    "a.md": _LONG_PAGE + _TEXT,
    "short-sections.md": f"# Sections\n\n## A long one\n\n{_TEXT}## Second\n\n## Third\n\n### [Link](a.md)\n",
    "close.md": f"# Close\n\n## First\n\n{_TEXT}## A\n\n### B\n\n### C\n\nText.\n\n## Last\n\nText.\n",
    "callout.md": "# Callout\n\n> [!note]\n> Inline `code`.\n>\n> ```\n> a block\n> ```\n",
    "options.md": "# Options\n\n| Option | Meaning |\n| --- | --- |\n| `--publish` | " + "word " * 60 + "|\n"
    "\n| Filter | Order |\n| --- | --- |\n| `" + "name (is, is not) " * 6 + "` | `order by name` |\n"
    "\n| Task | Result |\n| --- | --- |\n| Use `ranvier build docs --output public --default-audience public` to build "
    "| A site |\n| `-o`, `--output` | A folder |\n",
    "list.md": f"# List\n\n1. ### First\n\n2. ### {'A heading of several lines ' * 9}\n\n## Last\n",
    **{f"{'d/' * depth}index.md": f"# {_WORD} {depth}\n" for depth in (1, 2, 3)},
    "d/d/d/leaf.md": f"# Leaf of {_WORD}\n\n[Back](../../../a.md)\n",
    **{f"d/d/{number}.md": f"# Page {number} of {_WORD}\n\n[Back](../../a.md)\n" for number in range(30)},
}

# A box that is narrower by a part of a pixel already has an ellipsis.
_TEXT_WIDTH = """node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().width;
}"""

_IS_WHOLE = """node => [node, ...node.children]
  .every((part) => part.scrollWidth <= part.clientWidth && part.scrollHeight <= part.clientHeight)"""

# Clicks each heading of the list, on pages that end at different places; returns those that are not current then.
_CLICK_HEADINGS = """async () => {
  const wrong = [];
  for (let end = 0; end < 700; end += 20) {
    document.body.style.setProperty("--end", `${end}px`);
    for (const link of document.querySelectorAll(".toc a")) {
      link.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const current = document.querySelector(".toc [aria-current]");
      if (link !== current) wrong.push([end, link.textContent, current.textContent]);
    }
  }
  return wrong;
}"""


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    config = Config(default_audience="public", title="The documentation of a program with a long name")
    with serving(build_tree(tmp_path_factory.mktemp("layout"), _FILES, config)) as server:
        yield server


@pytest.mark.parametrize("path", ["a/", "d/d/d/leaf/", "tags/", "d/d/"])
@pytest.mark.parametrize("is_touch", [True, False], ids=["touch", "mouse"])
def test_long_words_fit_on_a_small_screen(chromium: Browser, layout: SiteServer, path: str, *, is_touch: bool) -> None:
    """In tags, breadcrumbs, links to other pages, and the tree; the site's title has an ellipsis after two lines."""
    page = chromium.new_page(viewport={"width": 360, "height": 740}, has_touch=is_touch, is_mobile=is_touch)
    page.goto(layout.url + path)
    page.evaluate("for (const side of document.querySelectorAll('.side')) side.open = true")
    wide = """[...document.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().right > 360)
      .map((link) => link.outerHTML)"""
    assert page.evaluate(wide) == []
    low = """[...document.querySelectorAll('.crumbs li')].map((item) => [item.offsetHeight, item.firstChild.offsetHeight])
      .filter(([item, link]) => item > link + 10)"""
    assert page.evaluate(low) == [], "the sign after a long title is beside it"
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    title = page.locator(".site-title span")
    assert title.evaluate("node => [node.scrollHeight > node.clientHeight, node.getClientRects()[0].height]") == [True, 37.5]
    page.close()


def test_long_words_fit_on_a_small_screen_in_the_plain_theme(chromium: Browser, tmp_path: Path) -> None:
    site = build_tree(tmp_path, _FILES, Config(default_audience="public", title=_WORD, theme="plain"))
    page = chromium.new_page(viewport={"width": 320, "height": 740})
    with serving(site) as server:
        for path in ("a/", "callout/", "d/d/d/leaf/"):
            page.goto(server.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") == 320, path
            assert min(page.locator(".steps a").evaluate_all("links => links.map((link) => link.offsetWidth)")) > 40, path
    page.close()


@pytest.mark.parametrize("is_touch", [True, False], ids=["touch", "mouse"])
def test_wide_logo_leaves_space_for_the_title(chromium: Browser, tmp_path: Path, *, is_touch: bool) -> None:
    """The search is its icon, and still has its name; a short title leaves it its text."""
    logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 80" width="400" height="80"/>'
    write_tree(tmp_path, {"logo.svg": logo})
    page = chromium.new_page(viewport={"width": 390, "height": 740}, has_touch=is_touch, is_mobile=is_touch)
    widths = []
    for title in ("The handbook of axons", "Axon"):
        config = Config(default_audience="public", title=title, logo=str(tmp_path / "logo.svg"))
        site = build_tree(tmp_path / title, {"index.md": "# Home\n"}, config)
        write_tree(site, {f"_ranvier/web-0/{name}": data for name, data in modules().items()})
        with serving(site) as server:
            page.goto(server.url)
            widths.append(page.get_by_role("button", name="Search").bounding_box()["width"])  # type: ignore[index]
            assert page.locator(".site-title").evaluate(_IS_WHOLE)
    assert widths[0] == 48
    assert widths[1] > 120
    page.close()


def test_header_wraps_if_the_font_is_twice_as_large(playwright: Playwright, layout: SiteServer) -> None:
    """A reader's own size, which media queries follow."""
    arguments = ["--no-sandbox", "--blink-settings=defaultFontSize=32"]
    with playwright.chromium.launch(executable_path=CHROMIUM, args=arguments) as browser:
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto(layout.url)
        rectangle = "([node]) => node.getBoundingClientRect().toJSON()"
        names = (".site-title", "ranvier-search", ".theme")
        title, box, button = (page.locator(f".top {name}").evaluate_all(rectangle) for name in names)
        assert title["width"] > 200
        assert title["bottom"] <= box["top"] <= button["top"] < box["bottom"]
        assert box["right"] <= button["left"] < button["right"] <= 360


def test_printed_page_has_folded_text_and_every_column(tab: Tab, layout: SiteServer) -> None:
    page = tab.page
    page.goto(f"{layout.url}a/")
    expect(page.get_by_text("The text in it.")).to_be_hidden()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.get_by_text("The text in it.").evaluate("node => node.getBoundingClientRect().height") > 0
    for name in ("th >> nth=-1", ".backlinks li >> nth=-1"):
        cell = page.locator(name)
        parent = cell.locator("xpath=ancestor::*[self::table or self::ul]")
        ends = [part.evaluate("node => node.getBoundingClientRect()") for part in (cell, parent)]
        assert ends[0]["right"] <= 700, name
        assert ends[0]["bottom"] <= ends[1]["bottom"], name


def test_wide_formula_can_be_focused(tab: Tab, layout: SiteServer) -> None:
    page = tab.page
    page.goto(f"{layout.url}a/")
    formula = page.locator("div.math")
    expect(formula).to_have_attribute("tabindex", "0")
    formula.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_code_in_a_callout_has_one_background(tab: Tab, layout: SiteServer) -> None:
    """That of its block; only code in a line has its own."""
    tab.page.goto(f"{layout.url}callout/")
    colours = tab.page.locator(".callout code").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert colours == ["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"]


def test_clicked_heading_is_current(tab: Tab, layout: SiteServer) -> None:
    """Also one of several lines, which reaches below the line, and without motion, where the page jumps past headings."""
    page = tab.page
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{layout.url}a/")
    links = page.locator(".toc a")
    for at in (1, 0):
        links.nth(at).click()
        expect(links.nth(at)).to_have_attribute("aria-current", "true")
    assert page.locator(".prose h2").first.evaluate("node => node.clientHeight") > 60


def test_open_tab_is_visible_in_forced_colours(tab: Tab, layout: SiteServer) -> None:
    page = tab.page
    page.emulate_media(forced_colors="active")
    page.goto(f"{layout.url}a/")
    colours = page.locator(".tab-title").evaluate_all("nodes => nodes.map((node) => getComputedStyle(node).borderBottomColor)")
    assert len(set(colours)) == 2, colours


def test_keys_open_tabs_and_do_not_close_the_open_one(tab: Tab, layout: SiteServer) -> None:
    page = tab.page
    page.goto(f"{layout.url}a/")
    for title in page.locator(".tabs").first.locator(".tab-title").all():
        for _ in range(2):
            title.press("Enter")
            expect(title.locator("xpath=..")).to_have_attribute("open", "")


def test_headings_have_the_colour_of_text_in_forced_colours(tab: Tab, layout: SiteServer) -> None:
    """Although they are links to themselves."""
    page = tab.page
    page.emulate_media(forced_colors="active")
    page.goto(f"{layout.url}a/")
    colour = "node => getComputedStyle(node).color"
    assert page.locator(".permalink").first.evaluate(colour) == page.locator("h1").evaluate(colour)


def test_short_sections_at_the_end_are_current(tab: Tab, layout: SiteServer) -> None:
    """The page cannot scroll their headings to the top: the last one is current at the end, or the one that was clicked."""
    page = tab.page
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{layout.url}short-sections/")
    current = page.locator(".toc [aria-current]")
    expect(current).to_have_text("A long one")
    page.keyboard.press("End")
    expect(current).to_have_text("Link")
    for name in ("Second", "Third"):
        page.locator(".toc").get_by_role("link", name=name).click()
        expect(current).to_have_text(name)


@pytest.mark.parametrize("font_size", [16, 32])
def test_every_clicked_heading_is_current(playwright: Playwright, layout: SiteServer, font_size: int) -> None:
    """Wherever the page can scroll it to; a reader who scrolls on leaves it."""
    arguments = ["--no-sandbox", f"--blink-settings=defaultFontSize={font_size}"]
    with playwright.chromium.launch(executable_path=CHROMIUM, args=arguments) as browser:
        page = browser.new_page(viewport={"width": 80 * font_size, "height": 700}, reduced_motion="reduce")
        page.goto(f"{layout.url}close/")
        page.add_style_tag(content="main { padding-bottom: var(--end) !important }")
        assert page.evaluate(_CLICK_HEADINGS) == []
        page.mouse.move(40 * font_size, 400)
        page.mouse.wheel(0, -9000)
        expect(page.locator(".toc [aria-current]")).to_have_text("First")


def test_heading_is_a_link_to_itself(tab: Tab, layout: SiteServer) -> None:
    """Its name stays, the sign appears when the link has the focus, and a heading with a link of its own stays as it is."""
    page = tab.page
    page.goto(f"{layout.url}short-sections/")
    heading = page.get_by_role("heading", name="Second", exact=True)
    link = heading.get_by_role("link", name="Second", exact=True)
    expect(link).to_have_attribute("href", "#second")
    sign = "node => getComputedStyle(node, '::before').content"
    assert "#" not in link.evaluate(sign)
    width = heading.evaluate("node => node.scrollWidth")
    link.focus()
    page.keyboard.press("Shift")
    assert "#" in link.evaluate(sign)
    assert heading.evaluate("node => node.scrollWidth") == width
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/short-sections/#second$"))
    expect(page.locator(".prose h3 a")).to_have_attribute("href", "../a/")


def test_text_of_a_heading_can_be_selected(tab: Tab, layout: SiteServer) -> None:
    """A pointer follows only the sign before it, which stays while the pointer goes there, from every line."""
    page = tab.page
    page.goto(f"{layout.url}short-sections/")
    heading = page.get_by_role("heading", name="Third", exact=True)
    heading.scroll_into_view_if_needed()
    heading.dblclick(position={"x": 20, "y": 10})
    assert page.evaluate("String(getSelection())") == "Third"
    assert page.url == f"{layout.url}short-sections/"
    place = heading.bounding_box() or {}
    page.mouse.move(place["x"] - 8, place["y"] + 10, steps=5)
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(f"{layout.url}short-sections/#third")
    page.goto(f"{layout.url}a/")
    heading = page.get_by_role("heading", name="The first heading")
    heading.scroll_into_view_if_needed()
    place = heading.bounding_box() or {}
    last_line = place["y"] + place["height"] - 10
    page.mouse.move(place["x"] + 4, last_line)
    page.mouse.move(place["x"] - 8, last_line, steps=5)
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("/a/#the-first-heading"))


def test_headings_beside_the_text_are_no_stop_of_their_own(tab: Tab, layout: SiteServer) -> None:
    """The list cannot be folded there, so its title is no control."""
    page = tab.page
    page.goto(f"{layout.url}short-sections/")
    summary = page.locator(".toc > summary")
    for width, is_beside in ((1280, True), (1000, False)):
        page.set_viewport_size({"width": width, "height": 700})
        expect(summary).to_be_visible(visible=not is_beside)
        expect(page.locator(".toc a").first).to_be_visible(visible=is_beside)
    page.set_viewport_size({"width": 1280, "height": 150})
    page.locator(".toc a").last.focus()
    expect(page.locator(".toc a").last).to_be_in_viewport(ratio=1)
    page.add_script_tag(path=AXE)
    report = page.evaluate("axe.run('.toc', { runOnly: ['scrollable-region-focusable'] })")
    assert report["violations"] == [], report["violations"]


def test_current_page_has_neighbours_in_view(tab: Tab, layout: SiteServer) -> None:
    """The reader sees what follows it in the tree; the page itself does not move."""
    page = tab.page
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{layout.url}d/d/20/")
    link = page.locator('.menu [aria-current="page"]')
    expect(link).to_be_in_viewport()
    assert link.evaluate("node => node.getBoundingClientRect().bottom") < 600
    assert page.evaluate("scrollY") == 0


def test_sign_of_a_heading_in_a_list_does_not_cover_its_number(tab: Tab, layout: SiteServer) -> None:
    page = tab.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{layout.url}list/")
    sides = []
    for heading in page.locator(".prose :is(h2, h3)").all():
        height = (heading.bounding_box() or {})["height"]
        heading.locator(".permalink").focus()
        page.keyboard.press("Shift")
        contents = "link => ['::before', '::after'].map((side) => getComputedStyle(link, side).content.includes('#'))"
        sides.append(heading.locator(".permalink").evaluate(contents))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert (heading.bounding_box() or {})["height"] == height, "the sign moves nothing"
    heading = page.locator("h3").first
    heading.hover()
    end = heading.evaluate("heading => (" + _TEXT_WIDTH + ")(heading.firstChild.firstChild)")
    heading.click(position={"x": end + 8, "y": 10})
    assert page.url.endswith("#first")
    assert sides == [[False, True], [False, True], [True, False]]


def test_names_are_whole_if_there_is_space(tab: Tab, server: SiteServer, layout: SiteServer) -> None:
    """The search field shrinks before the site's title, and an option does not break after its hyphens."""
    page = tab.page
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(server.url)
        expect(page.locator("ranvier-search .trigger")).to_be_visible()
        is_whole = "node => node.getBoundingClientRect().width >= (" + _TEXT_WIDTH + ")(node)"
        assert page.locator(".site-title").evaluate(is_whole), width
        assert page.locator(".site-title span").evaluate("node => node.clientHeight") < 30, "its only word does not break"
    page.goto(f"{layout.url}options/")
    ends = page.locator(".steps a").evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().right)")
    assert len({*ends}) == 1, "previous and next are below each other"
    page.set_viewport_size({"width": 820, "height": 740})
    assert page.locator("td code").first.evaluate("node => node.getBoundingClientRect().height") < 30
    tables = page.locator("table").evaluate_all("nodes => nodes.map((node) => node.scrollWidth - node.clientWidth)")
    assert tables == [0, 0, 0], "a long text in the first column leaves space for the others"
    displays = page.locator("td:first-child code").evaluate_all("nodes => nodes.map((node) => getComputedStyle(node).display)")
    assert displays == ["inline-block"] * 2 + ["inline"] + ["inline-block"] * 2, "running text breaks as usual"
