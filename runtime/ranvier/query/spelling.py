"""Spelling correction: an unknown word → the nearest word of the site.

The vocabulary is the site's own, so names and jargon are known words, and every correction has hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ranvier import text
from ranvier.text.distance import distance

MIN_LETTERS = 4  # letters; shorter words have too many neighbours
TWO_FROM = 8  # letters from which two mistakes are allowed, and from which a known rare word may be a mistake
CHANGED_FROM = 6  # letters from which any letter may replace any other; `rice` is not a mistake for `rich`
RARE = 2  # Neurons; a word on so few may be a mistake for a common one …
COMMON = 25  # … that is on so many times as many
LONG = 10  # letters from which a word with two mistakes is corrected in any query …
FREQUENT = 2  # … if the correction is in so many Neurons
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")  # of a keyboard
_VOWELS = "aeiouy"


def beginnings(word: str) -> tuple[str, ...]:
    """Return the possible first letters of the intended word: the first letter, or the second if the first two are swapped or
    the first is superfluous.
    """
    return tuple(dict.fromkeys(word[:2]))


def may_be_mended(word: str) -> bool:
    """Tell whether `nearest` can correct a folded word."""
    return len(word) >= MIN_LETTERS and word.isalpha()


def nearest(word: str, counts: Mapping[str, int]) -> str | None:
    """Return the known word that `word` is most likely a prefix of or a mistake for, or `None`.

    Order: completions before corrections, then the fewest mistakes, then the most Neurons, then the alphabet. `counts` maps
    folded words to their numbers of Neurons. A known word stays, unless it is long and rare and a common word differs by one
    mistake: `openai` is not a mistake for `openapi`. A correction with another first letter must differ by one mistake.
    """
    if not may_be_mended(word):
        return None
    own = counts.get(word, 0)
    if own and len(word) < TWO_FROM:
        return None
    allowed = 1 if len(word) < TWO_FROM or own else 2
    begins = beginnings(word)
    best: tuple[int, int, str] | None = None
    for other, count in counts.items():
        if other == word or not other.startswith(begins):
            continue
        if own and (own > RARE or count < own * COMMON or other.startswith(word)):
            continue
        most = allowed if other[0] == word[0] else 1
        if len(word) < CHANGED_FROM and _is_exchange(word, other):
            continue
        slips = 0 if other.startswith(word) else distance(word, other, most)
        if slips <= most and (best is None or (slips, -count, other) < best):
            best = slips, -count, other
    return best[2] if best else None


def is_sure(word: str, other: str, count: int) -> bool:
    """Tell whether an unknown word is corrected to `other`, which `count` Neurons have, even if no page then has every word."""
    slips = distance(word, other, 2)
    is_near = slips <= 1 or (slips == 2 and len(word) >= LONG and count >= FREQUENT)
    return is_near and not _is_exchange(word, other)


def _is_exchange(word: str, other: str) -> bool:
    """Tell whether words differ in one letter, and it is not a usual mistake (a neighbouring key, or one vowel for another)."""
    changed = [pair for pair in zip(word, other, strict=False) if pair[0] != pair[1]]
    if len(word) != len(other) or len(changed) != 1:
        return False
    left, right = changed[0]
    is_beside = any(left + right in row or right + left in row for row in _ROWS)
    return (left + right).isascii() and not is_beside and not (left in _VOWELS and right in _VOWELS)


def nearby(word: str, counts: Mapping[str, int], most: int) -> Iterator[str]:
    """Yield the candidate corrections, likeliest first, up to a number."""
    others = dict(counts)
    for _ in range(most):
        right = nearest(word, others)
        if right is None:
            return
        yield right
        del others[right]


def mended(words: str, slips: Mapping[str, str]) -> str:
    """Replace whole words by their corrections and keep everything else."""
    return "".join(slips.get(part, part) for part in _parts(words))


def _parts(words: str) -> Iterable[str]:
    at = 0
    for _, start, end in text.words(words):
        yield words[at:start]
        yield words[start:end]
        at = end
    yield words[at:]
