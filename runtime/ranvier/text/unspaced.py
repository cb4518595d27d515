"""Scripts without blanks between words: overlapping pairs of characters (Lee and Ahn, SIGIR 1996).

`日本語` → `日本`, `本語`, `語`. In Thai and related scripts a character is a letter with its marks, so that no word begins or
ends inside a character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from ranvier.text.scripts import CLUSTER, UNSEGMENTED

MAX_CHARACTER = 16  # maximum length of a composed character in any language
_FIRST = "\u0e01"  # the lowest code point of these scripts; most texts have none and do not need the tables

_PARTICLES = "\u3041-\u3096的"
_KOREAN_PARTICLES = "은는이가을를의에로와과도만"  # alone they may be nouns

Form = Literal["NFC", "NFKC"]
Character = tuple[str, int, int]  # normalised, and its place


@lru_cache(maxsize=8)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def is_unspaced(term: str) -> bool:
    """Tell whether a term is of a script without blanks between words."""
    return term[:1] >= _FIRST and _compiled(f"[{UNSEGMENTED}]").match(term) is not None


def has_unspaced(unit: str) -> bool:
    """Tell whether a unit holds such a script."""
    return not unit.isascii() and max(unit) >= _FIRST and _compiled(f"[{UNSEGMENTED}]").search(unit) is not None


def runs(unit: str) -> Iterator[re.Match[str]]:
    """Cut a unit where such a script begins or ends."""
    return _compiled(f"[{UNSEGMENTED}]+|[^{UNSEGMENTED}]+").finditer(unit)


def is_open(term: str) -> bool:
    """Tell whether a term is a single character of such a script: it is looked up as a prefix."""
    return is_unspaced(term) and _compiled(CLUSTER).fullmatch(term) is not None


def is_particle(word: str) -> bool:
    """Tell whether a word is a single hiragana or 的, with any punctuation around it."""
    return word[-1:] >= _FIRST and _compiled(rf"\W*[{_PARTICLES}]\W*").fullmatch(word) is not None


def without_particle(word: str) -> str:
    """Drop a particle after a letter of another script: `Googleは` → `Google`, `Hugo는` → `Hugo`.

    A particle is looked up as a prefix, `は*`, which would match much of the index. After a digit it may be a unit: `100만` is
    a million.
    """
    if not word or max(word) < _FIRST:
        return word
    # `C#は` is not `C#` in the index, but `C++は` is `C++`.
    particle = _compiled(rf"(?<=[^\W\d_{UNSEGMENTED}]|\+)[{_PARTICLES}{_KOREAN_PARTICLES}](?=\W*$)").search(word)
    return word[: particle.start()] if particle else word


def pairs(run: str) -> Iterator[Character]:
    """Overlapping pairs of a run's characters with their places, and the last one alone: each character begins a term."""
    characters = list(_characters(run))
    for (first, start, _), (other, _, end) in pairwise(characters):
        yield first + other, start, end
    yield from characters[-1:]


def _characters(run: str) -> Iterator[Character]:
    places = _normal(run)
    normal = "".join(character for character, _, _ in places)
    for cluster in _compiled(CLUSTER).finditer(normal):
        yield cluster.group(), places[cluster.start()][1], places[cluster.end() - 1][2]


def _normal(run: str) -> list[Character]:
    """Normalise a run, code point by code point; a composed character has the place of all its code points."""
    form: Form = "NFKC" if run[-1] >= "\u2e80" else "NFC"  # NFKC takes Thai's and Lao's AM apart
    if unicodedata.is_normalized(form, run):
        return [(character, place, place + 1) for place, character in enumerate(run)]
    characters: list[Character] = []
    start = 0
    for end in range(1, len(run) + 1):
        if end == len(run) or end - start == MAX_CHARACTER or not _composes(form, run[start:end], run[end]):
            characters += [(character, start, end) for character in unicodedata.normalize(form, run[start:end])]
            start = end
    return characters


def _composes(form: Form, before: str, character: str) -> bool:
    """Tell whether a character is composed with the ones before it: a voicing mark, a vowel of Hangul."""
    separate = unicodedata.normalize(form, before) + unicodedata.normalize(form, character)
    return unicodedata.normalize(form, before + character) != separate
