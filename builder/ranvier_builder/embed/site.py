"""Chunks → vectors, by a model's tokens as this site uses them.

1. A token's row is weighted by how rare it is here, and the direction that all chunks share is taken out (SIF; Arora, Liang &
   Ma 2017).
2. Each row is then moved towards the chunks that its token stands in: what a word is near to on this site, which the model
   was not taught. It needs no training, and the query, which uses the same rows, gains as much as the chunks do.
3. A chunk is the sum of its tokens' rows; title and headings count half as much as its own text, however long each is.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from ranvier.vectors.tokens import Tokenizer

from ranvier_builder.embed.exact import UNIT, Ints, Narrow, Shorts, blocks, in_blocks, rows_in_blocks, sums, unit, without
from ranvier_builder.embed.models import Embedder

RARE = 0.003  # SIF's a: the share of all tokens from which on a token weighs less than half
TOWARDS = 0.3  # how far a row is moved, beside its own direction
SEVERAL = 30  # chunks from which on what they share says nothing; what few share may be all that they say
OFTEN = 3  # times that a token counts in one chunk
_TALLEST = 1 << 15  # of a row's values


@dataclass(frozen=True, slots=True)
class Passage:
    """What a chunk's vector is made of."""

    title: str
    headings: str
    body: str


@dataclass(frozen=True, slots=True, eq=False)
class SiteVectors:
    """`vectors`: one for each chunk, of length `UNIT` or zero. `rows`: one for each token. `order`: tokens of the site, the
    most frequent first.
    """

    vectors: Shorts
    rows: Narrow
    order: list[int]


class _Tokens:
    """The tokens of some texts, one after the other. `which`: for each text its number among those that differ."""

    def __init__(self, reader: Tokenizer, texts: Iterable[str] = ()) -> None:
        self._reader = reader
        self._picked, self._ends, self._which = array("i"), array("q"), array("i")
        self._known: dict[str, list[int]] = {}
        self._numbers: dict[bytes, int] = {}  # a title is said with every chunk of its page
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take in the next text."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        number = self._numbers.setdefault(key, len(self._numbers))
        self._which.append(number)
        if number < len(self._ends):
            return
        for word in self._reader.words(text):
            tokens = self._known.get(word)
            if tokens is None:
                tokens = self._known[word] = self._reader.encode(word)
            self._picked.extend(tokens)
        self._ends.append(len(self._picked))

    def finish(self) -> None:
        """Let go of what only `add` needs."""
        self._known, self._numbers = {}, {}

    @property
    def picked(self) -> Narrow:
        """The tokens of all texts that differ."""
        return np.frombuffer(self._picked, np.intc) if self._picked else np.zeros(0, np.intc)

    @property
    def ends(self) -> Ints:
        """Where each text that differs ends in `picked`."""
        return np.frombuffer(self._ends, np.int64) if self._ends else np.zeros(0, np.int64)

    @property
    def which(self) -> Narrow:
        """The number of each text among those that differ."""
        return np.frombuffer(self._which, np.intc) if self._which else np.zeros(0, np.intc)

    def counts(self, many: int) -> Ints:
        """Return how often each token is there, in texts that differ."""
        return np.bincount(self.picked, minlength=many)

    def of(self, texts: slice) -> tuple[Narrow, Ints]:
        """Return the tokens of some texts that differ, and where those of each end."""
        first = int(self.ends[texts.start - 1]) if texts.start else 0
        ends = self.ends[texts]
        return self.picked[first : ends[-1]], ends - first

    def means(self, rows: Narrow, texts: slice) -> Ints:
        """Return the direction of each of some texts, of length `UNIT`."""
        numbers, place = np.unique(self.which[texts], return_inverse=True)
        starts = np.append(0, self.ends)[numbers]
        ends = np.cumsum(self.ends[numbers] - starts)
        every = np.arange(ends[-1]) + np.repeat(starts - np.append(0, ends[:-1]), np.diff(ends, prepend=0))
        made: Ints = unit(sums(rows, self.picked[every], ends))[place]
        return made


