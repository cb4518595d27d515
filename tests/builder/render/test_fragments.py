"""Fragments of links lead to an anchor of the target page: to one that its author names, or to that of a heading."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from ranvier_builder import Config
from support.content import build_without_engine, write_tree

BODY = """## Getting *started*

## Node.js

## A {#GettingStarted}

## B {#sec:intro}

<span id="v1.2">c</span> <a name="Größe"></a>

Words. ^b1
"""
LINKS = [
    ("#GettingStarted", "#GettingStarted"),
    ("#sec:intro", "#sec:intro"),
    ("#v1.2", "#v1.2"),
    ("#Größe", "#Größe"),
    ("#node-js", "#node-js"),
    ("#Getting%20started", "#getting-started"),
    ("#Node.js", "#nodejs"),
    ("#^b1", "#block-b1"),
    ("#Unknown", "#unknown"),
    ("#v1.3", "#v13"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fragments")
    own, other, raw = (
        "\n\n".join(form.format(link) for link, _ in LINKS)
        for form in ("[x]({})", "[x](../target.md{})", '<a title="1 > 0" href="../target.md{}">x</a>')
    )
    code = '`<a href="#Not-a-link">`'
    write_tree(root / "in", {"target.md": f"{own}\n\n{code}\n\n{BODY}", "deep/other.md": other, "deep/raw.md": raw})
    build_without_engine(root / "in", root / "out", Config(default_audience="public"))
    return root / "out"


@pytest.mark.parametrize("page", ["target", "deep/other", "deep/raw"])
def test_fragment_is_an_anchor_of_the_target(site: Path, page: str) -> None:
    html = (site / page / "index.html").read_text("utf-8")
    start = "" if page == "target" else "../../target/"
    hrefs = [unquote(href) for href in re.findall(r'href="([^"]*)"[^>]*>x</a>', html)]
    assert hrefs == [start + fragment for _, fragment in LINKS]


def test_code_with_a_link_is_not_changed(site: Path) -> None:
    assert "#Not-a-link" in (site / "target/index.html").read_text("utf-8")


def test_comments_name_no_anchors(tmp_path: Path) -> None:
    """A3: the build proves that they do not change a byte of another page."""
    write_tree(tmp_path / "in", {"a.md": "[x](b.md#Hidden)", "b.md": '<!-- {#Hidden} -->\n\n%% <a id="Hidden"> %%\n'})
    build_without_engine(tmp_path / "in", tmp_path / "out", Config(default_audience="public"))
    assert 'href="../b/#hidden"' in (tmp_path / "out/a/index.html").read_text("utf-8")
