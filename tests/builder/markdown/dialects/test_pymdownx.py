"""Keys, languages of inline code, abbreviations, and blocks of pymdownx (N9)."""

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("`#!py3 None` and `#!/bin/sh -e` and `#! x`", "<code>None</code> and <code>#!/bin/sh -e</code> and <code>#! x</code>"),
        ("`#!important rule`", "<code>#!important rule</code>"),  # no language
        ("++ctrl+alt+del++", "<kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd>"),
        ('++page-up++ ++f5++ ++cmd+"<b>"++', "<kbd>Page Up</kbd> <kbd>F5</kbd> <kbd>Cmd</kbd>+<kbd>&lt;b&gt;</kbd>"),
        ("i++ and j++, ++x++, ++i+j++, a++tab++, C++", "<p>i++ and j++, ++x++, ++i+j++, a++tab++, C++</p>"),
        ("`++ctrl+c++`", "<code>++ctrl+c++</code>"),
        ("<code>++ctrl+c++</code>", "<code>++ctrl+c++</code>"),
        ("word^[†](#n)^", '<p>word<sup><a href="#n" rel="noopener noreferrer">†</a></sup></p>'),
        ("[](){#cmd}\n\n[](){#cmd} words", "<p> words</p>"),
        ("[](){: #cmd }\n\nwords", '<p><a id="cmd"'),
        ("# T\n\n## 7.0 Notes {: #\\7.0}", '<h2 id="7.0">7.0 Notes</h2>'),
        ("/// html | div.result\nwords\n///", "<div>\n<p>words</p>\n</div>"),
        ("/// figure-caption | < ^1\n    attrs: {id: a}\nwords\n///", "<div>\n<p>words</p>\n</div>"),
        (
            "/// details | T\n    type: warning\n    open: true\nwords\n///",
            '<details class="callout callout-warning" open="">\n<summary class="callout-title">T</summary>',
        ),
    ],
)
def test_html_of_pymdownx(render_file: RenderFile, body: str, html: str) -> None:
    assert html in render_file(body).html


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("The HTML.\n\n*[HTML]: Hyper Text\n*[CSS]: Sheets", "The HTML."),
        ("`*[HTML]: x`\n\n```\n*[HTML]: x\n```", "*[HTML]: x / *[HTML]: x"),
        ("*[a](#b): emphasis* and *[b]: emphasis*", "a: emphasis and [b]: emphasis"),
        ("*[b]: emphasis*", "[b]: emphasis"),
        ("a\n\n::: mkdocs-click\n    :module: b\n    :depth: 0\n\nc", "a / c"),
    ],
)
def test_definitions_and_generated_parts_are_removed(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text
