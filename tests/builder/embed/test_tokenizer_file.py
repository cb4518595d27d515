"""`tokenizer.json` of a model (I4): supported tokenizers are read, others are refused with the reason."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from ranvier_builder.embed.tokenizer_file import TokenizerFile, read_tokenizer, split_ascii
from ranvier_builder.errors import ConfigError
from tokenizers import models, normalizers, pre_tokenizers, trainers

PREPENDED = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
PIECES = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁▁ ab ▁ab ▁C é ▁é ▁ a b C c abc".split()]
BPE = {piece: number for number, piece in enumerate(PIECES)}
MERGES = [("▁", "▁"), ("a", "b"), ("▁", "ab"), ("▁", "C"), ("▁", "é"), ("ab", "c")]
PUNCTUATED = {token: number for number, token in enumerate("[UNK] hel ##lo Hel ##é ##ó ! 中 ##中 ##\u0301 ##".split())}

Table = dict[str, Any]


def llama() -> Table:
    """A small tokenizer as models of Llama's kind have it in their file."""
    tokenizer = tokenizers.Tokenizer(models.BPE(BPE, MERGES, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = PREPENDED
    tokenizer.add_special_tokens(["<unk>"])
    return dict(json.loads(tokenizer.to_str()))


def bert(**options: bool | None) -> Table:
    tokenizer = tokenizers.Tokenizer(models.WordPiece(PUNCTUATED, unk_token="[UNK]", max_input_chars_per_word=7))
    tokenizer.normalizer = normalizers.BertNormalizer(**options)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return dict(json.loads(tokenizer.to_str()))


@pytest.fixture
def read(tmp_path: Path) -> Callable[[object], TokenizerFile]:
    """Read a tokenizer's file that holds this."""

    def read(whole: object) -> TokenizerFile:
        (tmp_path / "tokenizer.json").write_text(json.dumps(whole), "utf-8")
        return read_tokenizer(tmp_path / "tokenizer.json")

    return read


def test_llama_tokenizer_is_read(read: Callable[[object], TokenizerFile]) -> None:
    result = read(llama())
    assert (result.kind, result.options) == ("bpe", {"bytes": 1})
    assert list(result.vocabulary) == PIECES[257:]
    assert result.tokenizer().encode("abcé!") == [259, 267, 261, 1 + ord("!")]


@pytest.mark.parametrize("scheme", ["always", "first"])
@pytest.mark.parametrize("split", [True, False])
def test_llama_tokenizer_with_metaspace_is_read(scheme: str, split: bool, read: Callable[[object], TokenizerFile]) -> None:
    before = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    whole = llama() | {"normalizer": None, "pre_tokenizer": json.loads(before.__getstate__())}
    reference = tokenizers.Tokenizer.from_str(json.dumps(whole))
    tokenizer = read(whole).tokenizer()
    for word in ["ab", "abc", "abab", "cab", "é", "éa!"]:
        assert tokenizer.encode(word) == reference.encode(word).ids


def test_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(bert()), "utf-8-sig")
    assert read_tokenizer(tmp_path / "tokenizer.json").kind == "wordpiece"


def test_older_format_of_merges_is_read(read: Callable[[object], TokenizerFile]) -> None:
    whole = llama()
    whole["model"]["merges"] = [" ".join(pair) for pair in MERGES]
    assert read(whole) == read(llama())


def test_tokenizer_without_byte_tokens_is_read(read: Callable[[object], TokenizerFile]) -> None:
    whole = llama()
    whole["model"]["byte_fallback"] = False
    assert read(whole).options == {"bytes": None}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ["hello", "cafe", "中", "!"]),
        ({"lowercase": False}, ["Hello", "Café", "中", "!"]),
        ({"lowercase": False, "strip_accents": True}, ["Hello", "Cafe", "中", "!"]),
        ({"strip_accents": False}, ["hello", "café", "中", "!"]),
        ({"handle_chinese_chars": False}, ["hello", "cafe中", "!"]),
        ({"clean_text": False}, ["hel\0lo", "cafe", "中", "!"]),
    ],
)
def test_bert_tokenizer_is_read(options: dict[str, bool], words: list[str], read: Callable[[object], TokenizerFile]) -> None:
    """Accents are removed with capitals, unless the file says otherwise."""
    result = read(bert(**options))
    assert (result.kind, "[UNK]" in result.vocabulary) == ("wordpiece", False)
    assert (result.options["prefix"], result.options["longest"]) == ("##", 7)
    assert result.tokenizer().words("Hel\0lo Café中!") == words


