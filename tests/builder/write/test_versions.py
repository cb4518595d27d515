"""Which pages are versions of one page (R7)."""

from pathlib import Path

import pytest
import ranvier
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write.analyse import analyse
from ranvier_builder.write.versions import newest_versions
from support.content import build_tree, page
from support.instant import Lists
from support.shared import opened_fixture, site_fixture

TEXT = "A route leads an address to a function."


def render_stub(path: str, title: str = "Routing", text: str = TEXT) -> Rendered:
    item, chunks = page(path, title=title), (Chunk("", (), text),)
    return Rendered(item, "", (), chunks, terms=analyse(item.neuron, chunks))


@pytest.mark.parametrize(
    ("paths", "newest"),
    [
        (("docs/7.3/x.md", "docs/7.10/x.md", "docs/7.4/x.md"), {1: 2, 3: 2}),
        (("v1/x.md", "v2/x.md"), {1: 2}),
        (("version-1.0.0/x.md", "next/x.md", "x.md"), {1: 3, 2: 3}),
        (("2.0/x.md", "latest/x.md", "dev/x.md"), {1: 2, 3: 2}),
        (("2.0-rc1/x.md", "1.9/x.md"), {1: 2}),
        (("9.x/x.md", "10.x/x.md", "9.2/x.md"), {1: 2, 3: 2}),
        (("2023/x.md", "2024/x.md"), {}),  # years
        (("week/1/x.md", "week/2/x.md"), {}),
        (("en/x.md", "de/x.md"), {}),
        (("7.3/x.md", "7.4/y.md"), {}),
        (("7.3/a/x.md", "7.4/b/x.md"), {}),
    ],
)
def test_pages_whose_paths_differ_by_a_version(paths: tuple[str, ...], newest: dict[int, int]) -> None:
    assert newest_versions([render_stub(path) for path in paths]) == newest


def test_pages_with_other_titles_or_other_words_are_no_versions() -> None:
    """Two volumes may have chapters of the same name."""
    assert newest_versions([render_stub("1.0/x.md"), render_stub("2.0/x.md", "Routes")]) == {}
    bread = "Bread needs flour, water, salt and a warm night."
    assert newest_versions([render_stub("1.0/x.md"), render_stub("2.0/x.md", text=bread)]) == {}
    assert newest_versions([render_stub("1.0/x.md"), render_stub("2.0/x.md", "ROUTING", f"{TEXT} Or to none.")]) == {1: 2}


LONG = "A route leads an address to a function. Routes have names, and a name gives the address again."
SITE: dict[str, str | bytes] = {
    f"docs/{version}/{name}.md": f"# {title}\n\n{LONG} {more}\n"
    for version, more in (("7.3", "Route, route, route, keyword."), ("7.4", "A keyword."), ("7.10", ""))
    for name, title in (("routing", "Routing"), ("names", "Names of routes"))
}
SITE |= {"docs/7.10/tests.md": "# Tests\n\nTest a route.\n", "docs/7.3/routes.md": "# Routes\n\n## Keyword\n\nOf old.\n"}
versions = site_fixture(build_tree, SITE)
library = opened_fixture("versions")


@pytest.mark.parametrize("query", ["routing", "route", "names", "address"])
def test_instant_lists_lead_with_the_newest_version(versions: Path, library: ranvier.Library, query: str) -> None:
    """B2, B4, R7: as the search does; the other versions come last."""
    instant = [hit.url for hit in Lists(versions / "_ranvier").search(f"{query} ")]
    hits = [hit.url for hit in library.search(query, limit=10).hits]
    assert instant[0] == hits[0]
    assert {*instant} == {*hits}
    older = [("7-3/" in url or "7-4/" in url) and "routes/" not in url for url in instant]
    assert older == sorted(older)
    assert sum(older) == 2 * sum(url.endswith(("routing/", "names/")) for url in instant) // 3


def test_older_version_leads_in_lists_where_the_newest_lacks_the_word(versions: Path) -> None:
    """B2, R7: the best of them."""
    instant = [hit.url for hit in Lists(versions / "_ranvier").search("keyword ")]
    assert instant[0] == "docs/7-3/routes/"
    assert {*instant[1:3]} <= {f"docs/{version}/{name}/" for version in ("7-3", "7-4") for name in ("routing", "names")}
    assert {url.split("/")[2] for url in instant[1:3]} == {"routing", "names"}


def test_names_of_older_versions_are_not_suggested(library: ranvier.Library) -> None:
    """B4, R7: a page that only an older version has is."""
    assert [name.url for name in library.suggest("routing")] == ["docs/7-10/routing/"]
    assert [name.url for name in library.suggest("routes")] == ["docs/7-3/routes/", "docs/7-10/names/"]
