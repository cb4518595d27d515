"""The analyser. The index, queries and highlights use the same terms.

split  into units: words with what joins them        "don't getUserName C++"
read   a unit into terms, whole and part             "getUserName" → "getusernam", "get", "user", "name"
fold   case, accents and compatibility forms         "Café"        → "cafe"
stem   in the text's language                        "searching"   → "search"
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ranvier.text.languages import primary
from ranvier.text.unicode import blank_later
from ranvier.text.units import QUERY_ONLY, TAIL, Piece, UnitReader, unit_pattern

ANALYSER = "multi-6"  # in every manifest; change it if the same text gives other terms

CLAIM = re.compile(r"\{#claim-[0-9A-Za-z]+\}", re.IGNORECASE)  # A6: anchors for citations, not words
_WORD = re.compile(rf"(?:[^\W_]|[\u0900-\u0963\u0966-\u0dff])+(?:{TAIL})?")  # with the marks of Indic scripts


class Token(NamedTuple):
    """A term and its place in a text; a whole overlaps its parts."""

    term: str
    start: int
    end: int


class _Terms(dict[str, tuple[str, ...]]):
    """A cache: unit as written → its terms in one language. A text of 11 MB has some 40,000 distinct units."""

    CACHE_SIZE = 200_000
    MAX_CACHED = 64  # characters; a Chinese clause rarely repeats

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._reader = UnitReader(lang, of_query=False)

    def __missing__(self, unit: str) -> tuple[str, ...]:
        terms = tuple(piece.term for piece in self._reader.read(unit))
        if len(unit) <= self.MAX_CACHED:
            if len(self) >= self.CACHE_SIZE:
                self.clear()
            self[unit] = terms
        return terms


@lru_cache(maxsize=64)
def _terms_in(lang: str) -> _Terms:
    return _Terms(lang)


def terms(text: str, lang: str = "en") -> list[str]:
    """Return the terms of a text as in the index, in order: `"Two cats"` → `["two", "cat"]`."""
    cached_terms = _terms_in(primary(lang))
    return list(chain.from_iterable(map(cached_terms.__getitem__, unit_pattern(text).findall(blank_later(text)))))


def tokens(text: str, lang: str = "en") -> list[Token]:
    """Return the terms of a text with their places: `"Two cats"` → `[("two", 0, 3), ("cat", 4, 8)]`."""
    return [Token(term, start, end) for term, start, end, role in pieces(text, lang) if role != QUERY_ONLY]


def units(text: str) -> list[tuple[str, int]]:
    """Return the units of a text (words or joined words) and their places: `"Two e-mails"` → `[("Two", 0), ("e-mails", 4)]`."""
    return [(match.group(), match.start()) for match in unit_pattern(text).finditer(blank_later(text))]


def unit_tokens(unit: str, lang: str = "en") -> list[Token]:
    """Return the terms of one unit with their places in it."""
    return [Token(term, start, end) for term, start, end, role in _read(unit, primary(lang)) if role != QUERY_ONLY]


def pieces(text: str, lang: str = "en") -> list[Piece]:
    """Return the tokens of a text with their roles, including those that only a query uses."""
    code = primary(lang)
    tokens = []
    for match in unit_pattern(text).finditer(blank_later(text)):
        at = match.start()
        tokens += [Piece(term, at + start, at + end, role) for term, start, end, role in _read(match.group(), code)]
    return tokens


def words(text: str) -> list[tuple[str, int, int]]:
    """Return every run of letters and digits, with its place: `"Two cats"` → `[("Two", 0, 3), ("cats", 4, 8)]`."""
    return [(m.group(), m.start(), m.end()) for m in _WORD.finditer(blank_later(text))]


@lru_cache(maxsize=20_000)
def _read(unit: str, lang: str) -> tuple[Piece, ...]:
    return tuple(UnitReader(lang, of_query=True).read(unit))
