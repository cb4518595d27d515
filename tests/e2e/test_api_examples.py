"""B7: the examples of the manual's page on the JavaScript API run unchanged on the manual's own site.

A block is the body of a module. A block that begins with the comment `// NAME.js` is written into the site under that name, as
the page says. The strict policy forbids `eval`: each block is a file that the page imports.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.test_hosting import POLICY
from playwright.sync_api import Browser
from support.browser import Tab, opened_tab
from support.sites import EXAMPLE, SiteServer, serving

BLOCKS = re.findall(r"^```js\n(.*?)^```$", (EXAMPLE / "content/reference/javascript-api.md").read_text("utf-8"), re.M | re.S)
NAMED = re.compile(r"// ([a-z-]+\.js)\n")
# Writes the outcome into the page: an error in a module stops its importer without a message.
RUN = """
const { block } = document.documentElement.dataset;
try {
  await import(`./${block}`);
  document.documentElement.dataset.outcome = "ok";
} catch (error) {
  document.documentElement.dataset.outcome = `${error?.name} ${error?.code}: ${error?.message}`;
}
"""
PAGE = """<!doctype html><html data-block="{}"><title>Example</title><link rel="icon" href="/favicon.svg">
<body><script type="module" src="run.js"></script>
"""
TIMEOUT = 120_000  # ms: the first example starts the engine


@pytest.fixture(scope="module")
def server(example_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
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
def shared_tab(chromium: Browser) -> Iterator[Tab]:
    """One tab for all examples, so that the engine starts once."""
    with opened_tab(chromium) as tab:
        tab.expected.append("log: ")  # the test checks the printed lines
        yield tab


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example_of_the_manual_runs(shared_tab: Tab, server: SiteServer, number: int) -> None:
    """Without an error; it prints lines if it calls `console.log`."""
    before = len(shared_tab.messages)
    shared_tab.page.goto(f"{server.url}examples/{number}.html")
    shared_tab.page.wait_for_selector("html[data-outcome]", state="attached", timeout=TIMEOUT)
    assert shared_tab.page.locator("html").get_attribute("data-outcome") == "ok"
    messages = shared_tab.messages[before:]
    assert [line for line in messages if not line.startswith("log: ")] == []
    assert bool(messages) == ("console.log" in BLOCKS[number])
    assert [line for line in messages if re.search(r"\b(undefined|NaN)\b", line)] == []


def test_every_api_method_has_an_example() -> None:
    """`unlock` and `lock` need a site with layers: their example is a text block, and the tests of layers run it."""
    source = (Path(__file__).parents[2] / "runtime/ranvier_web/api.js").read_text("utf-8")
    manual = (EXAMPLE / "content/reference/javascript-api.md").read_text("utf-8")
    returned = source.partition("  return {\n")[2].partition("\n  };")[0]
    calls = set(re.findall(r"^    (?:get |async )?(\w+)(?=:|\([a-z, ]*\) \{)", returned, re.M))
    methods = {"ready", "search", "suggest", "instant", "retrieve", "backlinks", "folders", "preload", "status", "close"}
    methods |= {"unlock", "lock"}
    assert methods == calls
    examples = [*BLOCKS, *re.findall(r"^```text\n(.*?)^```$", manual, re.M | re.S)]
    assert {call for call in calls if not any(f"engine.{call}" in block for block in examples)} == set()
