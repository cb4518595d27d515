"""B5: any static host, below a path, under a strict policy, with no request to another origin."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import ranvier
from parity.compare import plain, same
from playwright.sync_api import expect
from ranvier_builder import Config
from support.browser import Tab
from support.content import build_without_engine, write_tree
from support.hosts import Host
from support.sites import serving

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


@pytest.mark.parametrize("under", ["/", "/docs/v2/"])
def test_site_works_under_a_strict_policy_below_a_path(tab: Tab, example_site: Path, under: str) -> None:
    """No eval, nothing inline, no other origin."""
    foreign: list[str] = []
    with serving(example_site, headers={"content-security-policy": POLICY}, under=under) as served:
        host = served.url.removesuffix(under)
        tab.page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith(host) else None)
        tab.page.goto(f"{served.url}guide/")
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("content security policy")
        first = tab.page.locator("ranvier-search [role=option]").first
        expect(first).to_be_visible()
        first.click()
        tab.page.wait_for_url(lambda url: url.startswith(f"{served.url}") and "guide/?" not in url)
        expect(tab.page.locator("main h1").first).to_be_visible()
    assert foreign == []


def test_policy_without_wasm_is_reported(tab: Tab, example_site: Path) -> None:
    """Pyodide would wait for ever; the message says what to change."""
    tab.expected += ["Content Security Policy", "wasm"]
    policy = POLICY.replace(" 'wasm-unsafe-eval'", "")
    with serving(example_site, headers={"content-security-policy": policy}) as served:
        tab.page.goto(served.url)
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("manifest")
        expect(tab.page.get_by_role("button", name="Try again")).to_be_visible()
        expect(tab.page.get_by_text("The search engine could not be started.").first).to_be_visible()


def test_requests_and_bytes_of_a_first_query(tab: Tab, example_site: Path) -> None:
    """Two rounds after the start, every file once, and few bytes."""
    with serving(example_site) as served:
        tab.open_engine(served.url, frugal=True)
        start = list(served.recorder.paths)
        answer = tab.ask("search", "content security policy", limit=8, typing=True)["done"]
        request = served.recorder.paths[len(start) :]
        settled = tab.ask("search", "content security policy", limit=8)["done"]
        target = served.recorder.paths[len(start) + len(request) :]
    assert answer["totalHits"] > 0
    assert answer["unsettled"]
    assert settled["strategy"] == "rag"
    target = [
        path for path in target if "/web-" not in path and not path.endswith("entry.json")
    ]  # for a visit without a network
    request = [path for path in request if "/web-" not in path and not path.endswith("entry.json")]
    assert all("/_ranvier/vectors/" in path or "/_ranvier/text/" in path for path in target)
    assert len(target) == len(set(target)) <= 34
    added = sum(served.recorder.sent[path] for path in target)
    assert added < 340_000, f"{added} bytes, of which a visit's first question by meaning fetches 110,000 once"
    assert {path.split("/")[2] for path in request} <= {"index", "text", "words"}
    assert len(request) == len(set(request)) <= 16
    data = [path for path in start if re.search(r"/_ranvier/(entry|manifest|hot)\b", path)]
    assert len([path for path in data if path.endswith(".bin")]) == 2, "the manifest and the hot pack, each once"
    cost = sum(served.recorder.sent[path] for path in {*data, *request})
    # A term whose postings end near the end of a file may need the next file, too: 9,000 bytes by chance.
    assert cost < 75_000, f"{cost} bytes, of which 15,000 are words for a correction"
    engine = {path for path in start if "/_ranvier/engine-" in path}
    assert {path.rpartition("/")[2] for path in engine} == {
        "pyodide.js",
        "pyodide.asm.js",
        "pyodide.primary.wasm",
        "python_stdlib.bin",
    }


def test_second_visit_requests_the_entry_file_only(tab: Tab, example_site: Path) -> None:
    """Files named by digest are cached. Pages and the service worker are requested, too."""
    with serving(example_site) as served:
        tab.open_engine(served.url)
        tab.ask("search", "manifest")
        before = len(served.recorder.paths)
        tab.page.goto(f"{served.url}guide/")
        tab.page.evaluate(
            "async () => { const { api } = await (await fetch('../_ranvier/entry.json')).json();"
            "const { open } = await import(new URL('../_ranvier/' + api, document.baseURI).href);"
            "globalThis.engine = open('../_ranvier/'); await globalThis.engine.ready; }"
        )
        tab.ask("search", "manifest")
        again = {path for path in served.recorder.paths[before:] if "/_ranvier/" in path}
    offline = {path for path in again if "/offline/" in path or path.endswith(("/trusted.js", "/errors.js"))}
    assert again - offline == {"/_ranvier/entry.json"}


DATA = (".bin", ".json", ".wasm")
REQUEST = ("content security policy", "browzer serch", "manifest")
HOSTS: dict[str, Callable[[], Host]] = {
    "all data are text": lambda: Host(types=dict.fromkeys(DATA, "text/plain; charset=utf-8")),
    "all data are of an unknown kind": lambda: Host(types=dict.fromkeys(DATA, "application/octet-stream")),
    "data have no type, and nobody may guess": lambda: Host(
        types=dict.fromkeys(DATA, ""), headers={"x-content-type-options": "nosniff"}
    ),
    "another alphabet": lambda: Host(
        types={".json": "application/json; charset=iso-8859-1", ".js": "application/javascript; charset=iso-8859-1"}
    ),
    "nothing is compressed": lambda: Host(compresses="nothing"),
    "everything is compressed, also what is deflated": lambda: Host(compresses="everything"),
    "no validators, no word about caching": lambda: Host(bare=True),
    "nothing may be stored": lambda: Host(headers={"cache-control": "no-store"}),
    "a cache that minds neither variants nor validators": lambda: Host(remembers=True),
    "a page for whatever is missing": lambda: Host(fallback="/index.html"),
}


@pytest.fixture(scope="module")
def expected(example_site: Path) -> Iterator[dict[str, object]]:
    """What the server's core answers."""
    with ranvier.open_snapshot(example_site) as library:
        yield {query: plain(library.search(query, limit=5)) for query in REQUEST}