def embedded(passages: Iterable[Passage], model: Embedder) -> SiteVectors:
    """Return the vectors of a site's chunks, and its tokens' rows."""
    reader = model.tokenizer.tokenizer()
    parts = _Tokens(reader), _Tokens(reader), _Tokens(reader)
    for passage in passages:
        for part, text in zip(parts, (passage.body, passage.title, passage.headings), strict=True):
            part.add(text)
    for part in parts:
        part.finish()
    if not len(parts[0].which):
        return SiteVectors(np.zeros((0, model.rows.shape[1]), np.int16), np.zeros(model.rows.shape, np.intc), [])
    counts = parts[0].counts(len(model.rows))
    rows = _weighted(model.rows, counts)
    vectors = _chunks(rows, parts)
    shared = unit(vectors.sum(axis=0, dtype=np.int64)[None, :])[0] * (len(vectors) >= SEVERAL)
    rows = _adapted(_without(rows, shared), vectors, shared, parts[0])
    del vectors  # the next ones are as many
    every = sum((part.counts(len(rows)) for part in parts), np.zeros(len(rows), np.int64))
    used = np.nonzero(every)[0]
    order = used[np.argsort(-every[used], kind="stable")]
    return SiteVectors(_chunks(rows, parts), rows, order.tolist())


def _weighted(rows: NDArray[np.floating], counts: Ints) -> Narrow:
    """Weight rows by a / (a + p), p being a token's share of the site's text."""
    weights = RARE / (RARE + counts / max(int(counts.sum()), 1))
    tallest = max(float(rows.max(initial=0)), -float(rows.min(initial=0)), 1e-9)

    def block_of(block: slice) -> Ints:
        return np.rint(rows[block].astype(np.float64) * (_TALLEST / tallest) * weights[block, None]).astype(np.int64)

    return rows_in_blocks(len(rows), rows.shape[1], block_of)


def _chunks(rows: Narrow, parts: Sequence[_Tokens]) -> Shorts:
    def block_of(block: slice) -> Ints:
        body, title, headings = (part.means(rows, block) for part in parts)
        return unit(2 * body + title + headings)

    return in_blocks(len(parts[0].which), rows.shape[1], block_of)


def _without(rows: Narrow, shared: Ints) -> Narrow:
    return rows_in_blocks(len(rows), rows.shape[1], lambda block: without(rows[block], shared))


def _adapted(rows: Narrow, vectors: Shorts, shared: Ints, body: _Tokens) -> Narrow:
    """Move each row towards the mean of the chunks that its token stands in, what all of them share left out.

    Args:
        rows: of all tokens.
        vectors: of all chunks.
        shared: the direction that all of them share, of length `UNIT`.
        body: the chunks' tokens.

    """
    used = np.unique(body.picked)
    near = _around(used, vectors, shared, body)
    middle = np.rint(near.sum(axis=0, dtype=np.int64) / max(len(near), 1)).astype(np.int64)
    out = rows.copy()
    for block in blocks(len(used)):
        own = rows[used[block]].astype(np.int64)
        moved = unit(unit(own) + np.rint(TOWARDS * unit(near[block] - middle)).astype(np.int64))
        lengths = np.sqrt((own * own).sum(axis=1).astype(np.float64))[:, None]
        out[used[block]] = np.rint(moved * (lengths / UNIT)).astype(np.int64)
    return out


def _around(used: Narrow, vectors: Shorts, shared: Ints, body: _Tokens) -> Shorts:
    """Return for each token that is used the direction of the chunks that it stands in, of length `UNIT`."""
    firsts = np.unique(body.which, return_index=True)[1]  # of a text that is there twice, the first
    around = np.zeros((len(used), vectors.shape[1]), np.int64)
    for block in blocks(len(firsts)):
        apart = unit(without(vectors[firsts[block]], shared))
        tokens, chunks = _standing(*body.of(block))
        distinct, starts = np.unique(tokens, return_index=True)
        around[np.searchsorted(used, distinct)] += sums(apart, chunks, np.append(starts, len(tokens))[1:])
    return in_blocks(len(used), vectors.shape[1], lambda block: unit(around[block]))


def _standing(picked: Narrow, ends: Ints) -> tuple[Ints, Ints]:
    """Return the tokens of some texts in order, and for each the texts that it stands in, up to `OFTEN` times each."""
    many = len(ends) + 1
    pairs = np.sort(picked.astype(np.int64) * many + np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)))
    _, first, times = np.unique(pairs, return_index=True, return_counts=True)
    pairs = pairs[np.arange(len(pairs)) - np.repeat(first, times) < OFTEN]
    return pairs // many, pairs % many
