"""Identifiers, versions and signs (I2, Q1): found whole and by part, in any spelling."""

import tracemalloc

import pytest
from ranvier import text


@pytest.mark.parametrize(
    ("plain", "terms"),
    [
        ("getUserName", ["getusernam", "get", "user", "name"]),
        ("get_user_name", ["get", "user", "name"]),
        ("GET_USER", ["getus", "get", "user"]),
        ("foo.user_name", ["foo", "usernam", "user", "name"]),
        ("n_th", ["n", "th"]),
        ("std::vector", ["std", "vector"]),
        ("--max-old-space-size", ["max", "old", "space", "size"]),
        ("HTMLParser", ["htmlparser", "html", "parser"]),
        ("APIs and GUIs", ["api", "and", "gui"]),
        ("iPhone", ["iphon"]),
        ("JavaScript", ["javascript"]),  # "java" does not find it
        ("e-mail", ["email", "e", "mail"]),
        ("UTF-8 SHA-256", ["utf8", "utf", "8", "sha256", "sha", "256"]),
        ("Node.js", ["nodej", "node", "js"]),
        ("foo.getUserName", ["foo", "getusernam", "get", "user", "name"]),
        ("C++ & C#", ["c++", "c", "c#", "c"]),
        ("F#, .NET; ASP.NET", ["f#", "f", ".net", "net", "aspnet", "asp", "net"]),
        ("c++17", ["c++", "c", "17"]),
        ("page.md#top 5++", ["page", "md", "top", "5"]),
        ("v1.22.3", ["1.22.3", "v1", "22", "3"]),
        ("3.39 1.1 11", ["3.39", "3", "39", "1.1", "1", "1", "11"]),
        ("v2.0.0-beta.1", ["2.0.0", "v2", "0", "0", "beta", "1"]),
        ("2024-01-15", ["2024", "01", "15"]),
        ("end.Next", ["end", "next"]),
        ("__init__", ["init"]),
        ("a_b_c_d_e_f_g_h_i_j", list("abcdefghij")),
    ],
)
def test_terms_of_identifiers(plain: str, terms: list[str]) -> None:
    assert text.terms(plain) == terms
    assert [token.term for token in text.tokens(plain)] == terms


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("getUserName", (("getusernam",), ("get", "user", "name"))),
        ("get_user_name", (("getusernam",), ("get", "user", "name"))),
        ("std::vector", (("stdvector",), ("std", "vector"))),
        ("C++", (("c++",),)),
        (".NET", ((".net",),)),
        ("1.10", (("1.10",), ("v1", "10"), ("1", "10"))),
        ("v1.10", (("1.10",), ("v1", "10"), ("1", "10"))),
        ("foo.getUserName", (("foo", "getusernam"), ("foo", "get", "user", "name"))),
    ],
)
def test_forms_of_identifiers(word: str, forms: tuple[tuple[str, ...], ...]) -> None:
    """The whole, then the sequence of parts."""
    assert text.forms(word) == forms


def is_found(query: str, plain: str) -> bool:
    terms = text.terms(plain)
    return any(tuple(terms[at : at + len(row)]) == row for row in text.forms(query) for at in range(len(terms)))


@pytest.mark.parametrize("query", ["getUserName", "get_user_name", "get-user-name", "get.user.name", "GET_USER_NAME"])
@pytest.mark.parametrize("plain", ["getUserName", "get_user_name", "get-user-name", "get user name", "GetUserName()"])
def test_spellings_of_an_identifier_find_each_other(query: str, plain: str) -> None:
    """I2."""
    assert is_found(query, f"call {plain} here")


@pytest.mark.parametrize(
    ("query", "plain", "finds"),
    [
        ("email", "send an e-mail", True),
        ("utf8", "in UTF-8", True),
        ("1.10", "since v1.10", True),
        ("v1.10", "since 1.10", True),
        ("3.39", "SQLite 3.39.4", True),
        ("1.1", "11", False),
        ("11", "1.1", False),
        ("1.1", "1.10", False),
        ("C++", "written in C", False),
        ("C", "written in C++", True),
        ("c#", "C#", True),
        (".net", "the .NET runtime", True),
        (".net", "a net", False),
        ("java", "JavaScript", False),
        ("ranvier.toml", "see `ranvier.toml`.", True),
        ("getusername", "getUserName", True),
        ("username", "the user_name of", True),
        ("username", "USER_NAME=x", True),
        ("user_name", "the username of", True),
        ("userName", "the user_name of", True),
        ("user", "getUserName", True),
    ],
)
def test_queries_and_texts_that_match(query: str, plain: str, finds: bool) -> None:
    assert is_found(query, plain) is finds


def test_number_of_forms_is_bounded() -> None:
    word = "a1.b_c.dE-f.g::h_i.jKl"
    assert 0 < len(text.forms(word, ("en", "de", "fr", "es", "it", "nl", "sv"))) <= 6


@pytest.mark.parametrize(
    ("plain", "grams"),
    [
        ("", ""),
        ("ab", ""),
        ("Café", "caf afe"),
        (" a\n\tbcd e ", "bcd"),  # any white space ends a word
        ("abcd cdef fg", "abc bcd \x80 cde def"),  # not `bcd cde`, which is `bcde`
        ("abcd de cdef", "abc bcd \x80 cde def"),  # short words have no terms
        ("日本語x", "日本語 本語x"),
        ("ＡＢＣ", "abc"),
        ("a=.b", "a=. =.b"),
    ],
)
def test_trigrams_of_a_text(plain: str, grams: str) -> None:
    """I2, [003]: every three characters in a row of a word, folded."""
    assert text.trigrams(plain) == grams
    assert " ".join(term for row in text.substrings(plain) for term in row) == grams.replace(" \x80", "")


def test_terms_of_long_words_are_not_kept_in_memory() -> None:
    """A paragraph of Chinese is one word."""
    tracemalloc.start()
    try:
        for number in range(10):
            text.trigrams(f"{number}{'語' * 20_000}")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000


@pytest.mark.parametrize(
    ("plain", "substring", "results"),
    [
        ("a COMET, cömét", "ömet", ["OMET", "ömét"]),
        ("x -> y", "->", ["->"]),
        ("two  \n blanks", "o b", ["o  \n b"]),
        ("Straße", "SS", ["ß"]),
        ("abc", "", []),
    ],
)
def test_places_of_substrings(plain: str, substring: str, results: list[str]) -> None:
    assert [plain[start:end] for start, end in text.places(plain, substring)] == results
