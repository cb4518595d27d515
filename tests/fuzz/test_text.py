"""Random text: the analyser, the query language, and marks (B1, Q5, P1)."""

import html
import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ranvier import text
from ranvier.present.highlight import SNIPPET_TOKENS, Marker
from ranvier.query.fts import expression, term_lookups
from ranvier.query.syntax import parse
from ranvier.query.tree import MAX_TERMS, leaves
from ranvier.text.languages import MAX_TERM
from ranvier_builder.render.slugs import slugify

# With lone surrogates and NUL; `st.text()` excludes surrogates.
ANY = st.text(st.characters(codec=None, categories=None), max_size=80)
# Scripts without blanks, combining marks, joiners, and punctuation of identifiers.
MIXED = st.text("aB1v.-_:+#'’ 日本語がかﾃﾞ\u3099한ᄒ\u1161\u11abไทยน้ำมြន្្မाहिन्\u200d\u00ad", max_size=60)
LANGS = st.sampled_from(["en", "de", "da", "tr", "ru", "ja", "th", "hi", "ar", "el", "fi", "xx"])
LATIN = st.text("abcdeABCDEéÉßİıﬁΣςσ 0123'’-_.\t\n\0\u0301\u200d\ud83d", max_size=60)
PARTS = st.sampled_from([*'" ( ) * , AND OR NOT NEAR NEAR( : ^ - + { } cat dog the é'.split(" "), ", 5)", "\0", "\ud800"])
QUERY = st.one_of(ANY, LATIN, st.lists(PARTS, max_size=25).map(" ".join), st.lists(PARTS, max_size=25).map("".join))


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(
            "CREATE VIRTUAL TABLE t USING fts5(title, tags, heading, body, content='', tokenize=\"ascii tokenchars '=.+#'\")"
        )
        db.execute("INSERT INTO t(rowid, title, body) VALUES (1, 'cat', 'dog the near a')")
        yield db


@given(st.one_of(ANY, LATIN, MIXED), LANGS)
@example("İSTANBUL ǅ ﬃ ẞ ŉ", "en")
@example("İSTANBUL Iıİi", "tr")
@settings(max_examples=200)
def test_terms_survive_the_tokenizer_of_fts5(plain: str, lang: str) -> None:
    """FTS5 stores the terms of the analyser unchanged (I2)."""
    terms = text.terms(plain, lang)
    assert all(0 < len(term) <= MAX_TERM for term in terms)
    assert not any("=" in term for term in terms), "the character joins the terms of a name"
    name = text.name(plain, lang)
    grams = text.trigrams(plain).split(" ")
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize=\"ascii tokenchars '=.+#'\")")
        db.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')")
        stored_terms = [term for term in (*terms, name, *grams) if term and not re.search("[\ud800-\udfff]", term)]
        db.execute("INSERT INTO t VALUES (?)", (" ".join(stored_terms),))
        assert [term for (term,) in db.execute("SELECT term FROM v ORDER BY offset")] == stored_terms
    assert all(len(gram) == 3 for gram in grams if gram)