@pytest.mark.parametrize("methods", list(HOSTS))
def test_hosts_with_other_types_and_compression_give_the_same_answers(
    tab: Tab, example_site: Path, expected: dict[str, object], methods: str
) -> None:
    """No range request is sent."""
    host = HOSTS[methods]()
    with serving(example_site, host=host.before) as served:
        tab.open_engine(served.url)
        answers = tab.ask_all([("search", query, {"limit": 5}) for query in REQUEST])
    result = zip(REQUEST, answers, strict=True)
    assert {query: lines for query, answer in result if (lines := same(expected[query], answer.get("done")))} == {}
    assert "range" not in host.header_names


PROGRESS = """async (base) => {
  const { api } = await (await fetch(base + "entry.json")).json();
  const { open } = await import(new URL(base + api, document.baseURI).href);
  const steps = [];
  const engine = open(base, { shared: false, onProgress: (progress) => steps.push(progress) });
  await engine.ready;
  return steps.filter(({ stage }) => stage === "engine");
}"""


@pytest.mark.parametrize("compresses", ["everything", "nothing"])
def test_progress_counts_transferred_bytes(tab: Tab, example_site: Path, compresses: str) -> None:
    """B4: the expected total is what the host sends, and nothing is counted twice."""
    host = Host(compresses=compresses)
    with serving(example_site, host=host.before) as served:
        tab.page.goto(served.url)
        steps = tab.page.evaluate(PROGRESS, "/_ranvier/")
        sent = sum(size for path, size in served.recorder.sent.items() if "/engine-" in path or "/snapshot-" in path)
    last = steps[-1]
    assert {step["expected"] for step in steps} <= {0, sent}
    assert last["expected"] == sent
    assert 0 < last["received"] <= sent
    assert (sent < 0.7 * last["total"]) == (compresses == "everything")
    loaded = [step["loaded"] for step in steps]
    assert loaded == sorted(loaded)


