"""A model's `tokenizer.json` (Hugging Face's format) → the input of `ranvier.vectors.tokens`.

Unsupported settings are errors: a tokenizer that differs slightly from the model's gives slightly wrong vectors unnoticed.
Padding, truncation and special tokens around a text are ignored: static vector models do not use them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranvier.vectors.tokens import START, Tokenizer, tokenizer

from ranvier_builder.errors import ConfigError

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
_CURE = "use a model with a WordPiece tokenizer like BERT's, or byte-pair encoding like Llama 2's"
_PREPENDED = {
    "type": "Sequence",
    "normalizers": [{"type": "Prepend", "prepend": START}, {"type": "Replace", "pattern": {"String": " "}, "content": START}],
}
# Each of these options changes the tokens of words, unless it has its default.
_PLAIN_BPE = {"dropout": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "ignore_merges": False}


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A tokenizer as plain data. `vocabulary` (token → id) has no byte tokens and no special ones: no text has them."""

    kind: str
    options: Mapping[str, Any]
    vocabulary: Mapping[str, int]

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer with its whole vocabulary."""
        return tokenizer(self.kind, self.options, self.vocabulary)


class _Unsupported(Exception):
    """Why a tokenizer cannot be used."""


def read_tokenizer(file: Path) -> TokenizerFile:
    """Read a `tokenizer.json`; raise ConfigError if a part is not supported."""
    try:
        data = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"the tokenizer cannot be read: {error}", file=file, cure=_CURE) from error
    try:
        return _tokenizer(data)
    except (_Unsupported, AttributeError, KeyError, TypeError, ValueError) as error:
        reason = error if isinstance(error, _Unsupported) else f"a part of it has an unexpected value ({error!r})"
        raise ConfigError(f"this tokenizer is not supported: {reason}", file=file, cure=_CURE) from error


def split_ascii(tokenizer_file: TokenizerFile) -> tuple[dict[str, int], dict[str, int]]:
    """Split a vocabulary into the tokens for ASCII words, and the further tokens for other words.

    Tokens that never occur in folded words, such as those with a capital, are in neither.
    """
    tokenizer = tokenizer_file.tokenizer()
    prefix = START if tokenizer_file.kind == "bpe" else str(tokenizer_file.options["prefix"])
    ascii_: dict[str, int] = {}
    non_ascii: dict[str, int] = {}
    kept_letters: set[str] = set()
    for token, number in tokenizer_file.vocabulary.items():
        letters = token.removeprefix(prefix)
        # BERT folds its input letter by letter and splits it at some letters: a token that would be split never occurs.
        parts = {*letters} - kept_letters if tokenizer_file.kind == "bpe" else {letters}
        if all(tokenizer.words(part) == [part] for part in parts):
            kept_letters |= parts
            (ascii_ if letters.isascii() else non_ascii)[token] = number
    return ascii_, non_ascii


def _tokenizer(data: Any) -> TokenizerFile:
    if not isinstance(data, dict):
        raise _Unsupported("it is not a table")
    model: dict[str, Any] = data.get("model") or {}
    kind = model.get("type")
    if kind not in {"BPE", "WordPiece"}:
        raise _Unsupported(f"its model is {kind}")
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict) or not all(type(number) is int for number in vocabulary.values()):
        raise _Unsupported("its vocabulary is not a table of tokens and ids")
    special = _special(data, vocabulary)
    plain = {token: number for token, number in vocabulary.items() if token not in special}
    if kind == "WordPiece":
        return TokenizerFile("wordpiece", _wordpiece(data), plain)
    return _bpe(data, plain)


def _special(data: dict[str, Any], vocabulary: dict[str, int]) -> dict[str, int]:
    """Return the tokens that are not text: padding, unknown, start and end of a text."""
    special: dict[str, int] = {}
    for entry in data.get("added_tokens") or ():
        content = str(entry["content"])
        if not entry.get("special") and (content[:1] + content[-1:]) not in {"[]", "<>"}:
            raise _Unsupported(f"it matches the added token {content!r} before all other tokens")
        special[content] = int(entry["id"])
    unknown = data["model"].get("unk_token")
    return special | ({unknown: vocabulary[unknown]} if unknown in vocabulary else {})


def _wordpiece(data: dict[str, Any]) -> dict[str, Any]:
    normaliser, model = data.get("normalizer"), data["model"]
    if not isinstance(normaliser, dict) or normaliser.get("type") != "BertNormalizer":
        raise _Unsupported(f"its normalizer is {_name(normaliser)}, not BertNormalizer")
    if _name(data.get("pre_tokenizer")) != "BertPreTokenizer":
        raise _Unsupported(f"its pre-tokenizer is {_name(data.get('pre_tokenizer'))}, not BertPreTokenizer")
    lowercase, strip = normaliser.get("lowercase", True), normaliser.get("strip_accents")
    return {
        "lowercase": bool(lowercase),
        "strip_accents": bool(lowercase if strip is None else strip),
        "chinese": bool(normaliser.get("handle_chinese_chars", True)),
        "clean": bool(normaliser.get("clean_text", True)),
        "prefix": str(model.get("continuing_subword_prefix", "##")),
        "longest": int(model.get("max_input_chars_per_word", 100)),
    }


def _bpe(data: dict[str, Any], plain: dict[str, int]) -> TokenizerFile:
    normaliser, pre_tokenizer, model = data.get("normalizer"), data.get("pre_tokenizer"), data["model"]
    prepends = (normaliser == _PREPENDED and pre_tokenizer is None) or (normaliser is None and _is_metaspace(pre_tokenizer))
    if not prepends:
        raise _Unsupported(f"its normalizer is {_name(normaliser)} and its pre-tokenizer is {_name(pre_tokenizer)}")
    for option, default in _PLAIN_BPE.items():
        if (model.get(option) or default) != default:
            raise _Unsupported(f"its byte-pair encoding has {option} = {model[option]!r}")
    first = _bytes(plain) if model.get("byte_fallback") else None
    if first is not None:
        plain = {token: number for token, number in plain.items() if not first <= number < first + len(BYTES)}
    _check_merges(plain, model.get("merges") or [])
    return TokenizerFile("bpe", {"bytes": first}, plain)


def _bytes(plain: dict[str, int]) -> int:
    first = plain.get(BYTES[0], -1)
    if [plain.get(token) for token in BYTES] != list(range(first, first + len(BYTES))):
        raise _Unsupported("the ids of its single-byte tokens are not consecutive")
    return first


def _check_merges(plain: dict[str, int], merges: list[Any]) -> None:
    """Reject a list of merges that differs from the merges implied by the ids: see `Bpe`."""
    pairs = [tuple(merge.split(" ") if isinstance(merge, str) else merge) for merge in merges]
    if any(START in token.lstrip(START) for token in plain):
        raise _Unsupported("some of its tokens contain more than one word")
    pairs_in_words = [(left, right) for left, right in pairs if START not in (left + right)[1:]]
    if not plain.keys() >= {piece for left, right in pairs_in_words for piece in (left, right, left + right)}:
        raise _Unsupported("its merges name missing tokens")
    if pairs_in_words != sorted(_pairs(plain), key=lambda pair: (plain[pair[0] + pair[1]], plain[pair[0]], plain[pair[1]])):
        raise _Unsupported("its merges do not follow from the ids of its tokens")


def _pairs(plain: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield all pairs of tokens whose concatenation is a token, except tokens with a blank inside."""
    for token in plain:
        if START not in token[1:]:
            for at in range(1, len(token)):
                if token[:at] in plain and token[at:] in plain:
                    yield token[:at], token[at:]


def _is_metaspace(splitter: Any) -> bool:
    if not isinstance(splitter, dict) or splitter.get("type") != "Metaspace" or splitter.get("replacement") != START:
        return False
    return splitter.get("prepend_scheme", "always") in {"always", "first"} and splitter.get("add_prefix_space", True) is True


def _name(part: Any) -> str:
    """Name a part of the file with its names in the file: `Sequence of Prepend, Replace`."""
    if not isinstance(part, dict):
        return "none" if part is None else repr(part)
    inner = part.get("normalizers") or part.get("pretokenizers")
    names = f" of {', '.join(map(_name, inner))}" if isinstance(inner, list) else ""
    return f"{part.get('type')}{names}"
