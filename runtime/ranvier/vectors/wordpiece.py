"""WordPiece with BERT's way of reading text (Wu et al. 2016; Devlin et al. 2019), in plain Python.

BERT's normalisation before the split into words works character by character: one table contains it, and the time is linear.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from ranvier.text.unicode import blank_later

_SIGNS = frozenset("$+<=>^`|~")  # BERT treats all ASCII signs as punctuation
_NOT_SPACE = frozenset("\x1c\x1d\x1e\x1f")  # white space in Python, controls in Unicode
_MARK_IN_14 = "\U0001171e"  # a nonspacing mark in Unicode 14, a spacing one in 16
# Each character is a word: BERT's own list of blocks, which covers most of Han.
_CHINESE = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """Greedy longest-match tokenization; a word with an unknown part has no tokens.

    `lowercase`, `strip_accents` (which takes letters and their marks apart), `chinese` (each character a word) and `clean`
    (controls dropped) are those of BERT's normaliser; `prefix` marks a token that continues a word; a word of more than
    `longest` characters has no tokens.

    Categories are those of Unicode 14. Hugging Face's are older: there, some marks stay and some punctuation of rare scripts is
    joined, so the whole word has no token.
    """

    __slots__ = ("_cached_encode", "_longest", "_max_token", "_prefix", "_table", "_vocabulary")

    CACHE_SIZE = 1 << 16  # cached words

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        *,
        lowercase: bool = True,
        strip_accents: bool = True,
        chinese: bool = True,
        clean: bool = True,
        prefix: str = "##",
        longest: int = 100,
    ) -> None:
        self._vocabulary = vocabulary
        self._prefix = prefix
        self._longest = longest
        self._max_token = max(map(len, vocabulary), default=0)
        self._table = _Characters(lowercase, strip_accents, chinese, clean)
        self._cached_encode = lru_cache(self.CACHE_SIZE)(self._encode)

    def words(self, text: str) -> list[str]:
        """Return the words, folded; each punctuation sign and each Chinese character is a word: `"Don't"` → don ' t."""
        return [word for word in text.translate(self._table).split(" ") if word]

    def encode(self, word: str) -> list[int]:
        """Return the ids of a word's tokens; empty if any part is unknown."""
        return list(self._cached_encode(word)) if len(word) <= self._longest else []

    def _encode(self, word: str) -> tuple[int, ...]:
        ids: list[int] = []
        start = 0
        while start < len(word):
            prefix = self._prefix if start else ""
            for end in range(min(len(word), start + self._max_token), start, -1):
                if (number := self._vocabulary.get(prefix + word[start:end])) is not None:
                    break
            else:
                return ()
            ids.append(number)
            start = end
        return tuple(ids)


class _Characters(dict[int, str]):
    """A table for `str.translate`, filled on demand: character → its normalised form, with blanks between words."""

    def __init__(self, lowercase: bool, strip_accents: bool, chinese: bool, clean: bool) -> None:
        super().__init__()
        self._lowercase = lowercase
        self._strip_accents = strip_accents
        self._chinese = chinese
        self._clean = clean

    def __missing__(self, code: int) -> str:
        self[code] = out = self._read(blank_later(chr(code)))
        return out

    def _read(self, character: str) -> str:
        if self._clean and _is_control(character):
            return ""
        folded = character
        if self._strip_accents:
            folded = "".join(part for part in unicodedata.normalize("NFD", character) if not _is_mark(part))
        if self._lowercase:
            # One by one: the case of a letter must not depend on its neighbours.
            folded = "".join(part.lower() for part in folded)
        if self._chinese and _is_chinese(character):
            return f" {folded} "
        return "".join(map(_set_apart, folded))


def _is_control(character: str) -> bool:
    return character == "\ufffd" or (character not in "\t\n\r" and unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"})


def _is_mark(character: str) -> bool:
    return character == _MARK_IN_14 or unicodedata.category(character) == "Mn"


def _is_chinese(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _CHINESE)


def _set_apart(character: str) -> str:
    if character.isspace() and character not in _NOT_SPACE:
        return " "
    is_word = character in _SIGNS or unicodedata.category(character).startswith("P")
    return f" {character} " if is_word else character
