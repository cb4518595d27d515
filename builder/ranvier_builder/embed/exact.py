"""Sums, lengths and nearest centroids of integer vectors: exact, so that every machine writes the same bytes.

A sum of floats depends on the order of additions in a library, and the order on the processor. Integers have no such problem,
and single additions, divisions and roots are the same everywhere (IEEE 754).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ranvier_builder.array_files import empty_array

UNIT = 1 << 14  # the length of an integer vector that stands for length 1; its values fit into 16 bits
BLOCK = 1024  # vectors in one step: steps need some hundred times their memory, and a whole site has only 16 bits a value

Ints64 = NDArray[np.int64]
Ints16 = NDArray[np.int16]
Ints32 = NDArray[np.intc]
Ints8 = NDArray[np.int8]
Whole = TypeVar("Whole", bound=np.signedinteger[Any])


def sums(rows: Ints64 | Ints32 | Ints16 | Ints8, indices: Ints64 | Ints32, ends: Ints64) -> Ints64:
    """Sum runs of rows.

    Args:
        rows: vectors, n × dimensions.
        indices: numbers of rows, run after run.
        ends: end of each run in `indices`; an empty run sums to zero.

    """
    out = np.zeros((len(ends), rows.shape[1]), np.int64)
    begin = 0
    for number, end in enumerate(ends.tolist()):  # one run at a time: its few rows stay in the processor's cache
        if end > begin:
            rows[indices[begin:end]].sum(axis=0, dtype=np.int64, out=out[number])
        begin = end
    return out


def unit(vectors: Ints64, length: int = UNIT) -> Ints64:
    """Scale vectors to a length; a zero vector is unchanged."""
    return np.rint(vectors * (length / _lengths(vectors))).astype(np.int64)


def blocks(count: int, size: int = BLOCK) -> Iterator[slice]:
    """Yield slices that cover `count` rows, `size` at a time."""
    return (slice(at, min(at + size, count)) for at in range(0, count, size))


def make_blocks(
    kind: type[Whole], count: int, width: int, make: Callable[[slice], Ints64 | Ints16], folder: Path | None = None
) -> NDArray[Whole]:
    """Make `count` vectors, a block at a time; `folder` is for a temporary file, `None`: in memory.

    Their values must fit into `kind`: those of length `UNIT` fit into 16 bits.
    """
    out = empty_array(count * width, kind, folder).reshape(count, width)
    for block in blocks(count):
        out[block] = make(block)
    return out


def _lengths(vectors: Ints64) -> NDArray[np.float64]:
    """Return lengths as a column, 1 for a zero vector. Large values are scaled down, to avoid overflow of squares."""
    largest = np.abs(vectors).max(axis=1, initial=1)[:, None]
    divisor = np.maximum(largest >> 25, 1)
    scaled = vectors // divisor
    lengths: NDArray[np.float64] = np.sqrt((scaled * scaled).sum(axis=1)[:, None].astype(np.float64)) * divisor
    return np.maximum(lengths, 1.0)


def remove_direction(vectors: Ints64 | Ints32 | Ints16, direction: Ints64) -> Ints64:
    """Remove from vectors their component along a direction of length `UNIT`."""
    vectors = vectors.astype(np.int64)
    projection = (vectors @ direction)[:, None] / float(UNIT)
    return np.rint(vectors - projection * (direction / float(UNIT))).astype(np.int64)


def nearest(vectors: Ints16, centroids: NDArray[np.float32]) -> Ints64:
    """Return each vector's nearest centroid, the first of equally near ones.

    Both hold integers so small that a dot product stays below 2²³: floats add them without rounding, in any order. Uses the
    distance, not the dot product: rounded centroids differ in length by more than near vectors do in direction.
    """
    squared_lengths = (centroids * centroids).sum(axis=1)
    assignment = np.empty(len(vectors), np.int64)
    for block in blocks(len(vectors)):
        assignment[block] = (2 * (vectors[block].astype(np.float32) @ centroids.T) - squared_lengths).argmax(axis=1)
    return assignment
