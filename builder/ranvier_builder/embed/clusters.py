"""Vectors → clusters of near ones, so that a query reads only a few of them (spherical k-means; Dhillon & Modha 2001)."""

from __future__ import annotations

from math import isqrt

import numpy as np

from ranvier_builder.embed.exact import Ints, Shorts, in_blocks, nearest, sums, unit

ALL = 300  # up to this number, vectors are one cluster, which is read whole
SMALL, LEAST = 1200, 56  # up to `SMALL` vectors, clusters have `ALL`; above, at least `LEAST`
_ROUNDS = 12
_FINE = 256  # the length of vectors for comparisons: dot products stay below 2²⁴
_CROWDED = 2.5  # a cluster that is this many times larger than usual is divided


def clusters(vectors: Shorts) -> list[Ints]:
    """Return the vectors' numbers of each cluster, in order; clusters are sorted by their first vector.

    `vectors` are in reading order: neighbours are of one page, so that evenly spaced ones are good initial centroids.
    """
    size = usual(len(vectors))
    fine = in_blocks(np.int16, len(vectors), vectors.shape[1], lambda block: unit(vectors[block].astype(np.int64), _FINE))
    todo: list[Ints] = [np.arange(len(vectors))]
    done: list[Ints] = []
    while todo:
        some = todo.pop()
        parts = _parts(fine if len(some) == len(fine) else fine[some], -(-len(some) // size))
        if len(parts) == 1:
            done.append(some)
            continue
        for part in parts:
            (todo if len(part) > _CROWDED * size and len(part) < len(some) else done).append(some[part])
    return sorted(done, key=lambda cluster: int(cluster[0]))


def usual(count: int) -> int:
    """Return the usual size of a cluster: larger for very many vectors, so that the centroids cost less than they save."""
    return ALL if count <= SMALL else max(LEAST, 22 * isqrt(count) // 100)


def _parts(fine: Shorts, many: int) -> list[Ints]:
    """Divide vectors into at most `many` clusters."""
    if many < 2:
        return [np.arange(len(fine))]
    centroids = fine[np.arange(many) * len(fine) // many].astype(np.float32)
    for _ in range(_ROUNDS):
        home = nearest(fine, centroids)
        order, ends = _sorted(home, many)
        total = sums(fine, order, ends)
        full = np.diff(ends, prepend=0) > 0  # a centroid without vectors is kept unchanged
        centroids = np.where(full[:, None], unit(total, _FINE), centroids).astype(np.float32)
    order, ends = _sorted(nearest(fine, centroids), many)
    return [part for part in np.split(order, ends[:-1]) if len(part)]


def _sorted(home: Ints, many: int) -> tuple[Ints, Ints]:
    order: Ints = np.argsort(home, kind="stable")
    return order, np.cumsum(np.bincount(home, minlength=many))
