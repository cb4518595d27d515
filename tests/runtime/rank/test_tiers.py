"""Gains for titles and headings that contain the words of a query (P1)."""

from pathlib import Path
from urllib.parse import quote

import pytest
from ranvier import Library
from support.results import search_paths
from support.shared import site_fixture
from support.whole_site import open_site, whole_site

HOSTS = {
    "netlify.md": "# Host on Netlify\n\nHow to put the site there.\n",
    "caching.md": "# Caching\n\n## Netlify\n\nNetlify, netlify.\n\n## Firebase\n\nFirebase.\n",
    "limits.md": "# Limits\n\n## Netlify\n\nNetlify, netlify and netlify.\n\n## Firebase\n\nFirebase, firebase.\n",
    "prices.md": "# Prices\n\n## Netlify\n\nNetlify, netlify.\n\n## Amplify\n\nAmplify.\n",
    "story.md": "# How a team moved a large site of many pages from Amplify in a week\n\nA story.\n",
    "others.md": "# Others\n\nNo netlify, no amplify. Amplify, amplify, amplify, amplify.\n",
}
site = site_fixture(whole_site, HOSTS)


def gains(library: Library, query: str) -> dict[str, float]:
    """Return for each page what the stage `exact` added."""
    result = library.search(query, explain=True).hits
    steps = {hit.path: [step for step in hit.explain.steps if step.stage == "exact"] for hit in result if hit.explain}
    return {path: float(effects[0].effect) for path, effects in steps.items() if effects}


def test_title_match_ranks_above_a_shared_heading(site: Path) -> None:
    """P1: three pages have the heading; one page has the title."""
    with open_site(site) as library:
        assert search_paths(library, "netlify")[0] == "netlify.md"
        assert gains(library, "netlify")["netlify.md"] > gains(library, "netlify")["caching.md"]


def test_heading_of_many_pages_is_an_ordinary_word(tmp_path: Path) -> None:
    """P1: notes of four versions have a section with the name of another page's topic."""
    notes = {
        f"v{at}.md": f"# Version {at}\n\n## Tokens\n\nTokens are {word}.\n" for at, word in enumerate("red blue green".split())
    }
    topic = {"guide.md": "# Guide\n\nTokens here, tokens there: tokens are made of tokens.\n\n" + "Tokens last. " * 20}
    with open_site(whole_site(tmp_path / "three", notes | topic)) as library:
        assert gains(library, "tokens") == dict.fromkeys(notes, 100.0)
    notes["v3.md"] = "# Version 3\n\n## Tokens\n\nTokens are gone.\n"
    with open_site(whole_site(tmp_path / "four", notes | topic)) as library:
        assert gains(library, "tokens") == {}
        assert search_paths(library, "tokens")[0] == "guide.md"


def test_unique_heading_ranks_above_a_longer_title(site: Path) -> None:
    """P1: the word is the whole heading, and a part of the title."""
    with open_site(site) as library:
        assert search_paths(library, "amplify")[0] == "prices.md"
        assert gains(library, "amplify")["prices.md"] > gains(library, "amplify")["story.md"] > 0


def test_title_gains_are_multiples_of_a_step(site: Path) -> None:
    """P1, B2: the lists store gains and scores apart, and order pages as the search does."""
    with open_site(site) as library:
        results = [
            gain for query in ("netlify", "firebase", "amplify", "host netlify") for gain in gains(library, query).values()
        ]
        assert results
        assert {gain % 100 for gain in results} == {0.0}


def test_title_gain_needs_every_word_of_the_query(site: Path) -> None:
    """P1: in any order."""
    with open_site(site) as library:
        assert "netlify.md" in gains(library, "netlify host")
        assert "netlify.md" not in gains(library, "netlify prices")


def test_title_gain_while_typing(site: Path) -> None:
    """P1."""
    with open_site(site) as library:
        assert search_paths(library, "host netl", prefix=True)[0] == "netlify.md"
        assert search_paths(library, "netlif", prefix=True)[0] == "netlify.md"