def test_word_length_limit_of_the_file_is_used(read: Callable[[object], TokenizerFile]) -> None:
    tokenizer = read(bert()).tokenizer()
    assert tokenizer.encode("hellolo") == [1, 2, 2]
    assert tokenizer.encode("hellololo") == tokenizer.encode("hell") == []


def test_vocabulary_is_packed(read: Callable[[object], TokenizerFile]) -> None:
    """I4: tokens that a folded word cannot contain are left out; non-ASCII tokens are stored apart."""
    assert [list(pack) for pack in split_ascii(read(llama()))] == [["ab", "▁ab", "▁", "a", "b", "c", "abc"], ["é", "▁é"]]
    assert [list(pack) for pack in split_ascii(read(bert()))] == [["hel", "##lo", "!"], ["中", "##中"]]
    cased, accents = split_ascii(read(bert(lowercase=False)))
    assert ("Hel" in cased, list(accents)) == (True, ["##é", "##ó", "中", "##中", "##\u0301"])


def test_packed_tokens_keep_their_ids(read: Callable[[object], TokenizerFile]) -> None:
    ascii_, other_tokens = split_ascii(read(llama()))
    assert (ascii_ | other_tokens).items() <= BPE.items()


def unigram() -> Table:
    return dict(json.loads(tokenizers.Tokenizer(models.Unigram([("<unk>", 0.0), ("a", -1.0)], unk_id=0)).to_str()))


def trained() -> Table:
    """A BPE of the same outward form whose merges are in the order of their training."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.normalizer = PREPENDED
    tokenizer.train_from_iterator(
        ["bc"] * 9 + ["ab"] * 8 + ["abc"] * 5 + ["dbc"] * 7 + ["dabc"] * 4,
        trainers.BpeTrainer(vocab_size=40, show_progress=False),
    )
    return dict(json.loads(tokenizer.to_str()))


def modelled(whole: Table, **parts: object) -> Table:
    return whole | {"model": whole["model"] | parts}


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}
ADDED_TOKEN = {"id": 300, "content": "lorem", "special": False}
REFUSED = [
    (unigram(), "its model is Unigram"),
    ({}, "its model is None"),
    ([], "it is not a table"),
    ({"model": 3}, "an unexpected value"),
    (llama() | {"pre_tokenizer": BYTE_LEVEL, "normalizer": None}, "normalizer is none and its pre-tokenizer is ByteLevel"),
    (llama() | {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}}, "Sequence of NFC"),
    (llama() | {"normalizer": None, "pre_tokenizer": METASPACE}, "Meta"),
    (llama() | {"added_tokens": [ADDED_TOKEN]}, "added token 'lorem'"),
    (llama() | {"added_tokens": [{"special": True}]}, "an unexpected value"),
    (modelled(llama(), dropout=0.1), "dropout = 0.1"),
    (modelled(llama(), ignore_merges=True), "ignore_merges"),
    (modelled(llama(), end_of_word_suffix="</w>"), "end_of_word_suffix"),
    (modelled(llama(), merges=MERGES[::-1]), "do not follow"),
    (modelled(llama(), merges=MERGES[:-1]), "do not follow"),
    (modelled(llama(), merges=[*MERGES, ("a", "x")]), "missing tokens"),
    (modelled(llama(), vocab=BPE | {"a▁b": 270}), "more than one word"),
    (modelled(llama(), vocab=BPE | {"<0x41>": 270}), "not consecutive"),
    (modelled(llama(), vocab=["a", "b"]), "not a table of tokens and ids"),
    (modelled(llama(), vocab={"a": "1"}), "not a table of tokens and ids"),
    (trained(), "do not follow|do not have"),
    (bert() | {"normalizer": None}, "its normalizer is none"),
    (bert() | {"normalizer": {"type": "Lowercase"}}, "its normalizer is Lowercase"),
    (bert() | {"pre_tokenizer": {"type": "Whitespace"}}, "its pre-tokenizer is Whitespace"),
    (modelled(bert(), max_input_chars_per_word="many"), "an unexpected value"),
]


@pytest.mark.parametrize(("whole", "reason"), REFUSED, ids=[reason.replace(" ", "-") for _, reason in REFUSED])
def test_unsupported_tokenizers_are_refused(whole: object, reason: str, read: Callable[[object], TokenizerFile]) -> None:
    with pytest.raises(ConfigError, match=reason) as refused:
        read(whole)
    assert refused.value.file is not None
    assert refused.value.cure


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_invalid_tokenizer_json_is_an_error(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(ConfigError, match=r"tokenizer\.json: the tokenizer cannot be read"):
        read_tokenizer(tmp_path / "tokenizer.json")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_tokenizer(tmp_path / "none.json")
