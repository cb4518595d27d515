"""Random text: the tokenizers of static models (I4, B1)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ranvier.vectors.tokens import Tokenizer, tokenizer

PIECES = ["▁", "a", "b", "ab", "▁ab", "ba", "aab", "é", "▁é", "日", "##a", "##b", "##ab", "ss", "s", "##s", "中"]
VOCABULARY = {piece: 300 + number for number, piece in enumerate(PIECES)}
READERS = [
    tokenizer("bpe", {"bytes": 3}, VOCABULARY),
    tokenizer("bpe", {}, VOCABULARY),
    tokenizer("wordpiece", {}, VOCABULARY),
    tokenizer("wordpiece", {"lowercase": False, "strip_accents": False, "chinese": False, "clean": False}, VOCABULARY),
]
# With lone surrogates, and characters that are folded, composed, joined or separators.
TEXT = st.text(st.characters(codec=None, categories=None), max_size=60) | st.text(
    "aAbBsßéÉİıΐᾳΣ日中▁ \t\x1c\x85\u0301\u0345\u0307\u0316\u1112\u1161\u212b\u1c89\ud800\u200d!'", max_size=40
)


@pytest.mark.parametrize("reader", READERS)
@given(TEXT)
@example("\u0345\u0301α\u0345")
@example("\u1e9e\u0130\u01f0")
def test_splitting_into_words_is_idempotent(reader: Tokenizer, text: str) -> None:
    words = reader.words(text)
    assert reader.words(" ".join(words)) == words
    assert all(reader.words(letter) == [letter] for word in words for letter in word)


@pytest.mark.parametrize("reader", READERS)
@given(TEXT)
def test_tokens_are_in_the_vocabulary(reader: Tokenizer, text: str) -> None:
    numbers = {*VOCABULARY.values(), *(range(3, 259) if reader is READERS[0] else ())}
    for word in [text, *reader.words(text)]:
        assert numbers.issuperset(reader.encode(word))


@given(TEXT)
def test_tokens_spell_the_word(text: str) -> None:
    """With byte tokens, every word can be restored."""
    spelling = {number: piece.encode() for piece, number in VOCABULARY.items()} | {
        3 + byte: bytes([byte]) for byte in range(256)
    }
    for word in READERS[0].words(text):
        spelled = b"".join(spelling[number] for number in READERS[0].encode(word)).decode()
        assert spelled == "▁" + word.encode("utf-8", "ignore").decode()
