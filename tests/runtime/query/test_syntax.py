"""The query language (Q1, Q5): queries, their FTS5 expressions, and notices."""

import pytest
from ranvier.query.fts import expression
from ranvier.query.syntax import MAX_DEPTH, Understanding, parse
from ranvier.query.tree import MAX_TERMS, leaves


def ask(query: str, *, prefix: bool = False) -> str | None:
    tree = parse(query, prefix=prefix).tree
    return None if tree is None else expression(tree)


def codes(query: str) -> list[str]:
    return [notice.code for notice in parse(query).notices]


@pytest.mark.parametrize(
    ("query", "sql"),
    [
        ("", None),
        ("   ", None),
        ("?!", None),
        ("()", None),
        ('""', None),
        ("cat", '"cat"'),
        ("Cats!", '"cat"'),
        ("cat dog", '("cat" AND "dog")'),
        ("cat dog cow", '("cat" AND "dog" AND "cow")'),
        ("cat AND dog", '("cat" AND "dog")'),
        ("cat OR dog", '("cat" OR "dog")'),
        ("cat NOT dog", '("cat" NOT "dog")'),
        ("cat and dog", '("cat" AND "dog")'),  # small letters: a stop word, no operator
        ("cat dog OR cow", '(("cat" AND "dog") OR "cow")'),  # AND binds tighter than OR
        ("cat OR dog NOT cow", '("cat" OR ("dog" NOT "cow"))'),  # NOT binds tightest
        ("cat AND NOT dog", '("cat" NOT "dog")'),
        ("cat NOT dog cow", '(("cat" NOT "dog") AND "cow")'),
        ("NOT", '"not"'),  # alone it is a word
        ("cat NOT ???", '"cat"'),
        ("cat ??? dog", '("cat" AND "dog")'),
        ("cat NOT dog NOT cow", '("cat" NOT "dog" NOT "cow")'),
        ("(cat OR dog) cow", '(("cat" OR "dog") AND "cow")'),
        ("cat (dog cow)", '("cat" AND "dog" AND "cow")'),
        ("((cat))", '"cat"'),
        ('"two cats"', '"two cat"'),
        ('"two cats', '"two cat"'),  # a quote that is not closed yet
        ('"two cats"*', '"two cat"*'),
        ('say "two cats" now', '("say" AND "two cat" AND "now")'),
        ("get_user", '("getus" OR "get user")'),  # one word, stemmed, or two
        ("foo-bar", '("foobar" OR "foo bar")'),
        ("NEAR(cat dog)", 'NEAR("cat" "dog", 10)'),
        ("NEAR(cat dog, 3)", 'NEAR("cat" "dog", 3)'),
        ("NEAR(cat dog ,3)", 'NEAR("cat" "dog", 3)'),
        ('NEAR("two cats" dog, 2)', 'NEAR("two cat" "dog", 2)'),
        ("NEAR(cat)", '"cat"'),
        ("NEAR()", None),
        ("NEAR cat", '("near" AND "cat")'),
        ("(OR)", '"or"'),  # an operator without operands is a word, and a single stop word is kept
        ("title:cat", '{title} : "cat"'),
        ("title:get_user", '{title} : ("getus" OR "get user")'),
        ('heading:"two cats" dog', '({heading} : "two cat" AND "dog")'),
        ("tag:cat OR body:dog", '({tags} : "cat" OR {body} : "dog")'),
        ("title:", '"titl"'),  # without text after the colon it is a word
        ("author:cat", '"author cat"'),  # not a column
        ("cat -dog", '("cat" NOT "dog")'),
        ("-dog cat", '("cat" NOT "dog")'),  # in any position
        ("cat -dog cow -pig", '(("cat" AND "cow") NOT "dog" NOT "pig")'),
        ('cat -"two dogs"', '("cat" NOT "two dog")'),
        ("cat -(dog OR cow)", '("cat" NOT ("dog" OR "cow"))'),
        ("-dog", '"dog"'),  # there is nothing to exclude it from
        ("cat -Dog", '("cat" AND "dog")'),  # a parameter's name: `Get-ChildItem -Recurse`
        ("cat -Dog -pig", '(("cat" AND "dog") NOT "pig")'),
        ("検索 -除外", '("検索" NOT "除外")'),  # no option of a program
        ("tar -x", '("tar" AND "x")'),  # an option, as --flag is
        ("cat --max-old", '("cat" AND ("maxold" OR "max old"))'),
        ("cat-dog", '("catdog" OR "cat dog")'),
        ("{#claim-0a1b} cat", '"cat"'),  # A6: anchors are no words
        ("cat{#claim-0a1b}dog", '("cat" AND "dog")'),
        ("cafe\u0301", '"cafe"'),  # NFC first (Q1)
        ("cat ' OR DROP TABLE --", '("cat" OR ("drop" AND "tabl"))'),
        ('"; DROP TABLE chunk_fts; --', '"drop tabl chunkft chunk fts"'),
        ("cat\0dog", '"cat dog"'),
        ("how to install the axon", '("instal" AND "axon")'),  # stop words are removed
        ("the", '"the"'),  # the only word
        ("to be or not to be", '("to" AND "be" AND "or" AND "not" AND "to" AND "be")'),
        ('"the who"', '"the who"'),  # in a phrase every word counts
        ("cat OR the", '("cat" OR "the")'),  # operators are not changed
        ("what is a cat -dog", '("cat" NOT "dog")'),  # with operators, too
        ("the cat OR a dog", '("cat" OR "dog")'),
        ("the -dog", '("the" NOT "dog")'),
        ("cat NOT (the dog)", '("cat" NOT ("the" AND "dog"))'),
        ("cat()", '"cat"'),  # a function
        ("cat() dog(cow)", '("cat" AND "dog" AND "cow")'),
        # A star is a prefix.
        ("Ax*", '("ax" OR "ax"*)'),
        ("*", None),
        ("cat axo*", '("cat" AND ("axo" OR "axo"*))'),
        ("NEAR(cat axo*, 3)", 'NEAR("cat" "axo"*, 3)'),
        ("the*", '("the" OR "the"*)'),  # not a stop word: the start of one
        # `get` and a word that begins with `us`, or one word that begins with both
        ("get_us*", '("getus" OR "get us" OR "getus"* OR "get us"*)'),
        ("NEAR(cat get_us*, 3)", 'NEAR("cat" "get us"*, 3)'),
    ],
)
def test_query_becomes_an_fts5_expression(query: str, sql: str | None) -> None:
    assert ask(query) == sql


