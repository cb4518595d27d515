"""`ranvier index` in a browser (N8, G1, B5, B6): pages of another generator with Ranvier's two lines, below a path."""

import re
from pathlib import Path

import pytest
import ranvier
from parity.compare import compare, plain
from playwright.sync_api import Route, expect
from ranvier_builder import Config
from ranvier_builder.indexing import index, snippet
from support.browser import Tab
from support.content import write_tree
from support.shared import entered_fixture
from support.sites import SiteServer, serving

UNDER = "/handbook/v2/"
SCRIPT, ELEMENT = snippet(f"https://example.org{UNDER}").splitlines()
# For the two lines only: the pages have no other scripts and no styles.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:; "
    "require-trusted-types-for 'script'"
)


def page(title: str, body: str) -> str:
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | Sea handbook</title>
    <link rel="icon" href="data:,">{SCRIPT}</head>
    <body><header><nav>Home Boats</nav>{ELEMENT}</header><main>{body}</main><footer>Printed on kelp</footer></body></html>"""


PAGES: dict[str, str | bytes] = {
    "index.html": page("Welcome", "<h1>Welcome</h1><p>A handbook for sailors.</p>"),
    "boats/index.html": page("Boats", "<h1>Boats</h1><p>Ketch, yawl and dinghy.</p>"),
    "knots.html": page(
        "Knots",
        "<h1>Knots</h1><p>Ropes made fast.</p><section id='bowline'><h2>The bowline<a href='#bowline'>¶</a></h2>"
        "<p>A loop that neither slips nor jams.</p></section>" + "<br>" * 80 + "<h2 id='reef'>Reef</h2><p>Flat.</p>",
    ),
}


@pytest.fixture(scope="module")
def sea(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("sea"), PAGES)
    index(folder, Config())
    return folder


server = entered_fixture(serving, "sea", headers={"content-security-policy": POLICY}, under=UNDER)


@pytest.mark.parametrize("start", ["", "boats/", "knots.html"])
def test_search_leads_to_the_heading_of_an_indexed_page(tab: Tab, server: SiteServer, start: str) -> None:
    """From pages at any depth, without a request to another host."""
    foreign: list[str] = []
    host = server.url.removesuffix(UNDER)
    tab.page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith(host) else None)
    tab.page.goto(server.url + start)
    box = tab.page.locator("ranvier-search")
    expect(box.get_by_role("button", name="Search")).to_be_visible()
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("loop jams", delay=20)
    tab.wait_for_answer("loop jams")
    expect(box.get_by_text("The bowline").first).to_be_visible()
    expect(box.get_by_text("¶")).to_have_count(0)
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(re.compile(r"/handbook/v2/knots\.html#bowline$"))
    assert foreign == []


def test_key_opens_the_search_box_while_it_is_loading(tab: Tab, server: SiteServer) -> None:
    """And not the browser's own search."""
    routes: list[Route] = []
    tab.page.route("**/entry.json", lambda route: routes.append(route))
    tab.page.goto(server.url, wait_until="commit")
    while not routes:
        tab.page.wait_for_timeout(20)
    tab.page.keyboard.down("Control")
    for _ in range(3):  # the key is held down
        tab.page.keyboard.down("k")
    routes[0].continue_()
    expect(tab.query_field).to_be_focused()


def test_entry_file_that_fails_once_does_not_cost_the_search_box(tab: Tab, server: SiteServer) -> None:
    tab.expected += ["503", "Failed to load resource"]
    tab.page.route("**/entry.json", lambda route: route.fulfill(status=503), times=1)
    tab.page.goto(server.url)
    expect(tab.page.locator("ranvier-search").get_by_role("button", name="Search")).to_be_visible()


def test_button_of_the_page_opens_the_search_box(tab: Tab, server: SiteServer) -> None:
    tab.page.goto(server.url)
    tab.page.locator("ranvier-search").get_by_role("button", name="Search").click()
    field = tab.query_field
    expect(field).to_be_focused()
    field.fill("kelp")
    expect(tab.page.get_by_text("No results for “kelp”.").first).to_be_visible()


def test_indexed_page_requests_little_before_a_search(tab: Tab, server: SiteServer) -> None:
    """The loader, the entry file and the box: no engine, no index."""
    tab.page.goto(server.url)
    expect(tab.page.locator("ranvier-search").get_by_role("button", name="Search")).to_be_visible()
    requests = [path.removeprefix(f"{UNDER}_ranvier/") for path in server.recorder.paths if "/_ranvier/" in path]
    assert requests[:2] == ["search.js", "entry.json"]
    assert all(re.match(r"web-[0-9a-f]+/ui/", path) for path in requests[2:]), requests


def test_indexed_site_gives_the_same_answers_on_server_and_in_browser(tab: Tab, sea: Path, server: SiteServer) -> None:
    """B1."""
    with ranvier.open_snapshot(sea) as library:
        tab.page.goto(server.url)
        tab.open_engine(server.url)
        for query in ("knots", "loop jams", "ketch OR reef", '"neither slips"', "handbook", "xyzzyplugh", "bow*", "printed"):
            expected = plain(library.search(query, limit=20))
            assert compare(expected, tab.ask("search", query, limit=20)["done"]) == [], query
        assert library.search("printed").total_hits == 0
