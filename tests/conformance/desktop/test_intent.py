"""Q2: the intent table of [001], and its effect."""

from dataclasses import replace

import pytest
from conformance.server import MakeSite, RecordingLeg, ScriptedLeg
from ranvier.presets import preset
from ranvier.query.intent import KEYWORD, SEMANTIC, classify
from support.whole_site import open_site, page

TABLE = {  # [001]: condition → queries; all of them are keyword queries
    "empty": ["", "   ", "\t\n"],
    "quoted": ['"how do nerves conduct"', "'how do nerves conduct'", ' "two spaces around it" ', '"it\'s a phrase of words"'],
    "operator": [
        "cats AND big dogs", "cats OR big dogs", "cats NOT big dogs", "NEAR(cats dogs, 3) and more",
        "(cats AND dogs) play outside", "play outside (NOT cats)",
    ],
    "date": ["meeting notes of 2026-03-05", "what happened on 2026/03/05", "2026-03-05", "the 2026-03-05, again it rained"],
    "short": ["axon", "fast axon", "Why?", "ein Öl", "2026 plans", "My-Page-Slug", "two-part words"],
    "slug": ["my-page-slug", "v2-notes", "2026-plans"],
}  # fmt: skip
SENTENCES = [  # three words or more, none of the above
    "how do nerves conduct",
    "notes about sleep",
    "cats and big dogs",  # lower case: no operator
    "the ANDES are high",  # part of a word
    "a NEARBY town today",
    'she said "hello" twice today',  # quoted within
    "'tis the season for snow",
    "call 12026-03-055 for more help",  # part of a number: no date
    "my-page-slug and two more",
    "日 本 語",
]


@pytest.mark.parametrize("query", [query for queries in TABLE.values() for query in queries])
def test_keyword_queries(query: str) -> None:
    """Q2, [001]: all rows of the table except the last."""
    assert classify(query, tolerant=False) == KEYWORD


@pytest.mark.parametrize("query", SENTENCES)
def test_semantic_queries(query: str) -> None:
    """Q2, [001]: three words or more, none of the above."""
    assert classify(query, tolerant=False) == SEMANTIC
    assert classify(query) == SEMANTIC


OPERATOR_WORDS = ["Pros AND Cons", "the pros AND cons of remote work", "PROS AND CONS", "WHAT IS NOT ALLOWED HERE"]


@pytest.mark.parametrize("query", OPERATOR_WORDS)
def test_operator_words_in_a_sentence(query: str) -> None:
    """Q2, [001]: they make a keyword query in `desktop`, but not in `default`."""
    assert classify(query, tolerant=False) == KEYWORD
    assert classify(query) == SEMANTIC


SYNTAX = [
    "cats NOT big dogs", "cats OR big dogs", "NEAR(cats dogs, 3) and more", "a AND b OR c", 'big "old cats" dogs',
    "title:cats and big dogs",
]  # fmt: skip


PUNCTUATION = ['a 5" pipe and a 3" pipe', "what subtitle:x means", 'an "" empty pair', "a title: of books"]


@pytest.mark.parametrize(
    ("query", "kind"), [*((query, KEYWORD) for query in SYNTAX), *((query, SEMANTIC) for query in PUNCTUATION)]
)
def test_query_syntax_makes_a_keyword_query_and_other_punctuation_none(query: str, kind: str) -> None:
    """Q2: also in `default`."""
    assert classify(query) == kind


PROS = {"a.md": page("# Remote work\n\nThe pros and cons of it."), "b.md": page("# Axon\n\nHow do nerves conduct a spike.")}


@pytest.mark.parametrize(
    ("name", "query", "intent"),
    [
        ("desktop", "Pros AND Cons", KEYWORD),
        ("default", "Pros AND Cons", SEMANTIC),
        ("desktop", "how do nerves conduct", SEMANTIC),
        ("default", "how do nerves conduct", SEMANTIC),
        ("desktop", "axon", KEYWORD),
        ("default", "axon", KEYWORD),
        ("desktop", "", KEYWORD),
    ],
)
def test_intent_by_preset(make_site: MakeSite, name: str, query: str, intent: str) -> None:
    """Q2, [001]: the answer has the intent."""
    with open_site(make_site(PROS)) as library:
        assert library.search(query, preset=name).intent == intent


@pytest.mark.parametrize("query", [query for queries in TABLE.values() for query in queries] + SENTENCES + OPERATOR_WORDS)
def test_words_are_searched_for_every_intent(make_site: MakeSite, query: str) -> None:
    """Q2, L1, Q3, [001]: vectors run for semantic queries only."""
    desktop = preset("desktop")
    text, vector = RecordingLeg(desktop.legs[0]), ScriptedLeg((1,))
    with open_site(make_site(PROS), replace(desktop, legs=(text, vector))) as library:
        result = library.search(query)
    if not query.strip():
        assert (text.requests, vector.requests, result.hits) == ([], [], ())
        return
    assert len(text.requests) == 1
    assert len(vector.requests) == (classify(query, tolerant=False) == SEMANTIC)


def test_intent_needs_no_io() -> None:
    """Q2, [001]: rules only; one pass over the longest query."""
    assert classify("a AND " * 166, tolerant=False) == KEYWORD
    assert classify("(" * 1000) == KEYWORD
    assert classify("word " * 200) == SEMANTIC
