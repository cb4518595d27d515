"""Content and queries are untrusted: no script in them runs, in pages or in results."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from ranvier_builder import Config, build
from support.browser import Tab
from support.sites import serving

BAIT = "globalThis.caught = true"
HOSTILE = f"""---
title: "<img src=x onerror='{BAIT}'> wombat"
audience: public
tags: ["<script>{BAIT}</script>", "\\" onmouseover=\\"{BAIT}"]
summary: "<svg onload='{BAIT}'>"
---

# <script>{BAIT}</script> wombat heading

A wombat <img src=x onerror="{BAIT}"> and <script>{BAIT}</script> and <a href="javascript:{BAIT}">a link</a>.

`<mark><script>{BAIT}</script></mark>` wombat

<iframe srcdoc="<script>parent.caught = true</script>"></iframe>
<svg onload="{BAIT}"><script>{BAIT}</script></svg>
<a href="data:text/html,<script>{BAIT}</script>">wombat</a> [wombat](javascript:{BAIT}) ![wombat](javascript:{BAIT})
"""


@pytest.fixture
def hostile_site(tmp_path: Path) -> Path:
    content = tmp_path / "content"
    content.mkdir()
    (content / "wombat.md").write_text(HOSTILE)
    (content / "index.md").write_text("---\naudience: public\ntitle: Home\n---\nSee [[wombat]].\n")
    build(content, tmp_path / "public", Config())
    return tmp_path / "public"


def test_hostile_content_runs_no_script(tab: Tab, hostile_site: Path) -> None:
    tab.expected.append("404")  # a missing image may be requested; no script may run
    with serving(hostile_site) as server:
        for path in ("", "wombat/", "search/", "nowhere/"):
            tab.page.goto(server.url + path)
            tab.page.wait_for_timeout(100)
            assert tab.page.evaluate("globalThis.caught") is None, path
        tab.page.goto(server.url)
        tab.page.keyboard.press("Control+k")
        tab.page.evaluate("addEventListener('ranvier-results', ({ detail }) => (globalThis.answered = detail.query))")
        for query in ("wombat", f"<script>{BAIT}</script>", f"<img src=x onerror={BAIT}> wombat"):
            tab.query_field.fill(query)
            tab.page.wait_for_function("query => globalThis.answered === query", arg=query)
            expect(tab.options.first).to_be_visible()
            tab.page.wait_for_timeout(150)
            assert tab.page.evaluate("globalThis.caught") is None, query
        assert tab.page.locator("ranvier-search dialog :is(script, img, iframe)").count() == 0
    for file in hostile_site.rglob("*.html"):
        html = file.read_text("utf-8")
        assert "<script>" not in html
        assert 'href="javascript:' not in html
        assert 'href="data:' not in html
