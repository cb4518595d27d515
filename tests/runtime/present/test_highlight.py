"""Marks and snippets (P1): `<mark>` is the only markup, and the text is what was found."""

import re

import pytest
from ranvier import text
from ranvier.present import highlight
from ranvier.present.highlight import SNIPPET_TOKENS, Marker


def marker(*whole: str, prefixes: tuple[str, ...] = ()) -> Marker:
    return Marker(frozenset(whole), prefixes)


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("", ""),
        ("no such", "no such"),
        ("Two <b> cats", "Two &lt;b&gt; <mark>cats</mark>"),
        ("cat", "<mark>cat</mark>"),
        ("cats, Cat; CATS", "<mark>cats</mark>, <mark>Cat</mark>; <mark>CATS</mark>"),
        ("the cat's tail", "the <mark>cat&#x27;s</mark> tail"),
        ("concat", "concat"),
        ("a_cat_b", "a_<mark>cat</mark>_b"),
        ("<script>cat</script>", "&lt;script&gt;<mark>cat</mark>&lt;/script&gt;"),
        ("<mark>cat", "&lt;mark&gt;<mark>cat</mark>"),
        ("\"cat\" & 'cat'", "&quot;<mark>cat</mark>&quot; &amp; &#x27;<mark>cat</mark>&#x27;"),
        ("&lt;cat", "&amp;lt;<mark>cat</mark>"),
        ("\U0001fae8cat", "\U0001fae8<mark>cat</mark>"),
        ("ｃａｔ", "<mark>ｃａｔ</mark>"),
    ],
)
def test_matches_are_marked(plain: str, expected: str) -> None:
    assert marker("cat").mark(plain) == expected


def test_prefix_matches_are_marked() -> None:
    by_start = marker(prefixes=("instal",))
    assert by_start.mark("Installation, install") == "<mark>Installation</mark>, <mark>install</mark>"
    assert marker(prefixes=("installati",)).mark("installation") == "<mark>installation</mark>", "beyond the stem"


def test_found_words_are_named() -> None:
    assert marker("cat", "dog").terms_in("Cats cats and a mouse") == {"cat"}
    assert marker("cat", prefixes=("do",)).terms_in("dogs, cat") == {"cat", "do"}
    assert marker("cat").terms_in("") == set()


def plain_of(snippet: str) -> str:
    return re.sub("</?mark>", "", snippet)


def test_snippet_of_a_short_text_is_the_text() -> None:
    assert marker("cat").snippet("  Two\n\tcats.  ") == "Two <mark>cats</mark>."
    assert marker("cat").snippet("") == ""
    assert marker("cat").snippet("?!") == "?!"


def test_snippet_at_both_ends() -> None:
    filler = " ".join(f"w{number}" for number in range(100))
    assert marker("cat").snippet(f"cat {filler}").startswith("<mark>cat</mark> w0")
    assert marker("cat").snippet(f"cat {filler}").endswith(" …")
    assert marker("cat").snippet(f"{filler} cat.").startswith("… ")
    assert marker("cat").snippet(f"{filler} cat.").endswith("<mark>cat</mark>.")
    assert marker("cat").snippet(filler).startswith("w0 w1"), "nothing to show: the beginning"


@pytest.mark.parametrize("at", [0, 1, 5, 30, 31, 32, 33, 60, 98, 99])
def test_snippet_has_the_word_and_about_32_words(at: int) -> None:
    body = [f"w{number}" for number in range(100)]
    body[at] = "cat"
    snippet = marker("cat").snippet(" ".join(body))
    assert snippet.count("<mark>cat</mark>") == 1
    assert len(plain_of(snippet).replace("…", "").split()) == SNIPPET_TOKENS


def test_snippet_has_most_words_of_the_query() -> None:
    filler = " ".join(f"w{number}" for number in range(60))
    snippet = marker("cat", "dog").snippet(f"cat cat cat {filler} cat dog {filler}")
    assert "<mark>cat</mark> <mark>dog</mark>" in snippet
    assert "<mark>cat</mark> <mark>cat</mark>" not in snippet


@pytest.mark.parametrize("gap", [1, 10, 20, 26, 27, 28, 29, 30])
def test_snippet_starts_so_that_every_match_fits(gap: int) -> None:
    """The words before the first match must not push out the last one."""
    body = [f"w{number}" for number in range(200)]
    body[100], body[100 + gap] = "cat", "dog"
    snippet = marker("cat", "dog").snippet(" ".join(body))
    assert "<mark>cat</mark>" in snippet
    assert "<mark>dog</mark>" in snippet


def test_snippet_is_escaped() -> None:
    snippet = marker("cat").snippet("<img src=x onerror=alert('cat')>\n\"&\"")
    assert snippet == "&lt;img src=x onerror=alert(&#x27;<mark>cat</mark>&#x27;)&gt; &quot;&amp;&quot;"


