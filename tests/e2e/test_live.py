"""I3: an open page reloads itself after a build with `--live`."""

from pathlib import Path

import pytest
from ranvier_builder import build, publish
from ranvier_builder.work.database import Memory
from support.browser import Tab
from support.content import OPEN, stub_assets, write_tree
from support.sites import serving


def test_open_page_reloads_after_a_build(tmp_path: Path, tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    content = write_tree(tmp_path / "content", {"index.md": "# Home\n\nThe first words.\n"})
    site, memory = tmp_path / "public", Memory(tmp_path / "cache")
    build(content, site, OPEN, memory=memory)
    tab.expected += ["404", "MIME type", "Failed to load"]  # stubs replace the browser's scripts
    with serving(site, live=True) as server:
        with tab.page.expect_response("**/_ranvier-live"):
            tab.page.goto(server.url)
        tab.page.evaluate("globalThis.isSamePage = true")
        write_tree(content, {"index.md": "# Home\n\nThe second words.\n"})
        build(content, site, OPEN, memory=memory)
        tab.page.get_by_text("The second words.").wait_for(timeout=10_000)
        assert tab.page.evaluate("globalThis.isSamePage") is None
        tab.page.goto("about:blank")