@pytest.mark.parametrize("query", ["title:menus", "title:menu", 'title:"menus"'])
def test_exact_title_is_first_if_only_titles_are_searched(tmp_path: Path, query: str) -> None:
    """P1: longer titles with the word came first."""
    files = {"a.md": "# Menu lists for menus\n\nMenu.\n", "b.md": f"# Menus\n\n{'Some other text. ' * 40}\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, query) == ["b.md", "a.md"]


@pytest.mark.parametrize("page", ["# About HTTPS\n\nText.\n", "---\nsidebar_label: HTTPS\n---\n# Secure HTTPS\n\nText.\n"])
def test_short_name_comes_before_a_heading_of_another_page(page: str, tmp_path: Path) -> None:
    """P1: and after a title that equals the query. Short are titles without their stop words, and labels in menus."""
    files = {"a.md": page, "d.md": "# HTTPS proxies\n\nText.\n", "b.md": "# Containers\n\n## HTTPS\n\nHTTPS, https, HTTPS.\n"}
    with open_site(whole_site(tmp_path / "two", files)) as library:
        assert search_paths(library, "https") == ["a.md", "d.md", "b.md"]
    with open_site(whole_site(tmp_path / "three", {**files, "c.md": "# HTTPS\n\nText.\n"})) as library:
        assert search_paths(library, "https")[0] == "c.md"


@pytest.mark.parametrize(
    "query",
    [
        "guide/open-door/",
        "/guide/open-door",
        "guide/open-door",
        "https://docs.example.org/guide/open-door/",
        "http://127.0.0.1:8000/guide/open-door/index.html?q=a&b#blue",
        "https://docs.example.org/guide/open-door.html#blue",
    ],
)
def test_page_whose_address_is_the_query_is_first(query: str, tmp_path: Path) -> None:
    """P1: the other page has the words of the address more often."""
    words = "The guide is at https://docs.example.org/guide/open-door/ or 127.0.0.1:8000/guide/open-door/index.html. " * 9
    files = {"guide/open-door.md": "# Notes\n\nOther text.\n", "b.md": f"# Guide of doors\n\n{words}\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, query)[0] == "guide/open-door.md"
        assert search_paths(library, "https://docs.example.org/guide/open-door/", match="substring") == ["b.md"]


def test_whole_address_gains_more_than_an_address_without_its_first_folder(tmp_path: Path) -> None:
    """P1: a site may be in a folder of its host."""
    files = {"guide/door.md": "# Doors\n\nDocs.\n", "docs/guide/door.md": "# Notes\n\nOther text.\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert gains(library, "/docs/guide/door/") == {"docs/guide/door.md": 1000, "guide/door.md": 900}
        assert gains(library, "/web/guide/door/") == {"guide/door.md": 900}


@pytest.mark.parametrize("query", ["https://x.org/docs/{}/", "{}", "/{}/"])
def test_percent_encoded_address_leads_to_its_page(query: str, tmp_path: Path) -> None:
    """P1: as browsers copy it. The page has none of these words."""
    files = {f"{at}.md": f"# Page {at}\n\nhttps, x, org, docs, index, html: e3.\n" for at in range(9)}
    with open_site(whole_site(tmp_path, {**files, "ガイド/認証.md": "# 設定\n\n本文。\n"})) as library:
        assert search_paths(library, query.format(quote("ガイド/認証")))[0] == "ガイド/認証.md"


@pytest.mark.parametrize("title", ["App router", "appRouter", "App-router"])
@pytest.mark.parametrize("query", ["approuter", "AppRouter", "approuter()"])
def test_title_without_its_blanks_is_first(title: str, query: str, tmp_path: Path) -> None:
    """P1: pages with this word in code were the only ones. A title that is one word comes first."""
    files = {"a.md": f"# {title}\n\nOther text.\n", "b.md": "# Notes\n\n## Approuter\n\n`approuter` is an approuter.\n"}
    with open_site(whole_site(tmp_path / "three", files)) as library:
        assert search_paths(library, query)[0] == "a.md"
    with open_site(whole_site(tmp_path / "four", {**files, "d.md": "# Approuter\n\nText.\n"})) as library:
        assert search_paths(library, "approuter")[0] == "d.md"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("fetch example", "a.md"),
        ("how to use fetch?", "a.md"),
        ("fetched example", "b.md"),  # not as written
        ("example of a fetch in a long query text", "b.md"),  # five words without stop words
    ],
)
def test_title_within_the_query_comes_before_pages_with_its_words(query: str, path: str, tmp_path: Path) -> None:
    """P1: *example* is on many pages."""
    words = "Use to fetch an example of a long query text: fetch, fetched example, example. " * 3
    files = {"a.md": f"# Fetch\n\n{'Other text. ' * 60}\n", "b.md": f"# Notes\n\n{words}\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, query)[0] == path


@pytest.mark.parametrize(
    ("text", "query", "path"),
    [
        ("Let the door of the harbour be blue.", "Let the door of the harbour be blue.", "a.md"),
        ("    let door = harbour.open(blue);", "let door = harbour.open(blue);", "a.md"),
        ("Let the door of the old harbour be blue.", "Let the door of the harbour be blue.", "b.md"),  # a word more
        ("Let the harbour be blue.", "Let the harbour be blue.", "b.md"),  # three words without stop words
    ],
)
def test_page_with_the_words_of_a_longer_query_in_a_row_is_first(text: str, query: str, path: str, tmp_path: Path) -> None:
    """P1: a reader copies a sentence or a line of code; the other page has its words more often."""
    words = " ".join(f"{word} some text. " * 9 for word in ("Blue", "harbour.open", "let", "door"))
    sections = f"## Let\n\n{words}\n\n## Door\n\n{words}\n"
    files = {f"{at}.md": f"# Page {at}\n\nOther text.\n" for at in range(9)}
    files |= {"a.md": f"# Notes\n\n{text}\n", "b.md": f"# Blue harbour.open\n\n{sections}"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, query)[0] == path


@pytest.mark.parametrize(("query", "path"), [("env vars", "a.md"), ("auth", "c.md"), ("env var file", "b.md")])
def test_title_or_heading_that_equals_the_query_with_its_synonyms_is_first(query: str, path: str, tmp_path: Path) -> None:
    """P1: of two words with synonyms both are replaced."""
    files = {
        "a.md": "# Environment variables\n\nText.\n",
        "b.md": "# Set-up\n\n## Environment variable files\n\nText.\n",
        "c.md": "# Authentication\n\nText.\n",
        "d.md": "# Notes\n\nThe env, its vars, an env var and auth: each env var is in the env file, and auth, too.\n",
    }
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, query)[0] == path


@pytest.mark.parametrize("operator", ["AND", "OR ", "NOT", "AND NOT"])
def test_exact_title_stays_first_while_an_operator_is_typed(tmp_path: Path, operator: str) -> None:
    """P1: the other operand is not typed yet. A search for parts of words has no operators."""
    with open_site(whole_site(tmp_path, {"a.md": "# Menu lists\n\nMenu.\n", "b.md": "# Menus\n\nText.\n"})) as library:
        typed = library.search(f"menus {operator}", prefix=True)
        assert ([hit.path for hit in typed.hits], typed.notices) == (search_paths(library, "menus ", prefix=True), ())
        assert not library.search("menus AND", prefix=True, match="substring").hits


def test_hit_shows_the_section_with_the_matching_heading(tmp_path: Path) -> None:
    """P1: not a subsection that has the word more often."""
    low = "A low tide of the half moon, on any coast. " * 6
    files = {"tides.md": f"# Tides\n\n## Neap\n\n{low}\n\n### When\n\nNeap after neap.\n", "index.md": "# Sea\n\nWater.\n"}
    files |= {f"moon{at}.md": f"# Moon {at}\n\nHalf of it.\n\n## Rise\n\nEarly.\n" for at in range(9)}
    with open_site(whole_site(tmp_path, files)) as library:
        for query in ("neap", "NEAP", "neaps"):
            assert library.search(query).hits[0].anchor == "neap"


@pytest.mark.parametrize(
    ("query", "anchor"), [("tides", ""), ("tide ", ""), ("tid", ""), ("the moon", "the-moon"), ("tides moon", "the-moon")]
)
def test_hit_with_the_queried_title_shows_the_start_of_the_page(tmp_path: Path, query: str, anchor: str) -> None:
    """P1: not a section with the word more often; but the section that has another name of the page as its heading."""
    words = "Tide after tide, a moon and a moon. " * 9
    page = f"---\naliases: [The moon]\n---\n# Tides\n\nWater.\n\n## Tides of tides\n\n{words}\n\n## The moon\n\n{words}\n"
    with open_site(whole_site(tmp_path, {"tides.md": page, "index.md": "# Sea\n\nWater.\n"})) as library:
        hit = library.search(query, prefix=True).hits[0]
        assert hit.anchor == anchor
        assert hit.sub_results, "the sections with the words are below it"


def test_order_is_the_same_while_typing_and_after_enter(tmp_path: Path) -> None:
    """P1: a title that begins with the query ranks above a heading that equals it."""
    files = {
        "a.md": "# Contents\n\n## Autodiscover\n\nAutodiscover, autodiscover.",
        "b.md": "# Autodiscover service in brief\n\nHow autodiscover finds a server.",
        "c.md": "# Autodiscover\n\nThe word.",
    }
    with open_site(whole_site(tmp_path, files)) as site:
        for query, prefix in (("autodiscover", True), ("autodiscover ", True), ("autodiscover", False)):
            assert [hit.path for hit in site.search(query, prefix=prefix).hits] == ["c.md", "b.md", "a.md"]


FUNCTION_WORDS = {
    "deploy.md": "# Deploy\n\nHow to put a site there.\n\n## Rollback\n\nBack again.\n",
    "longer.md": "# Deploy with care\n\nDeploy, deploy.\n\n## When to rollback\n\nRollback, rollback, rollback.\n",
    "where.md": "# Functions\n\n## Where\n\nAlso a function.\n\n## isOpen\n\nA function.\n",
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("how do I rollback", {"deploy.md": 400}),
        ("rollback", {"deploy.md": 500}),
        ("when to rollback", {"longer.md": 500, "deploy.md": 400}),
        ("how do I deploy", {"deploy.md": 400, "longer.md": 400}),  # titles with every word
        ("where", {"where.md": 500}),  # there is no other word
        ("isOpen", {"where.md": 500}),
        ("open", {}),  # a part of an identifier is no function word
    ],
)
def test_heading_equals_a_query_but_for_its_function_words(tmp_path: Path, query: str, expected: dict[str, float]) -> None:
    """P1: a heading that equals the whole query gains more."""
    with open_site(whole_site(tmp_path, FUNCTION_WORDS)) as library:
        assert gains(library, query) == expected


