"""Titles of HTML pages, without the name of their site (N8)."""

from html import escape

import pytest
from ranvier_builder.web.titles import affix
from support.html_pages import page_of, site, titles_of


@pytest.mark.parametrize(
    ("declared_titles", "titles", "name"),
    [
        (["Install - Docs", "Use - Docs", "Docs"], ["Install", "Use", "Docs"], "Docs"),
        (["A | B | Site", "C | B | Site", "D | Site"], ["A", "C", "D"], "Site"),
        (["A — S — P", "B — S — P", "C — T — P"], ["A", "B", "C — T"], "P"),
        (["Site: A", "Site: B", "Site: C: D"], ["A", "B", "C: D"], "Site"),
        (["A", "B"], ["A", "B"], ""),
        (["A - B", "C - D", "E - F"], ["A - B", "C - D", "E - F"], ""),
        ([], [], ""),
        (["One - Docs"], ["One - Docs"], ""),
    ],
)
def test_common_affix_of_titles_is_the_site_name(declared_titles: list[str], titles: list[str], name: str) -> None:
    result = affix(declared_titles)
    assert ([result.strip(title) for title in declared_titles], result.name) == (titles, name)


def test_page_title_from_mark_heading_head_or_file() -> None:
    """In this order; the name of the site is removed from `<title>`."""
    pages = {
        "a.html": page_of("Alpha - Docs", "<h1>The first<a class=headerlink href=#x>¶</a></h1>a"),
        "b.html": page_of("Beta - Docs", "b"),
        "c.html": page_of("Gamma - Docs", "<h1>C</h1><b data-ranvier-meta='title'>Said</b>"),
        "deep/index.html": page_of("&lt;no title>", "e"),
        "deep/some-thing.html": page_of("", "d"),
        "index.html": page_of("Docs", "home"),
    }
    titles = ["The first", "Beta", "Said", "deep", "some thing", "Docs"]
    assert titles_of(pages) == dict(zip(pages, titles, strict=True))


def test_title_of_most_pages_is_no_title() -> None:
    """Compodoc has no other one, and LDoc a heading with the site's name; the home page is named after the site."""
    bodies = {"index.html": "<h1>Home</h1>a", "Dog.html": "b", "c.html": "<h1>Docs</h1>c<h2>Cats</h2>c", "d.html": "<h1>D</h1>"}
    bodies |= {"e.html": "<h1>Docs</h1>e<h2>See</h2>e", "f.html": "<h1>Docs</h1>f<h2>See</h2>f", "g.html": "<h1>G</h1>g"}
    titles = ["Home", "Dog", "Cats", "D", "e", "f", "G"]
    pages = {path: page_of("Docs of X", body) for path, body in bodies.items()}
    assert titles_of(pages) == dict(zip(pages, titles, strict=True))
    pages["index.html"] = page_of("Docs of X", "a")
    assert titles_of(pages)["index.html"] == "Docs of X"


def test_name_of_the_site_in_parentheses() -> None:
    """Texinfo writes it behind the title."""
    pages = {f"{name}.html": page_of(f"{name} ({name}2) (GNU X (version 7))", f"text {name}") for name in "abc"}
    assert titles_of(pages) == {f"{name}.html": f"{name} ({name}2)" for name in "abc"}
    assert site(pages).title == "GNU X (version 7)"
    pages = {f"{name}.html": page_of(f"{name} ({system})", f"text {name}") for name, system in zip("abcd", "LLLW", strict=True)}
    assert titles_of(pages)["a.html"] == "a (L)"


def test_title_that_is_only_the_name_of_the_site_is_no_title() -> None:
    pages = {f"{name}.html": page_of(f"{name}: S", f"text {name}") for name in "abcde"}
    pages["unix-x.html"] = page_of(": S", "text")
    assert titles_of(pages)["unix-x.html"] == "unix x"
    # VitePress writes the name alone if a page has no h1.
    pages |= {"index.html": page_of("S", "home"), "lts.html": page_of("S", "<h2>Support</h2>of X"), "x.html": page_of("S", "y")}
    assert [titles_of(pages)[path] for path in ("index.html", "lts.html", "x.html")] == ["S", "Support", "x"]


def test_heading_of_doxygen() -> None:
    """It is no h1; all `<title>`s may be the name of the project."""
    head = (
        '<div class="headertitle"><div class="title"><a>A::{}</a> Class Reference<div class="ingroups">Group</div></div></div>'
    )
    pages = {f"{name}.html": page_of("SFML", head.format(name) + f"<h1>Use</h1>text {name}") for name in "BCDE"}
    assert titles_of(pages) == {f"{name}.html": f"A::{name} Class Reference" for name in "BCDE"}


def test_heading_on_every_page_is_the_site_name() -> None:
    pages = {f"{name}.html": page_of(f"{name} | S", f"<h1>My site</h1>text {name}") for name in "abcd"}
    assert titles_of(pages) == {f"{name}.html": name for name in "abcd"}
    assert all(page.sections[0].headings == () for page in site(pages).rendered)


def test_repeated_headings_are_replaced_by_longer_titles() -> None:
    pages = {
        f"{name}/index.html": page_of(f"Overview of {name} | S", f"<h1>Overview</h1>text {name}") for name in ("ants", "bees")
    } | {"c.html": page_of("C | S", "<h1>C</h1>c"), "d.html": page_of("D | S", "<h1>D</h1>d")}
    assert [title for path, title in titles_of(pages).items() if "index" in path] == ["Overview of ants", "Overview of bees"]


