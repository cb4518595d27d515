"""A3: the one normalisation, and what of a text is seen, hidden, code; all in linear time."""

from __future__ import annotations

import pytest
from ranvier_builder.check.leaks.prose import read, rendered
from ranvier_builder.check.leaks.views import strings
from ranvier_builder.check.leaks.words import address, addresses, below, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Merger_Plans-2027!", ["merger", "plans", "2027"]),
        ("Ｇröße İ", ["grösse", "i"]),
        ("秘密の庭 and 庭x", ["秘", "密", "の", "庭", "and", "庭", "x"]),
        ("e\u0301te\u0301", ["été"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Plans/Merger%20Talks!.md", ("plans", "merger-talks")),
        ("../a/index.html#b?c", ("a",)),
        ("a/README.md", ("a",)),
        ("a\\b_c.mdx", ("a", "b-c")),
        ("img/x.png", ("img", "x-png")),
        ("$/..md", ()),
    ],
)
def test_addresses_are_folded(path: str, expected: tuple[str, ...]) -> None:
    assert address(path) == expected


def test_addresses_in_a_text() -> None:
    text = 'See "https://example.org/a/b/?x" (or ./c%20d.html), not and.'
    assert list(addresses(text)) == [("a", "b"), ("c-d",)]


def test_what_is_seen_and_what_is_hidden() -> None:
    body = (
        'See [label](secret/page.md "tip"), [[secret|shown]] and [[open]]. %%not this%% <!-- nor this -->\n\n'
        "`%%code%%` **bold**ly <b title='hint'>x</b>\n\n```\n<!-- shown -->\n```\n\n[r]: secret/other.md\n"
    )
    prose = read(body, hides=lambda target: target.startswith("secret"))
    seen = "\n".join(prose.seen)
    assert "secret" not in seen
    assert all(one in seen for one in ("label", "tip", "shown", "open", "%%code%%", "hint", "<!-- shown -->"))
    assert prose.comments == ("%%not this%%", "<!-- nor this -->")
    assert "boldly" in rendered(prose.markdown)


@pytest.mark.parametrize(
    ("body", "comments"),
    [
        ("The load was 100%% on Monday.\n\n%% ask Bob to leave %%", ("%% ask Bob to leave %%",)),
        ("[x](a%%20b) and %%this one%%", ("%%this one%%",)),
        ("a (%%b%%) c", ("%%b%%",)),
        ("it grew 5 %% then 7 %% again", ()),
        ("one %%two\n\nthree%% four", ()),
        ("%%one\n\ntwo%%", ("%%one\n\ntwo%%",)),
        ("text\n\n    %% code %%\n\n    <!-- code -->\n", ()),
        ("- item\n\n      <!-- code -->\n", ()),
        ("- item\n\n    <!-- none -->\n", ("<!-- none -->",)),
        ('!!! note\n    text\n\n=== "Tab"\n\n    <!-- none -->\n', ("<!-- none -->",)),
    ],
)
def test_comments(body: str, comments: tuple[str, ...]) -> None:
    assert read(body).comments == comments


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.org/g/priv/m/", "/priv/m"),
        ("http://EXAMPLE.org:443/g/priv/m/#x", "/priv/m#x"),
        ("//user@example.org/%67/a/../priv", "/priv"),
        ("https://example.org/x/../g/", "/"),
        ("https://example.org/garden/", None),
        ("https://example.com/g/", None),
        ("mailto:a@example.org", None),
        ("https://[broken/", None),
        ("g/priv", None),
    ],
)
def test_addresses_of_the_site_itself(url: str, path: str | None) -> None:
    assert below(url, "https://example.org/g/") == path
    assert below(url, "") is None


def test_a_redacted_link_says_nothing() -> None:
    assert "secret" not in "".join(read("See [[secret]].", lambda target: True, redact=True).seen)
    assert "secret" in "".join(read("See [[secret]].", lambda target: True).seen)


@pytest.mark.parametrize(
    "unit",
    ["a", "](x ", "``` ", "`", "<!--", "%", "<a ", "[[a|", "{{<", "a#b", "title=", "[x]: ", "w<b>w", "```\n", "\n>", "a.", "/"],
)
def test_no_text_takes_long(unit: str) -> None:
    """N9: lines of a megabyte, of whatever."""
    text = unit * (1_000_000 // len(unit))
    read(text)
    list(addresses(text))
    list(strings("x.html", text.encode()))
    list(strings("x.xml", text.encode()))
