"""Chunks → vectors, with the model's tokens adapted to this site.

1. A token's row is weighted by its rarity on the site, and the common direction of all chunks is removed (SIF; Arora, Liang &
   Ma 2017).
2. Each row is then moved towards the chunks that contain its token: the neighbours of a word on this site, which the model
   has not learned. No training is needed, and queries, which use the same rows, gain as much as chunks.
3. Rows are rounded to bytes. A chunk is the sum of its tokens' rows; title and headings each have half the weight of its own
   text, at any length.

Numbers that depend on the whole site are rounded to coarse steps: weights, common directions, the scale. So after a small edit,
usually most rows have the same bytes as before, and their files the same names.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import frexp, ldexp, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from ranvier.vectors.tokens import Tokenizer

from ranvier_builder.array_files import ArrayFile
from ranvier_builder.embed.exact import UNIT, Ints8, Ints16, Ints32, Ints64, blocks, make_blocks, remove_direction, sums, unit
from ranvier_builder.embed.models import StaticModel

RARE = 0.003  # SIF's a: a token with this share of all tokens has half weight, a more frequent one less
MOVE = 0.3  # how far a row is moved, relative to its own direction
# from this number of chunks their common direction is noise; with few chunks it may be all of their meaning
MIN_CHUNKS = 30
MAX_COUNT = 3  # maximum count of a token in one chunk
_MAX_VALUE = 1 << 15  # largest value of a row before it is rounded
# root mean square of a typical row's values as bytes; with 12, files of rows have 40 % more bytes, and rank no better
SPREAD = 4.0
# The steps of a weight, of a typical value of a common direction, and of the scale between a power of two and the next one.
_WEIGHT_STEPS, _DIRECTION_STEPS, _SCALE_STEPS = 64, 2, 8
_MIN_WEIGHT = 4  # steps of the smallest weight: rows of less would be mostly zeros
_MANY_TOKENS = 1 << 20  # tokens counted in one step
_MIN_TOKENS = 1 << 10  # a smaller site counts as one of so many tokens; otherwise all of its tokens would be frequent


@dataclass(frozen=True, slots=True)
class Passage:
    """The texts for a chunk's vector."""

    title: str
    headings: str
    body: str


@dataclass(frozen=True, slots=True, eq=False)
class SiteVectors:
    """`vectors`: one for each chunk, of length `UNIT` or zero. `rows`: one for each token, with one common scale, because they
    are summed. `counts`: how often the site has each token.
    """

    vectors: Ints16
    rows: Ints8
    counts: Ints64


