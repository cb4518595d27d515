"""The analyser (I1, B1): index, query and highlighting read the same words on every Python version."""

import hashlib
import unicodedata

import pytest
from ranvier import text
from ranvier.text import unicode
from ranvier.text.languages import MAX_TERM
from ranvier.text.unicode import LATER_THAN_14, blank_later

LATER = {code for first, last in LATER_THAN_14 for code in range(first, last + 1)}


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("", ""),
        ("—", ""),
        ("Café", "cafe"),
        ("cafe\u0301", "cafe"),  # the accent as a code point of its own
        ("Ｃafé’s", "cafes"),  # full width, and an apostrophe inside
        ("Straße", "strasse"),
        ("ﬁle", "file"),  # a ligature
        ("İstanbul", "istanbul"),
        ("Ångström", "angstrom"),
        ("Łódź", "lodz"),  # a stroke is no accent to Unicode
        ("Øre Æble œuvre", "oreaebleoeuvre"),
        ("ΩMEGA", "ωmega"),
        ("σς", "σσ"),  # a final sigma is a sigma
        ("x²", "x2"),
        ("日本語", "日本語"),
        ("हिन्दी", "हिन्दी"),  # vowel signs are half of a syllable
        ("𝔘𝔫𝔦", "uni"),
        ("get_user", "getuser"),
        ("Wort\u00adtrennung", "worttrennung"),  # a soft hyphen
        ("می\u200cخواهم", "میخواهم"),  # Persian's joiner
        ("كِتَابٌ", "كتاب"),  # vowel points that most people leave out
        ("A\ud800B", "ab"),  # half of a pair is no letter
    ],
)
def test_fold_text(word: str, folded: str) -> None:
    assert text.fold(word) == folded


@pytest.mark.parametrize(
    ("plain", "terms"),
    [
        ("", []),
        ("... !! —", []),
        ("Two cats", ["two", "cat"]),
        ("search searches searched searching Searching", ["search"] * 5),
        ("foo/bar", ["foo", "bar"]),
        ("don't", ["dont"]),
        ("don’t", ["dont"]),  # both apostrophes alike
        ("dont", ["dont"]),
        ("the author's", ["the", "author"]),
        ("the author’s", ["the", "author"]),
        ("boss's", ["boss"]),
        ("BOSS'S", ["boss"]),  # upper case changes no word
        ("users' guide", ["user", "guid"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("'s", ["s"]),
        ("naïve CAFÉ", ["naiv", "cafe"]),
        ("Ελληνικά", ["ελληνικα"]),
        ("a\0b\u200bc", ["a", "b", "c"]),
        ("x\U0001e030y", ["x", "y"]),  # a letter since Unicode 15: a separator everywhere
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("বাংলা தமிழ்", ["বাংলা", "தமிழ்"]),
    ],
)
def test_terms_of_a_text(plain: str, terms: list[str]) -> None:
    assert text.terms(plain) == terms
    assert text.terms(plain.replace("é", "e\u0301")) == terms, "composed or not"


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ("Two  <b>cats</b>", ["Two", "b", "cats", "b"]),
        ("don't stop", ["don't", "stop"]),
        ("\U0001f600 smile \U0001fae8 shake", ["smile", "shake"]),  # the second face is later than Unicode 14
        ("ab\U0001e030cd", ["ab", "cd"]),
        ("", []),
    ],
)
def test_words_are_slices_of_the_text(plain: str, words: list[str]) -> None:
    result = text.words(plain)
    assert [word for word, _, _ in result] == words
    assert [plain[start:end] for _, start, end in result] == words


def test_long_words_are_truncated() -> None:
    assert text.terms("k" * MAX_TERM) == ["k" * MAX_TERM]
    assert text.terms("k" * 100_000) == ["k" * MAX_TERM]


