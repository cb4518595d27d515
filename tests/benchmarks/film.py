"""The page after ⌘K on a 4G line: one picture every quarter of a second, in one PNG.

.venv/bin/python tests/benchmarks/film.py CONTENT strip.png ["how do I deploy"]
"""

import argparse
import tempfile
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from common import PUBLIC
from line import LINES, Line, fresh, packed, served
from playwright.sync_api import Browser, Page, sync_playwright
from ranvier_builder import build
from support.browser import _ARGUMENTS, CHROMIUM

LINE = "4G: 100 ms, 10 Mbit/s"
STEP = 0.25  # seconds
KEY = 60  # ms from key to key
SIZE = {"width": 480, "height": 400}
COLUMNS = 4
STRIP = """<!doctype html><style>
body { margin: 0; padding: 8px; display: grid; grid-template-columns: repeat(%d, 240px); gap: 8px; font: 12px sans-serif }
figure { margin: 0 }
img { display: block; width: 240px; height: 200px; border: 1px solid #ccc }
</style>"""


@dataclass
class Film:
    """The frames of a page with their seconds after the start."""

    page: Page
    frames: list[tuple[float, str]] = field(default_factory=list)

    def start(self) -> None:
        """Record every frame that the browser draws."""
        session = self.page.context.new_cdp_session(self.page)
        began = time.time()

        def add(frame: dict[str, Any]) -> None:
            self.frames.append((frame["metadata"]["timestamp"] - began, frame["data"]))
            session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        session.on("Page.screencastFrame", add)
        session.send("Page.startScreencast", {"format": "png"})

    def at(self, second: float) -> str:
        """Return the last frame up to a time, as base64."""
        before = [data for time_drawn, data in self.frames if time_drawn <= second]
        return before[-1] if before else self.frames[0][1]


def main() -> None:
    """Build a site, search it, and write the PNG."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("strip", type=Path, help="the PNG to write")
    parser.add_argument("query", nargs="?", default="how do I deploy")
    parser.add_argument("--seconds", type=float, default=4.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder, sync_playwright() as playwright:
        site = Path(folder) / "public"
        build(arguments.content, site, PUBLIC)
        for file in site.rglob("*"):
            if file.is_file():
                packed(file)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        film = record(browser, site, arguments.query, arguments.seconds)
        times = [STEP * number for number in range(1, int(arguments.seconds / STEP) + 1)]
        arguments.strip.write_bytes(draw(browser, [(second, film.at(second)) for second in times]))
        browser.close()


def record(browser: Browser, site: Path, query: str, seconds: float) -> Film:
    """Open the box on a page in a new profile, and type."""
    line = LINES[LINE]
    with served(Line(site, *line)) as url:
        page = fresh(browser, url, "", line[1])
        page.set_viewport_size(SIZE)
        page.wait_for_load_state("networkidle")
        film = Film(page)
        film.start()
        page.keyboard.press("Control+k")
        page.keyboard.type(query, delay=KEY)
        page.wait_for_timeout(seconds * 1000)
        page.context.close()
    return film


def draw(browser: Browser, pictures: list[tuple[float, str]]) -> bytes:
    """Return a PNG of pictures in rows, each below its time."""
    cells = (
        f'<figure><figcaption>{escape(f"{second:.2f} s")}</figcaption><img src="data:image/png;base64,{data}"></figure>'
        for second, data in pictures
    )
    page = browser.new_page(viewport={"width": 248 * COLUMNS + 8, "height": 100})
    page.set_content(STRIP % COLUMNS + "".join(cells))
    return page.screenshot(full_page=True)


if __name__ == "__main__":
    main()
