"""B4, R7: on a site with translations, a reader finds the pages in the language of the page on which the box is."""

from pathlib import Path

import pytest
import ranvier
from playwright.sync_api import Route, expect
from ranvier_builder import Config, build
from support.browser import Tab
from support.content import write_tree
from support.shared import entered_fixture
from support.sites import SiteServer, serving

TEXTS = {
    "en": "stands between the application and the browser, and it sends what the two want to say to each other.",
    "de": "steht zwischen dem Programm und dem Browser, und es sendet, was die beiden einander sagen wollen.",
    "fr": "se trouve entre le programme et le navigateur, et il leur envoie ce que les deux veulent se dire.",
}
PAGES = {f"{lang}/server.md": f"# Uvicorn\n\nUvicorn {text}\n" for lang, text in TEXTS.items()}
PAGES |= {f"{lang}/proxy.md": f"# Nginx\n\nNginx {text} Uvicorn, uvicorn.\n" for lang, text in TEXTS.items()}
PAGES |= {f"{lang}/{name}.md": f"# {name}\n\n{name} {TEXTS[lang]}\n" for lang in TEXTS for name in ("alpha", "beta", "gamma")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build(write_tree(folder / "content", PAGES), folder / "public", Config(default_audience="public"))
    return folder / "public"


host = entered_fixture(serving, "site", "module")


def hrefs(tab: Tab, host: SiteServer) -> list[str]:
    """Return the addresses of the rows, relative to the site."""
    links: list[str] = tab.options.evaluate_all("rows => rows.map((row) => (row.querySelector('a') ?? row).href)")
    return [link.removeprefix(host.url).partition("#")[0] for link in links]


@pytest.mark.parametrize("query", ["uvicorn", "uvicorn nginx"])
def test_suggestions_and_results_are_in_the_language_of_the_page(tab: Tab, host: SiteServer, query: str) -> None:
    """Suggestions before the engine is ready leave translations out, its results have them last."""
    tab.page.add_init_script("delete globalThis.SharedWorker")  # tests cannot intercept its requests
    routes: list[Route] = []
    tab.page.context.route("**/pyodide.primary.wasm", lambda route: routes.append(route))
    tab.page.goto(f"{host.url}de/alpha/")
    tab.page.get_by_role("button", name="Suchen").click()
    tab.page.keyboard.type(query)
    expect(tab.options.first).to_be_visible()
    assert {*hrefs(tab, host)} == {"de/server/", "de/proxy/"}
    while not routes:
        tab.page.wait_for_timeout(50)
    for route in routes:
        route.continue_()
    expect(tab.snippet).to_be_visible()
    assert {*hrefs(tab, host)[:2]} == {"de/server/", "de/proxy/"}
    groups = tab.page.locator("ranvier-search .group")
    langs = groups.evaluate_all("groups => groups.map(({lang, firstChild}) => [lang, firstChild.href])")
    places = [(lang, link.removeprefix(host.url).partition("/")[0]) for lang, link in langs]
    assert {*places} == {("", "de"), ("en", "en"), ("fr", "fr")}  # the page is German


def test_results_are_those_of_the_same_search_in_python(tab: Tab, host: SiteServer, site: Path) -> None:
    tab.open_engine(host.url)
    with ranvier.open_snapshot(site) as library:
        for lang in ("de", "fr", "ja", ""):
            answer = tab.ask("search", "uvicorn", pageLang=lang)["done"]
            hits = library.search("uvicorn", page_lang=lang).hits
            assert [(hit["url"], hit["score"]) for hit in answer["hits"]] == [(hit.url, hit.score) for hit in hits]
            assert {hit.url for hit in hits[:2]} == {
                f"{lang if lang in TEXTS else 'en'}/{name}/" for name in ("server", "proxy")
            }
            assert len(hits) == 2 * len(TEXTS)


def test_shortcut_opens_the_box_after_its_strings_are_loaded(tab: Tab, host: SiteServer) -> None:
    """The key was lost if a reader pressed it before: the browser's own shortcut had it."""
    routes: list[Route] = []
    tab.page.context.route("**/languages/de.js", lambda route: routes.append(route))
    tab.page.goto(f"{host.url}de/alpha/")
    while not routes:
        tab.page.wait_for_timeout(50)
    tab.page.keyboard.press("Control+k")
    expect(tab.page.locator("ranvier-search dialog")).to_have_count(0)
    routes[0].continue_()
    expect(tab.page.get_by_role("dialog", name="Suchen")).to_be_visible()
    expect(tab.page.locator("ranvier-search input[role=combobox]")).to_be_focused()


@pytest.mark.parametrize(
    ("calls", "is_open"),
    [
        ("box.open(); box.close();", False),
        ("box.remove(); box.open(); document.body.append(box);", True),
        ("document.body.append(box); box.open(); box.remove(); document.body.append(box);", False),
    ],
)
def test_open_and_close_count_before_the_box_has_its_strings(tab: Tab, host: SiteServer, calls: str, *, is_open: bool) -> None:
    """A box that was closed opened; a removed one threw an error, or opened its old dialog."""
    tab.page.goto(f"{host.url}de/alpha/")
    tab.page.get_by_role("button", name="Suchen").wait_for()
    tab.page.evaluate("window.box = document.querySelector('ranvier-search'); box.remove(); document.body.append(box);" + calls)
    tab.page.wait_for_timeout(500)
    expect(tab.page.locator("ranvier-search dialog[open]")).to_have_count(int(is_open))