WORDS = {
    "mark.md": "# Signs\n\n## Marks\n\nA mark on a page of words.\n",
    "markdown.md": "# Markdown syntax\n\nMarkdown, markdown. A page of words in Markdown.\n",
    "marker.md": "# Pens\n\nA page of words about a marker, markers, marking pens and markings.\n",
    "others.md": "# Others\n\nA page of other words.\n",
}


@pytest.mark.parametrize("query", ["mark", "a page of words, mark", "words mark"])
def test_complete_word_ranks_above_its_completions(tmp_path: Path, query: str) -> None:
    """P1: a reader who has typed a word of the site may mean this word or a longer one."""
    with open_site(whole_site(tmp_path, WORDS)) as library:
        assert search_paths(library, query, prefix=True)[0] == "mark.md"
        assert "markdown.md" in search_paths(library, query, prefix=True)
        assert search_paths(library, query.replace("mark", "markd"), prefix=True)[0] == "markdown.md"


def test_heading_with_an_option_ranks_above_its_words(tmp_path: Path) -> None:
    """P1: the dashes count. The heading is the section that is shown."""
    files = {"cli.md": "# Tool\n\n## Rule\n\nA rule.\n\n## `-r, --rule`\n\nTurns it on.\n"}
    files |= {f"{name}.md": f"# Rule {name}\n\nA rule, {name}. The option --rule.\n" for name in ("change", "name", "test")}
    with open_site(whole_site(tmp_path, files)) as library:
        for query in ("--rule", '"--rule"'):
            best = library.search(query).hits[0]
            assert (best.path, best.anchor) == ("cli.md", "-r---rule")
        by_page = gains(library, "--rule")
        assert max(by_page, key=lambda path: by_page[path]) == "cli.md"
