"""Spelling (FACTS §7: 2): a word that the site does not know → the nearest one that it does.

The vocabulary is the site's own, so that names and jargon count as words, and nothing is suggested that finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ranvier import text
from ranvier.text.distance import distance

LEAST = 4  # letters; among shorter words everything is near to everything
TWO_FROM = 8  # letters from which two slips are allowed, and from which a word that the site knows may be one
RARE = 2  # Neurons; a word that stands in so few may still be a slip of a common one …
COMMON = 25  # … that stands in so many times as many


def beginnings(word: str) -> tuple[str, ...]:
    """Say with which letters the word that was meant may begin: its first one, or its second where the first two are swapped,
    or the first is one too many.
    """
    return tuple(dict.fromkeys(word[:2]))


def may_be_mended(word: str) -> bool:
    """Tell whether a folded word is one that `nearest` would look for."""
    return len(word) >= LEAST and word.isalpha()


def nearest(word: str, counts: Mapping[str, int]) -> str | None:
    """Return the known word that `word` most likely is the beginning of, or a slip of, or `None`.

    A beginning before a slip, then the fewest slips, then the most Neurons, then the alphabet. `counts` holds
    folded words and how many Neurons have them. A known word is left alone, unless it is long and rare, and a common one is one
    slip away: `openai` is no slip of `openapi`.
    """
    if not may_be_mended(word):
        return None
    own = counts.get(word, 0)
    if own and len(word) < TWO_FROM:
        return None
    allowed = 1 if len(word) < TWO_FROM or own else 2
    best: tuple[int, int, str] | None = None
    for other, count in counts.items():
        if other == word or (own and (own > RARE or count < own * COMMON or other.startswith(word))):
            continue
        slips = 0 if other.startswith(word) else distance(word, other, allowed)
        if slips <= allowed and (best is None or (slips, -count, other) < best):
            best = slips, -count, other
    return best[2] if best else None


def nearby(word: str, counts: Mapping[str, int], most: int) -> Iterator[str]:
    """Yield the known words that may have been meant, the likeliest first, so many at most."""
    others = dict(counts)
    for _ in range(most):
        right = nearest(word, others)
        if right is None:
            return
        yield right
        del others[right]


def mended(words: str, slips: Mapping[str, str]) -> str:
    """Put the right words in the place of the wrong ones, as a whole, and leave everything else as it is."""
    return "".join(slips.get(part, part) for part in _parts(words))


def _parts(words: str) -> Iterable[str]:
    at = 0
    for _, start, end in text.words(words):
        yield words[at:start]
        yield words[start:end]
        at = end
    yield words[at:]
