"""B5: any static host: below a path, under a strict policy, with nothing fetched from anywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.browser import Tab
from support.sites import serving

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


@pytest.mark.parametrize("under", ["/", "/docs/v2/"])
def test_under_a_strict_policy_and_below_a_path(tab: Tab, example_site: Path, under: str) -> None:
    """No eval, nothing inline, no other origin; and the same site works below any path."""
    foreign: list[str] = []
    with serving(example_site, headers={"content-security-policy": POLICY}, under=under) as served:
        host = served.url.removesuffix(under)
        tab.page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith(host) else None)
        tab.page.goto(f"{served.url}guide/")
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("content security policy")
        first = tab.page.locator("ranvier-search [role=option]").first
        expect(first).to_be_visible(timeout=20_000)
        first.click()
        tab.page.wait_for_url(lambda url: url.startswith(f"{served.url}") and "guide/?" not in url)
        expect(tab.page.locator("main h1").first).to_be_visible()
    assert foreign == []


def test_a_policy_without_wasm_is_reported_at_once(tab: Tab, example_site: Path) -> None:
    """Pyodide would wait for ever; the reader is told what to change."""
    tab.expected += ["Content Security Policy", "wasm"]
    policy = POLICY.replace(" 'wasm-unsafe-eval'", "")
    with serving(example_site, headers={"content-security-policy": policy}) as served:
        tab.page.goto(served.url)
        tab.page.keyboard.press("Control+k")
        tab.page.locator("ranvier-search input").fill("manifest")
        expect(tab.page.get_by_role("button", name="Try again")).to_be_visible(timeout=20_000)
        expect(tab.page.get_by_text("The search engine could not be started.").first).to_be_visible()


def test_what_a_first_query_costs(tab: Tab, example_site: Path) -> None:
    """Two rounds after the start, every file once, and few bytes: what is fetched is a fact, not a timing."""
    with serving(example_site) as served:
        tab.open_engine(served.url)
        start = list(served.recorder.paths)
        answer = tab.ask("search", "content security policy", limit=8, typing=True)["done"]
        asked = served.recorder.paths[len(start) :]
        settled = tab.ask("search", "content security policy", limit=8)["done"]
        meant = served.recorder.paths[len(start) + len(asked) :]
    assert answer["totalHits"] > 0
    assert answer["unsettled"]
    assert settled["strategy"] == "rag"
    assert all("/_ranvier/vectors/" in path or "/_ranvier/text/" in path for path in meant)
    assert len(meant) == len(set(meant)) <= 30
    added = sum(served.recorder.sent[path] for path in meant)
    assert added < 320_000, f"{added} bytes, of which a visit's first question by meaning fetches 110,000 once"
    assert all("/_ranvier/index/" in path or "/_ranvier/text/" in path for path in asked)
    assert len(asked) == len(set(asked)) <= 16
    data = [path for path in start if path.endswith((".bin", "entry.json"))]
    assert len([path for path in data if path.endswith(".bin")]) == 2, "the manifest and the hot pack"
    cost = sum(served.recorder.sent[path] for path in {*data, *asked})
    assert cost < 54_000, f"{cost} bytes: FACTS §6 has 54 kB as the median of a peer on a larger site"
    engine = {path for path in start if "/_ranvier/engine-" in path}
    assert {path.rpartition("/")[2] for path in engine} == {
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
    }


def test_a_second_visit_asks_only_for_the_entry(tab: Tab, example_site: Path) -> None:
    """Hashed names never change what they hold: nothing but `entry.json` and pages is asked for again."""
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
    assert again == {"/_ranvier/entry.json"}
