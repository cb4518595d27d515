"""X3: a missing or damaged file is an error with a retry, never a silent miss, and is not cached."""

from pathlib import Path

from playwright.sync_api import expect
from ranvier_builder import build
from support.browser import Tab, workers
from support.content import OPEN, write_pages
from support.fault_site import build_small
from support.sites import serving


def test_search_box_shows_the_error_and_a_retry(tab: Tab, example_site: Path) -> None:
    tab.expected += ["500", "Failed to load resource"]
    with serving(example_site) as server:
        server.recorder.faults["/text/"] = "500"
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        field, chips = tab.query_field, tab.page.locator("ranvier-search .strip .chip")
        field.fill("manifest -sphinx")
        retry = tab.page.get_by_role("button", name="Try again")
        expect(retry).to_be_visible()
        expect(chips).to_have_text(["-sphinx"])
        field.fill("manifest")
        expect(chips).to_have_count(0)
        expect(retry).to_be_visible()
        server.recorder.faults.clear()
        retry.click()
        expect(tab.options.first).to_be_visible()


def test_browser_without_workers_is_told_that_the_engine_cannot_start(tab: Tab, example_site: Path) -> None:
    """The names of pages are still suggested."""
    tab.page.add_init_script("delete globalThis.SharedWorker; delete globalThis.Worker")
    with serving(example_site) as server:
        tab.page.goto(server.url)
        tab.search("javas")
        expect(tab.page.locator("ranvier-search .message")).to_contain_text("The search engine could not be started.")
        expect(tab.options.first).to_be_visible()


# Records every text of the dialog, even if it is visible for a moment only.
WATCH = """() => {
  globalThis.texts = [];
  const root = document.querySelector("ranvier-search").shadowRoot;
  const record = () => texts.push(root.querySelector("dialog").innerText);
  new MutationObserver(record).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_open_page_searches_a_rebuilt_site(tab: Tab, tmp_path: Path) -> None:
    """The old files are deleted: the page reads the new entry file and repeats the search without an error."""
    tab.expected += ["404", "Failed to load resource"]
    content, site = tmp_path / "content", tmp_path / "public"
    write_pages(content, "wombat")
    build(content, site, OPEN)
    with serving(site) as server:
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        field, options = tab.query_field, tab.options
        field.fill("page3")
        expect(options.first).to_be_visible()
        write_pages(content, "numbat")
        build(content, site, OPEN)
        tab.page.evaluate(WATCH)
        field.fill("numbat page17")
        expect(options.first).to_contain_text("Page17")
        expect(tab.page.locator("ranvier-search [role=option] mark", has_text="numbat").first).to_be_visible()
        texts = tab.page.evaluate("globalThis.texts")
        assert any("Searching" in text or "Page3" in text for text in texts)
        assert [text for text in texts if "search failed" in text or "Try again" in text or "could not" in text] == []
        assert len(workers(tab.page.context)) == 1, "the worker of the old version has ended"


def test_open_page_without_its_scripts_asks_for_a_reload(tab: Tab, tmp_path: Path) -> None:
    """After a release with other scripts, a page without a running engine must be loaded again."""
    tab.expected += ["404", "Failed to load resource"]
    site = build_small(tmp_path)
    (scripts,) = (site / "_ranvier").glob("web-*")
    with serving(site) as server:
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        expect(tab.query_field).to_be_visible()
        scripts.rename(scripts.with_name("web-0123456789ab"))
        tab.query_field.fill("axon")
        expect(tab.page.locator("ranvier-search")).to_contain_text("the site was just updated: then reload the page")
