"""Fragments of links lead to an anchor of the target page: to one that its author names, or to that of a heading."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from ranvier_builder import Config
from support.content import build_tree

BODY = """Node.js
: A term, which takes no anchor from a heading.

`--port` number
: A term.

## Getting *started*

## Node.js

## The first {#GettingStarted}

## B {#sec:intro}

## Part

## Part

## Own_1

## Élan d'été

## 🚀 Start !

<span id="v1.2">c</span> <a name="Größe"></a>

Words. ^b1
"""
LINKS = [
    ("#GettingStarted", "#GettingStarted"),
    ("#sec:intro", "#sec:intro"),
    ("#v1.2", "#v1.2"),
    ("#Größe", "#Größe"),
    ("#node-js", "#nodejs"),  # other systems differ in the signs between letters
    ("#v-1-2", "#v1.2"),
    ("#elan-d-ete", "#élan-dété"),
    ("#--Part_", "#part"),
    ("#Getting%20started", "#getting-started"),
    ("#Node.js", "#nodejs"),
    ("#^b1", "#block-b1"),
    ("#nodejs-1", "#nodejs-1"),  # the term
    ("#--port-number", "#--port-number"),
    ("#-start-", "#-start-"),
    ("#Unknown", "#unknown"),
    ("#v1.3", "#v13"),
    ("#The%20first", "#GettingStarted"),
    ("#part_1", "#part-1"),
    ("#the-first", "#GettingStarted"),
    ("#own_1", "#own_1"),
    ("#part_2", "#part_2"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fragments")
    links_of_target, links_of_page, links_of_html = (
        "\n\n".join(form.format(link) for link, _ in LINKS)
        for form in ("[x]({})", "[x](../target.md{})", '<a title="1 > 0" href="../target.md{}">x</a>')
    )
    code = '`<a href="#Not-a-link">`'
    return build_tree(
        root,
        {"target.md": f"{links_of_target}\n\n{code}\n\n{BODY}", "deep/other.md": links_of_page, "deep/raw.md": links_of_html},
    )


@pytest.mark.parametrize("page", ["target", "deep/other", "deep/raw"])
def test_fragment_is_an_anchor_of_the_target(site: Path, page: str) -> None:
    html = (site / page / "index.html").read_text("utf-8")
    start = "" if page == "target" else "../../target/"
    hrefs = [unquote(href) for href in re.findall(r'href="([^"]*)"[^>]*>x</a>', html)]
    assert hrefs == [start + fragment for _, fragment in LINKS]


@pytest.mark.parametrize("heading", ["v1.2 notes", "C++ here", "Déjà vu", "What? (really)", "a_b c", "`code` x", "B {#BigB}"])
def test_wikilink_leads_to_a_heading_by_its_words(tmp_path: Path, heading: str) -> None:
    """N4."""
    words = heading.replace("`", "").partition(" {")[0]
    files = {"a.md": f"[[#{words}|x]] [[b#{words}|x]]\n\n## {heading}\n", "b.md": f"## C\n\n## {heading}\n"}
    site = build_tree(tmp_path, files)
    html_a, html_b = ((site / page / "index.html").read_text("utf-8") for page in "ab")
    fragments = [unquote(href).partition("#")[2] for href in re.findall(r'href="([^"]*)"[^>]*>x</a>', html_a)]
    (anchor,) = {*re.findall(r'<h2 id="([^"]+)"', html_a)}
    assert fragments == [anchor, anchor]
    assert f'id="{anchor}"' in html_b


@pytest.mark.parametrize("target", ["#GettingStarted", "target#GettingStarted", "target#The first", "target#Node.js#The first"])
def test_wikilink_leads_to_a_name_in_braces(tmp_path: Path, target: str) -> None:
    site = build_tree(tmp_path, {"target.md": f"[[{target}|x]]\n\n{BODY}"})
    html = (site / "target/index.html").read_text("utf-8")
    assert re.findall(r'href="([^"]*)"[^>]*>x</a>', html) == ["#GettingStarted"]


def test_code_with_a_link_is_not_changed(site: Path) -> None:
    assert "#Not-a-link" in (site / "target/index.html").read_text("utf-8")


def test_comments_name_no_anchors(tmp_path: Path) -> None:
    """A3: the build proves that they do not change a byte of another page."""
    site = build_tree(tmp_path, {"a.md": "[x](b.md#Hidden)", "b.md": '<!-- {#Hidden} -->\n\n%% <a id="Hidden"> %%\n'})
    assert 'href="../b/#hidden"' in (site / "a/index.html").read_text("utf-8")


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(
    "html",
    [
        '<a href="//example.org/app/#/Route/Path"',
        '<a href="https://example.org/#Foo.Bar"',
        "var link = '<a href=\"#/Route/App\">'",
        "'<a href=\"b/#Some Text\">'",
    ],
)
def test_other_addresses_and_scripts_are_not_changed(tmp_path: Path, html: str, trusted: bool) -> None:
    body = f"{html}>x</a>\n" if html.startswith("<a") else f"<script>{html}</script>\n"
    site = build_tree(tmp_path, {"a.md": body, "b.md": "# B\n"}, Config(default_audience="public", trusted_html=trusted))
    assert (html in (site / "a/index.html").read_text("utf-8")) == (trusted or html.startswith("<a"))


def test_attributes_and_areas_of_trusted_html(tmp_path: Path) -> None:
    links = '<a x-on:click="f" :b="g" href="b.md#Some Text">x</a> <map><area href="b.md#Some Text"></map>'
    site = build_tree(
        tmp_path, {"a.md": links, "b.md": "# B\n\n## Some Text\n"}, Config(default_audience="public", trusted_html=True)
    )
    assert (site / "a/index.html").read_text("utf-8").count("../b/#some-text") == 2
