"""Tokenizers (I4, B1): the tokens of Hugging Face's tokenizers, word by word, from the vocabulary only."""

import importlib.util
import random
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import NamedTuple

import pytest
import tokenizers
from ranvier.errors import FormatError
from ranvier.text.unicode import blank_later
from ranvier.vectors.tokens import Bpe, Tokenizer, tokenizer
from ranvier.vectors.wordpiece import WordPiece
from ranvier_builder.embed.tokenizer_file import TokenizerFile, read_tokenizer, split_ascii
from support.sites import EXAMPLE
from tokenizers import models, normalizers, pre_tokenizers, trainers

MANUAL = EXAMPLE / "content"
UNUSUAL_TEXTS = [
    "\0", "a\0b", "\ufffd", "\u0301", "e\u0301\u0316\u0327", "\u0316\u0301e", "👩\u200d👩\u200d👧",
    "🏳\ufe0f\u200d🌈", "שָׁלוֹם", "مرحبا", "नमस्ते", "한국어", "\u1112\u1161\u11ab", "ＦＵＬＬ", "ﬁﬂ", "ß", "ẞ",
    "ΐΰ", "ᾳᾴ", "ΣΑΣ", "İıIi", "ǰŉ", "\u212a", "\u200b\u200d\ufeff", "\u00ad", "日本語の文章", "中文", "ไทย", "<s>",
    "</s>", "<unk>", "<0x0A>", "<0x41>", "[UNK]", "[CLS]x", "##ing", "a▁b", "▁", "▁▁▁", "<|endoftext|>",
    "x" * 300, "ab" * 200, "=" * 999, "\U0010ffff", "\ue000", "\x1c\x1d", "\x85", "\u2028", "don't", "C++",
    "a_b-c",
]  # fmt: skip
# Marks, punctuation and controls that came after the Unicode of Hugging Face's tables, or have changed since.
SINCE = """
    61d 7fd 890-891 898-89f 8ca-8e2 9fd-9fe a76 afa-aff b55 c04 c3c c77 c84 d00 d3b-d3c d81 eba 166d 1734 180f 1885-1886
    1abf-1ace 1b7d-1b7e 1df6-1dfb 2e43-2e4f 2e52-2e5d a82c a8c5 a8ff a9bd 10d24-10d27 10eab-10ead 10f46-10f50 10f55-10f59
    10f82-10f89 11070 11073-11074 110c2 110cd 111c9 111cf 1123e 1133b 11438-1143f 11442-11444 11446 1144b-1144f
    1145a-1145b 1145d-1145e 11660-1166c 116b9 1182f-11837 11839-1183b 11938 1193b-1193c 1193e 11943-11946 119d4-119d7
    119da-119db 119e0 119e2 11a01-11a0a 11a33-11a38 11a3b-11a47 11a51-11a56 11a59-11a5b 11a8a-11a9c 11a9e-11aa2
    11c30-11c36 11c38-11c3d 11c3f 11c41-11c45 11c70-11c71 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36
    11d3a 11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11ef7-11ef8 11fff 12ff1-12ff2 13430-13438
    16e97-16e9a 16f4f 16fe2 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a
    1e130-1e136 1e2ae 1e2ec-1e2ef 1e944-1e94a 1e95e-1e95f
    a7ce a7d2 a7d4 16ea0-16eb8
"""  # the last line: letters of a case that came with Unicode 17


def since() -> set[int]:
    ends = [entry.partition("-") for entry in SINCE.split()]
    return {code for first, _, last in ends for code in range(int(first, 16), int(last or first, 16) + 1)}


@cache
def every_character() -> list[str]:
    """All characters of Unicode 14, and every 97th other code point."""
    code_points = map(chr, chain(range(0xD800), range(0xE000, 0x110000)))
    return [
        character
        for character in code_points
        if (ord(character) % 97 == 0 or unicodedata.category(character) not in {"Cn", "Co"})
        and blank_later(character) == character
    ]


def manual() -> list[str]:
    texts = [file.read_text("utf-8") for file in sorted(MANUAL.rglob("*.md"))]
    assert len(texts) > 20
    return texts


def recombined(pieces: list[str], count: int) -> Iterator[str]:
    """Yield words of one to five pieces: what a tokenizer must take apart again, often elsewhere."""
    rng = random.Random(5)
    yield from ("".join(rng.choices(pieces, k=rng.randint(1, 5))) for _ in range(count))


class Pair(NamedTuple):
    reference: tokenizers.Tokenizer
    file: TokenizerFile
    tokenizer: Tokenizer

    def check(self, words: list[str]) -> None:
        """Each word alone gives the same ids, less those of unknown pieces."""
        unknown = {self.reference.token_to_id(name) for name in ("<unk>", "[UNK]")}
        encoded = self.reference.encode_batch(words, add_special_tokens=False)
        for word, reference in zip(words, encoded, strict=True):
            assert self.tokenizer.encode(word) == [number for number in reference.ids if number not in unknown], ascii(word)


