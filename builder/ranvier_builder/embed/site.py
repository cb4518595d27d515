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

import numpy as np
from numpy.typing import NDArray
from ranvier.vectors.tokens import Tokenizer

from ranvier_builder.embed.exact import UNIT, Ints, Shorts, in_blocks, sums, unit, without
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
    rows: Ints
    order: list[int]


class _Tokens:
    """The tokens of some texts, one after the other. `which`: for each text its number among those that differ."""

    def __init__(self, reader: Tokenizer, texts: Iterable[str]) -> None:
        picked, ends = array("q"), array("q")
        by_text: dict[str, list[int]] = {}
        numbers: dict[str, int] = {}  # a title is said with every chunk of its page
        self.which = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
        for text in numbers:
            for word in reader.words(text):
                tokens = by_text.get(word)
                if tokens is None:
                    tokens = by_text[word] = reader.encode(word)
                picked.extend(tokens)
            ends.append(len(picked))
        self.picked, self.ends = np.array(picked, np.int64), np.array(ends, np.int64)

    def counts(self, many: int) -> Ints:
        """Return how often each token is there, in texts that differ."""
        return np.bincount(self.picked, minlength=many)

    def means(self, rows: Ints) -> Shorts:
        """Return the direction of each text that differs, of length `UNIT`."""

        def block_of(block: slice) -> Ints:
            first = int(self.ends[block.start - 1]) if block.start else 0
            ends = self.ends[block]
            return unit(sums(rows, self.picked[first : ends[-1]], ends - first))

        return in_blocks(len(self.ends), rows.shape[1], block_of)


def embedded(passages: Sequence[Passage], model: Embedder) -> SiteVectors:
    """Return the vectors of a site's chunks, and its tokens' rows."""
    reader = model.tokenizer.tokenizer()
    parts = [_Tokens(reader, (getattr(passage, part) for passage in passages)) for part in ("body", "title", "headings")]
    counts = parts[0].counts(len(model.rows))
    rows = _weighted(model.rows, counts)
    vectors = _chunks(rows, parts)
    shared = unit(vectors.sum(axis=0, dtype=np.int64)[None, :])[0] * (len(vectors) >= SEVERAL)
    bodies = np.unique(parts[0].which, return_index=True)[1]  # of a text that is there twice, the first
    rows = _adapted(without(rows, shared), _apart(vectors, bodies, shared), parts[0])
    del vectors  # the next ones are as many
    every = sum((part.counts(len(rows)) for part in parts), np.zeros(len(rows), np.int64))
    used = np.nonzero(every)[0]
    order = used[np.argsort(-every[used], kind="stable")]
    return SiteVectors(_chunks(rows, parts), rows, order.tolist())


def _weighted(rows: NDArray[np.float64], counts: Ints) -> Ints:
    """Weight rows by a / (a + p), p being a token's share of the site's text."""
    weights = RARE / (RARE + counts / max(int(counts.sum()), 1))
    weighted: Ints = np.rint(rows * (_TALLEST / np.abs(rows).max(initial=1e-9)) * weights[:, None]).astype(np.int64)
    return weighted


def _chunks(rows: Ints, parts: Sequence[_Tokens]) -> Shorts:
    means = [part.means(rows) for part in parts]

    def block_of(block: slice) -> Ints:
        body, title, headings = (mean[part.which[block]].astype(np.int64) for mean, part in zip(means, parts, strict=True))
        return unit(2 * body + title + headings)

    return in_blocks(len(parts[0].which), rows.shape[1], block_of)


def _apart(vectors: Shorts, picked: Ints, shared: Ints) -> Shorts:
    """Return some vectors without what all share, of length `UNIT`."""
    width = vectors.shape[1]
    return in_blocks(len(picked), width, lambda block: unit(without(vectors[picked[block]].astype(np.int64), shared)))


def _adapted(rows: Ints, vectors: Shorts, body: _Tokens) -> Ints:
    """Move each row towards the mean of the chunks that its token stands in, what all of them share left out."""
    tokens, chunks = _standing(body)
    if not len(tokens):
        return rows
    distinct, firsts = np.unique(tokens, return_index=True)
    around = unit(sums(vectors, chunks, np.append(firsts[1:], len(tokens))))
    around = unit(around - np.rint(around.sum(axis=0) / len(around)).astype(np.int64))
    own = rows[distinct]
    moved = unit(unit(own) + np.rint(TOWARDS * around).astype(np.int64))
    lengths = np.sqrt((own * own).sum(axis=1).astype(np.float64))[:, None]
    out = rows.copy()
    out[distinct] = np.rint(moved * (lengths / UNIT)).astype(np.int64)
    return out


def _standing(body: _Tokens) -> tuple[Ints, Ints]:
    """Return tokens in order, and for each the chunks that it stands in, up to `OFTEN` times each."""
    chunks = np.repeat(np.arange(len(body.ends)), np.diff(body.ends, prepend=0))
    order = np.lexsort((chunks, body.picked))
    tokens, chunks = body.picked[order], chunks[order]
    pairs = tokens * (len(body.ends) + 1) + chunks
    _, first, times = np.unique(pairs, return_index=True, return_counts=True)
    keep = np.arange(len(pairs)) - np.repeat(first, times) < OFTEN
    return tokens[keep], chunks[keep]
