"""The one analyser: what the index holds, what a query asks and what a highlight marks are the same words.

fold   case, accents and compatibility forms     "Café"      → "cafe"
split  runs of letters and digits                "get_user"  → "get", "user"
stem   English                                   "searching" → "search"
"""

from __future__ import annotations

import re
import unicodedata

from ranvier.text import english
from ranvier.text.unicode import blank_later

ANALYSER = "en-1"  # goes into every manifest; change it whenever the same text would give other terms
MAX_TERM = 64  # characters; a 100 kB line of base64 is one "word" that nobody types

# The tail takes English contractions along ("don't", "author's"), so that no lone "t" or "s" is indexed.
_WORD = re.compile(r"[^\W_]+(?:['’](?:s|t|re|ve|ll|d|m)(?![^\W_]))?", re.IGNORECASE)
_NOT_WORD = re.compile(r"[\W_]+")
CLAIM = re.compile(r"\{#claim-[0-9A-Za-z]+\}", re.IGNORECASE)  # A6: anchors for citations, no words of any text
_ACCENTS = re.compile("[\u0300-\u036f]+")  # of Latin, Greek and Cyrillic; other scripts' marks carry meaning

_terms: dict[str, str] = {}  # surface → term; a text of 11 MB has some 28,000 distinct words
_TERMS_MAX = 200_000


def fold(word: str) -> str:
    """Fold case, accents and compatibility forms, and keep letters and digits only: `Ｃafé’s` → `cafes`."""
    word = word.casefold()
    if not word.isascii():
        word = _ACCENTS.sub("", unicodedata.normalize("NFKD", word))
        word = unicodedata.normalize("NFKC", word).casefold()
    return _NOT_WORD.sub("", word)[:MAX_TERM]


def term(word: str) -> str:
    """The term that stands for a word in the index; may be empty: `Searching` → `search`."""
    found = _terms.get(word)
    if found is None:
        if len(_terms) >= _TERMS_MAX:
            _terms.clear()
        bare = re.sub(r"['’][sS]$", "", word)
        folded = fold(bare)
        found = _terms[word] = english.stem(folded) if folded.isascii() else folded
    return found


def words(text: str) -> list[tuple[str, int, int]]:
    """Every word of a text as written, with its place: `"Two cats"` → `[("Two", 0, 3), ("cats", 4, 8)]`."""
    return [(m.group(), m.start(), m.end()) for m in _WORD.finditer(blank_later(text))]


def terms(text: str) -> list[str]:
    """The words of a text as the index holds them: `"Two cats"` → `["two", "cat"]`."""
    return [found for word in _WORD.findall(blank_later(text)) if (found := term(word))]


def unfinished(word: str) -> str | None:
    """Fold what is still being typed, its last word, without stemming it: `get_Use` → `use`; `None` where there is none."""
    words: list[str] = _WORD.findall(blank_later(word))
    return fold(words[-1]) or None if words else None
