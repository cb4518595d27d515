"""B6: on a built site a suggestion is visible before the engine is ready, after few bytes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect
from support.browser import Tab
from support.sites import Served

LONG = 20_000  # ms; the engine starts within them on a slow machine
# Bytes of scripts, each as a host may send it, that come before a suggestion does: with the box, which comes with the page, and
# without it. A suggestion needs the box and the API, 18,100 bytes at most; what the open box needs arrives beside them.
MOST, BEHIND_THE_BOX = 26_900, 17_500
SPARING = "Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })"
ROOMY = "Object.defineProperty(Navigator.prototype, 'connection', { value: { effectiveType: '4g', downlink: 10 } })"
SQUEEZED = """
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const files = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(files.map((file) => brotliCompressSync(readFileSync(file), smallest).length)));
"""


def squeezed(files: list[Path]) -> list[int]:
    """Return what each file comes to with brotli, at its best."""
    output = subprocess.run(
        ["node", "--input-type=module", "-e", SQUEEZED],
        input=json.dumps([str(file) for file in files]),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    sizes: list[int] = json.loads(output.stdout)
    return sizes


def test_suggestion_is_visible_before_the_engine_is_ready(tab: Tab, served: Served) -> None:
    """The wasm file is held back; then the answer of the engine replaces the suggestions."""
    held: list[Route] = []
    tab.page.add_init_script(ROOMY)
    tab.page.add_init_script("delete globalThis.SharedWorker")  # what that asks for no page can hold back
    tab.page.context.route("**/pyodide.primary.wasm", lambda route: held.append(route))
    tab.page.goto(served.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("javas")
    heading = tab.page.locator("ranvier-search .heading")
    first = tab.page.locator("ranvier-search [role=option]").first
    expect(heading).to_have_text("Jump to")
    expect(first.locator("mark").first).to_have_text("Javas", ignore_case=True)
    expect(first).to_have_attribute("href", f"{served.url}reference/javascript-api/")
    while not held:  # the engine has come as far as that
        tab.page.wait_for_timeout(50)
    expect(heading).to_have_text("Jump to")
    for route in held:
        route.continue_()
    expect(tab.page.locator("ranvier-search .snippet").first).to_be_visible()
    expect(heading).not_to_have_text("Jump to")


def test_bytes_before_the_first_suggestion_are_small(tab: Tab, served: Served, example_site: Path) -> None:
    """Of all scripts that a page requests without prefetching, each with Brotli."""
    tab.page.add_init_script(SPARING)
    tab.page.goto(served.url)
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type("j")
    expect(tab.page.locator("ranvier-search [role=option]").first).to_be_visible()
    requests = [path for path in served.recorder.paths if "/web-" in path]
    assert len(requests) == len(set(requests))
    scripts = [example_site / path.lstrip("/") for path in requests]
    assert {"api.js", "search-box.js"} <= {script.name for script in scripts}
    sizes = squeezed(scripts)
    messages = sorted(zip(sizes, [script.name for script in scripts], strict=True), reverse=True)
    assert sum(sizes) <= MOST, messages
    assert sum(size for size, name in messages if name != "search-box.js") <= BEHIND_THE_BOX, messages


def test_page_loads_two_scripts_before_any_intent(tab: Tab, served: Served) -> None:
    """Each once: the box and the API, so that the first key needs data only; and the theme's own small script."""
    tab.page.goto(served.url)
    tab.page.wait_for_load_state("networkidle")
    names = [path.rsplit("/", 1)[1] for path in served.recorder.paths if "/_ranvier/" in path]
    assert sorted(names) == ["api.js", "page.js", "search-box.js", "style.css"]


@pytest.mark.parametrize(("connection", "starts"), [(ROOMY, True), (SPARING, False)])
def test_preload_setting_starts_the_engine_when_idle(
    tab: Tab, served: Served, example_site: Path, connection: str, starts: bool
) -> None:
    tab.page.add_init_script(connection)
    page = (example_site / "index.html").read_text("utf-8").replace("<ranvier-search ", '<ranvier-search preload="idle" ')
    tab.page.route(served.url, lambda route: route.fulfill(body=page, content_type="text/html"))
    tab.page.goto(served.url)
    if not starts:
        tab.page.wait_for_load_state("networkidle")
    for _ in range(LONG // 100 if starts else 0):
        if any("pyodide.primary.wasm" in path for path in served.recorder.paths):
            break
        tab.page.wait_for_timeout(100)
    assert any("pyodide.primary.wasm" in path for path in served.recorder.paths) is starts