@pytest.fixture(scope="module")
def llama() -> Pair:
    spec = importlib.util.find_spec("wordllama")
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"
    reference = tokenizers.Tokenizer.from_file(str(file))
    reference.encode_special_tokens = True  # special tokens in a text are text
    tokenizer_file = read_tokenizer(file)
    return Pair(reference, tokenizer_file, tokenizer_file.tokenizer())


@pytest.fixture(scope="module")
def words(llama: Pair) -> list[str]:
    """Folded words of every sort, each once."""
    pieces = [piece.removeprefix("▁") for piece in sorted(llama.file.vocabulary)]
    texts = chain(manual(), UNUSUAL_TEXTS, pieces, every_character()[::3], recombined(pieces, 10_000))
    results = list(dict.fromkeys(word for text in texts for word in llama.tokenizer.words(text)))
    assert len(results) > 70_000
    return results


def test_bpe_tokens_agree_with_hugging_face(llama: Pair, words: list[str]) -> None:
    """I4: merges follow from the ids, so their list is not shipped."""
    llama.check(words)


def test_tokens_of_words_agree_with_tokens_of_the_text(llama: Pair) -> None:
    for text in [*manual(), " ".join(UNUSUAL_TEXTS)]:
        result = llama.tokenizer.words(text)
        tokens = list(chain.from_iterable(map(llama.tokenizer.encode, result)))
        assert tokens == llama.reference.encode(" ".join(result), add_special_tokens=False).ids
        assert result == llama.tokenizer.words(" ".join(result)) == llama.tokenizer.words("▁".join(result))


def test_folded_vocabulary_gives_the_same_tokens(llama: Pair, words: list[str]) -> None:
    """I4: ids are kept; folded words need no tokens with capitals."""
    ascii_, others = split_ascii(llama.file)
    assert (len(ascii_), len(others)) == (18_358, 5_791)
    first = tokenizer("bpe", llama.file.options, ascii_)
    both = tokenizer("bpe", llama.file.options, ascii_ | others)
    for word in words[::8]:
        whole = llama.tokenizer.encode(word)
        assert both.encode(word) == whole
        assert not word.isascii() or first.encode(word) == whole


@pytest.mark.parametrize("kind", ["bpe", "wordpiece"])
def test_folding_is_idempotent(kind: str) -> None:
    """So a part of the vocabulary is enough for folded words."""
    reader = tokenizer(kind, {}, {})
    parts = {part for character in every_character() for word in reader.words(character) for part in word}
    decomposed = {unicodedata.normalize("NFD", character) for character in every_character()}
    parts |= {part for text in decomposed for word in reader.words(text) for part in word}
    assert [ascii(part) for part in sorted(parts) if reader.words(part) != [part]] == []
    assert len(parts) > 100_000


def test_special_tokens_cannot_be_spelled(llama: Pair) -> None:
    for spelled in ["<s>", "</s>", "<unk>", "<0x0A>", "<0x00>"]:
        assert min(llama.tokenizer.encode(spelled)) > 258
    assert llama.tokenizer.encode("\n\U0010ffff") == [29871, 3 + 0x0A, 3 + 0xF4, 3 + 0x8F, 3 + 0xBF, 3 + 0xBF]


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("", []),
        (" \t\n\u00a0\u2003", []),
        ("Stop? OK", ["stop?", "ok"]),
        ("Straße ΣΑΣ ΐ", ["strasse", "σασ", "ΐ"]),  # folded letters are put together again
        ("Cafe\u0301 \u212b", ["café", "å"]),
        ("x\u1c89y", ["x", "y"]),  # Unicode 16
        ("a▁b ▁▁", ["a", "b"]),  # the model treats it as a blank
        ("a\ud800b", ["a\ud800b"]),
        ("e" + "\u0301" * 600, ["é" + "\u0301" * 599]),
    ],
)
def test_words_are_separated_by_white_space(text: str, results: list[str]) -> None:
    assert Bpe({}).words(text) == results


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("ba", [0, 2, 1]),
        ("aaa", [0, 5, 1]),  # the leftmost of equal merges
        ("aaaa", [6]),  # twice the same, then the two with each other
        ("abc", [7, 3]),  # `▁ab` through `ab`, before `bc` of a higher id
        ("ca?b", [0, 3, 1, 2]),  # unknown: left out, and nothing merges over it
        ("b?", [0, 2]),
        ("a\ud800", [0, 1]),
    ],
)
def test_lowest_id_is_merged_first(word: str, ids: list[int]) -> None:
    vocabulary = {"▁": 0, "a": 1, "b": 2, "c": 3, "ab": 4, "aa": 5, "▁aaaa": 6, "▁ab": 7, "bc": 8, "aaaa": 9}
    assert Bpe(vocabulary).encode(word) == ids


def test_unused_tokens_may_be_left_out(llama: Pair) -> None:
    """Letters without a token are spelled in bytes; a lone surrogate is not text."""
    assert llama.tokenizer.encode("a\ud800") == llama.tokenizer.encode("a")
    assert tokenizer("bpe", {"bytes": None}, llama.file.vocabulary).encode("\U0010ffff") == [29871]


