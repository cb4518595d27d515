"""The FTS5 expression of a query (Q5, L1): valid SQL, the terms to look up, and the words to mark."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from ranvier import text
from ranvier.legs.text import parts
from ranvier.query.fts import expression, term_lookups, words
from ranvier.query.syntax import parse
from ranvier.query.tree import leaves
from ranvier.store.snapshot import TermLookup

BODIES = {
    1: "Two cats and a dog",
    2: "The dog sleeps",
    3: "Installation of conductors",
    4: "A cat naps near the very old sleeping dog",
    5: "get_user_name is not it's",
}


@pytest.fixture
def table() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(body, content='', detail=full, tokenize='ascii')")
        db.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", [(at, " ".join(text.terms(b))) for at, b in BODIES.items()])
        yield db


def results_of(db: sqlite3.Connection, query: str, *, prefix: bool = False) -> list[int]:
    tree = parse(query, prefix=prefix).tree
    if tree is None:
        return []
    return [row for (row,) in db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", (expression(tree),))]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("cat", [1, 4]),
        ("cats dogs", [1, 4]),
        ("cat NOT nap", [1]),
        ("nap OR install", [3, 4]),
        ('"two cats"', [1]),
        ('"cats two"', []),
        ('"old sle"*', [4]),
        ("NEAR(cat dog, 2)", [1]),
        ("NEAR(cat dog, 9)", [1, 4]),
        ("NEAR(cat dog, 999)", [1, 4]),
        ("sle*", [2, 4]),
        ("user", [5]),
        ("get_user", [5]),
        ("its", [5]),
        ("(cat OR install) NOT two", [3, 4]),
        ("AND", [1]),  # the word itself
        ("NOT OR AND", []),  # no error, and no match
        ("''", []),
        ('cat"dog', [1, 4]),  # a quote ends a word
    ],
)
def test_expression_finds_texts(table: sqlite3.Connection, query: str, rows: list[int]) -> None:
    assert results_of(table, query) == rows


@pytest.mark.parametrize("length", range(3, len("installation") + 1))
def test_expression_finds_texts_while_typing(table: sqlite3.Connection, length: int) -> None:
    assert results_of(table, "installation"[:length], prefix=True) == [3]


@pytest.mark.parametrize("query", ["installation*", "installing*", "conductors*", "sleeps*"])
def test_star_finds_at_least_the_word(table: sqlite3.Connection, query: str) -> None:
    """The index holds stems; a star after a whole word must find that word."""
    assert set(results_of(table, query)) >= set(results_of(table, query.rstrip("*"))) != set()


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


def test_every_term_of_the_expression_is_looked_up() -> None:
    """Another term would cost a second round."""
    tree = parse('(cat OR "two dogs") NOT NEAR(a b) installatio', prefix=True).tree
    assert tree is not None
    quoted_words = {word for part in expression(tree).split('"')[1::2] for word in part.split()}
    assert {item.term for item in term_lookups(tree, "chunk_fts")} == quoted_words


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
