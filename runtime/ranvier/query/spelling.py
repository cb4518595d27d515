"""Spelling correction: an unknown word → the nearest word of the site, or two words.

The vocabulary is the site's own, so names and jargon are known words, and every correction has hits.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from ranvier import text
from ranvier.text.distance import distance

MIN_LETTERS = 4  # letters; shorter words have too many neighbours
MIN_TWO_EDITS = 8  # letters from which two mistakes are allowed, and a known rare word may be a mistake
MIN_EXCHANGE = 6  # letters from which any letter may replace any other; `rice` is not a mistake for `rich`
RARE = 2  # Neurons; a word on so few may be a mistake for a common one …
COMMON = 25  # … that is on so many times as many
MIN_SURE = 10  # letters from which a word with two mistakes is corrected in any query …
FREQUENT = 2  # … if the correction is in so many Neurons
MIN_PART = 3  # letters of a part of a word
_MAX_SPLITS = 3
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  # of a keyboard
_VOWELS = "aeiouy"


def initials(word: str) -> tuple[str, ...]:
    """Return the possible first letters of the intended word: the first letter, or the second if the first two are swapped or
    the first is superfluous.
    """
    return tuple(dict.fromkeys(word[:2]))


def is_correctable(word: str) -> bool:
    """Tell whether a folded word can be corrected."""
    return len(word) >= MIN_LETTERS and not any(map(str.isdigit, word))


def candidates(word: str, counts: Mapping[str, int], limit: int) -> list[str]:
    """Return up to `limit` known words that `word` is likely a prefix of or a mistake for.

    Order: completions before corrections, then the fewest mistakes, then those that keep the first letter, then the most
    Neurons, then the alphabet. `counts` maps folded words to their numbers of Neurons. A known word stays, unless it is long
    and rare and a common word differs by one mistake: `openai` is not a mistake for `openapi`. A correction with another first
    letter must differ by one mistake.
    """
    own_count = counts.get(word, 0)
    if not is_correctable(word) or (own_count and len(word) < MIN_TWO_EDITS):
        return []
    max_edits = 1 if len(word) < MIN_TWO_EDITS or own_count else 2
    first_letters = initials(word)
    near: list[tuple[int, bool, int, str]] = []
    for other, count in counts.items():
        if other == word or not other.startswith(first_letters):
            continue
        if own_count and (own_count > RARE or count < own_count * COMMON or other.startswith(word)):
            continue
        most = max_edits if other[0] == word[0] else 1
        if len(word) < MIN_EXCHANGE and _is_unlikely_exchange(word, other):
            continue
        edits = 0 if other.startswith(word) else distance(word, other, most)
        if edits <= most:
            near.append((edits, not _keeps_start(word, other), -count, other))
    return [other for *_, other in sorted(near)[:limit]]


def is_sure(word: str, other: str, count: int) -> bool:
    """Tell whether an unknown word is corrected to `other`, which `count` Neurons have, even if no page then has every word.

    `gmail` is not a mistake for `mail`.
    """
    edits = distance(word, other, 2)
    is_near = edits <= 1 or (edits == 2 and len(word) >= MIN_SURE and count >= FREQUENT)
    return is_near and _keeps_start(word, other) and not _is_unlikely_exchange(word, other)


def _keeps_start(word: str, other: str) -> bool:
    """Tell whether the first letter is right, or swapped with the second."""
    return word[0] == other[0] or word[:2] == other[1::-1]


def differs_in_doubling(word: str, other: str) -> bool:
    """Tell whether words differ only in doubled letters, as `posible`: that is a mistake, even if it is a word elsewhere."""
    return [letter for letter, _ in groupby(word)] == [letter for letter, _ in groupby(other)]


def _is_unlikely_exchange(word: str, other: str) -> bool:
    """Tell whether words differ in one letter, and it is not a usual mistake (a neighbouring key, or one vowel for another)."""
    changed = [pair for pair in zip(word, other, strict=False) if pair[0] != pair[1]]
    if len(word) != len(other) or len(changed) != 1:
        return False
    left, right = changed[0]
    is_beside = any(left + right in row or right + left in row for row in _ROWS)
    return (left + right).isascii() and not is_beside and not (left in _VOWELS and right in _VOWELS)


def splits(word: str, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return the pairs of words that `word` may be; the first is known, and the longest comes first."""
    ends = [at for at in range(len(word) - MIN_PART, MIN_PART - 1, -1) if word[:at] in counts]
    return [(word[:at], word[at:]) for at in ends[:_MAX_SPLITS]]


def correct(words: str, corrections: Mapping[str, str]) -> str:
    """Replace whole words by their corrections and keep everything else."""
    corrected, at = "", 0
    for word, start, end in text.words(words):
        corrected += words[at:start] + corrections.get(word, word)
        at = end
    return corrected + words[at:]
