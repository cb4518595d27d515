"""A7: encrypted layers in a real browser, through the public API."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import ranvier
from parity.compare import answer_of, compare, in_browser
from playwright.sync_api import Browser, Page
from support.browser import Tab, opened_tab
from support.damage import flip
from support.layered import ANNA, TOM, LayeredManual
from support.layers import OpenLayer, unlocked
from support.queries import Question, by_hand, retrievals, searches
from support.sites import serving

pytestmark = pytest.mark.timeout(500)  # the fixture makes four builds
_UNLOCK = """async ([passphrase, options]) => {
  try { return { audience: (await globalThis.engine.unlock(passphrase, options)).audience }; }
  catch (error) { return { code: error.code, message: error.message }; }
}"""
_OFFLINE = """async () => {
  const base = new URL("_ranvier/", document.baseURI).href;
  const entry = await (await fetch(base + "entry.json")).json();
  const { register } = await import(new URL("offline/register.js", base + entry.api).href);
  return register(base, entry);
}"""
_READ_STORAGE = """async () => {
  const stores = { ...localStorage, ...sessionStorage };
  const texts = [location.href, document.cookie, JSON.stringify([history.state, stores])];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      // The scripts contain the names of what they search for.
      if (!/\\/(web|engine)-/.test(request.url)) texts.push(request.url, await (await cache.match(request)).text());
    }
  }
  return texts.join("\\n");
}"""
PRIVATE = [("quagga", {}), ("stable for the quagga", {}), ("benchmark machine thornmere", {}), ("agent", {"explain": True})]


def unlock(page: Page, passphrase: str | None, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(_UNLOCK, [passphrase, options])
    return answer


def stored_text(page: Page) -> str:
    """Return all stored texts of the page, and its address."""
    text: str = page.evaluate(_READ_STORAGE)
    return text


def layer_of(site: Path, passphrase: str) -> OpenLayer:
    layer = unlocked(site / "_ranvier", passphrase)
    assert layer
    return layer


@pytest.fixture
def copy(layered_manual: LayeredManual, tmp_path: Path) -> Path:
    return Path(shutil.copytree(layered_manual.site, tmp_path / "site"))


def test_unlocked_answers_are_those_of_the_plain_build(chromium: Browser, layered_manual: LayeredManual) -> None:
    """A7, B1: hits, order, scores and texts, retrieval, suggestions and instant hits; each hit names its audience."""
    with (
        serving(layered_manual.site) as server,
        opened_tab(chromium) as tab,
        ranvier.open_snapshot(layered_manual.curator) as library,
    ):
        tab.open_engine(server.url)
        assert tab.ask("search", "quagga")["done"]["totalHits"] == 0
        assert unlock(tab.page, ANNA) == {"audience": "curator"}
        private = [Question("search", query, options) for query, options in PRIVATE]
        questions = [*private, *searches(by_hand()[::4], library, 1), *retrievals(by_hand()[::12], library, 3)]
        audiences = set()
        for question, answer in zip(questions, in_browser(tab, questions), strict=True):
            for hit in answer.get("done", {}).get("hits", ()):
                audiences.add(hit.pop("audience", None))
            assert compare(answer_of(library, question), answer) == [], question
        assert audiences == {"", "tool", "curator"}
        assert tab.page.evaluate("engine.status().audience") == "curator"
        assert tab.page.evaluate("engine.status().shared") is False
        names = tab.page.evaluate("engine.suggest('quagga').then((names) => names.map(({ title }) => title))")
        pages = tab.page.evaluate("engine.instant('quagga').then((hits) => hits.map(({ title }) => title))")
        assert "Quagga plans" in names
        assert pages == ["Quagga plans"]


def test_lock_and_wrong_passphrase_leave_the_public_pages(tab: Tab, layered_manual: LayeredManual) -> None:
    """A7: a key opens only its own layer."""
    with serving(layered_manual.site) as server:
        tab.open_engine(server.url)
        assert unlock(tab.page, "not the passphrase")["code"] == "passphrase"
        assert tab.ask("search", "manifest")["done"]["totalHits"] > 0
        assert unlock(tab.page, TOM) == {"audience": "tool"}
        assert tab.ask("search", "quagga")["done"]["totalHits"] == 0
        assert {hit["audience"] for hit in tab.ask("search", "agent notes")["done"]["hits"]} == {"", "tool"}
        assert unlock(tab.page, ANNA) == {"audience": "curator"}
        assert tab.ask("search", "quagga")["done"]["hits"][0]["title"] == "Quagga plans"
        tab.page.evaluate("engine.lock()")
        answer = tab.ask("search", "quagga")["done"]
        assert answer["totalHits"] == 0
        assert tab.page.evaluate("engine.suggest('quagga')") == []
        assert tab.page.evaluate("engine.status().audience") == "public"


def test_nothing_of_a_layer_is_stored_or_requested(tab: Tab, layered_manual: LayeredManual) -> None:
    """A7: not in storage, addresses or the offline cache. The key is stored only on request, until the layer is locked."""
    with serving(layered_manual.site) as server:
        tab.open_engine(server.url)
        tab.ask("search", "manifest")
        assert tab.page.evaluate(_OFFLINE) is True
        assert unlock(tab.page, ANNA) == {"audience": "curator"}
        assert tab.ask("search", "quagga")["done"]["totalHits"] > 0
        assert tab.ask("preload", {"all": True})["code"] == "offline"  # type: ignore[arg-type]
        text = stored_text(tab.page)
        assert "ranvier-unlock" not in text
        assert "uagga" not in text
        assert ANNA not in text
        assert layer_of(layered_manual.site, ANNA).id not in text
        assert "uagga" not in "\n".join(server.recorder.paths)
        assert unlock(tab.page, ANNA, keep=True) == {"audience": "curator"}
        assert "ranvier-unlock" in stored_text(tab.page)
        tab.open_engine(server.url)
        assert unlock(tab.page, None) == {"audience": "curator"}
        tab.page.evaluate("engine.lock()")
        assert "ranvier-unlock" not in stored_text(tab.page)


def test_damaged_file_is_an_error(tab: Tab, copy: Path) -> None:
    """A7, X3: with its reason. Other damages have tests in Node."""
    layer = layer_of(copy, ANNA)
    kinds = tuple(f"_ranvier/{kind}/" for kind in ("index", "packs", "text", "words"))
    for path in sorted(path for path in layer.directory["files"] if path.startswith(kinds)):
        flip(layer.folder / layer.name(path))
    with serving(copy) as server:
        tab.open_engine(server.url)
        assert unlock(tab.page, ANNA) == {"audience": "curator"}
        answer = tab.ask("search", "a stable for the quagga in spring")
        assert (answer["code"], "is damaged, or is not of this layer" in answer["message"]) == ("integrity", True), answer


def test_missing_layer_is_an_error_until_it_is_uploaded(tab: Tab, layered_manual: LayeredManual, copy: Path) -> None:
    """A7: for example during an upload."""
    layer = layer_of(copy, ANNA)
    with serving(copy) as server:
        tab.open_engine(server.url)
        assert unlock(tab.page, ANNA) == {"audience": "curator"}
        shutil.rmtree(layer.folder)
        answer = tab.ask("search", "quagga stable")
        tab.expected = ["404"]
        assert (answer["code"], "the directory: the server answered 404" in answer["message"]) == ("fetch", True), answer
        shutil.copytree(layered_manual.site / "_ranvier/layers" / layer.id, layer.folder)
        assert tab.ask("search", "quagga stable")["done"]["hits"][0]["title"] == "Quagga plans"