@pytest.mark.parametrize(
    ("whole", "prefixes", "plain", "marked"),
    [
        (("日本", "本語"), (), "日本語と日本", "<mark>日本語</mark>と<mark>日本</mark>"),  # pairs that overlap are one mark
        ((), ("年",), "2015年間", "2015<mark>年</mark>間"),  # only the part of a pair that the query has
        (("ภาษา", "ษาไท", "ไทย"), (), "ภาษาไทย ง่าย", "<mark>ภาษาไทย</mark> ง่าย"),
        (("デー", "ータ"), (), "ﾃﾞｰﾀ", "<mark>ﾃﾞｰﾀ</mark>"),
        (("getusernam", "get", "user", "name"), (), "x.getUserName()", "x.<mark>getUserName</mark>()"),
        (("user",), (), "getUserName", "get<mark>User</mark>Name"),
        (("c++",), (), "C++ and C", "<mark>C++</mark> and C"),
        (("c",), (), "C++", "<mark>C</mark>++"),
        (("1.10",), (), "since v1.10.", "since <mark>v1.10</mark>."),
    ],
)
def test_words_are_marked_as_the_index_reads_them(
    whole: tuple[str, ...], prefixes: tuple[str, ...], plain: str, marked: str
) -> None:
    assert marker(*whole, prefixes=prefixes).mark(plain) == marked


def test_words_are_marked_in_the_language_of_the_page() -> None:
    both = Marker(frozenset({"mull", "muller"}), (), "de")
    assert both.mark("Müller, Mueller") == "<mark>Müller</mark>, <mark>Mueller</mark>"
    assert Marker(frozenset({"mull"})).mark("Müller") == "Müller"
    assert Marker(frozenset({"mull"})).mark("Müller", "de") == "<mark>Müller</mark>"
    assert Marker(frozenset({"mull"})).terms_in("Müller", lang="de") == {"mull"}
    assert "<mark>" in Marker(frozenset({"mull"})).snippet("Müller", lang="de")


def test_substrings_are_marked_inside_words() -> None:
    """L5: folded; overlapping marks of substrings and words are one mark."""
    result = Marker(frozenset({"cat"}), (), "en", ("at s", "ömé"))
    assert result.mark("Cat sat. COMET <b>") == "<mark>Cat s</mark>at. C<mark>OME</mark>T &lt;b&gt;"
    assert result.terms_in("Cat sat. COMET") == {"cat", "at s", "ömé"}


@pytest.mark.parametrize(
    ("filler", "words", "plain"), [("これは", ("重要",), "重要"), ("ก็ดี", ("ภาษา",), "ภาษา"), ("한국어", ("검색",), "검색")]
)
def test_snippets_of_unspaced_scripts_have_the_usual_length(filler: str, words: tuple[str, ...], plain: str) -> None:
    snippet = marker(*words).snippet(filler * 200 + plain + filler * 200)
    assert f"<mark>{plain}</mark>" in snippet
    assert snippet[:2] == "… "
    assert snippet[-2:] == " …"
    assert 60 <= len(plain_of(snippet)) <= 140


def test_snippet_takes_linear_time() -> None:
    """With a match at every place."""
    assert marker("cat").snippet("cat " * 50_000).count("<mark>") == SNIPPET_TOKENS


TEXTS = (
    ("en", "Installing a <b> cat's userName in C++ and v1.10: the dying SKIES of Café, re-indexed by Openings! 日本語テキスト"),
    ("ja", "データベースの設計と、ﾃﾞｰﾀのｶﾞ。Installing FastAPIの依存関係は「か\u3099」です。語"),
    ("de", "Die Häuser und Mueller über Straßen, opening the doors"),
    ("zh", "全文搜索引擎的opening设计，一"),
)


@pytest.mark.parametrize(("lang", "plain"), TEXTS)
def test_fast_reading_finds_the_same_words(lang: str, plain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """P1: English words that cannot match, and plain pairs of characters, are read without the analyser."""
    terms = sorted({token.term for token in text.tokens(plain, lang)})
    snippets = [
        (frozenset(terms[at::5]), tuple(term[:end] for term in terms[at + 1 :: 5])) for at in range(5) for end in (1, 2, 4)
    ]
    quick = [Marker(whole, prefixes, lang)._words(plain, lang) for whole, prefixes in snippets]
    never = re.compile("(?!)")
    monkeypatch.setattr(highlight, "_PLAIN_WORD", never)
    monkeypatch.setattr(highlight, "_PLAIN_PAIRS", never)
    assert quick == [Marker(whole, prefixes, lang)._words(plain, lang) for whole, prefixes in snippets]
    assert any(word.terms for words in quick for word in words)


def test_words_that_cannot_match_are_not_stemmed(monkeypatch: pytest.MonkeyPatch) -> None:
    stemmed: list[str] = []
    monkeypatch.setattr(text, "unit_tokens", lambda unit, lang: stemmed.append(unit) or [])
    marker("cat", prefixes=("openi",)).terms_in("catalogues of open doors, opening the category: dogs")
    assert stemmed == ["catalogues", "open", "opening", "category"]


@pytest.mark.parametrize("lang", ["ja", "en", "th"])
@pytest.mark.parametrize(
    "plain",
    [
        "依存関係のテスト、FastAPIのtest", "カタカナとﾊﾝｶｸ、が行", "Getting started with getUserName",
        "ภาษาไทย กับ cats", "没有 依存。関", "の",
        "",
    ],
)  # fmt: skip
def test_found_words_agree_with_marked_words(plain: str, lang: str) -> None:
    """P1: the check whether a text has a word does not compute other places."""
    whole = frozenset(text.terms("関係 テスト cats FastAPI ไทย", lang))
    fresh, marked = Marker(whole, ("の", "get", "ハ")), Marker(whole, ("の", "get", "ハ"))
    marked.mark(plain, lang)
    assert fresh.terms_in(plain, lang) == marked.terms_in(plain, lang)
    assert bool(marked.terms_in(plain, lang)) == ("<mark>" in marked.mark(plain, lang))
