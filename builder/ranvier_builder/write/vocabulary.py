"""Shown text → its words as written, with the number of Neurons that contain them, for spelling correction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from ranvier.text import CLAIM, fold
from ranvier.text.scripts import MARKS, UNSEGMENTED
from ranvier.text.unicode import blank_later

SHARD = 24_000  # bytes of a shard before deflating
_MIN_LENGTH, _MAX_LENGTH = 3, 40  # characters
_COUNT = 3  # maximum of bytes for a word's count and the line feed after it
# Only scripts with blanks between words: in others the end of a word is unknown.
_LETTER = rf"[^\W_{UNSEGMENTED}]"
_WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|[{MARKS}])+(?:['’](?:t|re|ve|ll|d|m)(?![^\W_]))?", re.IGNORECASE)


def words_of(texts: Iterable[str], lang: str = "en") -> str:
    """Return the distinct words of some texts, folded and sorted, one per line; numbers are skipped."""
    surface = {word for plain in texts for word in _WORD.findall(blank_later(CLAIM.sub("", plain)))}
    return "\n".join(sorted({folded for word in surface if (folded := _fold(word, lang))}))


@lru_cache(maxsize=1 << 17)
def _fold(word: str, lang: str) -> str:
    folded = fold(word, lang) if len(word) <= _MAX_LENGTH else ""
    return folded if _MIN_LENGTH <= len(folded) <= _MAX_LENGTH and not folded.isdecimal() else ""


def shards(pages: Iterable[str]) -> list[tuple[str, Any]]:
    """Count the words of all pages, and cut the list into shards; return the first prefix and the data of each.

    A shard holds all words of some prefixes, so that few shards change when a word is added or removed.
    """
    counts = Counter(word for words in pages for word in words.split("\n") if word)
    out, last = [], ""
    for words in _cut(sorted(counts), 1):
        out.append((_shortest_separator(last, words[0]), ["\n".join(words), [counts[word] for word in words]]))
        last = words[-1]
    return out


def _cut(words: list[str], depth: int) -> Iterator[list[str]]:
    """Group words with the same first `depth` letters while they fit; a group that is too large is cut one deeper."""
    run: list[str] = []
    for _, group in groupby(words, lambda word: word[:depth]):
        some = list(group)
        if run and _size(run) + _size(some) > SHARD:
            yield run
            run = []
        if _size(some) > SHARD and len(some) > 1:
            yield from _cut(some, depth + 1)
        else:
            run = run + some
    if run:
        yield run


def _size(words: list[str]) -> int:
    return sum(len(word.encode()) + _COUNT for word in words)


def _shortest_separator(last: str, first: str) -> str:
    """Return the shortest prefix of `first` that is greater than `last`."""
    return next(first[:end] for end in range(1, len(first) + 1) if first[:end] > last)