class _Tokens:
    """The tokens of some texts, concatenated. `text_numbers`: for each text its number among the distinct texts."""

    tokens: Ints32  # of all distinct texts

    def __init__(self, reader: Tokenizer, folder: Path | None) -> None:
        self._reader = reader
        self._file = ArrayFile(np.intc, folder)
        self._ends, self._text_numbers = array("q"), array("i")
        self._token_cache: dict[str, list[int]] = {}
        self._numbers: dict[bytes, int] = {}  # a title is repeated for every chunk of its page

    def add(self, text: str) -> None:
        """Add the next text."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        number = self._numbers.setdefault(key, len(self._numbers))
        self._text_numbers.append(number)
        if number < len(self._ends):
            return
        tokens: list[int] = []
        for word in self._reader.words(text):
            if word not in self._token_cache:
                self._token_cache[word] = self._reader.encode(word)
            tokens += self._token_cache[word]
        self._file.append(np.array(tokens, np.intc))
        self._ends.append((self._ends[-1] if self._ends else 0) + len(tokens))

    def finish(self) -> None:
        """Complete `tokens`, and free the data that only `add` needs."""
        self.tokens = self._file.array()
        self._token_cache, self._numbers = {}, {}

    @property
    def ends(self) -> Ints64:
        """The end of each distinct text in `tokens`."""
        return np.frombuffer(self._ends, np.int64) if self._ends else np.zeros(0, np.int64)

    @property
    def text_numbers(self) -> Ints32:
        """The number of each text among the distinct texts."""
        return np.frombuffer(self._text_numbers, np.intc) if self._text_numbers else np.zeros(0, np.intc)

    def counts(self, count: int) -> Ints64:
        """Return the count of each token in the distinct texts."""
        counts = np.zeros(count, np.int64)
        for block in blocks(len(self.tokens), _MANY_TOKENS):
            counts += np.bincount(self.tokens[block], minlength=count)
        return counts

    def of(self, texts: slice) -> tuple[Ints32, Ints64]:
        """Return the tokens of some distinct texts, and the end of each text."""
        first = int(self.ends[texts.start - 1]) if texts.start else 0
        ends = self.ends[texts]
        return self.tokens[first : ends[-1]], ends - first

    def means(self, rows: Ints32 | Ints8, texts: slice) -> Ints64:
        """Return the mean direction of each of some texts, of length `UNIT`."""
        text_numbers, inverse = np.unique(self.text_numbers[texts], return_inverse=True)
        starts = np.append(0, self.ends)[text_numbers]
        ends = np.cumsum(self.ends[text_numbers] - starts)
        positions = np.arange(ends[-1]) + np.repeat(starts - np.append(0, ends[:-1]), np.diff(ends, prepend=0))
        vectors: Ints64 = unit(sums(rows, self.tokens[positions], ends))[inverse]
        return vectors


def embed_site(passages: Iterable[Passage], model: StaticModel, folder: Path | None = None) -> SiteVectors:
    """Return the vectors of a site's chunks, and its tokens' rows; `folder` is for temporary files, `None`: in memory."""
    reader = model.tokenizer.tokenizer()
    parts = [_Tokens(reader, folder) for _ in range(3)]
    for passage in passages:
        for part, text in zip(parts, (passage.body, passage.title, passage.headings), strict=True):
            part.add(text)
    for part in parts:
        part.finish()
    if not len(parts[0].text_numbers):
        size = model.rows.shape
        return SiteVectors(np.zeros((0, size[1]), np.int16), np.zeros(size, np.int8), np.zeros(size[0], np.int64))
    rows = _weight_rows(model.rows, parts[0].counts(len(model.rows)))
    vectors = _chunk_vectors(rows, parts, folder)
    common = unit(_round_direction(unit(vectors.sum(axis=0, dtype=np.int64)[None, :]) * (len(vectors) >= MIN_CHUNKS)))[0]
    for block in blocks(len(rows)):  # in place: the rows of a vocabulary need more memory than the vectors of 5,000 pages
        rows[block] = remove_direction(rows[block], common)
    _adapt_rows(rows, vectors, common, parts[0])
    del vectors  # the next ones need as much
    rows8 = _scale_rows(rows)
    del rows
    counts = sum((part.counts(len(rows8)) for part in parts), np.zeros(len(rows8), np.int64))
    return SiteVectors(_chunk_vectors(rows8, parts, folder), rows8, counts)


def _weight_rows(rows: NDArray[np.floating], counts: Ints64) -> Ints32:
    """Weight rows by a / (a + p); p is a token's share of the site's text."""
    total = max(int(counts.sum()), _MIN_TOKENS)
    low = total.bit_length() - 3  # three leading bits are enough; a new page must not change the share of every token
    weights = RARE / (RARE + counts / (total >> low << low))
    weights = np.maximum(np.rint(weights * _WEIGHT_STEPS), _MIN_WEIGHT) / _WEIGHT_STEPS
    # as 32-bit floats: a maximum of 16-bit floats takes ten times as long
    tallest = max([1e-9, *(float(np.abs(rows[block].astype(np.float32)).max(initial=0)) for block in blocks(len(rows)))])

    def block_of(block: slice) -> Ints64:
        return np.rint(rows[block].astype(np.float64) * (_MAX_VALUE / tallest) * weights[block, None]).astype(np.int64)

    return make_blocks(np.intc, len(rows), rows.shape[1], block_of)


def _round_direction(direction: Ints64) -> Ints64:
    """Round a direction, so that a small edit seldom changes it."""
    step = UNIT / round(_DIRECTION_STEPS * sqrt(direction.shape[-1]))
    rounded: Ints64 = np.rint(np.rint(direction / step) * step).astype(np.int64)
    return rounded


def _scale_rows(rows: Ints32) -> Ints8:
    """Return rows as signed bytes. A typical row has the root mean square `SPREAD`; each keeps its largest value."""
    squares: Ints64 = np.einsum("ij,ij->i", rows, rows, dtype=np.int64, casting="safe")
    # of all tokens that have a row: those of a small site are common there, and so have short rows
    lengths = np.sort(squares[squares > 0])
    part, power = frexp(sqrt(float(lengths[len(lengths) // 2])) if len(lengths) else 1.0)
    scale = SPREAD * np.sqrt(rows.shape[1]) / ldexp(round(part * 2 * _SCALE_STEPS) / (2 * _SCALE_STEPS), power)

    def block_of(block: slice) -> Ints64:
        values: Ints64 = np.clip(np.rint(rows[block] * scale), -127, 127).astype(np.int64)
        zero_rows = np.nonzero(~values.any(axis=1))[0]  # otherwise a chunk of these tokens would have no vector
        largest = np.abs(rows[block][zero_rows]).argmax(axis=1)
        values[zero_rows, largest] = np.sign(rows[block][zero_rows, largest])
        return values

    return make_blocks(np.int8, len(rows), rows.shape[1], block_of)


def _chunk_vectors(rows: Ints32 | Ints8, parts: Sequence[_Tokens], folder: Path | None) -> Ints16:
    def block_of(block: slice) -> Ints64:
        body, title, headings = (part.means(rows, block) for part in parts)
        return unit(2 * body + title + headings)

    return make_blocks(np.int16, len(parts[0].text_numbers), rows.shape[1], block_of, folder)


def _adapt_rows(rows: Ints32, vectors: Ints16, shared: Ints64, body: _Tokens) -> None:
    """Move each row towards the mean of the chunks that contain its token, without the `shared` direction of all chunks."""
    token_ids = np.flatnonzero(body.counts(len(rows)))
    neighbours = _neighbour_directions(token_ids, vectors, shared, body)
    mean = np.rint(neighbours.sum(axis=0, dtype=np.int64) / max(len(neighbours), 1)).astype(np.int64)
    if len(vectors) >= MIN_CHUNKS:  # with few chunks, a row would move towards the rounding error
        mean = _round_direction(mean)
    for block in blocks(len(token_ids)):
        old_rows = rows[token_ids[block]].astype(np.int64)
        directions = unit(unit(old_rows) + np.rint(MOVE * unit(neighbours[block] - mean)).astype(np.int64))
        lengths = np.sqrt((old_rows * old_rows).sum(axis=1).astype(np.float64))[:, None]
        rows[token_ids[block]] = np.rint(directions * (lengths / UNIT)).astype(np.int64)


def _neighbour_directions(token_ids: Ints64, vectors: Ints16, shared: Ints64, body: _Tokens) -> Ints16:
    """Return for each used token the direction of the chunks that contain it, of length `UNIT`."""
    first_texts = np.unique(body.text_numbers, return_index=True)[1]  # only the first of equal texts
    totals = np.zeros((len(token_ids), vectors.shape[1]), np.int64)
    for block in blocks(len(first_texts)):
        text_directions = unit(remove_direction(vectors[first_texts[block]], shared))
        tokens, chunks = _tokens_by_text(*body.of(block))
        distinct_tokens, starts = np.unique(tokens, return_index=True)
        totals[np.searchsorted(token_ids, distinct_tokens)] += sums(text_directions, chunks, np.append(starts, len(tokens))[1:])
    return make_blocks(np.int16, len(token_ids), vectors.shape[1], lambda block: unit(totals[block]))


def _tokens_by_text(tokens: Ints32, ends: Ints64) -> tuple[Ints64, Ints64]:
    """Return the tokens of some texts in order, and for each the texts that contain it, each at most `MAX_COUNT` times."""
    count = len(ends) + 1
    pairs = np.sort(tokens.astype(np.int64) * count + np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)))
    _, starts, counts = np.unique(pairs, return_index=True, return_counts=True)
    pairs = pairs[np.arange(len(pairs)) - np.repeat(starts, counts) < MAX_COUNT]
    return pairs // count, pairs % count
