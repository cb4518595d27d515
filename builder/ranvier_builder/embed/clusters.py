"""Vectors → clusters of near ones, so that a query reads a few of them (spherical k-means; Dhillon & Modha 2001)."""

from __future__ import annotations

from math import isqrt

import numpy as np

from ranvier_builder.embed.exact import Ints, Shorts, in_blocks, nearest, sums, unit

ALL = 300  # vectors that make one cluster: a site of no more gets all of them at once
SMALL, LEAST = 1200, 32  # up to so many vectors, clusters of `ALL`; above, of so many at least
_ROUNDS = 12
_FINE = 256  # the length of vectors while they are compared: dot products stay below 2²⁴
_CROWDED = 2.5  # times the usual size, from which on a cluster is divided


def clusters(vectors: Shorts) -> list[Ints]:
    """Return the clusters' vectors by their numbers, each in order; by their first one.

    `vectors` are in reading order: neighbours are of one page, so that evenly spaced ones are good centroids to begin with.
    """
    size = usual(len(vectors))
    fine = in_blocks(len(vectors), vectors.shape[1], lambda block: unit(vectors[block].astype(np.int64), _FINE))
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
    """Return how many vectors a cluster has: more where there are very many, lest the centroids outweigh what they save."""
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
        full = np.diff(ends, prepend=0) > 0  # one that lost all its vectors stays where it is
        centroids = np.where(full[:, None], unit(total, _FINE), centroids).astype(np.float32)
    order, ends = _sorted(nearest(fine, centroids), many)
    return [part for part in np.split(order, ends[:-1]) if len(part)]


def _sorted(home: Ints, many: int) -> tuple[Ints, Ints]:
    order: Ints = np.argsort(home, kind="stable")
    return order, np.cumsum(np.bincount(home, minlength=many))
