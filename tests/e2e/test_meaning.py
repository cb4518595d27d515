"""L3, X1: in the browser, a vector search follows after a pause; without its files, a word search answers with one warning."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from ranvier import open_snapshot
from support.browser import Tab
from support.sites import SiteServer

QUERY = "keeping personal remarks out of sight"
# Records the messages between the page and its worker. The messages of a shared worker cannot be recorded like this.
LISTEN = """
  delete globalThis.SharedWorker;
  globalThis.exchanged = [];
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message) {
    if (message.kind === "boot") this.addEventListener("message", ({ data }) => globalThis.exchanged.push(data));
    globalThis.exchanged.push(message);
    return send.call(this, message);
  };
"""


def vector_files(server: SiteServer) -> list[str]:
    return [path for path in server.recorder.paths if "/vectors/" in path]


def exchanged(tab: Tab, kind: str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = tab.page.evaluate(
        "kind => globalThis.exchanged.filter((message) => message.kind === kind)", kind
    )
    return messages


def titles(tab: Tab) -> list[str]:
    return tab.page.locator("ranvier-search .option.page .title").all_inner_texts()


def legs(answer: dict[str, Any]) -> set[str]:
    return {leg for hit in answer["hits"] for leg in hit["matchedIn"]}


def test_vectors_join_after_the_pause(tab: Tab, server: SiteServer) -> None:
    """The settled list is the answer of the API. A query of two words fetches no vectors."""
    tab.page.add_init_script(LISTEN)
    tab.page.goto(server.url)
    tab.page.keyboard.press("Control+k")
    field = tab.query_field
    field.fill("personal remarks")
    expect(tab.snippet).to_be_visible()
    field.fill(QUERY)
    tab.page.wait_for_function("globalThis.exchanged.filter(({ kind }) => kind === 'answer').length === 3")
    requests = [json.loads(item["request"]) for item in exchanged(tab, "request")]
    assert [(request["query"], request["typing"]) for request in requests] == [
        ("personal remarks", True),
        (QUERY, True),
        (QUERY, False),
    ]
    answers = [item["result"] for item in exchanged(tab, "answer")]
    assert [answer["unsettled"] for answer in answers] == [False, True, False]
    assert vector_files(server)
    assert ["vector" in legs(answer) for answer in answers] == [False, False, True]
    assert titles(tab) == [hit["title"] for hit in answers[2]["hits"]]


def test_no_vectors_are_fetched_while_typing(tab: Tab, server: SiteServer, example_site: Path) -> None:
    """Except head and tokens, which are prefetched without Save-Data."""
    with open_snapshot(example_site) as library:
        files = library.engine.snapshot.manifest.vectors
    assert files
    prefetched = {f"/_ranvier/{name}" for name in (files.head.name(0), files.tokens.name(0))}
    tab.open_engine(server.url, frugal=False)
    words = tab.ask("search", QUERY, typing=True)["done"]
    assert words["unsettled"]
    assert set(vector_files(server)) <= prefetched
    assert words["hits"] == tab.ask("search", QUERY, strategy="bm25")["done"]["hits"]


@pytest.mark.parametrize("fault", ["500", "garbled", "cut"])
def test_failing_vectors_fall_back_to_words_with_one_warning(tab: Tab, server: SiteServer, fault: str) -> None:
    """Without an error; when the files are back, the vector search answers again."""
    tab.expected += ["500", "Failed to load resource"]
    tab.open_engine(server.url)
    server.recorder.faults["/vectors/"] = fault
    words = tab.ask("search", QUERY, strategy="bm25")["done"]
    degraded = tab.ask("search", QUERY)["done"]
    assert [notice["code"] for notice in degraded["notices"]].count("no-vectors") == 1
    assert [hit["id"] for hit in degraded["hits"]] == [hit["id"] for hit in words["hits"]]
    server.recorder.faults.clear()
    repeated = tab.ask("search", QUERY)["done"]
    assert "no-vectors" not in [notice["code"] for notice in repeated["notices"]]
    assert "vector" in legs(repeated)
