"""Callouts, admonitions, containers, tabs: one shape, whoever wrote them (N9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

See = Callable[..., Any]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("> [!note]\n> words", "Note / words"),
        ("> [!WARNING] My *title*\n> words\n>\n> more", "My title / words / more"),
        ("> [!best-practice]\n> x", "Best practice / x"),
        ("> [!note|right]\n> x", "Note / x"),
        ("> [!tip] only a title", "only a title"),
        ("> a quote\n> [!note]", "a quote [!note]"),
        ("> [!a]\n> > [!b]\n> > in", "A / B / in"),
        ("- item\n\n  > [!tip]\n  > in", "item / Tip / in"),
        (":::tip Title\nwords\n:::", "Title / words"),
        (":::note[Title here]\nwords\n:::", "Title here / words"),
        ("::: warning\nwords\n:::", "Warning / words"),
        ('::: {.callout-tip title="T"}\nwords\n:::', "T / words"),
        ("::::note\n:::tip\nin\n:::\nout\n::::", "Note / Tip / in / out"),
        (":::unknown\nwords\n:::", "words"),
        ("::: details More\nwords\n:::", "More / words"),
        ("/// note | Technical **Details**\nwords\n///", "Technical Details / words"),
        ("/// warning\n\nwords\n\n///", "Warning / words"),
        ("//// tab | A\n\n/// tip\nx\n///\n\n////\n\n//// tab | B\ny\n////", "A / Tip / x / B / y"),
        ("/// details | T\n    type: warning\nwords\n///", "T / words"),
        ('!!! note "T"\n    words\n\n    more\n\nout', "T / words / more / out"),
        ("!!! warning\n    words", "Warning / words"),
        ('!!! note ""\n    words', "words"),
        ("!!! loud\nwords", "!!! loud words"),
        ('=== "One"\n\n    a\n\n=== "Two"\n\n    b', "One / a / Two / b"),
        ("??? tip\n    words", "Tip / words"),
        ("1. a\n\n    /// note\n    x\n    ///\n\n2. b", "a / Note / x / b"),
        ("> :::tip\n> x\n> :::\n", "Tip / x"),
        (
            "`::: note` and\n\n```\n::: tip\n:::\n/// x\n///\n!!! y\n    z\n```",
            "`::: note` and"[1:9] + " and / ::: tip\n:::\n/// x\n///\n!!! y\n    z",
        ),
        ("a path /// and :::: in prose", "a path /// and :::: in prose"),
        ('::: moniker range="x"\nwords\n::: moniker-end', "words"),
        ("[!INCLUDE [title](../x.md)]\n\nwords", "words"),
        ("> [!VIDEO https://x.example/v]", "Video"),
        ('> [!div class="nextstepaction"]\n> words', "words"),
        ("{* ../a.py hl[1] *}\n\nwords {!x.md!}", "words"),
        ("::: fastapi.FastAPI\n    options:\n        members: 1\n\nwords", "fastapi.FastAPI / words"),
        ("::: note\n", "::: note"),
    ],
)
def test_what_a_reader_sees(see: See, body: str, text: str) -> None:
    assert see(body).text == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("> [!hint] T\n> x", '<aside class="callout callout-tip">\n<p class="callout-title">T</p>\n<p>x</p>\n</aside>'),
        (":::hint T\nx\n:::", '<aside class="callout callout-tip">\n<p class="callout-title">T</p>\n<p>x</p>\n</aside>'),
        ("/// hint | T\nx\n///", '<aside class="callout callout-tip">\n<p class="callout-title">T</p>\n<p>x</p>\n</aside>'),
        ('!!! hint "T"\n    x', '<aside class="callout callout-tip">\n<p class="callout-title">T</p>\n<p>x</p>\n</aside>'),
        (
            "> [!note]- T\n> x",
            '<details class="callout callout-note">\n<summary class="callout-title">T</summary>\n<p>x</p>\n</details>',
        ),
        ("> [!note]+ T\n> x", '<details class="callout callout-note" open="">'),
        ("??? note\n    x", '<details class="callout callout-note">'),
        ("???+ note\n    x", '<details class="callout callout-note" open="">'),
        ("/// tab | T\nx\n///", '<section class="tab">\n<p class="tab-title">T</p>\n<p>x</p>\n</section>'),
    ],
)
def test_the_shape(see: See, body: str, html: str) -> None:
    assert see(body).html.strip().startswith(html)


@pytest.mark.parametrize(
    "hostile", ['> [!note" onclick="x]\n> x', ':::a"onclick\nx\n:::', '!!! a" "b\n    x', "> [!<img src=x onerror=y>]\n> x"]
)
def test_no_kind_is_markup(see: See, hostile: str) -> None:
    body = LexborHTMLParser(f"<body>{see(hostile).html}</body>").body
    assert body is not None
    for node in body.traverse():
        assert node.tag != "img"
        assert not any(name.startswith("on") for name in node.attributes)
        assert set(node.attributes.get("class", "").split()) <= {"callout", "callout-note", "callout-title", "box-title"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "lines"),
    [("a\n\n:::note\nb", ["3"]), ("a\n\n/// tip\nb", ["3"]), ("a\n:::", ["2"]), ("::::a\n:::b\nx\n::::", ["2"])],
)
def test_a_block_that_is_not_closed_is_reported_with_its_line(see: See, body: str, lines: list[str]) -> None:
    found = see("---\ntitle: T\n---\n" + body)
    assert [problem.partition(":")[0] for problem in found.problems] == [str(int(line) + 3) for line in lines]
