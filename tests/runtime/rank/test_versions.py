"""Of the versions of one page, one is in its place in the list and the others come last (R7)."""

from ranvier import Library
from support.shared import library_fixture
from support.whole_site import whole_site

TEXT = "A route leads an address to a function. Routes have names, and a name gives the address again."
PAGES = {
    f"docs/{version}/{name}.md": f"# {title}\n\n{TEXT} {more}\n"
    for version, more in (("7.3", "Route, route, route."), ("7.4", ""), ("7.10", ""), ("next", "Soon."))
    for name, title in (("routing", "Routing"), ("names", "Names of routes"))
}
PAGES |= {
    "docs/7.3/old.md": f"# Annotations\n\n{TEXT} They are gone.\n",
    "docs/7.10/tests.md": "# Tests\n\nTest a route.\n",
    "docs/7.4/words.md": f"# Words\n\n{TEXT} The keyword.\n",
    "docs/7.10/words.md": f"# Words\n\n{TEXT}\n",
}
library = library_fixture(whole_site, PAGES)


def paths(library: Library, query: str, **options: object) -> list[str]:
    return [hit.path.removeprefix("docs/") for hit in library.search(query, **options).hits]  # type: ignore[arg-type]


def test_newest_version_leads_and_others_come_last(library: Library) -> None:
    """R7: in the order of their scores; also if an older version has the word more often."""
    paths_of_versions = paths(library, "route")
    assert {*paths_of_versions[:5]} == {f"7.10/{name}.md" for name in ("names", "routing", "tests", "words")} | {"7.3/old.md"}
    assert len(paths_of_versions) == len(PAGES)
    assert paths(library, "routing")[0] == "7.10/routing.md"


def test_version_with_more_of_the_query_leads(library: Library) -> None:
    """R7: the newest version does not have the word."""
    assert paths(library, "keyword route")[0] == "7.4/words.md"


def test_query_that_names_a_version_is_not_grouped(library: Library) -> None:
    """R7: by its words, or by a filter."""
    assert paths(library, "routing 7.4")[0] == "7.4/routing.md"
    assert paths(library, "path:docs/7.3 routing")[0] == "7.3/routing.md"


def test_other_presets_do_not_group_versions(library: Library) -> None:
    """R7: they follow other systems."""
    hits = library.search("routing", preset="wiki", explain=True).hits
    assert not [step for hit in hits if hit.explain for step in hit.explain.steps if step.stage == "versions"]


def test_passages_of_other_versions_come_last(library: Library) -> None:
    """R7, P2."""
    paths = [chunk.neuron_path for chunk in library.retrieve("routing", top_k=4).chunks]
    assert "docs/7.10/routing.md" in paths[:1]
    assert "docs/7.4/routing.md" not in paths
