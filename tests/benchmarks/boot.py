"""Worker created → first answer: a profile's first load and its second, median of five; and what the engine weighs."""

from __future__ import annotations

import gzip
import statistics
import sys
from pathlib import Path

import brotli
from common import built
from playwright.sync_api import sync_playwright
from support.browser import _ARGUMENTS, CHROMIUM
from support.sites import serving

RUNS = 5
_TIMED = """async (query) => {
  const base = new URL("_ranvier/", document.baseURI).href;
  const entry = await (await fetch(base + "entry.json")).json();
  const { open } = await import(base + entry.api);
  const start = performance.now();
  const engine = open(base);
  await engine.search(query, { limit: 8, prefix: true });
  const first = performance.now() - start;
  const warm = [];
  for (const next of ["install", "template page", "configuration", query]) {
    const at = performance.now();
    await engine.search(next, { limit: 8, prefix: true });
    warm.push(performance.now() - at);
  }
  engine.close();
  return [first, warm[3]];
}"""


def main() -> None:
    """Print times and sizes."""
    query = sys.argv[2] if len(sys.argv) > 2 else "how to install"
    first, second, warm = [], [], []
    with built(Path(sys.argv[1])) as site, serving(site) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        for _ in range(RUNS + 1):
            context = browser.new_context()
            page = context.new_page()
            for times in (first, second):
                page.goto(served.url)
                time, again = page.evaluate(_TIMED, query)
                times.append(time)
                warm.append(again)
            context.close()
        browser.close()
        base = site / "_ranvier"
        files = [*base.glob("engine-*/*"), *base.glob("core-*"), *base.glob("web-*/**/*.js")]
        contents = [file.read_bytes() for file in files]
    for name, times in (("cold", first[1:]), ("second", second[1:]), ("the same query again", warm[2:])):
        print(f"{name:22} {statistics.median(times):7.0f} ms   ({', '.join(f'{time:.0f}' for time in times)})")
    packed = sum(len(brotli.compress(data, quality=11)) for data in contents)
    zipped = sum(len(gzip.compress(data, 9)) for data in contents)
    print(f"engine, core, modules  {sum(map(len, contents)):,} raw, {zipped:,} gzip, {packed:,} brotli")


main()
