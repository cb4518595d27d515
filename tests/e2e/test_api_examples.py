"""B7: the examples of the manual's page on the JavaScript API, each run as it stands, on the manual's own site.

A block is the body of a module, with `await` where it likes. One that begins with the comment `// NAME.js` is put into the
site under that name, as the page says. There is no `eval`: each block is a file, imported under a strict policy.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import Browser
from support.browser import Tab, opened_tab
from support.sites import EXAMPLE, Served, serving

BLOCKS = re.findall(r"^```js\n(.*?)^```$", (EXAMPLE / "content/reference/javascript-api.md").read_text("utf-8"), re.M | re.S)
NAMED = re.compile(r"// ([a-z-]+\.js)\n")
# Says how the block ended: a module that fails ends its importer silently.
RUN = """
const { block } = document.documentElement.dataset;
try {
  await import(`./${block}`);
  document.documentElement.dataset.ended = "well";
} catch (error) {
  document.documentElement.dataset.ended = `${error?.name} ${error?.code}: ${error?.message}`;
}
"""
PAGE = """<!doctype html><html data-block="{}"><title>Example</title><link rel="icon" href="/favicon.svg">
<body><script type="module" src="run.js"></script>
"""
LATE = 120_000  # ms: the first one starts the engine


@pytest.fixture(scope="module")
def served(example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The manual with a page for each example."""
    site = Path(shutil.copytree(example_site, tmp_path_factory.mktemp("examples") / "site"))
    folder = site / "examples"
    folder.mkdir()
    (folder / "run.js").write_text(RUN, "utf-8")
    for number, block in enumerate(BLOCKS):
        (folder / f"{number}.js").write_text(block, "utf-8")
        (folder / f"{number}.html").write_text(PAGE.format(f"{number}.js"), "utf-8")
        if named := NAMED.match(block):
            (site / named[1]).write_text(block, "utf-8")
    with serving(site, headers={"content-security-policy": POLICY}) as server:
        yield server


@pytest.fixture(scope="module")
def one_tab(chromium: Browser) -> Iterator[Tab]:
    """One tab for all examples: a reader goes from page to page, and the engine stays."""
    with opened_tab(chromium) as tab:
        tab.expected.append("log: ")  # what examples print is looked at below
        yield tab


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example_of_the_manual_runs(one_tab: Tab, served: Served, number: int) -> None:
    """Without an error, and with the printed output."""
    before = len(one_tab.messages)
    one_tab.page.goto(f"{served.url}examples/{number}.html")
    one_tab.page.wait_for_selector("html[data-ended]", state="attached", timeout=LATE)
    assert one_tab.page.locator("html").get_attribute("data-ended") == "well"
    message = one_tab.messages[before:]
    assert [line for line in message if not line.startswith("log: ")] == []
    assert bool(message) == ("console.log" in BLOCKS[number])
    assert [line for line in message if re.search(r"\b(undefined|NaN)\b", line)] == []


def test_every_api_method_has_an_example() -> None:
    """`unlock` and `lock` need a site with layers: their example is text, and the tests of layers run them."""
    source = (Path(__file__).parents[2] / "runtime/ranvier_web/api.js").read_text("utf-8")
    manual = (EXAMPLE / "content/reference/javascript-api.md").read_text("utf-8")
    returned = source.partition("  return {\n")[2].partition("\n  };")[0]
    calls = set(re.findall(r"^    (?:get |async )?(\w+)(?=:|\([a-z, ]*\) \{)", returned, re.M))
    methods = {"ready", "search", "suggest", "instant", "retrieve", "backlinks", "folders", "preload", "status", "close"}
    methods |= {"unlock", "lock"}
    assert methods == calls
    examples = [*BLOCKS, *re.findall(r"^```text\n(.*?)^```$", manual, re.M | re.S)]
    assert {call for call in calls if not any(f"engine.{call}" in block for block in examples)} == set()
