"""The bridge to the worker (P4, B1, X3): JSON in and out, for any input."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier.bridge import Bridge, boot, camel
from ranvier.store.source import FolderSource, SparseFile
from ranvier.types import to_plain


@pytest.fixture
def source(small_site: Path) -> FolderSource:
    return FolderSource(small_site)


@pytest.fixture
def pages() -> Iterator[SparseFile]:
    file = SparseFile()
    yield file
    file.close()


@pytest.fixture
def bridge(source: FolderSource, pages: SparseFile) -> Iterator[Bridge]:
    entry = source.entry()
    names = [entry["manifest"], entry["hot"]]
    booted, error = boot(names, [memoryview(source.read(name)) for name in names], pages)
    assert booted is not None, error
    assert error == ""
    yield booted
    booted.engine.close()


def feed(bridge: Bridge, source: FolderSource, ticket: int, reply_text: str) -> Any:
    while "need" in (reply := json.loads(reply_text)):
        reply_text = bridge.feed(ticket, reply["need"], [source.read(name) for name in reply["need"]])
    return reply


def ask(bridge: Bridge, source: FolderSource, kind: str, **request: Any) -> Any:
    return feed(bridge, source, 1, bridge.start(1, kind, json.dumps(request)))


def test_nested_keys_are_camel_case() -> None:
    assert to_plain({"a_b": [{"c_d": "e_f"}], "g": {"h_i": 1}}, camel) == {"aB": [{"cD": "e_f"}], "g": {"hI": 1}}


@pytest.mark.parametrize(
    ("kind", "query", "options"),
    [
        *(("search", query, {"limit": 5}) for query in ("conduction", "relay spike gap", "pangolin relay", "nothing-at-all")),
        ("search", "axon AND", {"limit": 5}),
        ("retrieve", "conduction", {"top_k": 2, "max_chars": 50}),
    ],
)
def test_bridge_gives_the_answer_of_the_library(
    bridge: Bridge, source: FolderSource, library: ranvier.Library, kind: str, query: str, options: dict[str, int]
) -> None:
    """B1."""
    result = ask(bridge, source, kind, query=query, **options)["done"]
    plain = to_plain(getattr(library, kind)(query, **options), camel)
    assert result | {"timing": None} == plain | {"timing": None}
    assert result["timing"]["totalMs"] >= 0


def test_keys_of_a_result_are_camel_case(bridge: Bridge, source: FolderSource) -> None:
    passages = ask(bridge, source, "retrieve", query="conduction")["done"]
    assert set(passages) >= {"hitCount", "totalChars", "formattedContext", "chunks"}
    result = ask(bridge, source, "search", query="conduction")["done"]
    assert set(result) == {
        "hits", "totalHits", "nextOffset", "truncated", "strategy", "timing", "notices", "intent", "unsettled",
    }  # fmt: skip
    assert {"seqId", "titleHighlight", "matchedIn", "subResults"} <= set(result["hits"][0])
    assert "titleHighlight" in result["hits"][0]["subResults"][0]


def test_interleaved_searches(bridge: Bridge, source: FolderSource) -> None:
    first, second = (
        bridge.start(ticket, "search", json.dumps({"query": query})) for ticket, query in ((1, "relay"), (2, "axon"))
    )
    assert feed(bridge, source, 2, second)["done"]["hits"][0]["title"] == "Install the axon"
    assert feed(bridge, source, 1, first)["done"]["totalHits"] == 30


def test_dropped_search_is_forgotten(bridge: Bridge) -> None:
    assert json.loads(bridge.start(7, "search", '{"query": "relay"}'))["need"]
    bridge.drop(7)
    assert not bridge._running
    bridge.drop(7)


def test_finished_search_is_forgotten(bridge: Bridge, source: FolderSource) -> None:
    ask(bridge, source, "search", query="relay")
    assert not bridge._running


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        ('{"query": 5}', "request"),
        ('{"query": "x", "limit": 0}', "request"),
        ('{"query": "x", "limit": "9"}', "request"),
        ("{}", "request"),
        ('{"query": "x", "nosuch": 1}', "request"),
        ("[]", "request"),
        ("null", "request"),
        ("{", "internal"),
        ("", "internal"),
    ],
)
@pytest.mark.parametrize("kind", ["search", "retrieve"])
def test_invalid_requests_are_errors(bridge: Bridge, kind: str, request_text: str, code: str) -> None:
    if kind == "retrieve":
        request_text = request_text.replace("limit", "top_k")
    error = json.loads(bridge.start(1, kind, request_text))["error"]
    assert error["code"] == code
    assert error["message"]


def test_damaged_files_are_errors_and_the_next_search_works(bridge: Bridge, source: FolderSource) -> None:
    """X3. A prefetched file is fetched again before it is an error."""
    reply = json.loads(bridge.start(1, "search", '{"query": "relay"}'))
    requests = []
    while "need" in reply and len(requests) < 4:
        requests.append(reply["need"])
        reply = json.loads(bridge.feed(1, requests[-1], [source.read(name)[:-1] for name in requests[-1]]))
    assert reply["error"]["code"] == "integrity"
    assert any(name in reply["error"]["message"] for name in requests[-1])
    reply = json.loads(bridge.start(1, "search", '{"query": "relay"}'))
    for _ in range(4):
        reply = json.loads(bridge.feed(1, [], [])) if "need" in reply else reply
    assert reply["error"]["code"] == "fetch"
    assert ask(bridge, source, "search", query="relay")["done"]["totalHits"] == 30


def test_unusual_text_is_passed_on(bridge: Bridge, source: FolderSource) -> None:
    for query in ("\0", "\ud800", '"', "\\", "relay\u2028", "x" * 10_000):
        assert "done" in ask(bridge, source, "search", query=query)


@pytest.mark.parametrize("spoiled", ["manifest", "hot"])
def test_boot_reports_damaged_files(source: FolderSource, pages: SparseFile, spoiled: str) -> None:
    entry = source.entry()
    names = [entry["manifest"], entry["hot"]]
    booted, error = boot(names, [source.read(name)[: -1 if name.startswith(spoiled) else None] for name in names], pages)
    assert booted is None
    assert json.loads(error)["error"]["code"] == "integrity"
    assert spoiled in json.loads(error)["error"]["message"]


def test_boot_refuses_unknown_file_names(source: FolderSource, pages: SparseFile) -> None:
    booted, error = boot(["manifest-zz.bin", "hot.bin"], [b"", b""], pages)
    assert booted is None
    assert json.loads(error)["error"]["message"]
