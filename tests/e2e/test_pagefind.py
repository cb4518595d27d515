"""`ranvier index --pagefind` in a browser (N8, G1): a page that is written for Pagefind's module searches through Ranvier."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from ranvier_builder import Config
from ranvier_builder.indexing import index
from support.browser import Tab, opened_tab
from support.content import write_tree
from support.shared import entered_fixture
from support.sites import SiteServer, serving

UNDER = "/handbook/"
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:"


def page(title: str, body: str, marks: str = "", lang: str = "en") -> str:
    """A page with Pagefind's attributes: only the marked part is indexed."""
    return f"""<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title></head><body>
    <link rel="icon" href="data:,"><p>Everywhere</p><main data-pagefind-body><h1 {marks}>{title}</h1>{body}</main>"""


def filters(*pairs: str) -> str:
    return "".join(f'<i data-pagefind-filter="{pair}"></i>' for pair in pairs)


PAGES: dict[str, str | bytes] = {
    "index.html": page("Sea handbook", "<p>Start here.</p>"),
    "ketch/index.html": page(
        "Ketch",
        "<p>A boat with two masts &lt;b&gt;.</p><img src='/ketch.png' alt='A ketch'>"
        f"{filters('sail:Red', 'sail:White', 'hull:Wood')}"
        "<h2 id='mizzen'>Mizzen</h2><p>The mizzen of this boat is behind.</p><p data-pagefind-ignore>kelpword</p>",
        'data-pagefind-sort="length:12"',
    ),
    "yawl/index.html": page(
        "Yawl", f"<p>A boat, too.</p>{filters('sail:White', 'hull:Steel')}", 'data-pagefind-sort="length:9"'
    ),
    "dinghy.html": page("Dinghy", f"<p>A small boat.</p>{filters('sail:Blue')}", 'data-pagefind-meta="author:Ada"'),
    "fr/barque.html": page("Barque", "<p>Un petit boat de bois.</p>", lang="fr"),
    "unmarked.html": "<title>Unmarked</title><main><h1>Unmarked</h1><p>boat</p></main>",
    **{f"log/{day}.html": page(f"Day {day}", f"<p>Ballast and tide, watch {day}.</p>") for day in range(1, 15)},
}


@pytest.fixture(scope="module")
def sea(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("sea"), PAGES)
    index(folder, Config(), pagefind=True)
    return folder


server = entered_fixture(serving, "sea", "module", headers={"content-security-policy": POLICY}, under=UNDER)


@pytest.fixture(scope="module")
def sea_tab(chromium: Browser, server: SiteServer) -> Iterator[Tab]:
    """One tab for all tests: the engine starts once."""
    with opened_tab(chromium) as tab:
        tab.page.goto(server.url)
        yield tab


SEARCH = """async ([term, args, options, data]) => {
  const pagefind = (await import(new URL("pagefind/pagefind.js", document.baseURI))).createInstance(options);
  const answer = await pagefind.search(term, args);
  const results = await Promise.all(answer.results.slice(0, data).map((result) => result.data()));
  await pagefind.destroy();
  return { ...answer, results: results, count: answer.results.length };
}"""


def search(tab: Tab, term: str | None, *, data: int = 20, options: dict[str, Any] | None = None, **args: Any) -> dict[str, Any]:
    answer: dict[str, Any] = tab.page.evaluate(SEARCH, [term, args, options or {}, data])
    return answer


def urls(answer: dict[str, Any]) -> list[str]:
    return sorted(result["url"].removeprefix(UNDER) for result in answer["results"])


def test_search_gives_data_of_pages_and_sections(sea_tab: Tab) -> None:
    answer = search(sea_tab, "mizzen boat")
    first = answer["results"][0]
    assert first["url"] == f"{UNDER}ketch/"
    assert first["raw_url"] == "/ketch/"
    assert first["meta"] == {"title": "Ketch", "image": "/ketch.png"}
    assert first["filters"] == {"sail": ["Red", "White"], "hull": ["Wood"]}
    assert first["content"].startswith("Ketch A boat with two masts <b>. ")
    assert first["word_count"] == len(first["content"].split())
    (section,) = [sub for sub in first["sub_results"] if sub.get("anchor")]
    assert (section["title"], section["url"]) == ("Mizzen", f"{UNDER}ketch/#mizzen")
    assert section["anchor"] == first["anchors"][0]
    assert first["content"].split()[section["anchor"]["location"]] == "Mizzen"
    assert "<mark>mizzen</mark>" in section["excerpt"].lower()
    assert answer["unfilteredResultCount"] == answer["count"]


def test_excerpts_are_escaped_and_ignored_text_is_not_indexed(sea_tab: Tab) -> None:
    (ketch,) = search(sea_tab, '"two masts"')["results"]
    assert "<mark>masts</mark> &lt;b&gt;" in ketch["excerpt"]
    assert "two masts <b>" in ketch["plain_excerpt"]
    for word in ("kelpword", "everywhere", "unmarked"):
        assert search(sea_tab, word)["count"] == 0, word


def test_filters_narrow_and_count(sea_tab: Tab) -> None:
    totals = {"hull": {"Steel": 1, "Wood": 1}, "sail": {"Blue": 1, "Red": 1, "White": 2}}
    answer = search(sea_tab, "boat", filters={"sail": ["White"]})
    assert urls(answer) == ["ketch/", "yawl/"]
    assert answer["unfilteredResultCount"] == 3
    assert answer["totalFilters"] == totals
    assert answer["filters"] == {"hull": {"Steel": 1, "Wood": 1}, "sail": {"Blue": 0, "Red": 1, "White": 2}}
    narrowed = search(sea_tab, "boat", filters={"sail": ["White", "Red"]})
    assert urls(narrowed) == ["ketch/"]
    assert narrowed["filters"] == {"hull": {"Steel": 0, "Wood": 1}, "sail": {"Blue": 0, "Red": 1, "White": 1}}
    assert urls(search(sea_tab, "boat", filters={"any": {"sail": "Blue", "hull": "Steel"}})) == ["dinghy.html", "yawl/"]
    assert urls(search(sea_tab, "boat", filters={"sail": {"not": "White"}})) == ["dinghy.html"]
    assert search(sea_tab, "boat", filters={"sail": "Green"})["count"] == 0
    assert urls(search(sea_tab, None, filters={"hull": "Wood"})) == ["ketch/"]
    all_filters = """async () => (await import(new URL("pagefind/pagefind.js", document.baseURI))).filters()"""
    assert sea_tab.page.evaluate(all_filters) == totals


def test_sort_orders_pages_that_have_the_key(sea_tab: Tab) -> None:
    for direction, expected in (("asc", ["Yawl", "Ketch"]), ("desc", ["Ketch", "Yawl"])):
        answer = search(sea_tab, "boat", sort={"length": direction})
        assert [result["meta"]["title"] for result in answer["results"]] == expected


def test_results_are_in_the_language_of_the_page(sea_tab: Tab) -> None:
    assert "fr/barque.html" not in urls(search(sea_tab, "boat"))
    assert urls(search(sea_tab, "boat", options={"language": "fr-CA"})) == ["fr/barque.html"]


def test_all_results_have_data(sea_tab: Tab) -> None:
    answer = search(sea_tab, "ballast", data=14)
    assert answer["count"] == 14
    assert urls(answer) == sorted(f"log/{day}.html" for day in range(1, 15))
    assert search(sea_tab, None, data=0)["count"] == 18
    assert search(sea_tab, "", data=0)["count"] == 0
