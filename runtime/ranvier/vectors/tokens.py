"""Words → tokens of a static embedding model, in plain Python: the query's in the browser, the documents' in a build.

words   the units that are tokenized separately, normalised           "Café bars"  → "café", "bars"
encode  one word into the ids of the model's tokens                   "bars"       → 24473
Pieces without a token in the vocabulary are dropped: they have no vector.

A vocabulary may be a subset of the model's, with the same ids. It gives the same tokens for a word if it contains all the
model's characters of the word, and every token that consists of such characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Any, Protocol, cast

from ranvier.errors import FormatError
from ranvier.text.unicode import blank_later
from ranvier.vectors.wordpiece import WordPiece

START = "▁"  # SentencePiece puts it before each word and for each blank
_UNMERGED = "\ud800"  # no vocabulary has half a surrogate, so nothing merges with it
_MERGED = -1  # the id of a piece that was merged into another, or has no token
_SLICE = 256  # characters; Python sorts a run of combining marks in quadratic time


class Tokenizer(Protocol):
    """The tokenizer of one model. Its results are the same on every Python."""

    def words(self, text: str) -> list[str]:
        """Return the words in order, folded for the model."""

    def encode(self, word: str) -> list[int]:
        """Return the ids of a word's tokens, in order; unknown pieces are left out, so the list may be empty."""


def tokenizer(kind: str, options: Mapping[str, Any], vocabulary: Mapping[str, int]) -> Tokenizer:
    """Make a tokenizer from plain data: `"bpe"` or `"wordpiece"`, the keywords of its class, token → id.

    Raises FormatError for a kind or an option that this version does not know.
    """
    try:
        match kind:
            case "bpe":
                return Bpe(vocabulary, **options)
            case "wordpiece":
                return WordPiece(vocabulary, **options)
    except TypeError as error:
        raise FormatError(f"tokenizer {kind!r}: {error}") from error
    raise FormatError(f"tokenizer {kind!r} is not one that this version reads")


class Bpe:
    """Byte-pair encoding as SentencePiece makes it for Llama (Sennrich et al. 2016), of case-folded words.

    A word is split into characters, and the pair of neighbours with the lowest rank that is a token is merged, until there
    is none. The rank is (id of the token, id of its left part, id of its right part), the leftmost first; the list of merges in
    a model's file is equivalent and not needed. A text of words with single blanks between them has the tokens of its words,
    because no token contains a blank.

    `bytes` is the id of the token of byte 0; those of bytes 1 to 255 follow. They spell characters without a token.
    """

    __slots__ = ("_bytes", "_cached_encode", "_vocabulary")

    CACHE_SIZE = 1 << 16  # cached words
    MAX_CACHED = 64  # characters; a longer word rarely repeats

    def __init__(self, vocabulary: Mapping[str, int], *, bytes: int | None = None) -> None:
        self._vocabulary = vocabulary
        self._bytes = bytes
        self._cached_encode = lru_cache(self.CACHE_SIZE)(self._encode)

    def words(self, text: str) -> list[str]:
        """Return the folded text between white space, with edge punctuation, as in the model's training: `"Stop? ok"`."""
        if text.isascii():
            return text.lower().split()
        return [_folded(word) for word in blank_later(text).replace(START, " ").split()]

    def encode(self, word: str) -> list[int]:
        """Return the ids of a word's tokens, in n log n of its length."""
        return list(self._cached_encode(word) if len(word) <= self.MAX_CACHED else self._encode(word))

    def _encode(self, word: str) -> tuple[int, ...]:
        pieces, ids = self._characters(START + word)
        self._merge(pieces, ids)
        return tuple([number for number in ids if number != _MERGED])

    def _characters(self, word: str) -> tuple[list[str], list[int]]:
        known_ids = list(map(self._vocabulary.get, word))
        if None not in known_ids:  # most words
            return list(word), cast(list[int], known_ids)
        pieces: list[str] = []
        ids: list[int] = []
        for character, number in zip(word, known_ids, strict=True):
            if number is not None:
                pieces.append(character)
                ids.append(number)
                continue
            spelled = [_MERGED] if self._bytes is None else [self._bytes + byte for byte in character.encode("utf-8", "ignore")]
            pieces += [_UNMERGED] * len(spelled)
            ids += spelled
        return pieces, ids

    def _merge(self, pieces: list[str], ids: list[int]) -> None:
        """Merge in place. A piece that is merged into the previous one keeps its place with the id `_MERGED`."""
        token = self._vocabulary.get
        end = len(pieces)
        before, after = list(range(-1, end)), list(range(1, end + 1))
        heap = []
        for at in range(end - 1):
            if (merged := token(pieces[at] + pieces[at + 1])) is not None:
                heap.append((merged, ids[at], ids[at + 1], at))
        heapify(heap)
        ids.append(_MERGED)  # the neighbour of the last
        while heap:
            merged, left, right, at = heappop(heap)
            right_piece = after[at]
            if ids[at] != left or ids[right_piece] != right:
                continue  # one of the two was merged with another piece
            pieces[at] += pieces[right_piece]
            ids[at], ids[right_piece] = merged, _MERGED
            after[at] = following = after[right_piece]
            before[following] = at
            if following < end and (joined := token(pieces[at] + pieces[following])) is not None:
                heappush(heap, (joined, merged, ids[following], at))
            previous = before[at]
            if previous >= 0 and (joined := token(pieces[previous] + pieces[at])) is not None:
                heappush(heap, (joined, ids[previous], merged, previous))


def _folded(word: str) -> str:
    """NFC, case folded, NFC again: folding takes some letters apart (`ΐ`). A word of kilobytes is read slice by slice."""
    if word.isascii():
        return word.lower()
    slices = [word[at : at + _SLICE] for at in range(0, len(word), _SLICE)]
    return "".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", part).casefold()) for part in slices)
