"""Pagefind's own search interfaces, unchanged, with the module of `ranvier index --pagefind` (N8)."""

import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from e2e.test_pagefind import PAGES, UNDER
from generators.generators import GENERATORS, SITES, npm, work
from generators.test_generators import DEVICES, LONG, picture
from playwright.sync_api import Browser, expect
from ranvier_builder import Config
from ranvier_builder.indexing import index
from support.browser import opened_tab
from support.content import write_tree
from support.sites import SiteServer, serving

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">"""
DEFAULT = f"""{HEAD}<title>Default UI</title><link rel="stylesheet" href="ui/default/css/ui.css"><div id="search"></div>
<script type="module">
import {{ PagefindUI }} from "./ui/default/npm_dist/mjs/ui-core.mjs";
new PagefindUI({{ element: "#search", bundlePath: "{UNDER}pagefind/", showSubResults: true, pageSize: 5 }});
</script>"""
COMPONENT = f"""{HEAD}<title>Component UI</title><link rel="stylesheet" href="ui/component/css/pagefind-component-ui.css">
<pagefind-config bundle-path="{UNDER}pagefind/"></pagefind-config><pagefind-input></pagefind-input>
<pagefind-summary></pagefind-summary><pagefind-filter-pane></pagefind-filter-pane><pagefind-results></pagefind-results>
<script type="module" src="ui/component/npm_dist/mjs/component-ui.mjs"></script>"""


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    """A site with Pagefind's attributes and both interfaces; Pagefind itself never ran."""
    packages, site = work() / "pagefind-ui", work() / "pagefind-ui-site"
    shutil.copytree(SITES / "pagefind-ui", packages, dirs_exist_ok=True)
    for command in npm(packages):
        subprocess.run(command, cwd=packages, check=True, timeout=300)
    shutil.rmtree(site, ignore_errors=True)
    write_tree(site, {**PAGES, "default.html": DEFAULT, "component.html": COMPONENT})
    for name in ("default", "component"):
        shutil.copytree(packages / "node_modules/@pagefind" / f"{name}-ui", site / "ui" / name)
    index(site, Config(exclude=("ui/*",)), pagefind=True)
    with serving(site, under=UNDER) as server:
        yield server


@pytest.mark.parametrize("device", DEVICES)
def test_default_interface(chromium: Browser, server: SiteServer, device: str) -> None:
    """Results with marks, sections, filters with counts, later results, and a message if there is no result."""
    with opened_tab(chromium, **DEVICES[device]) as tab:
        page = tab.page
        page.route("**/ketch.png", lambda route: route.fulfill(status=204))
        page.goto(f"{server.url}default.html")
        field = page.get_by_placeholder("Search")
        field.fill("boat")
        expect(page.get_by_text("3 results for boat")).to_be_visible(timeout=LONG)
        ketch = page.locator(".pagefind-ui__result").filter(has_text="Ketch")
        expect(ketch.locator(".pagefind-ui__result-excerpt mark").first).to_have_text("boat")
        expect(ketch.get_by_role("link", name="Mizzen")).to_have_attribute("href", f"{UNDER}ketch/#mizzen")
        picture(page, f"pagefind-default-{device}")
        page.locator("summary").filter(has_text="sail").click()
        page.get_by_label("White (2)").check()
        expect(page.get_by_text("2 results for boat")).to_be_visible()
        page.get_by_label("Red (1)").check()
        expect(page.get_by_text("1 result for boat")).to_be_visible()
        expect(page.get_by_role("link", name="Ketch")).to_be_visible()
        picture(page, f"pagefind-default-{device}-filters")
        for name in ("Red", "White"):
            page.get_by_label(re.compile(rf"^{name} ")).uncheck()
        field.fill("ballast")
        expect(page.get_by_text("14 results for ballast")).to_be_visible()
        expect(page.locator(".pagefind-ui__result-link")).to_have_count(5)
        for count in (10, 14):
            page.get_by_role("button", name="Load more results").click()
            expect(page.locator(".pagefind-ui__result-link")).to_have_count(count)
        field.fill("xyzzyplugh")
        expect(page.get_by_text("No results for xyzzyplugh")).to_be_visible()
        field.fill("mizzen")
        page.get_by_role("link", name="Mizzen").click()
        page.wait_for_url(f"**{UNDER}ketch/#mizzen")


@pytest.mark.parametrize("device", DEVICES)
def test_component_interface(chromium: Browser, server: SiteServer, device: str) -> None:
    with opened_tab(chromium, **DEVICES[device]) as tab:
        page = tab.page
        page.route("**/ketch.png", lambda route: route.fulfill(status=204))
        page.goto(f"{server.url}component.html")
        page.get_by_role("searchbox").fill("boat")
        results = page.locator("pagefind-results")
        expect(results.get_by_role("link", name="Ketch")).to_be_visible(timeout=LONG)
        expect(results.get_by_role("link", name="Mizzen")).to_have_attribute("href", f"{UNDER}ketch/#mizzen")
        expect(results.locator("mark").first).to_have_text("boat")
        picture(page, f"pagefind-component-{device}")
        page.get_by_role("searchbox").fill("xyzzyplugh")
        expect(page.get_by_text("No results").first).to_be_visible()


def test_box_of_starlight_searches_through_the_module(chromium: Browser) -> None:
    """Its build ran Pagefind; the one module is replaced, and no template changes."""
    (starlight,) = [generator for generator in GENERATORS if generator.name == "starlight"]
    site = starlight.build(OWN_BOX="1")
    index(site, Config(), pagefind=True)
    with serving(site, under=UNDER) as server, opened_tab(chromium, **DEVICES["desktop"]) as tab:
        page = tab.page
        page.route(re.compile(r"favicon\.(ico|svg)$"), lambda route: route.fulfill(status=204))
        page.goto(server.url)
        page.get_by_role("button", name="Search").click()
        page.get_by_placeholder("Search").fill("loop jams")
        link = page.get_by_role("link", name="The bowline")
        expect(link).to_be_visible(timeout=LONG)
        picture(page, "starlight-own-box")
        link.click()
        page.wait_for_url(f"**{UNDER}knots/#the-bowline")
        assert any(re.search(r"_ranvier/pagefind-[0-9a-f]+/search\.js", path) for path in server.recorder.paths)
        assert not any(path.endswith(".pf_meta") for path in server.recorder.paths)
