"""B6: rows of the search box on the built manual: paths, excerpts, keys, filters, preview and explanation."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from selectolax.lexbor import LexborHTMLParser
from support.box import Box
from support.browser import Tab
from support.rows import QUERIES, ROWS, faults
from support.sites import SiteServer


def box(tab: Tab, part: str) -> Locator:
    return tab.page.locator(f"ranvier-search {part}")


def ask(tab: Tab, server: SiteServer, query: str) -> None:
    """Search, and wait for the answer and its tools."""
    tab.page.goto(server.url)
    tab.search(query)
    expect(box(tab, ".tool").first).to_be_visible()
    expect(box(tab, "[role=status]")).to_have_text(re.compile(r"results? for"))


def test_rows_show_titles_and_repeat_nothing(tab: Tab, server: SiteServer) -> None:
    """No path repeats a section listed below it, contains a file name, or names a section that the row does not open."""
    ask(tab, server, "manual")
    titles = {"Decisions", "Format", "Guide", "Reference"}
    counts: Counter[str] = Counter()
    for query in QUERIES:
        box(tab, "input").fill(query)
        expect(box(tab, "[role=status]")).to_have_text(re.compile(re.escape(f"for “{query}”")))
        tab.page.wait_for_timeout(400)
        for row in box(tab, ".group").evaluate_all(ROWS):
            counts.update({"hits": 1, **faults(row, titles)})
    assert counts.pop("hits") > 200
    assert counts == {"repeated": 0, "slug": 0, "misleading": 0}


def test_alias_that_matches_is_in_its_row(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "private pages")
    page = box(tab, ".option.page").first
    expect(page.locator(".title")).to_have_text("Audiences")
    expect(page.locator(".alias mark")).to_have_text(["Private", "pages"])


def test_code_and_tables_keep_their_lines(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache-control")
    code = box(tab, ".snippet.code").first
    expect(code).to_be_visible()
    assert "\n" in (code.text_content() or "")
    assert "mono" in code.evaluate("node => getComputedStyle(node).fontFamily").lower()
    box(tab, "input").fill("NEAR(cache header)")
    box(tab, "input").fill('"groups, with parentheses"')
    table = box(tab, ".snippet.table").first
    expect(table).to_contain_text(" · ")
    assert " | " not in (table.text_content() or "")


def test_words_in_the_field_keep_their_place_when_its_tools_appear(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    place = "node => node.getBoundingClientRect().x"
    expect(box(tab, "input")).to_be_visible()
    before = box(tab, "input").evaluate(place)
    box(tab, "input").fill("cache")
    expect(box(tab, ".tool").first).to_be_visible()
    assert box(tab, "input").evaluate(place) == before


def test_only_the_selected_row_has_a_border_in_forced_colours(tab: Tab, server: SiteServer) -> None:
    """They make a transparent border visible."""
    tab.page.emulate_media(forced_colors="active")
    ask(tab, server, "cache")
    selected = box(tab, "[aria-selected=true]").evaluate("node => getComputedStyle(node).borderLeftColor")
    others = box(tab, ".option:not([aria-selected=true])").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).borderLeftColor)"
    )
    ground = box(tab, "dialog").evaluate("node => getComputedStyle(node).backgroundColor")
    assert {*others} == {ground}
    assert selected != ground


def test_alt_and_arrow_keys_go_from_page_to_page(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache")
    tab.page.wait_for_timeout(600)

    def page() -> int:
        place = "node => [...node.parentNode.parentNode.children].indexOf(node.parentNode)"
        return int(box(tab, "[aria-selected=true]").evaluate(place))

    assert page() == 0
    tab.page.keyboard.press("Alt+ArrowDown")
    assert page() == 1
    expect(box(tab, "[aria-selected=true]")).to_have_class(re.compile("page"))
    tab.page.keyboard.press("Alt+ArrowUp")
    tab.page.keyboard.press("Alt+ArrowUp")
    assert page() == box(tab, ".group").count() - 1


def test_page_keys_move_over_several_results(tab: Tab, server: SiteServer) -> None:
    """To the first and the last one at most."""
    tab.page.goto(server.url)
    tab.search("manifest")
    tab.wait_for_answer("manifest")
    expect(tab.page.get_by_role("button", name="Filters")).to_be_visible()
    selected = "ids => ids.findIndex((option) => option.ariaSelected === 'true')"
    count = tab.options.count()
    assert count > 9
    places = []
    for key in ("PageDown", "ArrowDown", "PageUp", "PageUp", *["PageDown"] * 9):
        tab.page.keyboard.press(key)
        places.append(tab.options.evaluate_all(selected))
    assert places[:4] == [8, 9, 1, 0]
    assert places[-1] == count - 1


def test_preview_shows_the_section_and_escape_closes_it_first(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache-control")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowRight")
    pane = box(tab, ".pane")
    expect(pane.locator("mark").first).to_be_visible()
    texts = pane.locator("p").all_text_contents()
    assert len(texts) == len(set(texts)) > 2  # passages overlap
    title = pane.locator("h2").text_content()
    tab.page.keyboard.press("Alt+ArrowDown")
    expect(pane.locator("h2")).not_to_have_text(title or "")
    tab.page.keyboard.press("Escape")
    expect(pane).to_be_hidden()
    expect(box(tab, "input")).to_be_focused()
    tab.page.keyboard.press("Escape")
    expect(box(tab, "input")).to_be_hidden()


def section_of(html: str, anchor: str) -> list[str]:
    """Return the paragraphs from a heading to the next one of its level."""
    node = LexborHTMLParser(html).css_first(f"[id='{anchor}']")
    assert node is not None
    level, texts = node.tag or "", []
    following = node.next
    while following is not None and not (re.fullmatch("h[1-6]", following.tag or "") and (following.tag or "") <= level):
        texts += [" ".join(following.text().split())] if following.tag == "p" else []
        following = following.next
    return texts


def test_preview_shows_the_whole_section(tab: Tab, server: SiteServer, example_site: Path) -> None:
    """Also paragraphs without a word of the query, and no paragraph of other sections; with marks."""
    ask(tab, server, "drawer strip chips")
    selected = box(tab, ".option.section[aria-selected=true]")
    tab.page.keyboard.press("ArrowDown")
    href = selected.get_attribute("href") or ""
    path, _, anchor = href.removeprefix(server.url).partition("#")
    paragraphs = section_of((example_site / path / "index.html").read_text("utf-8"), anchor)
    assert [text for text in paragraphs if not re.search("drawer|strip|chip", text, re.IGNORECASE)]
    tab.page.keyboard.press("ArrowRight")
    pane = box(tab, ".pane-text")
    expect(pane.locator("mark").first).to_be_in_viewport()
    texts = [" ".join(text.split()) for text in pane.locator("p").all_text_contents()]
    assert [text for text in texts if text in paragraphs] == paragraphs
    assert "The search page" not in (pane.text_content() or "")


@pytest.mark.parametrize("path", [None, "index.html"])
def test_preview_of_a_page_that_is_not_there_shows_passages(
    tab: Tab, server: SiteServer, example_site: Path, path: str | None
) -> None:
    """X3: from the files of the index; also on a host that sends one page for every address that does not exist."""
    tab.expected.append("Failed to load resource")
    ask(tab, server, "drawer strip chips")
    row = box(tab, ".option.page[href$='/search-box/']")
    tab.page.route(
        "**/search-box/",
        lambda route: route.fulfill(path=example_site / path, content_type="text/html") if path else route.abort(),
    )
    while row.get_attribute("aria-selected") != "true":
        tab.page.keyboard.press("Alt+ArrowDown")
    tab.page.keyboard.press("ArrowRight")
    expect(box(tab, ".pane mark").first).to_be_visible()
    expect(box(tab, ".pane")).to_contain_text("chips")


def test_explanation_by_key_and_by_button(tab: Tab, server: SiteServer) -> None:
    """P3: each leg and each change of the score is a bar with its number."""
    ask(tab, server, "install")
    tab.page.keyboard.press("Alt+Enter")
    pane = box(tab, ".pane")
    expect(pane).to_contain_text("words of the page")
    expect(pane).to_contain_text("The page has every word of the query.")
    shares = pane.locator(".bar > span").evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().width)")
    assert len(shares) >= 3
    assert max(shares) > 0
    pane.get_by_role("button", name="Close the details").click()
    expect(pane).to_be_hidden()
    box(tab, ".why").press("Enter")
    expect(pane.get_by_role("region", name="Why here?")).to_be_focused()
    tab.page.keyboard.press("Escape")
    expect(tab.query_field).to_be_focused()


def test_details_have_their_space_below_a_long_list(tab: Tab, server: SiteServer) -> None:
    """On a tablet: the list had all but the height of a line."""
    tab.page.set_viewport_size({"width": 768, "height": 1000})
    ask(tab, server, "search")
    tab.page.keyboard.press("Alt+Enter")
    expect(box(tab, ".pane")).to_contain_text("words of the page")
    heights = [(box(tab, name).bounding_box() or {"height": 0})["height"] for name in (".pane-text", ".body")]
    assert min(heights) > 200, heights


@pytest.mark.parametrize(("width", "height"), [(360, 740), (700, 500), (768, 1000), (1024, 500)])
def test_list_keeps_a_row_between_filters_and_details(tab: Tab, server: SiteServer, width: int, height: int) -> None:
    """Both were as high as without the other."""
    tab.page.set_viewport_size({"width": width, "height": height})
    ask(tab, server, "search")
    box(tab, ".tool").first.click()
    expect(box(tab, ".drawer select")).to_be_attached()
    box(tab, ".why").click()
    expect(box(tab, ".pane")).to_contain_text("words of the page")
    sizes = {name: box(tab, name).bounding_box() or {} for name in ("dialog", ".drawer", ".body", ".pane-text", ".foot")}
    assert min(sizes[name]["height"] for name in (".drawer", ".body", ".pane-text")) >= 30, sizes
    bottoms = [sizes[name]["y"] + sizes[name]["height"] for name in (".foot", "dialog")]
    assert bottoms[0] <= bottoms[1]


def test_details_need_rows_and_filters_close_with_the_dialog(tab: Tab, server: SiteServer) -> None:
    """Back closes the dialog with its filters; details come back with the rows."""
    ask(tab, server, "install")
    tab.page.keyboard.press("Alt+Enter")
    pane, drawer, field = box(tab, ".pane"), box(tab, ".drawer"), box(tab, "input")
    expect(pane).to_contain_text("words of the page")
    field.fill("")
    expect(pane).to_be_hidden()
    field.fill("install")
    expect(pane).to_contain_text("words of the page")
    box(tab, ".tool").first.click()
    expect(drawer).to_be_visible()
    tab.page.go_back()
    expect(field).to_be_hidden()
    tab.page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    expect(drawer).to_be_hidden()


def test_filters_have_counts_and_can_be_removed(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache")
    tab.page.get_by_role("button", name="Filters").click()
    guide = box(tab, ".drawer").get_by_role("button", name=re.compile(r"^Guide \d+"))
    expect(guide).to_be_visible()
    count = int(re.sub(r"\D", "", guide.locator(".count").inner_text()))
    guide.click()
    expect(box(tab, "input")).to_have_value("cache path:guide")
    expect(guide).to_have_attribute("aria-pressed", "true")
    expect(box(tab, "[role=status]")).to_have_text(f"{count} results for “cache path:guide”.")
    tab.page.get_by_role("button", name="Remove the filter path:guide").click()
    expect(box(tab, "input")).to_have_value("cache")
    expect(box(tab, "[role=status]")).to_contain_text("results for “cache”")
    expect(box(tab, ".strip")).to_be_hidden()
    box(tab, "select").select_option("title")
    expect(box(tab, ".strip")).to_contain_text("by title")


def test_filter_that_empties_the_field_keeps_the_focus(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache")
    box(tab, "input").fill("")
    tab.page.get_by_role("button", name="Filters").click()
    chip = box(tab, ".facet").first
    for query in (re.compile("#"), ""):
        chip.press("Enter")
        expect(box(tab, "input")).to_have_value(query)
    tab.page.wait_for_timeout(1000)  # counts would have arrived
    expect(chip).to_be_focused()


def test_filters_that_are_typed_become_chips(tab: Tab, server: SiteServer) -> None:
    """Q6: `tag:` is the same as `#`."""
    ask(tab, server, "cache tag:hosting -offline")
    expect(box(tab, ".strip .chip")).to_have_text(["tag:hosting", "-offline"])
    expect(box(tab, ".group").first).to_be_visible()
    tab.page.keyboard.press("Home")
    tab.page.keyboard.insert_text("no-")
    box(tab, ".strip .chip").first.dispatch_event("click")
    expect(box(tab, "input")).to_have_value("no-cache -offline")
    expect(box(tab, ".strip .chip")).to_have_text(["-offline"])
    box(tab, "input").fill("")
    expect(box(tab, ".strip")).to_be_hidden()


def test_help_lists_the_filters(tab: Tab, server: SiteServer) -> None:
    ask(tab, server, "cache")
    tab.page.get_by_role("button", name="Query syntax and keys").click()
    expect(box(tab, ".drawer")).to_contain_text("path:folder")
    tab.page.keyboard.press("Escape")
    expect(box(tab, ".drawer")).to_be_hidden()
    expect(box(tab, "input")).to_be_visible()


def test_empty_query_and_query_without_hits_offer_links(tab: Tab, server: SiteServer) -> None:
    """To the top folders of the site, and to pages whose names have a common prefix with the word."""
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    expect(box(tab, ".sections a")).to_have_text(["Decisions", "Format", "Guide", "Reference"])
    box(tab, "input").fill('"manifestxq"')
    expect(tab.page.get_by_text("No results for").first).to_be_visible()
    expect(box(tab, ".message .sections a").first).to_have_text(re.compile("manifest", re.IGNORECASE))
    expect(box(tab, ".message")).to_contain_text("Reference")
    box(tab, "input").fill("serviceqxzjq")
    expect(box(tab, ".message .sections a").first).to_have_text("Service worker")  # without the tag of the same page
    for query in ("iodine", "nosuchthing", "reactjs"):  # names begin with a few letters of them
        box(tab, "input").fill(query)
        expect(box(tab, ".message")).to_contain_text(f"No results for “{query}”.")
        expect(box(tab, ".message .sections a")).to_have_text(["Decisions", "Format", "Guide", "Reference"])


@pytest.mark.parametrize(
    ("coverage", "label"), [(["all", "none", "none"], "1"), (["all", "none", "all"], ""), (["none"] * 3, "")]
)
def test_rows_that_are_only_near_are_below_a_label(tab: Tab, server: SiteServer, coverage: list[str], label: str) -> None:
    """All rows below the label, and no row above it, are without a word of the query."""
    stub = Box(tab, server.url)
    stub.type("how to stop")
    tab.page.evaluate(f"globalThis.coverage = {json.dumps(dict(zip('abc', coverage, strict=True)))}")
    stub.answer(0, "a b c")
    labelled = stub.rows().evaluate_all("rows => rows.flatMap((row, at) => row.dataset.near ? [at] : []).join()")
    assert labelled == label
