"""Marks of the author in HTML (N8): what is searched, left out, filtered and sorted; those of Pagefind mean the same."""

import pytest
from ranvier_builder.config import Config
from ranvier_builder.web.marks import captures
from ranvier_builder.withheld import Reason
from support.html_pages import page_of, read, site


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("title", [("title", "", "")]),
        (" image[src] , image_alt[alt] ", [("image", "src", ""), ("image_alt", "alt", "")]),
        ("author:Peter", [("author", "", "Peter")]),
        (
            "heading, tag[data-s], author:Free, to the end: yes",
            [("heading", "", ""), ("tag", "data-s", ""), ("author", "", "Free, to the end: yes")],
        ),
        ("a[x:y], b", [("a", "x:y", ""), ("b", "", "")]),
        ("", []),
        (",, ,", []),
        (":x", []),
        ("x:", []),
    ],
)
def test_pagefind_capture_lists_are_parsed(text: str, results: list[tuple[str, str, str]]) -> None:
    """The syntax that Pagefind documents."""
    assert list(captures(text)) == results


@pytest.mark.parametrize("name", ["ranvier", "pagefind"])
def test_ranvier_and_pagefind_attributes_are_read(name: str) -> None:
    """`data-ranvier-*` and `data-pagefind-*` mean the same."""
    page = read(
        f"""<html><head><meta data-{name}-filter="site[content]" content="Docs"></head><body>
        <p data-{name}-filter="author">Ada <b>L</b>.</p>
        <p data-{name}-filter="author[data-x], section:One, two" data-x="Bo">x</p>
        <i data-{name}-meta="date:2022-06-01"></i><i data-{name}-default-meta="kind:post"></i>
        <i data-{name}-sort="price[v]" v="9"></i>
        <i data-{name}-default-meta="date:never"></i><main data-{name}-body data-{name}-weight="2.5"><h1>H</h1>
        <b data-{name}-meta="title">The title<a class=headerlink href=#x>#</a></b><b data-{name}-meta="colour">red</b>
        <div data-{name}-ignore=all><i data-{name}-filter="author:Nobody"></i><h1 data-{name}-meta="size:9"></h1></div>"""
    )
    assert page.declared_title == "The title"
    assert page.filters == ("site/Docs", "author/Ada L.", "author/Bo", "section/One, two")
    assert (page.created, page.kind, page.weight, page.marked) == ("2022-06-01", "post", 2.5, True)
    assert page.extra == (("colour", "red"), ("sort.price", "9"))
    assert page.warnings == ()


@pytest.mark.parametrize("name", ["data-ranvier-ignore", "data-ranvier-ignore=index", "data-pagefind-ignore"])
@pytest.mark.parametrize(
    "html",
    [
        "<html {}><body><p>secret",
        "<body {}><p>secret",
        "<div {}><main><h1>secret</h1><p>secret</main></div>",
        "<div {}><article>secret</article></div>",
        "<div {}><div data-ranvier-body>secret</div></div>",
        "<main {}><p>secret<img src=secret.png><time datetime=2020-01-02>x</time></main>",
    ],
)
def test_main_content_in_an_ignored_element_is_not_read(html: str, name: str) -> None:
    page = read(html.format(name))
    assert "secret" not in repr(page)
    assert (page.sections, page.created) == ((), "")


def test_ignored_elements_keep_their_filters_only_with_index() -> None:
    """Pagefind's attribute without a value hides the text only; Ranvier's hides everything, unless its value is `index`."""
    html = "<p data-{}>secret <b data-pagefind-filter='author'>Ada</b></p>"
    for attribute, expected in (
        ("pagefind-ignore", ("author/Ada",)),
        ("pagefind-ignore=index", ("author/Ada",)),
        ("pagefind-ignore=all", ()),
        ("ranvier-ignore", ()),
        ("ranvier-ignore=index", ("author/Ada",)),
    ):
        page = read(html.format(attribute))
        assert (page.filters, page.sections) == (expected, ()), attribute


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<h1>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-pagefind-ignore>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-pagefind-ignore=all>no</h1><h1>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-ranvier-ignore>no</h1><nav><h1>no</h1></nav><h1 hidden>no</h1><main data-pagefind-body>x</main>", ""),
        ("<h1>Out</h1><main data-pagefind-body><h1>In</h1>x</main>", "In"),
        ("<h1>Out</h1><main>x</main>", ""),
    ],
)
def test_title_heading_may_stand_outside_a_marked_body(html: str, title: str) -> None:
    """As in Pagefind, for pages with a marked body."""
    assert read(html).heading == title


@pytest.mark.parametrize("weight", ["-1", "11", "heavy", "nan", ""])
def test_invalid_weight_is_reported(weight: str) -> None:
    page = read(f"<main data-ranvier-weight='{weight}'>x</main>")
    assert page.weight == 1
    assert [(warning.kind, warning.file) for warning in page.warnings] == [("markup", "guide/a.html")]


def test_only_marked_pages_are_indexed_if_one_is_marked() -> None:
    """As in Pagefind."""
    out = site({"a.html": "<p>a", "b.html": "<p data-pagefind-body>b", "c.html": "<main data-ranvier-body>c</main>"})
    assert [page.page.neuron.path for page in out.rendered] == ["b.html", "c.html"]
    assert out.withheld == {Reason.NOT_MARKED: 1}


def test_extra_fields_are_published_only_if_configured() -> None:
    """N3: as with frontmatter."""
    pages = {
        "a.html": page_of("A", "text<i data-pagefind-meta='product:Kestrel'></i><i data-ranvier-meta='internal:Wolverine'></i>")
    }
    (plain,) = site(pages).rendered
    assert plain.page.neuron.extra == ()
    (page_with_field,) = site(pages, Config(search_fields=("prod*",))).rendered
    assert page_with_field.page.neuron.extra == (("product", "Kestrel"),)
    assert "Kestrel" in " ".join(chunk.body for chunk in page_with_field.chunks)
    assert "Wolverine" not in str(page_with_field)
