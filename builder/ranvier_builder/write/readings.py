"""The terms that a query for one word looks up, in bulk: the results of `ranvier.query`, in a tenth of the time.

A query reads a word in each language of the site. Most languages read most words in the same way: English, Japanese and
Russian stem `searching` alike, and no language stems `東京`. So only the first language of each kind reads a word.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache

from ranvier import text
from ranvier.query.understand import name_terms


class Readings:
    """Reads words in the languages of a site."""

    def __init__(self, langs: Iterable[str]) -> None:
        all_langs = [*dict.fromkeys(map(text.primary, langs))]
        latin = [text.is_english("a", lang) for lang in all_langs]
        stemmers = [text.stemmer_of(lang) for lang in all_langs]
        self._unspaced = tuple(all_langs[:1])
        self._ascii = _firsts(all_langs, [is_english or stemmer for is_english, stemmer in zip(latin, stemmers, strict=True)])
        self._other = _firsts(all_langs, [*zip(latin, stemmers, strict=True)])

    def lookups(self, word: str) -> Iterator[tuple[str, bool]]:
        """Yield the terms of a word, as `ranvier.query.fts.rows` has them, and whether each is a prefix."""
        for *before, last in text.forms(word, self._langs(word)):
            yield from ((term, False) for term in before)
            yield last, text.is_open(last)

    def names(self, word: str) -> tuple[str, ...]:
        """Return the result of `name_terms` for a word in all languages."""
        return name_terms(word, self._langs(word))

    def _langs(self, word: str) -> tuple[str, ...]:
        """Return the languages that may read a word in different ways, in order."""
        if word.isascii():
            return self._ascii
        return self._unspaced if all(map(_is_unspaced, word)) else self._other


_is_unspaced = cache(text.is_unspaced)


def _firsts(langs: Sequence[str], kinds: Sequence[Hashable]) -> tuple[str, ...]:
    """Return the first language of each kind, in order."""
    first = dict(zip(reversed(kinds), reversed(langs), strict=True))
    return tuple(lang for lang, kind in zip(langs, kinds, strict=True) if first[kind] == lang)