def test_site_works_below_a_path_with_blanks_and_accents(tab: Tab, example_site: Path) -> None:
    with serving(example_site, under="/my docs/é%/") as served:
        tab.page.goto(served.url.replace("/my docs/é%/", quote("/my docs/é%/")) + "guide")  # the host adds the last slash
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("javascript api")
        first = tab.page.locator("ranvier-search [role=option]").first
        expect(first).to_be_visible()
        first.click()
        tab.page.wait_for_url("**/javascript-api/**")
        expect(tab.page.locator("main h1").first).to_be_visible()


def test_stale_entry_file_is_an_error_until_it_expires(tab: Tab, example_site: Path, expected: dict[str, object]) -> None:
    """A proxy may ignore `no-cache`: the files that an old entry names are gone."""
    tab.expected += ["404", "Failed to load resource"]
    entry = json.loads((example_site / "_ranvier" / "entry.json").read_text("utf-8"))
    gone = entry | {name: _older(entry[name]) for name in ("manifest", "hot")}
    host = Host(stale={"/_ranvier/entry.json": json.dumps(gone).encode()})
    with serving(example_site, host=host.before) as served:
        tab.page.goto(served.url)
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("manifest")
        retry = tab.page.get_by_role("button", name="Try again")
        expect(retry).to_be_visible()
        host.stale.clear()
        retry.click()
        expect(retry).not_to_be_visible()
        tab.open_engine(served.url)
        assert same(expected["manifest"], tab.ask("search", "manifest", limit=5)["done"]) == []


def test_html_page_instead_of_an_index_file_is_an_error(tab: Tab, example_site: Path) -> None:
    """Hosts of single-page apps answer every address with a page."""
    entry = json.loads((example_site / "_ranvier" / "entry.json").read_text("utf-8"))
    gone = entry | {"manifest": _older(entry["manifest"])}
    host = Host(fallback="/index.html", stale={"/_ranvier/entry.json": json.dumps(gone).encode()})
    api = "_ranvier/" + entry["api"]
    failure = """async (api) => {
      const { open } = await import(new URL(api, document.baseURI).href);
      const engine = open("_ranvier/");
      try { await engine.ready; return "ready"; }
      catch (error) { return [error.name, error.code, error.message]; }
      finally { engine.close(); }
    }"""
    with serving(example_site, host=host.before) as served:
        tab.page.goto(served.url)
        name, code, message = tab.page.evaluate(failure, api)
        assert (name, code) == ("RanvierError", "integrity")
        assert gone["manifest"] in message
        host.stale = {"/_ranvier/entry.json": b"<!doctype html><title>No entry</title>"}
        name, code, message = tab.page.evaluate(failure, api)
        assert (name, code) == ("RanvierError", "format")
        assert "entry.json" in message


def test_file_names_do_not_differ_by_case_only(example_site: Path, tmp_path: Path) -> None:
    """Some file systems would lose one of them."""
    content = tmp_path / "content"
    pages = ("Guide.md", "guide.md", "NOTES/day.md", "notes/Day.md", "a/Index.md", "É.md", "e\u0301.md")
    write_tree(content, {name: f"# {name}\n\nWritten in {name}.\n" for name in pages})
    build_without_engine(content, tmp_path / "public", Config(default_audience="public"))
    for site in (example_site, tmp_path / "public"):
        names = [file.relative_to(site).as_posix() for file in site.rglob("*")]
        assert len({unicodedata.normalize("NFC", name).lower() for name in names}) == len(names), sorted(names)


def _older(name: str) -> str:
    """The name of a file that was there before."""
    stem, _, ending = name.partition(".")
    return f"{stem[:-8]}00000000.{ending}"
