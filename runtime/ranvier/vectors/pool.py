"""Token rows → the query's vector, and dot products → cosines, in integers."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

from ranvier.vectors.lanes import LARGEST

MICRO = 1_000_000
_FINE = 1000  # resolution of a length


def pool(rows: Iterable[memoryview]) -> list[int]:
    """Return the sum of some rows of signed bytes: mean pooling without its length, which a cosine ignores."""
    return [sum(column) for column in zip(*rows, strict=True)]


def fit(vector: list[int]) -> list[int]:
    """Scale a vector so that its largest absolute value is 127; a zero vector stays."""
    largest = max(map(abs, vector), default=0)
    return [(2 * value * LARGEST + largest) // (2 * largest) for value in vector] if largest else vector


def length(vector: list[int], step: int) -> int:
    """Return the divisor of `cosine`: the vector's length × that of a unit vector stored in steps of 1 / `step`."""
    return isqrt(sum(value * value for value in vector) * (step * _FINE) ** 2)


def cosine(dot: int, length: int) -> int:
    """Return a cosine in millionths; the rounding of stored vectors may make it larger than 1."""
    return min(dot * _FINE * MICRO // length, MICRO) if length else 0
