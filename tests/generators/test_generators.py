"""The recipes of the manual's page "Site generators" (N8, G1): each with its generator, in a desktop window and on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from generators.generators import GENERATORS, UNDER, Generator, work
from playwright.sync_api import Browser, Page, expect
from ranvier_builder import Config
from ranvier_builder.indexing import index
from support.browser import opened_tab
from support.sites import SiteServer, serving

LONG = 30_000  # ms; the engine starts within them on a slow machine
# Until a page is loaded, this is the same page. The engine's answer follows the first results.
LISTEN = """() => {
  globalThis.isSamePage = true;
  document.addEventListener("ranvier-results", () => (document.documentElement.dataset.answered = ""));
}"""
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="module", params=GENERATORS, ids=lambda generator: generator.name)
def built(request: pytest.FixtureRequest) -> Iterator[tuple[Generator, Path, SiteServer]]:
    generator: Generator = request.param
    site = generator.build()
    index(site, Config(url=f"https://example.org{UNDER}"))
    with serving(site, under=UNDER) as server:
        yield generator, site, server


def picture(page: Page, name: str) -> None:
    folder = work() / "screenshots"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_box_of_a_site_leads_to_a_heading(
    chromium: Browser, built: tuple[Generator, Path, SiteServer], device: str, scheme: Any
) -> None:
    """And the box is there on the next page, too."""
    generator, _, server = built
    name = f"{generator.name}-{device}-{scheme}"
    with opened_tab(chromium, color_scheme=scheme, **DEVICES[device]) as tab:
        page = tab.page
        page.route(re.compile(r"favicon\.(ico|svg)$"), lambda route: route.fulfill(status=204))
        page.goto(server.url)
        box = page.locator("ranvier-search:visible")
        button = box.get_by_role("button", name="Search")
        expect(button).to_be_visible()
        page.wait_for_load_state("networkidle")
        picture(page, f"{name}-page")
        page.evaluate(LISTEN)
        button.click()
        page.locator("ranvier-search input[role=combobox]:visible").fill("loop jams")
        section = box.locator("[role=option]").filter(has_text="The bowline").first
        expect(page.locator("html[data-answered]")).to_be_attached(timeout=LONG)
        expect(section).to_be_visible()
        picture(page, f"{name}-results")
        section.click()
        page.wait_for_url(re.compile(rf"{UNDER}knots(\.html|/)?#the-bowline$"))
        expect(page.get_by_role("heading", name="The bowline")).to_be_visible()
        expect(box.get_by_role("button", name="Search")).to_be_visible()
        assert bool(page.evaluate("globalThis.isSamePage")) == generator.routes


def test_menus_and_footers_of_a_site_are_not_indexed(built: tuple[Generator, Path, SiteServer]) -> None:
    import ranvier

    _, site, _ = built
    with ranvier.open_snapshot(site) as library:
        assert [hit.title for hit in library.search("sails").hits] == ["Boats"]
        for words in ('"skip to"', '"on this page"', "powered", '"last updated"', '"dark mode"', '"previous page"'):
            result = library.search(words)
            assert not result.hits or "no-phrase" in {notice.code for notice in result.notices}, words
        assert library.search("", return_all=True).total_hits == 3