@pytest.mark.parametrize("prefix", [False, True])
@pytest.mark.parametrize(
    ("query", "sql"),
    [
        ("Googleは ", '"googl"'),
        ("Googleは、", '"googl"'),
        ("Google は hCard ", '("googl" AND "hcard")'),
        ("C++の ", '"c++"'),
        ("Ｇｏｏｇｌｅは ", '"googl"'),
        ("C#は ", '"c は"*'),  # as in the index: `#` ends no unit
        ("100만 ", '"100 만"*'),  # a unit
        ("1つ ", '"1 つ"*'),
        ("이 치료 ", '("이"* AND "치료")'),  # a noun
        ("_は ", '"は"*'),
        ("日本は ", '"日本 本は"'),  # a pair
        ("Google版 ", '"googl 版"*'),  # no particle
        ("Hugo는 ", '"hugo"'),
        ("Googleは* ", '"googl は"*'),  # a prefix on purpose
        ("は ", '"は"*'),  # alone
    ],
)
def test_single_particle_is_dropped(query: str, sql: str, prefix: bool) -> None:
    assert ask(query, prefix=prefix) == sql


@pytest.mark.parametrize(
    "query",
    [
        *("cat AND", "AND cat", "cat AND NOT", "cat NOT", "NOT cat OR dog", "cat OR", "cat OR OR dog"),
        *("(cat", "cat)", ")(", "NEAR(cat dog"),
    ],
)
def test_misplaced_operators_are_words_with_a_notice(query: str) -> None:
    """Q5: never an error."""
    understood = parse(query)
    assert [notice.code for notice in understood.notices] == ["literal"]
    assert understood.plain
    assert understood.tree is None or "cat" in {word for term in leaves(understood.tree) for word in term.words}


@pytest.mark.parametrize("query", ["cat AND", "cat OR", "cat NOT"])
def test_last_operator_is_a_word_without_operators(query: str) -> None:
    """The presets `vault` and `tasks` have no operators: `OR` is a word there, also while it is typed."""
    tree = parse(query, prefix=True, settings=Understanding(operators=False, drop_stops=False)).tree
    assert [term.words for term in leaves(tree)] == [("cat",), (query[4:].lower(),)]


@pytest.mark.parametrize("query", ["NOT cat", "NOT cat dog", "NOT (cat OR dog)"])
def test_query_of_exclusions_only_has_a_notice(query: str) -> None:
    understood = parse(query)
    assert understood.tree is None
    assert [notice.code for notice in understood.notices] == ["only-not"]


def test_expression_without_prefixes() -> None:
    tree = parse("cat axo*").tree
    assert tree is not None
    assert expression(tree, as_prefixes=False) == '("cat" AND "axo")'


@pytest.mark.parametrize(
    "query", ["cat", "cat dog", '"two cats" dog', "get_user", "it's", "(cat dog)", "cats (and dogs)", "cat()"]
)
def test_plain_queries_have_no_notice(query: str) -> None:
    assert parse(query).plain
    assert codes(query) == []


@pytest.mark.parametrize("query", ["cat OR dog", "cat NOT dog", "cat AND dog", "(cat OR dog) cow", "NEAR(cat dog)"])
def test_queries_with_operators_are_not_plain(query: str) -> None:
    assert not parse(query).plain