@pytest.mark.parametrize(
    ("start", "whole"),
    [
        ("instal", "instal"),
        ("Caf\u00e9s", "cafes"),
        ("get_Use", "use"),
        ("getUserNa", "na"),
        ("", None),
        ("--", None),
        ("don't", "dont"),
        ("日本語", "本語"),  # the last pair, as in the index
        ("年", "年"),
    ],
)
def test_unfinished_words(start: str, whole: str | None) -> None:
    assert text.unfinished(start) == whole


def test_completions_include_shorter_stems() -> None:
    assert "instal" in text.completions("installatio")
    assert "connect" in text.completions("connectio")
    assert text.completions("axo") == ()
    assert list(text.completions("happines")) == sorted(text.completions("happines"))


@pytest.mark.parametrize(
    ("lang", "word"),
    [
        *(("en", word) for word in ("installation", "searching", "connections", "running", "configuration", "deployment")),
        *(("de", word) for word in ("einrichtung", "möglichkeiten", "abhängigkeiten", "laufende")),
        *(("fr", word) for word in ("installation", "application")),
        *(("es", word) for word in ("configuraciones", "rápidamente", "dependencia")),
        *(("it", word) for word in ("installazione", "velocemente", "aggiornamenti")),
        *(("pt", word) for word in ("rapidamente", "dependências")),
        ("sv", "inställningar"),
        ("ru", "настройками"),
    ],
)
def test_every_prefix_of_a_word_finds_it(lang: str, word: str) -> None:
    """Q2: a page does not disappear while its word is typed."""
    (stem,) = text.terms(word, lang)
    for length in range(3, len(word) + 1):
        start = text.unfinished(word[:length], (lang,))
        assert start is not None
        leads = (
            stem.startswith(start)
            or stem in text.completions(start, (lang,), word[:length])
            or [stem] == text.terms(word[:length], lang)
        )
        assert leads, f"{start!r} does not lead to {stem!r}"


def test_names_are_one_term() -> None:
    """P1: a title is looked up as one term, right after its first word."""
    assert text.name("Getting started!") == "get=start="
    assert text.name("Front-matter") == text.name("front matter") == "front=matter="
    assert text.name("???") == ""
    assert text.name("日本語") == "日本=本語="
    assert len(text.name("word " * 1000)) <= 121


def test_every_python_reads_unicode_14() -> None:
    """B1: code points of later versions are blanks; 284,278 code points are compared by name."""
    if unicodedata.unidata_version == "14.0.0":
        assert {unicodedata.category(chr(code)) for code in LATER} == {"Cn"}
    code_points = [code for code in range(0x110000) if code not in LATER and unicodedata.category(chr(code)) != "Cn"]
    assert len(code_points) == 284_278
    assert hashlib.sha256(",".join(map(str, code_points)).encode()).hexdigest()[:16] == "7e0c242de84cfe95"


def test_table_of_later_code_points_is_pinned() -> None:
    """Only a newer Python can find a wrong entry; a changed table needs another `ANALYSER`."""
    pinned = hashlib.sha256(",".join(map(str, sorted(LATER))).encode()).hexdigest()[:16]
    assert (text.ANALYSER, pinned) == ("multi-6", "a99a02b1aa03b8d3")


def test_every_reader_uses_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """On any Python, as if `é` had come after Unicode 14."""
    monkeypatch.setitem(unicode._LATER, ord("é"), " ")
    assert text.terms("xéy") == ["x", "y"]
    assert text.tokens("xéy") == [("x", 0, 1), ("y", 2, 3)]
    assert [word for word, _, _ in text.words("xéy")] == ["x", "y"]
    assert text.unfinished("xéy") == "y"
    assert text.trigrams("xéyzw") == text.trigrams("x yzw")


def test_only_later_code_points_are_blanked() -> None:
    assert blank_later("".join(map(chr, sorted(LATER)))) == " " * len(LATER)
    unchanged = "plain é 日本 \u0896 \u0898 \U0001fae7"
    assert blank_later(unchanged) == unchanged
