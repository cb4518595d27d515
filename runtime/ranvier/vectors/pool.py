"""Token rows → the query's vector, and dot products → cosines: whole numbers all the way."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

from ranvier.vectors.lanes import LARGEST

MICRO = 1_000_000
_FINE = 1000  # parts of a length that are still told apart


def pooled(rows: Iterable[memoryview]) -> list[int]:
    """Return the sum of some rows of signed bytes: mean pooling, but for its length, which a cosine does not see."""
    return [sum(column) for column in zip(*rows, strict=True)]


def fitted(vector: list[int]) -> list[int]:
    """Stretch or shrink a vector until its largest value is 127 either way; one of nothing but zeros stays."""
    most = max(map(abs, vector), default=0)
    return [(2 * value * LARGEST + most) // (2 * most) for value in vector] if most else vector


def length(vector: list[int], step: int) -> int:
    """Return what `cosine` divides by: the vector's length × that of a unit vector stored in steps of 1 / `step`."""
    return isqrt(sum(value * value for value in vector) * (step * _FINE) ** 2)


def cosine(dot: int, length: int) -> int:
    """Return a cosine in millionths; rounding when vectors were stored may have carried it over 1."""
    return min(dot * _FINE * MICRO // length, MICRO) if length else 0
