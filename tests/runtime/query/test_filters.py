"""Filters inside a query (Q6, [004]): which parts are filters, and which stay words."""

import pytest
from ranvier import Scope
from ranvier.query.filters import days, tag_key, take_filters


@pytest.mark.parametrize(
    ("query", "scope", "text"),
    [
        ("how to install", Scope(), "how to install"),
        ("#api how to", Scope(tags=("api",)), "how to"),
        ("how #project/alpha to", Scope(tags=("project/alpha",)), "how to"),
        ("#one #two", Scope(tags=("one", "two")), ""),
        ("#one, about #two?", Scope(tags=("one", "two")), ", about ?"),
        ("C# and F#", Scope(), "C# and F#"),  # no blank before it
        ("issue #123", Scope(), "issue #123"),  # a tag has a letter first
        ("a#b", Scope(), "a#b"),
        ('#one -#two -path:"a b" -lang:de x', Scope(tags=("one", "-two"), path=("-a b",), lang=("-de",)), "x"),
        ('path:-a tag:"-b" -path:-c x', Scope(path=("/-a", "--c"), tags=("/-b",)), "x"),  # names that begin with a minus
        ("-time:2026-01-01 a-#b --#c", Scope(), "-time:2026-01-01 a-#b --#c"),
        ("[[Install]] python", Scope(titles=("Install",)), "python"),
        ("[[Install#Steps|here]] python", Scope(titles=("Install",)), "python"),
        ("[[]] [[ ]] x", Scope(), "[[]] [[ ]] x"),
        ("path:guide/* install", Scope(path=("guide/*",)), "install"),
        ('path:"my notes/a b" install', Scope(path=("my notes/a b",)), "install"),
        ("kind:daily lang:de was", Scope(kind=("daily",), lang=("de",)), "was"),
        ("time:2026-01-01..2026-02-01 retro", Scope(time="2026-01-01..2026-02-01"), "retro"),
        ("time:2026-01-01.. retro", Scope(time="2026-01-01.."), "retro"),
        ("time:soon retro", Scope(), "time:soon retro"),
        ('"#api path:x [[y]]" z', Scope(), '"#api path:x [[y]]" z'),  # in quotes all is text
        ("https://x.test/path:8 up", Scope(), "https://x.test/path:8 up"),
        ("title:x", Scope(), "title:x"),  # a column, not a filter
    ],
)
def test_filters_are_taken_out_of_the_query(query: str, scope: Scope, text: str) -> None:
    result = take_filters(query)
    assert (result.scope, " ".join(result.rest.split())) == (scope, text)
    assert bool(result.texts) == bool(scope)


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("2026-01-02..2026-01-31", ("2026-01-02", "2026-01-31")),
        ("2026-01-02", ("2026-01-02", "2026-01-02")),
        ("..2026-01-31", ("0000-00-00", "2026-01-31")),
        ("2026-01-02..", ("2026-01-02", "9999-12-31")),
        ("..", None),
        ("", None),
        ("2026", None),
        ("2026-1-2", None),
        ("2024-13-01..", None),
        ("2026-04-31", None),
        ("2026-01-00", None),
        ("2024-02-29", ("2024-02-29", "2024-02-29")),
        ("2026-02-29", None),
        ("1900-02-29..", None),
        ("2026-02-01..2026-01-01", None),
        ("٢٠٢٦-٠١-٠١", None),
    ],
)
def test_days_are_parsed(text: str, range_: tuple[str, str] | None) -> None:
    assert days(text) == range_


@pytest.mark.parametrize(
    ("tag", "key"),
    [("#Project/Alpha", "project/alpha"), ("STRASSE", "strasse"), ("/a/", "a"), ("e\u0301", "é"), (" #project ", "project")],
)
def test_tags_are_compared_without_case_and_sign(tag: str, key: str) -> None:
    """N2, [004]."""
    assert tag_key(tag) == key