@given(st.one_of(ANY, LATIN, MIXED), LANGS)
@settings(max_examples=200)
def test_tokens_are_ordered_slices_with_their_terms(plain: str, lang: str) -> None:
    tokens = text.tokens(plain, lang)
    assert [token.term for token in tokens] == text.terms(plain, lang)
    assert all(0 <= token.start < token.end <= len(plain) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
    at = 0
    for word, start, end in text.words(plain):
        assert at <= start < end <= len(plain)
        assert plain[start:end] == word
        at = end


@given(st.one_of(ANY, LATIN, MIXED))
@settings(max_examples=150)
def test_folding_ignores_case_and_normal_form(plain: str) -> None:
    separated = text.analyse.blank_later(plain)
    assert (
        text.fold(unicodedata.normalize("NFC", separated))
        == text.fold(unicodedata.normalize("NFD", separated))
        == text.fold(separated)
    )
    assert text.fold(separated.casefold()) == text.fold(separated)


@given(st.one_of(LATIN, ANY, MIXED).filter(text.terms), LANGS)
@settings(max_examples=150)
def test_every_word_of_a_text_finds_and_marks_it(plain: str, lang: str) -> None:
    """Index, query and highlighting agree: a word copied from a page finds and marks it."""
    indexed = text.terms(plain, lang)
    assert text.row(plain, lang) == tuple(indexed[: len(text.row(plain, lang))])
    for word in plain.split():
        forms = text.forms(word, (lang,))
        assert bool(forms) == bool(text.terms(word, lang))
        assert len(forms) <= 6
        for row in forms[:1] if len(plain.split()) == 1 else ():
            assert any(occurs(form, indexed) for form in forms), row
    marker = Marker(frozenset(indexed), (), lang)
    assert "<mark>" in marker.mark(plain)
    assert marker.terms_in(plain) == set(indexed)


def occurs(row: tuple[str, ...], terms: list[str]) -> bool:
    """Return whether a text has these terms in a row; a single character may be the first of a pair."""
    return any(
        tuple(terms[at : at + len(row)]) == row or (len(row) == 1 and text.is_open(row[0]) and terms[at].startswith(row[0]))
        for at in range(len(terms))
    )


@given(st.one_of(LATIN, ANY, MIXED), st.integers(0, 50), st.integers(3, 12))
@settings(max_examples=150)
def test_every_substring_is_found(plain: str, start: int, length: int) -> None:
    """[003]: the words of a part of a text have three-character terms in a row, one after the other; and the part is marked."""
    plain = unicodedata.normalize("NFC", plain)
    piece = unicodedata.normalize("NFC", plain[start : start + length])
    rows = text.substrings(piece)
    if piece != plain[start : start + length] or not rows:
        return
    assert all(has_in_row(plain, row) for row in (*rows, tuple(text.trigrams(piece).split(" "))))
    assert text.places(plain, piece)


@given(st.text("abc ", max_size=24), st.text("abc", min_size=3, max_size=6))
@example("abcc ccab", "bccab")
def test_substring_is_found_in_one_word_only(plain: str, piece: str) -> None:
    """[003]: terms of neighbouring words are not in a row."""
    assert has_in_row(plain, *text.substrings(piece)) == (piece in plain)


def has_in_row(plain: str, row: tuple[str, ...]) -> bool:
    grams = text.trigrams(plain).split(" ")
    return any(tuple(grams[at : at + len(row)]) == row for at in range(len(grams)))


@given(QUERY, st.booleans())
@settings(max_examples=250)
@example("NEAR(" * 50, False)
@example("(" * 200 + "cat" + ")" * 200, False)
@example("NOT " * 100 + "cat", True)
@example('"' * 333, False)
@example("a " * 500, True)
@example(" OR ".join(["cat"] * 150), False)
@example(" NOT ".join(["cat"] * 150), False)
@example("NEAR(" + "cat " * 200 + ")", False)
@example('"cat* dog"* AND * OR', True)
def test_fts5_accepts_every_query(table: sqlite3.Connection, query: str, prefix: bool) -> None:
    """Q5: no input raises, and the look-up of every term is planned."""
    understood = parse(query, prefix=prefix)
    assert {notice.code for notice in understood.notices} <= {"literal", "clamped", "only-not"}
    assert len(understood.notices) == len({notice.text for notice in understood.notices})
    if understood.tree is None:
        assert "only-not" in {notice.code for notice in understood.notices} or not [
            n for n in understood.notices if n.code == "clamped" and "words" in n.text
        ]
        return
    request = expression(understood.tree)
    for item in (request, expression(understood.tree, as_prefixes=False)):
        table.execute("SELECT rowid, rank FROM t WHERE t MATCH ? ORDER BY rank", (item,)).fetchall()
    assert sum(term.size for term in leaves(understood.tree, positive_only=False)) <= MAX_TERMS
    assert {word for quoted in request.split('"')[1::2] for word in quoted.split()} == {
        item.term for item in term_lookups(understood.tree, "chunk_fts")
    }


@given(QUERY)
@settings(max_examples=100)
def test_query_tree_holds_terms_of_the_analyser_only(query: str) -> None:
    for term in leaves(parse(query).tree, positive_only=False):
        for word in term.words:
            assert re.fullmatch(r"(?:[a-z0-9.+#]|[^\x00-\x7f])+", word), "the tokenizer must not split or fold it"
        assert term.start == text.fold(term.start)


@given(
    st.one_of(ANY, LATIN, st.lists(PARTS, max_size=80).map(" ".join)), st.sets(st.sampled_from(["cat", "dog", "a", "b", "e"]))
)
@settings(max_examples=150)
@example("<mark>cat</mark> &lt;mark&gt; &amp;amp; &#x27;", {"cat", "mark"})
def test_marked_text_without_marks_is_the_text(plain: str, words: set[str]) -> None:
    """P1: unescaped; there is no other markup."""
    marker = Marker(frozenset(words), ("d",))
    highlight = marker.mark(plain)
    unmarked = highlight.replace("<mark>", "").replace("</mark>", "")
    assert not set("<>\"'") & set(unmarked)
    assert not re.search(r"&(?!(?:amp|lt|gt|quot|#x27);)", unmarked)
    unescaped = unmarked
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
        unescaped = unescaped.replace(entity, sign)
    assert unescaped == plain
    assert re.fullmatch(r"(?:[^<]*<mark>[^<]+</mark>)*[^<]*", highlight, re.DOTALL)
    json.dumps(highlight)


@given(st.lists(st.sampled_from(["cat", "dog", "w", "<x>", "a&b", "\n", "don't", "—"]), max_size=150).map(" ".join))
@settings(max_examples=100)
def test_snippet_is_a_part_of_the_text(plain: str) -> None:
    marker = Marker(frozenset({"cat", "dog"}))
    snippet = marker.snippet(plain)
    unmarked = html.unescape(re.sub("</?mark>", "", snippet)).removeprefix("… ").removesuffix(" …")
    assert unmarked in " ".join(plain.split())
    assert len(text.words(unmarked)) <= SNIPPET_TOKENS + 4, "a snippet ends at blanks, and `a&b` has two words"
    assert ("<mark>" in snippet) == bool(marker.terms_in(plain))


@given(st.one_of(ANY, LATIN))
@settings(max_examples=150)
def test_slugs_are_safe_segments(name: str) -> None:
    slug = slugify(name)
    assert slug
    assert slug not in (".", "..")
    assert slug[0] not in ".-"
    assert slug[-1] not in ".-"
    assert not re.search(r"[\s/\\?#%<>\"'&:*|\0]", slug)
    assert slugify(unicodedata.normalize("NFC", name)) == slug
