"""Several sites in one list (B8): order, weights, pages, filters, corrections, notices, counts and failures."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import ranvier
from ranvier.sites import Sites, SitesResult, open_sites
from ranvier_builder import Config
from support.content import build_tree

DOCS: dict[str, str | bytes] = {
    "index.md": "# Docs\n\nThe start of the docs.\n",
    "anchor.md": "---\ntags: [ship]\n---\n# Anchor\n\nAn anchor holds a ship. The anchor is iron.\n",
    "harbour.md": "---\ntags: [ship]\n---\n# Harbour\n\nIn a harbour each ship drops an anchor.\n",
    "knots.md": "# Knots\n\nA bowline is a knot for a rope.\n",
    **{f"log/day{day}.md": f"# Day {day}\n\nThe lantern burns on day {day}.\n" for day in range(130)},
}
BLOG: dict[str, str | bytes] = {
    "index.md": "# Blog\n\nThe start of the blog.\n",
    "anchor.md": "---\ntags: [post]\n---\n# Anchor\n\nWe lost an anchor in a storm, and bought another anchor.\n",
    "lanterns.md": "---\ntags: [post]\n---\n# Lanterns\n\nA lantern needs oil.\n",
    "weather.md": "---\ntags: [post]\n---\n# Weather\n\nThe barometer falls before a storm. A bowlyne is a line.\n",
}


def build_two(folder: Path, **pages_by_title: dict[str, str | bytes]) -> tuple[Path, Path]:
    first, second = (
        build_tree(folder / title, pages, Config(title=title, default_audience="public"))
        for title, pages in pages_by_title.items()
    )
    return first, second


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build_two(tmp_path_factory.mktemp("sites"), Docs=DOCS, Blog=BLOG)


@pytest.fixture
def sites(folders: tuple[Path, Path]) -> Iterator[Sites]:
    with open_sites(folders) as sites:
        yield sites


def rows(sites: Sites, result: SitesResult) -> list[tuple[str, str]]:
    return [(sites.titles[site], hit.title) for site, _, hit in result.hits]


def test_hits_are_in_order_of_their_scores(sites: Sites, folders: tuple[Path, Path]) -> None:
    """Each site has the scores that it has alone."""
    result = sites.search("anchor")
    scores = [score for _, score, _ in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert {title for title, _ in rows(sites, result)} == {"Docs", "Blog"}
    for number, folder in enumerate(folders):
        with ranvier.open_snapshot(folder) as library:
            hits_of_site = library.search("anchor").hits
        assert [hit for site, _, hit in result.hits if site == number] == list(hits_of_site)
    assert result.total_hits == len(result.hits) == 3


def test_weight_is_a_factor_of_the_scores(folders: tuple[Path, Path]) -> None:
    """The same page is first on the site with the larger weight; equal scores have the order of the sites."""
    docs, blog = folders
    best = []
    for weight in (0.5, 2):
        with open_sites([docs, (blog, weight)]) as sites:
            result = sites.search("anchor")
            best.append(rows(sites, result)[0])
            assert all(score == hit.score * (weight if site else 1) for site, score, hit in result.hits)
    assert best == [("Docs", "Anchor"), ("Blog", "Anchor")]
    with open_sites([docs, docs]) as sites:
        assert [site for site, _, _ in sites.search("knots").hits] == [0, 1]


def test_pages_of_the_list_have_no_gaps_and_no_repetitions(sites: Sites) -> None:
    """Also beyond the hundred hits of one request."""
    whole: list[tuple[str, str]] = []
    offset: int | None = 0
    while offset is not None:
        result = sites.search("lantern", limit=31, offset=offset)
        whole += rows(sites, result)
        offset = result.next_offset
    assert len(whole) == len({*whole}) == result.total_hits == 131
    assert whole[:100] == rows(sites, sites.search("lantern", limit=100))
    assert whole[100:] == rows(sites, sites.search("lantern", limit=100, offset=100))


def test_orders_compare_the_pages_of_all_sites(sites: Sites) -> None:
    result = sites.search("", sort="title", limit=6)
    assert rows(sites, result)[:3] == [("Docs", "Anchor"), ("Blog", "Anchor"), ("Blog", "Blog")]
    by_path = [hit.path for _, _, hit in sites.search("", sort="path", limit=5).hits]
    assert by_path == ["anchor.md", "anchor.md", "harbour.md", "index.md", "index.md"]


def test_filter_of_one_site_hides_the_other(sites: Sites) -> None:
    """The other site, which searches an unknown filter as words, would add pages that do not match it."""
    result = sites.search("#post storm")
    assert {title for title, _ in rows(sites, result)} == {"Blog"}
    assert result.notices == ()
    nowhere = sites.search("#nosuch storm")
    assert (None, "unknown-filter") in [(site, notice.code) for site, notice in nowhere.notices]


def test_query_stays_as_typed_if_one_site_has_its_words(sites: Sites, folders: tuple[Path, Path]) -> None:
    """The blog has "bowlyne"; the docs, alone, correct it to "bowline"."""
    with ranvier.open_snapshot(folders[0]) as docs:
        assert [notice.code for notice in docs.search("bowlyne").notices] == ["corrected"]
    result = sites.search("bowlyne")
    assert rows(sites, result)[0] == ("Blog", "Weather")
    assert "corrected" not in {notice.code for _, notice in result.notices}


def test_correction_of_one_site_names_it(sites: Sites) -> None:
    """If no site has the words as typed, the corrections of the sites with hits are shown."""
    result = sites.search("barometre")
    assert [(site, notice.code, notice.subject) for site, notice in result.notices] == [(None, "corrected", "barometer")]
    both = sites.search("lantren")
    assert [(site, notice.code) for site, notice in both.notices] == [(None, "corrected")]
    assert {title for title, _ in rows(sites, both)} == {"Docs", "Blog"}


def test_notice_of_a_weak_answer_is_left_out_beside_a_better_one(sites: Sites, folders: tuple[Path, Path]) -> None:
    with ranvier.open_snapshot(folders[0]) as docs:
        assert docs.search("barometer lantern storm").notices
    result = sites.search("storm anchor")
    assert rows(sites, result) == [("Docs", "Anchor"), ("Blog", "Anchor"), ("Docs", "Harbour"), ("Blog", "Weather")]
    assert result.notices == ()


def test_counts_are_added(sites: Sites) -> None:
    result = sites.search("anchor", facets=["tags", "kind"])
    assert [(item.value, item.count) for item in result.facets["tags"]] == [("ship", 2), ("post", 1)]
    assert [(item.value, item.count) for item in result.facets["kind"]] == [("page", 3)]


def test_failing_site_is_a_notice(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """X3: and an error if all fail."""
    docs, blog = folders
    damaged = Path(shutil.copytree(blog, tmp_path / "blog"))
    with open_sites([docs, damaged]) as sites:
        for part in ("index", "text", "packs"):
            shutil.rmtree(damaged / "_ranvier" / part, ignore_errors=True)
        result = sites.search("anchor")
        assert [(notice.code, notice.subject) for _, notice in result.notices] == [("no-site", "Blog")]
        assert {title for title, _ in rows(sites, result)} == {"Docs"}
    with open_sites([damaged, damaged]) as sites, pytest.raises(ranvier.FetchError):
        sites.search("anchor")


def test_invalid_request_is_an_error(sites: Sites, folders: tuple[Path, Path]) -> None:
    with pytest.raises(ranvier.RequestError, match="match"):
        sites.search("anchor", match="all")  # type: ignore[typeddict-item]
    with pytest.raises(ranvier.RequestError, match="offset"):
        sites.search("anchor", offset=-1)
    for wrong in ([], [(folders[0], 0)], [(folders[0], float("nan"))]):
        with pytest.raises(ranvier.RequestError, match="positive"):
            open_sites(wrong)


FILLER = "Many words about other things are here today. " * 20


@pytest.fixture
def logs(tmp_path: Path) -> tuple[Path, Path]:
    """Two sites: in one, pages about a word of `stream logs` come before the long page with both; the other has a near word."""
    names = "ash elm fir oak yew fig bay box tea rye pea fern moss reed rush sage mint dill leek kale".split()
    fillers = {f"{name}.md": f"# {name}\n\nA page of {name}.\n" for name in names}
    tools: dict[str, str | bytes] = {
        "logs.md": "# Logs\n\nLogs, logs, logs.\n",
        "disk.md": "# Logs on disk\n\nLogs, logs.\n",
        "errors.md": "# Logs of errors\n\nLogs, logs.\n",
        "long.md": f"# Guide\n\n{FILLER}\n\n## One\n\n{FILLER} A command can stream the output of logs. {FILLER}\n",
    }
    wood: dict[str, str | bytes] = {
        "w.md": "# Wood\n\nLogs of strem wood. Strem logs.\n",
        "w2.md": "# Strem\n\nStrem is a wood.\n",
        "w3.md": "# Strem two\n\nStrem is a wood strem.\n",
    }
    return build_two(tmp_path, Tools=fillers | tools, Wood=fillers | wood)


def test_page_with_every_word_counts_at_any_place(logs: tuple[Path, Path]) -> None:
    """R6, B8: it is an answer, and the other site need not correct the query, although it is not the first hit."""
    with ranvier.open_snapshot(logs[0]) as tools:
        result = tools.search("stream logs")
    assert [hit.path for hit in result.hits if hit.coverage == "all"] == ["long.md"]
    assert result.hits[0].path == "logs.md"
    assert [notice.code for notice in result.notices if notice.code == "little"] == []
    with open_sites(logs) as opened:
        result_of_sites = opened.search("stream logs")
    assert [notice.code for _, notice in result_of_sites.notices] == []
    assert {hit.path for site, _, hit in result_of_sites.hits if site == 1} <= {"w.md"}
