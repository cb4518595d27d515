"""Words as pages show them and readers type them: folded like names (`ranvier.text.keys`), for the instant lists.

A run of letters and digits is a word. In scripts without blanks, words are all pairs of neighbouring letters and all single
letters, because a reader may type only one. The JavaScript of a page splits a query in the same way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ranvier.text.keys import HUMP, MAX_QUERY_LENGTH, UNSPACED, insert_humps, units

LONGEST = 40  # code points of a word
_OVERLAP = 40  # code points of overlap between pieces of a longer run, so that no word is cut
_GEORGIAN = "\u10a0-\u10ff"  # inside the range of scripts without blanks
_NOT_IN_WORDS = re.compile(r"[\W_]+")
_LETTER = re.compile(rf"(?![{_GEORGIAN}])[{''.join(f'{chr(first)}-{chr(last)}' for first, last in UNSPACED)}]")


def typed(query: str) -> list[str]:
    """Split typed text into words, in order: `Größe 日本語` → `["grosse", "日本", "本語"]`."""
    return [word for unit in units(query) for word in _split(unit)]


def is_letter(word: str) -> bool:
    """Return whether a word belongs to a script without blanks."""
    return _LETTER.match(word) is not None


def surface_words(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the words of some texts, sorted, each with its written forms that are not ASCII.

    An accent that folding drops may matter to a stemmer: `canción` is analysed as written, besides `cancion`.
    """
    runs = sorted({run for text in texts for run in text.split()})
    forms = defaultdict[str, set[str]](set)
    for run in runs:
        if run.isascii() and run.isalpha() and run[1:].islower() and len(run) <= LONGEST:  # a plain word, as most are
            forms.setdefault(run.lower(), set())
            continue
        for part in _parts(run):
            words = [word for unit in units(part) for word in (*_split(unit), *_letters(unit))]
            for word in words:
                if len(word) <= LONGEST:
                    forms[word] |= set() if part.isascii() or is_letter(word) or len(words) > 1 else {part}
    return {word: sorted(forms[word]) for word in sorted(forms)}


def _parts(run: str) -> Iterator[str]:
    """Yield a run as written, in pieces up to the length of a query, and its words: `userName`, `user`, `Name`."""
    for start in range(0, max(len(run) - _OVERLAP, 1), MAX_QUERY_LENGTH - _OVERLAP):
        yield run[start : start + MAX_QUERY_LENGTH]
    inner = insert_humps(run).split(HUMP)
    if not run.isascii():  # each word alone, as written
        inner += _NOT_IN_WORDS.split(run)
    yield from (part for part in inner if len(part) <= MAX_QUERY_LENGTH and part != run)


def _split(unit: str) -> Iterator[str]:
    run: list[str] = []
    for piece in unit.split(" "):
        if is_letter(piece):
            run.append(piece)
            continue
        yield from _pairs(run)
        run = []
        yield piece
    yield from _pairs(run)


def _pairs(run: list[str]) -> list[str]:
    return ["".join(pair) for pair in pairwise(run)] if len(run) > 1 else run


def _letters(unit: str) -> Iterator[str]:
    return (piece for piece in unit.split(" ") if is_letter(piece))