@pytest.mark.parametrize(
    ("title", "aliases"),
    [
        ("Class Net::HTTP", ("Net::HTTP", "HTTP")),
        ("Interface Pair<L,R extends Comparable<R>>", ("Pair",)),
        ("Vec in alloc::vec", ("Vec",)),
        ("Json::Value Class Reference", ("Json::Value", "Value")),
        ("Module `Stdlib.List`", ("Stdlib.List", "List")),
        ("Function $parse", ("$parse",)),
        ("Type Alias Knot", ("Knot",)),
        ("Class invariants and contracts", ()),
        ("Structures", ()),
    ],
)
def test_page_of_a_reference_is_found_by_its_short_name(title: str, aliases: tuple[str, ...]) -> None:
    """*Object storage* is prose if few pages of a site have such a title."""
    others = ["class A", "class B", *("Words of a guide " + "abcdefghi"[: at + 1] for at in range(9))]

    def aliases_of(titles: list[str]) -> list[tuple[str, ...]]:
        pages = {f"{at:02}.html": page_of("", f"<h1>{escape(name)}</h1><p>Text {at}.</p>") for at, name in enumerate(titles)}
        return [page.page.neuron.aliases for page in site(pages).rendered]

    assert aliases_of([title, "class C", *others])[0] == aliases
    assert aliases_of([title, *others[1:]])[0] == ()


def test_heading_of_several_pages_is_replaced_by_their_titles() -> None:
    """Old sites have their name as the first h1 of many pages, but not of most."""
    heads = {"a": "Part a", "b": "Part b", "c": "Untitled", "d": "", "e": "Docs"} | {name: name.upper() for name in "fghijk"}
    pages = {
        f"{name}.html": page_of(head, f"<h1>The site</h1>text {name}")
        if name < "f"
        else page_of(f"{head} - Docs", f"<h1>{head}</h1>text {name}")
        for name, head in heads.items()
    }
    heads |= dict.fromkeys("cde", "The site")
    assert titles_of(pages) == {f"{name}.html": title for name, title in heads.items()}


def test_preamble_of_odoc_is_text() -> None:
    """It has the title of a module and the first paragraphs; the header of a site is no text."""
    preamble = "<header class='odoc-preamble'><h1>Module {0}</h1><p>About {0}</p></header>"
    page = f"<title>T</title>{preamble}<div><h2>Types</h2><p>More {{0}}</p></div>"
    result = site({f"{name}.html": page.format(name) for name in "AB"})
    assert [page.page.neuron.title for page in result.rendered] == ["Module A", "Module B"]
    assert [block.text for block in result.rendered[0].sections[0].blocks] == ["About A"]
    banner = "<title>P {0}</title><header><h1>Site</h1><p>Good</p></header><div><p>Text {0}</p></div>"
    result = site({f"{name}.html": banner.format(name) for name in "AB"})
    assert [page.page.neuron.title for page in result.rendered] == ["P A", "P B"]
    assert [block.text for section in result.rendered[0].sections for block in section.blocks] == ["Text A"]


def test_title_above_the_headings_is_not_replaced_by_a_heading() -> None:
    """Haddock writes the name of a module into a paragraph, and a section's name into an h1."""
    pages = {f"{name}.html": page_of(f"Data.{name}", f"<p>Data.{name}</p><h1>Use of {name}</h1>text") for name in "ABC"}
    assert titles_of(pages) == {f"{name}.html": f"Data.{name}" for name in "ABC"}


def test_page_whose_sections_have_main_headings_has_the_title_of_its_head() -> None:
    """Its first h1 is "Overview"; a `<title>` that several pages have is no title."""
    body = "<h1>1. Overview</h1>text<h1>2. Use</h1>more"
    assert titles_of({"a.html": page_of("Dates | S", body), "b.html": page_of("B | S", "<h1>B</h1>b")})["a.html"] == "Dates"
    assert titles_of({f"{name}.html": page_of("S", f"{body} {name}") for name in "ab"})["a.html"] == "1. Overview"
    function = '<dl><dt class="sig" id=f>f()</dt><dd>x</dd></dl>'  # the text behind it belongs to the h1 again
    assert titles_of({"a.html": page_of("C | S", f"<h1>Class C</h1>a{function}b")})["a.html"] == "Class C"
    assert titles_of({"a.html": page_of("Overview of S", "<h1>Overview</h1>a<h1>B</h1>b")})["a.html"] == "Overview"


@pytest.mark.parametrize(
    ("head_title", "body", "title"),
    [
        ("F.View.query", "<h1>query</h1>", "F.View.query"),  # Valadoc
        ("A query", "<h1>query</h1>", "query"),
        ("git-add(1)", "<h1>git-add(1) Manual Page</h1>", "git-add(1)"),  # AsciiDoc
        ("Maps (SRFI 1) (GNU M (1.2))", "<h3>2.1 Maps (SRFI 1) and more</h3>", "Maps (SRFI 1)"),  # Texinfo
        ("Maps (old)", "<h3>Sets</h3>", "Maps (old)"),
        ("Section A.2", "<h2>A.2 Lists</h2>", "A.2 Lists"),  # ltx2htm
        ("Section A.2", "<h2>A.20 Lists</h2>", "Section A.2"),
    ],
)
def test_title_is_complete_and_without_the_name_of_the_manual(head_title: str, body: str, title: str) -> None:
    (page,) = site({"a.html": page_of(head_title, f"{body}<p>text")}).rendered
    assert page.page.neuron.title == title
    assert "Manual Page" not in repr(page.sections)
