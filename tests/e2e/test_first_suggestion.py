"""B6: on a built site a suggestion is visible before the engine is ready, after few bytes."""

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect
from support.browser import Tab
from support.sites import SiteServer

TIMEOUT = 20_000  # ms: the start of an engine on a slow machine
# Compressed bytes of all scripts before the first suggestion, with and without the box, which loads with the page. A suggestion
# needs the box and the API only, at most 18,200 bytes; the scripts of the open box load at the same time.
MAX_BYTES, MAX_BYTES_WITHOUT_BOX = 25_900, 16_350
SAVE_DATA = "Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })"
FAST_CONNECTION = "Object.defineProperty(Navigator.prototype, 'connection', { value: { effectiveType: '4g', downlink: 10 } })"
COMPRESS = """
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const files = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(files.map((file) => brotliCompressSync(readFileSync(file), options).length)));
"""


def compressed_sizes(files: list[Path]) -> list[int]:
    """Return the size of each file in Brotli at the highest quality."""
    output = subprocess.run(
        ["node", "--input-type=module", "-e", COMPRESS],
        input=json.dumps([str(file) for file in files]),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    sizes: list[int] = json.loads(output.stdout)
    return sizes


@pytest.mark.parametrize(
    ("query", "heading", "path", "marks"),
    [
        ("javas", "Jump to", "reference/javascript-api/", ["JavaS"]),
        ("how do I deploy the site", "First results", "guide/publish-on-a-static-host/", []),
    ],
)
def test_rows_are_visible_before_the_engine_is_ready(
    tab: Tab, server: SiteServer, query: str, heading: str, path: str, marks: list[str]
) -> None:
    """B4: with the progress of the start, while the wasm file is delayed; then the engine's answer replaces the rows."""
    routes: list[Route] = []
    tab.page.add_init_script(FAST_CONNECTION)
    tab.page.add_init_script("delete globalThis.SharedWorker")  # tests cannot intercept its requests
    tab.page.context.route("**/pyodide.primary.wasm", lambda route: routes.append(route))
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type(query, delay=10)
    label = tab.page.locator("ranvier-search .heading")
    progress = tab.page.get_by_text("Getting search ready…").first
    expect(label).to_have_text(heading)
    row = tab.page.locator(f"ranvier-search .option.page[href^='{server.url}{path}']").first
    expect(row).to_be_visible()
    expect(row.locator("mark")).to_have_text(marks)
    expect(progress).to_be_visible()
    while not routes:
        tab.page.wait_for_timeout(50)
    expect(label).to_have_text(heading)
    for route in routes:
        route.continue_()
    expect(tab.snippet).to_be_visible()
    expect(label).not_to_have_text(heading)
    expect(progress).not_to_be_visible()


def test_bytes_before_the_first_suggestion_are_small(tab: Tab, server: SiteServer, example_site: Path) -> None:
    """Of all scripts that a page requests without prefetching, each with Brotli."""
    tab.page.add_init_script(SAVE_DATA)
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("j")
    expect(tab.options.first).to_be_visible()
    requests = [path for path in server.recorder.paths if "/web-" in path]
    assert len(requests) == len(set(requests))
    scripts = [example_site / path.lstrip("/") for path in requests]
    assert {"api.js", "search-box.js"} <= {script.name for script in scripts}
    sizes = compressed_sizes(scripts)
    rows = sorted(zip(sizes, [script.name for script in scripts], strict=True), reverse=True)
    assert sum(sizes) <= MAX_BYTES, rows
    assert sum(size for size, name in rows if name != "search-box.js") <= MAX_BYTES_WITHOUT_BOX, rows


def test_page_loads_two_scripts_before_any_intent(tab: Tab, server: SiteServer) -> None:
    """The box and the API, so that the first key needs data only; and the theme's small script."""
    tab.page.goto(server.url)
    tab.page.wait_for_load_state("networkidle")
    names = [path.rsplit("/", 1)[1] for path in server.recorder.paths if "/_ranvier/" in path]
    assert sorted(names) == ["api.js", "page.js", "search-box.js", "style.css"]


@pytest.mark.parametrize(("connection", "starts"), [(FAST_CONNECTION, True), (SAVE_DATA, False)])
def test_preload_setting_starts_the_engine_when_idle(
    tab: Tab, server: SiteServer, example_site: Path, connection: str, starts: bool
) -> None:
    tab.page.add_init_script(connection)
    page = (example_site / "index.html").read_text("utf-8").replace("<ranvier-search ", '<ranvier-search preload="idle" ')
    tab.page.route(server.url, lambda route: route.fulfill(body=page, content_type="text/html"))
    tab.page.goto(server.url)
    if not starts:
        tab.page.wait_for_load_state("networkidle")
    for _ in range(TIMEOUT // 100 if starts else 0):
        if any("pyodide.primary.wasm" in path for path in server.recorder.paths):
            break
        tab.page.wait_for_timeout(100)
    assert any("pyodide.primary.wasm" in path for path in server.recorder.paths) is starts
