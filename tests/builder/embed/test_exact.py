"""Integer arithmetic for vectors (I4, B1), compared with loops and fractions."""

import tracemalloc
from fractions import Fraction
from math import isqrt
from random import Random

import numpy as np
import pytest
from ranvier_builder.embed.exact import UNIT, Ints64, nearest, remove_direction, sums, unit


def summed(rows: Ints64, picked: list[int], lengths: list[int]) -> list[list[int]]:
    out, at = [], 0
    for length in lengths:
        total = [0] * rows.shape[1]
        for number in picked[at : at + length]:
            total = [item + int(item_of_row) for item, item_of_row in zip(total, rows[number], strict=True)]
        out.append(total)
        at += length
    return out


@pytest.mark.parametrize("seed", range(60))
def test_sums_of_random_runs(seed: int) -> None:
    """I4: also without runs, and with empty ones at the beginning, at the end and between others."""
    rng = Random(seed)
    lengths = [rng.choice((0, 0, 1, 2, 9, 40)) for _ in range(rng.choice((0, 1, 2, 3, 9, 40)))]
    rows = np.array([[rng.randint(-(10**9), 10**9) for _ in range(2)] for _ in range(5)], np.int64)
    picked = [rng.randrange(5) for _ in range(sum(lengths))]
    result = sums(rows, np.array(picked, np.int64), np.cumsum(np.array(lengths, np.int64)))
    assert result.tolist() == summed(rows, picked, lengths)


@pytest.mark.parametrize("length", [32, 256, UNIT])
@pytest.mark.parametrize("wide", [1, 2, 64, 256, 1024])
@pytest.mark.parametrize("limit", [1, 100, UNIT, (1 << 26) - 1, 1 << 40, 1 << 52])
def test_unit_vectors_are_exact_within_rounding(length: int, wide: int, limit: int) -> None:
    """I4: large values do not overflow."""
    rng = Random(f"{length} {wide} {limit}")
    vectors = [[rng.randint(-limit, limit) for _ in range(wide)] for _ in range(10)]
    for vector, result in zip(vectors, unit(np.array(vectors, np.int64), length).tolist(), strict=True):
        norm = isqrt(sum(value * value for value in vector) * 10**12)
        for value, fit in zip(vector, result, strict=True):
            expected = Fraction(value * length * 10**6, norm) if norm else Fraction(0)
            assert abs(expected - fit) <= Fraction(1, 2) + Fraction(length, 10**6)


def test_zero_vector_stays_zero() -> None:
    """I4."""
    assert unit(np.zeros((2, 3), np.int64)).tolist() == [[0, 0, 0]] * 2
    assert unit(np.zeros((0, 3), np.int64)).shape == (0, 3)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("wide", "value"), [(256, (1 << 27) - 1), (256, 1 << 27), (256, 1 << 52), (1024, (1 << 26) - 1), (1024, (1 << 27) - 1)]
)
def test_unit_vectors_of_the_largest_values(wide: int, value: int, sign: int) -> None:
    """I4: at the limit of what is clipped before squaring."""
    result = unit(np.full((1, wide), sign * value, np.int64))
    assert set(result[0].tolist()) == {sign * UNIT // isqrt(wide)}


def test_direction_is_removed() -> None:
    """I4: within rounding; the rest stays."""
    rng = np.random.default_rng(1)
    direction = unit(rng.integers(-1000, 1000, (1, 64)))[0]
    vectors = rng.integers(-(1 << 15), 1 << 15, (20, 64))
    result = remove_direction(vectors, direction)
    lengths = np.sqrt((result * result).sum(axis=1))
    assert np.abs(result @ direction / (lengths * UNIT)).max() < 1e-3
    across = vectors[:, None, :] @ np.linalg.svd(direction[None, :] / UNIT)[2][1:].T
    assert np.abs(across[:, 0] - (result @ np.linalg.svd(direction[None, :] / UNIT)[2][1:].T)).max() < 64
    assert remove_direction(vectors, np.zeros(64, np.int64)).tolist() == vectors.tolist()


def test_nearest_centroid() -> None:
    """L3: by distance, then by number; over several blocks."""
    rng = np.random.default_rng(2)
    vectors = unit(rng.integers(-1000, 1000, (8192 * 2 + 5, 16)), 256)
    centroids = unit(rng.integers(-1000, 1000, (30, 16)), 256)
    centroids[17] = centroids[3]
    result = nearest(vectors.astype(np.float32), centroids.astype(np.float32))
    apart = ((vectors[::7, None, :] - centroids[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert result[::7].tolist() == apart.tolist()
    assert 17 not in result.tolist()
    assert 3 in result.tolist()
    same = nearest(np.ones((4, 16), np.float32), np.ones((3, 16), np.float32))
    assert same.tolist() == [0] * 4


def test_nearest_centroid_uses_bounded_memory() -> None:
    """L3: distances are computed for a block of vectors at a time."""
    vectors, centroids = np.ones((100_000, 4), np.int16), np.ones((200, 4), np.float32)
    tracemalloc.start()
    try:
        nearest(vectors, centroids)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000 < vectors.shape[0] * centroids.shape[0] * 4
    finally:
        tracemalloc.stop()


def test_unit_values_fit_into_16_bits() -> None:
    """L3: along an axis, one value is the whole length."""
    vectors = unit(np.array([[1 << 40, 1, -1], [-3, 0, 0], [0, 32767, 12]]))
    assert vectors.astype(np.int16).tolist() == vectors.tolist()


def test_dot_products_are_exact() -> None:
    """L3, B1: for vectors of length 256, no partial sum reaches 2²³, and no squared distance 2²⁴."""
    rng = np.random.default_rng(3)
    for wide in (2, 256, 1024):
        vectors = unit(rng.integers(-(10**6), 10**6, (50, wide)), 256)
        largest = (np.abs(vectors) @ np.abs(vectors).T).max()
        assert 3 * largest < 1 << 24
