"""Addresses without brackets."""

import re

import pytest
from ranvier_builder import Config
from ranvier_builder.markdown.parser import environment, parser

MARK = re.compile(r'<a href="([^"]*)">([^<]*)</a>')


def html(text: str) -> str:
    """Return the HTML of a line, with `[address]` for each link whose words are its address."""
    env = environment(Config(url="https://own.example/"), "a.md")
    rendered = parser().render(text, env).strip().removeprefix("<p>").removesuffix("</p>")
    return MARK.sub(lambda match: f"[{match[1]}]" if match[1] == match[2] else match[0], rendered)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://a.example/x.", "See [https://a.example/x]."),
        ("(https://a.example/a_(b))", "([https://a.example/a_(b)])"),
        ("**http://localhost:8000**", "<strong>[http://localhost:8000]</strong>"),
        (r"https://a.example/foo\_bar", "[https://a.example/foo_bar]"),
        ("https://a.example/?a=1&amp;b=2", "[https://a.example/?a=1&amp;b=2]"),
        ("https://a.example/a%20b?x=%7B%7D", "[https://a.example/a%20b?x=%7B%7D]"),
        ("访问 https://a.example，中文。", "访问 [https://a.example]，中文。"),
        ("“https://a.example/x”", "“[https://a.example/x]”"),
        ("https://a.example/x\\\nnext", "[https://a.example/x]<br />\nnext"),
        ("https://a.example/x<br>next", "[https://a.example/x]<br>next"),
        ("https://a.example/Köln", '<a href="https://a.example/K%C3%B6ln">https://a.example/Köln</a>'),
        ("[ref https://a.example][none]", "[ref [https://a.example]][none]"),
        ("https://x.example, [[Plan]]", "[https://x.example], Plan"),
        # Other syntax is parsed first.
        ("https://a.example/x/`<id>`/y", "https://a.example/x/<code>&lt;id&gt;</code>/y"),
        ("https://a.example/<user>/x", "https://a.example/&lt;user&gt;/x"),
        ("http://192.168.*.*:80/x", "http://192.168.<em>.</em>:80/x"),
        ("https://a.example/[[Plan]]", "https://a.example/Plan"),
        ("![https://a.example](b.png)", '<img src="b.png" alt="https://a.example" />'),
        ("[https://a.example](/b)", '<a href="/b">https://a.example</a>'),
    ],
)
def test_addresses_are_links(text: str, expected: str) -> None:
    assert html(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost:${PORT}/x", "http://127.0.0.1:PORT/", "https://a.example/users/{id}", "https://a.example/x中文",
        "foohttps://a.example", "https://-", '<a href="x">https://a.example</a>', "</a><kbd>https://a.example</kbd>",
        "<textarea> https://a.example </textarea>", "https://a.example/x/[id]", "https://a.example/…/x",
        "https://a.example/*", "https://own.example/feed.xml",
    ],
)  # fmt: skip
def test_examples_and_links_are_unchanged(text: str) -> None:
    assert html(text) == text


def test_title_that_opens_on_a_click_has_no_link() -> None:
    assert "<a" not in html("> [!note]- https://a.example\n> Words")


def test_footnote_follows_an_address() -> None:
    assert html("https://a.example/x[^1]\n\n[^1]: note").startswith('[https://a.example/x]<sup class="footnote-ref">')


@pytest.mark.parametrize("text", ["http://a/" + ")" * 300_000, "(http://a/(" * 20_000, "http://" + "a." * 100_000])
def test_time_is_linear(text: str) -> None:
    """A quadratic rule would take minutes, and exceed the time limit of a test."""
    assert "http" in html(text)
