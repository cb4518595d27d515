"""Match modes and the query sanitiser ([003])."""

import pytest
from conformance.sites import by_path, library_of, neuron, site_fixture, understood
from hypothesis import given
from hypothesis import strategies as st
from ranvier import Library, RequestError
from ranvier.legs.substring import pieces
from support.results import paths

FILES = {
    "both.md": neuron("Marathon", "She is running."),
    "stem.md": neuron("Sprint", "She runs."),
    "inside.md": neuron("Contest", "An overrunning one."),
    "andor.md": neuron("Pros and cons", "Take one or the other, and not near."),
    "quote.md": neuron("Quotes", 'They wrote say"cheese"now here.'),
    "code.md": neuron("Code", "Call `foo->bar(baz)` and `a.b`."),
    "hyphen.md": neuron("Hyphens", "A retry-queue is set."),
    "apart.md": neuron("Apart", "A queue, then a retry."),
    "other.md": neuron("Unlike", "Nothing of it."),
}


site = site_fixture(FILES)


def _results_of(site: Library, query: str, match: str = "auto") -> dict[str, tuple[str, ...]]:
    result = site.search(query, preset="tasks", match=match, limit=100)
    return {path: hit.matched_in for path, hit in by_path(result).items()}


@pytest.mark.parametrize(
    ("match", "results"),
    [
        ("auto", {"both.md": ("trigram", "text"), "stem.md": ("text",), "inside.md": ("trigram",)}),
        ("substring", {"both.md": ("trigram",), "inside.md": ("trigram",)}),
        ("text", {"both.md": ("text",), "stem.md": ("text",)}),
    ],
)
def test_match_mode_chooses_the_tables(site: Library, match: str, results: dict[str, tuple[str, ...]]) -> None:
    """Q4, L1, L2, P1, [003]: auto uses both, substring and text one each; `matched_in` names them."""
    assert _results_of(site, "running", match) == results


@pytest.mark.parametrize(("query", "result"), [("RUNNING", 2), ("unnin", 2), ("overr", 1), ("Mara", 1), ("nnothing", 0)])
def test_substring_is_partial_and_case_insensitive(site: Library, query: str, result: int) -> None:
    """L2, Q4, [003]: "substring search, case-insensitive, partial word matches", in titles and bodies."""
    assert len(_results_of(site, query, "substring")) == result


@pytest.mark.parametrize("query", ["running", "runs", "run", "RUN", "Runs."])
def test_text_mode_uses_stemming(site: Library, query: str) -> None:
    """L1, I2, [003]."""
    assert _results_of(site, query, "text").keys() == {"both.md", "stem.md"}


@pytest.mark.parametrize("query", ["ab", "a b c", "to be or", "日本", "é", 'a" b'])
def test_substring_mode_needs_three_characters(site: Library, query: str) -> None:
    """Q4, [003]: "rejects inputs where every token is shorter than 3 characters"."""
    with pytest.raises(RequestError, match="at least 3 characters"):
        site.search(query, preset="tasks", match="substring")


@pytest.mark.parametrize(
    ("query", "match"),
    [
        *((query, "substring") for query in ("run", "a run", "run of it", "日本語", "a.b")),
        *((query, match) for query in ("ab", "to be", "é") for match in ("auto", "text")),
    ],
)
def test_one_long_token_is_enough_and_other_modes_accept_short_tokens(site: Library, query: str, match: str) -> None:
    """Q4, [003]."""
    site.search(query, preset="tasks", match=match)


def test_short_tokens_are_ignored_in_substring_mode(site: Library) -> None:
    """Q4, L2, [003]."""
    assert _results_of(site, "zz running", "substring").keys() == {"both.md", "inside.md"}


@pytest.mark.parametrize(
    ("query", "match", "results"),
    [
        ("pros AND cons", "auto", ["andor.md"]),
        ("one OR other", "text", ["andor.md"]),
        ("one NOT near", "text", ["andor.md"]),
        ("running OR Unlike", "auto", []),  # "or" is a word, and no page has all three
        ("running NOT overrunning", "auto", []),
        ("runs NEAR", "text", []),
        ("retry queue", "text", ["apart.md", "hyphen.md"]),  # tokens in any order
        ("retry-queue", "text", ["hyphen.md"]),  # one token: a phrase
        ("retry-queue", "substring", ["hyphen.md"]),
        ('say"cheese', "substring", ["quote.md"]),  # a quote is an ordinary character
        ('"cheese', "substring", ["quote.md"]),
        ('say "cheese', "substring", ["quote.md"]),
        ('running"', "substring", []),
        ("foo->bar(", "substring", ["code.md"]),
        ("(running", "text", ["both.md", "stem.md"]),
        ("running*", "text", ["both.md", "stem.md"]),
        ("title:running", "text", []),  # no column filter: an ordinary token
        ("-running", "text", ["both.md", "stem.md"]),
        ("[[Sprint]]", "text", ["stem.md"]),  # no filter
        ("path:code.md", "text", []),
        ("the running", "text", []),  # every word counts, also a stop word
    ],
)
def test_query_is_sanitised(site: Library, query: str, match: str, results: list[str]) -> None:
    """Q5, Q4, [003]: split on blanks, quotes escaped, every token a phrase, all required, operators literal."""
    assert sorted(_results_of(site, query, match)) == results


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "  \r\n ", "\u00a0", "\u3000"])
def test_query_is_split_on_blanks(site: Library, blank: str) -> None:
    """Q5, [003]: the amount of white space does not matter."""
    for match in ("text", "substring"):
        assert _results_of(site, f"queue{blank}retry", match).keys() == {"apart.md", "hyphen.md"}


SIGNS = st.sampled_from(['"', "AND", "OR", "NOT", "NEAR", "(", ")", "*", "^", "run", ":", "-", "+", "{", "title"])


@given(
    st.text(st.characters(codec="utf-8"), max_size=40)
    | st.lists(SIGNS, max_size=9).map(" ".join)
    | st.lists(SIGNS).map("".join),
    st.sampled_from(["auto", "text", "substring"]),
)
def test_no_query_raises_a_syntax_error(site: Library, query: str, match: str) -> None:
    """Q5, [003]: at most it is too short for substrings."""
    words = understood(query, "tasks").words  # without the punctuation at its edges
    if match == "substring" and words.split() and not pieces(words, literal=True):
        with pytest.raises(RequestError, match="at least 3 characters"):
            site.search(query, preset="tasks", match=match)
        return
    assert site.search(query, preset="tasks", match=match).total_hits <= len(FILES)


def test_all_words_are_required(site: Library) -> None:
    """Q5, [003]: implicit AND."""
    assert paths(site.search("running marathon", preset="tasks")) == ["both.md"]
    assert paths(site.search("running marathon zebra", preset="tasks")) == []


@pytest.mark.parametrize("query", ["zulu", "yankee"])
def test_only_titles_and_bodies_are_searched(query: str) -> None:
    """L1, [003]: "titles and summaries are indexed": a word of the path or of a tag alone is no match."""
    with library_of(
        {"zulu/a.md": neuron("Alpha", "Some words.", tags="[yankee]"), "b.md": neuron("Bravo", "zulu yankee")}
    ) as library:
        assert paths(library.search(query, preset="tasks")) == ["b.md"]
        assert paths(library.search(query, preset="tasks", match="text")) == ["b.md"]
