"""Substrings: every three characters in a row of a word, folded, as terms of their own (I2, [003])."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from ranvier.text.languages import bare
from ranvier.text.scripts import INVISIBLE
from ranvier.text.unicode import blank_later

GRAM = 3
_LONG = 64  # characters: a longer word, such as a paragraph of Chinese, is rarely repeated, and its terms fill the memory
_SEPARATORS = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum() and chr(code) not in "=.+#"]
# The tokenizer would split at blanks and most signs: control characters, which no folded text contains, replace them.
_CONTROLS = [chr(code) for code in range(0x80, 0xA0) if code != 0x85]  # U+0085 is a blank
_BLANK, *_SIGNS = _CONTROLS[: len(_SEPARATORS) + 1]
_REPLACEMENTS = dict(zip(_SEPARATORS, _SIGNS, strict=True)) | {chr(code): " " for code in (*range(0x21), *range(0x7F, 0xA1))}
_ASCII = bytes(ord(_REPLACEMENTS.get(chr(code), chr(code).lower())) for code in range(0x80)) + bytes(range(0x80, 0x100))


_INVISIBLE = re.compile(f"[{INVISIBLE}]")


class _Fold(dict[int, str]):
    """A table for `str.translate`, filled on demand."""

    def __missing__(self, code: int) -> str:
        folded = "" if _INVISIBLE.match(chr(code)) else bare(chr(code))
        self[code] = out = "".join(_REPLACEMENTS.get(character, character) for character in folded)
        return out


_FOLD = _Fold()


def flat(text: str) -> str:
    """Fold case, accents, width and blanks, character by character; signs stay, as other characters."""
    if text.isascii():
        folded = text.encode("ascii").translate(_ASCII).decode("latin-1")
    else:
        folded = unicodedata.normalize("NFC", blank_later(text)).translate(_FOLD)
    return " ".join(folded.split()).replace(" ", _BLANK)


def trigrams(text: str) -> str:
    """Write the three-character terms of a text's words, with blanks between: `Café, two` → `caf afe fe, two`.

    A word is a run without blanks. No term has characters of two words: a query for substrings has no blanks.
    """
    out = []
    for before, word in pairwise(("", *_words(text))):
        if before[1 - GRAM :] == word[: GRAM - 1]:  # otherwise the terms of `abcd cdef` would include those of `bcde` in a row
            out.append(_BLANK)
        out.append(_cached_grams(word) if len(word) <= _LONG else _grams(word))
    return " ".join(out)


def _words(text: str) -> list[str]:
    return [word for word in flat(text).split(_BLANK) if len(word) >= GRAM]


def _grams(word: str) -> str:
    return " ".join(word[at : at + GRAM] for at in range(len(word) - GRAM + 1))


_cached_grams = lru_cache(maxsize=1 << 12)(_grams)


def substrings(text: str) -> list[tuple[str, ...]]:
    """Return the three-character terms of each word of a text in order; shorter words have none."""
    return [tuple(_grams(word).split(" ")) for word in _words(text)]


def places(text: str, piece: str) -> list[tuple[int, int]]:
    """Find a substring as the index would, and return its places in the original text."""
    needle = flat(piece)
    folded: list[str] = []
    offsets: list[int] = []
    for at, character in enumerate(blank_later(text)):
        for mapped in _FOLD[ord(character)]:
            if not mapped.isspace() or (folded and folded[-1] != _BLANK):
                folded.append(_BLANK if mapped.isspace() else mapped)
                offsets.append(at)
    starts: list[int] = []
    line, size = "".join(folded), len(needle)
    start = line.find(needle) if needle else -1
    while start >= 0:
        starts.append(start)
        start = line.find(needle, start + size)
    return [(offsets[start], offsets[start + size - 1] + 1) for start in starts]
