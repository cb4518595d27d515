"""B2: the lists look up what a query for the same word looks up."""

import pytest
from ranvier.query.fts import rows
from ranvier.query.syntax import word_term
from ranvier.query.understand import name_terms
from ranvier_builder.write.readings import Readings

WORDS = """searching Tables getUserName C++ F# v1.10 e-mail user_name .NET don't 3.14 mueller sécurité größe Straße canción
    données æble øl søgning İstanbul 東京 東 日本語 Tシャツ 2015年 항구 항구의 가 лимитами лимит Ёлка ท่าเรือ ผู้ใช้ שלום מאַמע كتاب
    ﬁle Ａｂｃ naïve-test ひらがな が 한국어문서 x + 𐌰𐌱𐌲""".split()
SITES = [
    ("en",),
    ("ja", "en", "ru", "de", "fr", "ko", "zh"),
    ("vi", "en-GB", "he", "th", "yi"),
    ("de", "da", "nb", "tr", "es", "und"),
    ("zh-Hans", "ja", "ko"),
]


@pytest.mark.parametrize("langs", SITES, ids=lambda langs: langs[0])
def test_reading_equals_that_of_query_in_all_languages(langs: tuple[str, ...]) -> None:
    readings = Readings(langs)
    for word in WORDS:
        term = word_term(word, langs)
        expected = rows(term, as_prefixes=False) if term else []
        terms = [
            *((before, False) for row, _ in expected for before in row),
            *((last.term, last.prefix) for _, last in expected),
        ]
        assert {*readings.lookups(word)} == {*terms}, word
        assert readings.names(word) == name_terms(word, langs), word


def test_only_first_language_of_a_kind_reads_word(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, tuple[str, ...]]] = []
    monkeypatch.setattr("ranvier.text.forms", lambda word, langs: calls.append((word, langs)) or ())
    readings = Readings(("en", "ja", "ru", "de"))
    for word in ("table", "東京", "größe"):
        assert not [*readings.lookups(word)]
    assert calls == [("table", ("en", "de")), ("東京", ("en",)), ("größe", ("en", "ja", "ru", "de"))]
