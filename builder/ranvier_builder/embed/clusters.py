"""Vectors → clusters of near ones, so that a query reads only a few of them (spherical k-means; Dhillon & Modha 2001)."""

from __future__ import annotations

from math import isqrt
from pathlib import Path

import numpy as np

from ranvier_builder.embed.exact import Ints16, Ints64, make_blocks, nearest, sums, unit

ONE_CLUSTER = 300  # up to this number, vectors are one cluster, which is read whole
FEW, MIN_SIZE = 1200, 56  # up to `FEW` vectors, clusters have `ONE_CLUSTER`; above, at least `MIN_SIZE`
_ROUNDS = 12
_LENGTH = 256  # the length of vectors for comparisons: dot products stay below 2²⁴
_MAX_GROWTH = 2.5  # a cluster that is this many times larger than usual is divided


def clusters(vectors: Ints16, folder: Path | None = None) -> list[Ints64]:
    """Return the vectors' numbers of each cluster, in order; clusters are sorted by their first vector.

    `vectors` are in reading order: neighbours are of one page, so that evenly spaced ones are good initial centroids.
    `folder` is for temporary files.
    """
    size = usual_size(len(vectors))
    width = vectors.shape[1]
    scaled = make_blocks(np.int16, len(vectors), width, lambda block: unit(vectors[block].astype(np.int64), _LENGTH), folder)
    stack: list[Ints64] = [np.arange(len(vectors))]
    result: list[Ints64] = []
    while stack:
        members = stack.pop()
        parts = _parts(scaled if len(members) == len(scaled) else scaled[members], -(-len(members) // size))
        if len(parts) == 1:
            result.append(members)
            continue
        for part in parts:
            (stack if len(part) > _MAX_GROWTH * size and len(part) < len(members) else result).append(members[part])
    return sorted(result, key=lambda cluster: int(cluster[0]))


def usual_size(count: int) -> int:
    """Return the usual size of a cluster: larger for very many vectors, so that the centroids cost less than they save."""
    return ONE_CLUSTER if count <= FEW else max(MIN_SIZE, 22 * isqrt(count) // 100)


def _parts(vectors: Ints16, count: int) -> list[Ints64]:
    """Divide vectors into at most `count` clusters."""
    if count < 2:
        return [np.arange(len(vectors))]
    centroids = vectors[np.arange(count) * len(vectors) // count].astype(np.float32)
    for _ in range(_ROUNDS):
        assignment = nearest(vectors, centroids)
        order, ends = _by_cluster(assignment, count)
        total = sums(vectors, order, ends)
        has_members = np.diff(ends, prepend=0) > 0  # a centroid without vectors is kept unchanged
        centroids = np.where(has_members[:, None], unit(total, _LENGTH), centroids).astype(np.float32)
    order, ends = _by_cluster(nearest(vectors, centroids), count)
    return [part for part in np.split(order, ends[:-1]) if len(part)]


def _by_cluster(assignment: Ints64, count: int) -> tuple[Ints64, Ints64]:
    order: Ints64 = np.argsort(assignment, kind="stable")
    return order, np.cumsum(np.bincount(assignment, minlength=count))
