"""Spelling correction with the words of the site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranvier.query.spelling import COMMON, candidates, correct, differs_in_doubling, initials, is_sure, splits
from ranvier.text.distance import distance

WORDS = {
    "install": 40, "installation": 9, "shortcode": 50, "shortocde": 1, "instance": 12, "license": 7, "python": 100,
    "pythons": 1, "receive": 3, "relieve": 3,
}  # fmt: skip


def nearest(word: str, counts: dict[str, int]) -> str | None:
    return next(iter(candidates(word, counts, 1)), None)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("instal", "install"),  # left out
        ("installl", "install"),  # one too many
        ("inztakl", None),  # two slips in a short word are another word
        ("isntall", "install"),  # swapped
        ("nistall", "install"),
        ("instelation", "installation"),  # two slips in a long one
        ("install", None),  # known
        ("pytohn", "python"),
        ("pythons", None),  # a short word of the site, also if it is rare
        ("shortocde", "shortcode"),  # a rare long word of the site, one slip away from a frequent one
        ("recieve", "receive"),  # a swap counts as one slip, so this word is nearer
        ("pyt", None),  # too short
        ("pyth", "python"),  # the beginning of a word, and of the commonest
        ("lic", None),  # too short to correct
        ("v1.10", None),
        ("xyzzyplugh", None),
    ],
)
def test_nearest_word(word: str, expected: str | None) -> None:
    assert nearest(word, WORDS) == expected


def test_equally_near_words_are_chosen_by_frequency_then_alphabet() -> None:
    assert nearest("hause", {"house": 5, "hazuse": 9, "cause": 5}) == "hazuse"
    assert nearest("hause", {"house": 5, "huase": 5}) == "house"
    assert candidates("hause", {"house": 5, "huase": 5, "hazuse": 9, "horse": 9}, 2) == ["hazuse", "house"]


def test_correction_keeps_the_first_letters() -> None:
    """`const` is near `fonst` except for its first letter; an extra first letter is one mistake."""
    assert nearest("fonst", {"const": 90, "fonts": 2}) == "fonts"
    assert nearest("xfonts", {"fonts": 2}) == "fonts"
    assert nearest("vacation", {"action": 90}) is None
    assert nearest("jset", {"set": 90, "jest": 2}) == "jest"
    assert nearest("onte", {"note": 90, "one": 2}) == "note", "it is swapped with the second"


def test_short_word_is_corrected_to_a_neighbouring_key_only() -> None:
    assert nearest("rice", {"rich": 90}) is None
    assert nearest("hugi", {"hugo": 9}) == "hugo"
    assert nearest("modil", {"model": 9}) == "model"
    assert nearest("тект", {"текс": 9}) == "текс", "which keys are beside each other is not known"


@pytest.mark.parametrize(
    ("word", "pairs"),
    [
        ("serviceworker", [("service", "worker")]),
        ("informationretrieval", [("information", "retrieval"), ("inform", "ationretrieval")]),
        ("aservice", []),  # a part has three letters or more
        ("serviceto", []),
        ("worker", []),
        ("abcdefghij", [("abcdefg", "hij"), ("abcdef", "ghij"), ("abcde", "fghij")]),  # not the shorter ones
    ],
)
def test_word_is_split_after_known_words(word: str, pairs: list[tuple[str, str]]) -> None:
    words = {"service", "inform", "information", "a", "worker"} | {"abcdefghij"[:at] for at in range(1, 10)}
    assert splits(word, dict.fromkeys(words, 1)) == pairs


@pytest.mark.parametrize(
    ("word", "second", "count", "sure"),
    [
        ("usgae", "usage", 1, True),
        ("insect", "infect", 90, False),  # not a usual slip
        ("else", "elsewhere", 90, False),  # a word, and no beginning of another
        ("constrain", "contain", 90, False),
        ("implemntaton", "implementation", 2, True),
        ("osteogenesis", "ontogenesis", 1, False),
        ("gmail", "mail", 90, False),  # the first letter is seldom superfluous
        ("gihtub", "github", 1, True),
        ("igthub", "github", 1, True),  # the first two letters are swapped
    ],
)
def test_is_sure_accepts_near_and_frequent_words(word: str, second: str, count: int, sure: bool) -> None:
    assert is_sure(word, second, count) is sure


def test_doubled_letters_are_a_usual_mistake() -> None:
    assert differs_in_doubling("posible", "possible")
    assert not differs_in_doubling("lung", "long")


def test_rare_known_word_is_corrected_only_to_a_common_one() -> None:
    assert nearest("shortcodr", {"shortcodr": 1, "shortcode": COMMON - 1}) is None
    assert nearest("shortcodr", {"shortcodr": 1, "shortcode": COMMON}) == "shortcode"
    assert nearest("fork", {"fork": 1, "form": 100 * COMMON}) is None, "short words are all near to each other"
    assert nearest("director", {"director": 1, "directory": COMMON}) is None, "a known word is not the beginning of another"


def naive(text: str, other: str) -> int:
    """Optimal string alignment by its definition, without bounds and without rows."""
    if not text or not other:
        return len(text) + len(other)
    best = min(naive(text[1:], other) + 1, naive(text, other[1:]) + 1, naive(text[1:], other[1:]) + (text[0] != other[0]))
    if len(text) > 1 and len(other) > 1 and text[0] == other[1] and text[1] == other[0]:
        best = min(best, naive(text[2:], other[2:]) + 1)
    return best


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_distance_agrees_with_a_simple_implementation(first: str, second: str) -> None:
    expected = naive(first, second)
    for limit in (0, 1, 2, 6):
        assert min(distance(first, second, limit), limit + 1) == min(expected, limit + 1)
    assert distance(first, second, 6) == distance(second, first, 6)


def test_beginnings_of_a_word() -> None:
    """The first letter or the second one, because the first two may be swapped."""
    assert initials("isntall") == ("i", "s")
    assert initials("aardvark") == ("a",)


def test_only_whole_words_are_replaced() -> None:
    assert correct('"hot pakc" pakcage pakc!', {"pakc": "pack"}) == '"hot pack" pakcage pack!'