@pytest.mark.parametrize(("query", "prefix"), [("installatio*", False), ("installatio", True)])
def test_prefix_includes_the_stems_of_the_word(query: str, prefix: bool) -> None:
    """A stem may be shorter than what is typed."""
    sql = str(ask(query, prefix=prefix))
    assert sql.startswith('("installatio" OR ')
    assert sql.endswith(' OR "installatio"*)')
    assert ' OR "instal"' in sql


@pytest.mark.parametrize(
    ("query", "sql"),
    [
        ("axo", '("axo" OR "axo"*)'),
        ("ax", '"ax"'),  # two letters begin too many words
        ("axo ", '"axo"'),  # a blank ends the word
        ("axo cat", '("axo" AND ("cat" OR "cat"*))'),
        ("get_user_nam", '("getusernam" OR "get user nam" OR "getusernam"* OR "get user nam"*)'),
        ("get_user_na", '("getuserna" OR "get user na" OR "getuserna"*)'),  # they begin few identifiers
        ("install t", '"instal"'),  # an unfinished letter or stop word is ignored
        ("install the", '"instal"'),
        ("c", '"c"'),
        *((f"cat {operator}", '"cat"') for operator in ("AND", "OR", "NOT", "AND ", "OR ", "NOT ")),  # and so is an operator
        ("dog -cat i", '("dog" NOT "cat")'),
        ("cat (", '"cat"'),  # a parenthesis is not closed yet
        ("cat AND (dog OR ", '("cat" AND "dog")'),
        ("cat NOT (dog OR axo", '("cat" NOT ("dog" OR "axo"))'),  # an unfinished word excludes no longer one
        ("NEAR(cat dog", 'NEAR("cat" "dog"*, 10)'),
        ("NEAR(cat dog, 3", 'NEAR("cat" "dog", 3)'),
        ("Googleは", '"googl"'),  # a particle
        ("Googleはじ", '("googl はじ" OR "googl はじ"*)'),
    ],
)
def test_last_word_is_a_prefix_while_typing(query: str, sql: str) -> None:
    assert ask(query, prefix=True) == sql
    assert parse(query, prefix=True).notices == () or " -" in query


def test_query_is_cut_to_max_terms() -> None:
    exact = " ".join(f"w{number}" for number in range(MAX_TERMS))
    assert codes(exact) == []
    assert codes(f"{exact} more") == ["clamped"]
    assert sum(len(term.words) for term in leaves(parse(f"{exact} more").tree)) == MAX_TERMS
    phrase = f'"{exact} more"'
    assert codes(phrase) == ["clamped"]
    assert sum(len(term.words) for term in leaves(parse(phrase).tree)) == MAX_TERMS
    assert codes(f"w1 NOT ({exact})") == ["clamped"], "excluded words cost as much"


def test_nesting_depth_is_limited() -> None:
    deep = "(" * MAX_DEPTH + "cat" + ")" * MAX_DEPTH
    assert codes(deep) == []
    assert ask(deep) == '"cat"'
    assert codes(f"({deep})") == ["literal"]
    assert ask(f"({deep})") == '"cat"'


def test_many_words_do_not_exhaust_the_stack() -> None:
    assert codes("a " * 600) == ["clamped"]


def test_leaves_omit_excluded_terms() -> None:
    tree = parse("cat NOT dog").tree
    assert [term.words for term in leaves(tree)] == [("cat",)]
    assert [term.words for term in leaves(tree, positive_only=False)] == [("cat",), ("dog",)]


def test_cut_query_keeps_its_operators() -> None:
    """OR stays OR, and NOT stays NOT."""
    many = ask("cat OR " + " OR ".join(f"x{n}" for n in range(100)))
    assert " AND " not in many
    assert many.count(" OR ") == MAX_TERMS - 1
    assert " NOT " in ask("cat NOT (" + " OR ".join(f"x{n}" for n in range(100)) + ")")


def test_excluded_words_have_a_notice_with_a_query_without_hyphens() -> None:
    """Q5."""
    (notice,) = parse('cat -dog "a cow" -"two pigs" -Name').notices
    assert (notice.code, notice.text) == ("excluded", "Pages with “dog”, “two pigs” are left out.")
    assert notice.subject == 'cat dog "a cow" "two pigs" -Name'
    (notice,) = parse('cat -dog -"').notices  # the phrase has no word yet
    assert notice.text == "Pages with “dog” are left out."
    (notice,) = parse("cat -(dog OR cow)").notices
    assert (notice.text, notice.subject) == ("Pages with “(…)” are left out.", "cat ( dog OR cow )")
    assert parse("-dog").notices == ()
    assert parse("cat --dog -Name").notices == ()


def test_repeated_words_are_looked_up_at_most_twice() -> None:
    """Q1: FTS5 reads all positions of each term of an expression."""
    assert [term.words for term in leaves(parse("server " * 20 + "kestrel").tree)] == [("server",), ("server",), ("kestrel",)]
    assert len(list(leaves(parse("to be or not to be").tree))) == 6
