"""V2: the page of the HTTP API works in a browser, by keyboard, under its own content security policy."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Tab


@pytest.fixture
def api(small_site: Path) -> Iterator[str]:
    """The address of `ranvier serve --api`."""
    command = [sys.executable, "-m", "ranvier_builder", "serve", str(small_site), "--api", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address = re.search(r"http://[\d.:]+/", server.stderr.readline())
            assert address is not None
            yield address[0]
        finally:
            server.terminate()


def test_request_is_sent_by_keyboard(tab: Tab, api: str) -> None:
    page = tab.page
    tab.expected.append("404")  # the icon of the response, which is JSON
    page.goto(f"{api}openapi.html")
    page.get_by_role("link", name="GET /search").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("conduction")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{api}search?q=conduction")
    assert "Install the axon" in page.inner_text("body")


def test_page_fits_a_phone(tab: Tab, api: str) -> None:
    tab.page.set_viewport_size({"width": 320, "height": 640})
    tab.page.goto(f"{api}openapi.html")
    for summary in tab.page.locator("summary").all():
        summary.press("Enter")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 320