@pytest.mark.parametrize("word", ["a" * 100_000, "ab" * 50_000, "=-" * 50_000, "\U0010ffff" * 20_000, "the" * 30_000])
def test_long_words_take_n_log_n_time(llama: Pair, word: str) -> None:
    """Quadratic time would be hours for each of these."""
    llama.check([word])


def test_long_rows_of_marks_take_linear_time() -> None:
    """NFC of Python sorts marks in quadratic time, so words are folded in slices."""
    marks = "\u0301\u0316" * 300_000
    assert [sorted(word) for word in Bpe({}).words("Ð" + marks)] == [sorted("ð" + marks)]
    assert WordPiece({}).words("Ð" + marks) == ["ð"]


def test_returned_tokens_may_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bpe, "CACHE_SIZE", 2)
    reader = Bpe({"▁": 1}, bytes=3)
    for _ in range(2):
        for word in "abcabc":
            ids = reader.encode(word)
            assert ids == [1, 3 + ord(word)]
            ids.clear()
    assert reader._cached_encode.cache_info().currsize == 2


@pytest.mark.parametrize(
    ("kind", "options"),
    [("unigram", {}), ("", {}), ("bpe", {"later": 1}), ("wordpiece", {"bytes": 3}), ("bpe", {"vocabulary": {}})],
)
def test_unknown_tokenizer_options_are_refused(kind: str, options: dict[str, object]) -> None:
    with pytest.raises(FormatError, match=kind or "''"):
        tokenizer(kind, options, {})


NORMALISERS = [
    dict(zip(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), values, strict=True))
    for values in product([True, False], [True, False], [None, True, False], [True, False])
]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A small model of BERT's kind, trained on the manual, in a file as models have it."""
    reference = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    reference.normalizer = normalizers.BertNormalizer()
    reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=3000, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]"])
    reference.train_from_iterator([*manual(), *UNUSUAL_TEXTS], trainer)
    reference.encode_special_tokens = True
    file = tmp_path_factory.mktemp("bert") / "tokenizer.json"
    reference.save(str(file))
    tokenizer_file = read_tokenizer(file)
    return Pair(reference, tokenizer_file, tokenizer_file.tokenizer())


def test_wordpiece_tokens_agree_with_hugging_face(bert: Pair) -> None:
    pieces = [piece.removeprefix("##") for piece in sorted(bert.file.vocabulary)]
    texts = chain(manual(), UNUSUAL_TEXTS, pieces, recombined(pieces, 10_000))
    results = list(dict.fromkeys(word for text in texts for word in bert.tokenizer.words(text)))
    assert len(results) > 10_000
    bert.check(results)
    ascii_, others = split_ascii(bert.file)
    first = tokenizer("wordpiece", bert.file.options, ascii_)
    both = tokenizer("wordpiece", bert.file.options, ascii_ | others)
    for word in results:
        assert both.encode(word) == bert.tokenizer.encode(word)
        assert not word.isascii() or first.encode(word) == bert.tokenizer.encode(word)


def test_wordpiece_reads_texts_as_bert(bert: Pair) -> None:
    rng = random.Random(7)
    newer = since()
    characters = [character for character in every_character() if ord(character) not in newer]
    mixed = [
        "".join(rng.choices(characters, k=12)) + "É, " + "".join(rng.choices("aÀé\u0301 .-中\t", k=9)) for _ in range(5000)
    ]
    unknown = bert.reference.token_to_id("[UNK]")
    texts = [*manual(), *UNUSUAL_TEXTS, *mixed]
    for text, reference in zip(texts, bert.reference.encode_batch(texts, add_special_tokens=False), strict=True):
        ids = list(chain.from_iterable(map(bert.tokenizer.encode, bert.tokenizer.words(text))))
        assert ids == [number for number in reference.ids if number != unknown], ascii(text)


@pytest.mark.parametrize("options", NORMALISERS, ids=lambda options: "-".join(str(value)[0] for value in options.values()))
def test_bert_normaliser_options(options: dict[str, bool | None], bert: Pair, tmp_path: Path) -> None:
    reference = tokenizers.Tokenizer.from_str(bert.reference.to_str())
    reference.normalizer = normalizers.BertNormalizer(**options)
    reference.save(str(tmp_path / "tokenizer.json"))
    reader = read_tokenizer(tmp_path / "tokenizer.json").tokenizer()
    newer = since()
    step = 1 if options == NORMALISERS[0] else 11
    characters = [character for character in every_character()[::step] if ord(character) not in newer]
    text = " ".join(f"a{character}b" for character in [*characters, *UNUSUAL_TEXTS])
    results = [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(reference.normalizer.normalize_str(text))]
    assert reader.words(text) == results


def test_later_marks_and_signs_are_read_as_in_unicode_14() -> None:
    """B1: categories that changed later have their old value on every Python."""
    reader = WordPiece({})
    assert reader.words("a\U0001171eb") == ["ab"]
    assert reader.words("x\u1c89y") == ["x", "y"]
    assert reader.words("a\u1abfb\u2e5d") == ["ab", "\u2e5d"]  # a mark and a dash of Unicode 13 and 14
