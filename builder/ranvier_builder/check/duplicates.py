"""Find equal and nearly equal texts by their shared 5-word sequences, in time linear in the text.

Each text is reduced to the smallest hash in each of 128 bins (one-permutation MinHash: Li, Owen, Zhang 2012). The share of
equal bins of two texts estimates the share of 5-word sequences that they have in common. Two texts are compared only if four
neighbouring bins agree, and only with the first text of a group, so that many copies do not need quadratic time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b

# Chinese and Japanese have no spaces: each character is a word. Korean and all other scripts are split into words.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_RUN_LENGTH = 5
_BINS = 128
_BAND = 4  # bins that must agree before two texts are compared; with a similarity of 0.8, some band agrees almost surely
_MIN_SIMILARITY = 0.8
_MIN_WORDS = 30  # words; shorter texts are often similar by chance or by their template
_MAX_LEADERS = 8  # maximum number of groups per band; each text looks up 32 bands

Sketch = tuple[int | None, ...]


def words(text: str) -> list[str]:
    """Split a text into the words that are compared."""
    return _WORD.findall(text.casefold())


def equal_texts(texts: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Group the names whose texts have the same word sequence; texts without words are compared unchanged."""
    groups: dict[bytes, list[str]] = {}
    for name, text in texts.items():
        plain = " ".join(words(text)) or text.strip()
        if plain:
            groups.setdefault(blake2b(plain.encode("utf-8", "replace"), digest_size=16).digest(), []).append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def similar_texts(texts: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Group the names whose texts are nearly the same: they share four fifths of their 5-word sequences."""
    sketches: dict[str, Sketch] = {}
    groups: dict[str, list[str]] = {}
    bands: dict[tuple[int, Sketch], list[str]] = {}
    for name, text in texts.items():
        tokens = words(text)
        if len(tokens) < _MIN_WORDS:
            continue
        sketches[name] = sketch = _sketch(tokens)
        keys = [key for key in _bands(sketch) if any(part is not None for part in key[1])]
        leaders = sorted({leader for key in keys for leader in bands.get(key, ())})
        similarity, leader = max(((_similarity(sketch, sketches[number]), number) for number in leaders), default=(0.0, ""))
        if similarity >= _MIN_SIMILARITY:
            groups[leader].append(name)
            continue
        groups[name] = [name]
        for key in keys:
            bucket = bands.setdefault(key, [])
            if len(bucket) < _MAX_LEADERS:
                bucket.append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _bands(sketch: Sketch) -> Iterable[tuple[int, Sketch]]:
    return ((at, sketch[at : at + _BAND]) for at in range(0, _BINS, _BAND))


def _sketch(tokens: list[str]) -> Sketch:
    minima: list[int | None] = [None] * _BINS
    for run in _runs(tokens):
        value = int.from_bytes(blake2b(run.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        bin_, value = value % _BINS, value // _BINS
        minimum = minima[bin_]
        if minimum is None or value < minimum:
            minima[bin_] = value
    return tuple(minima)


def _runs(tokens: list[str]) -> Iterable[str]:
    return {" ".join(tokens[at : at + _RUN_LENGTH]) for at in range(len(tokens) - _RUN_LENGTH + 1)}


def _similarity(sketch: Sketch, other: Sketch) -> float:
    both = [(a, b) for a, b in zip(sketch, other, strict=True) if a is not None or b is not None]
    return sum(a == b for a, b in both) / len(both) if both else 0.0
