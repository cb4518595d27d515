"""The FTS5 expression of a query (Q5, L1): the terms to look up, and the words to mark."""

import pytest
from ranvier.legs.text import parts
from ranvier.query.fts import term_lookups, words
from ranvier.query.syntax import parse
from ranvier.query.tree import leaves
from ranvier.store.snapshot import TermLookup


@pytest.mark.parametrize(
    ("query", "prefix", "looked_up"),
    [
        ("cat NOT dog", False, {TermLookup("cat"), TermLookup("dog")}),  # FTS5 reads what is excluded too
        ('"two cats" sle*', False, {TermLookup("two"), TermLookup("cat"), TermLookup("sle"), TermLookup("sle", prefix=True)}),
        ("NEAR(cat dog, 3)", False, {TermLookup("cat"), TermLookup("dog")}),
        ("axo", True, {TermLookup("axo"), TermLookup("axo", prefix=True)}),
    ],
)
def test_terms_to_look_up(query: str, prefix: bool, looked_up: set[TermLookup]) -> None:
    tree = parse(query, prefix=prefix).tree
    assert tree is not None
    assert set(term_lookups(tree, "chunk_fts")) == looked_up


@pytest.mark.parametrize(
    ("query", "lang", "stem"),
    [
        ("installat", "fr", "install"),
        ('"guide installat', "fr", "install"),
        ("einrichtun", "de", "einricht"),
        ("настройка", "ru", "настроик"),
        ("configuraç", "pt", "configur"),
        ('"guia dependênci', "pt", "dependent"),
    ],
)
def test_unfinished_word_is_completed_with_the_endings_of_its_language(query: str, lang: str, stem: str) -> None:
    """The index has the stem alone: a page with *installation* disappeared while its word was typed."""
    tree = parse(query, prefix=True, langs=(lang,)).tree
    assert tree is not None
    assert TermLookup(stem) in set(term_lookups(tree, "chunk_fts"))


def test_words_to_mark() -> None:
    assert words(parse("cats NOT dogs").tree) == (frozenset({"cat"}), ())
    assert words(parse('"two cats" sle*').tree) == (frozenset({"two", "cat", "sle"}), ("sle",))
    assert words(parse("axo", prefix=True).tree) == (frozenset({"axo"}), ("axo",))
    assert words(None) == (frozenset(), ())


@pytest.mark.parametrize(
    ("query", "looked_up"),
    [
        ("依存関係とFastAPI", ["依存", "存関", "関係", "係と", "fastapi", "fast", "api"]),  # と alone begins hundreds of pairs
        ("図A", ["図", "a"]),  # no pair has it
        ("図", ["図"]),
        ("港AとB", ["港", "a", "と", "b"]),
    ],
)
def test_unspaced_text_is_searched_by_pairs(query: str, looked_up: list[str]) -> None:
    """L1: if some of the words are enough, the last character is part of a pair."""
    tree = parse(query, langs=("ja",)).tree
    assert tree is not None
    assert [word for term in leaves(tree) for part in parts(term) for form in part.forms for word in form] == looked_up  # type: ignore[attr-defined]
