"""The query's vector and cosines, in whole numbers, against exact fractions (L3, I4)."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random

import pytest
from ranvier.store.vectors import STEP
from ranvier.vectors.lanes import LARGEST
from ranvier.vectors.pool import MICRO, cosine, fitted, length, pooled


def signed(*values: int) -> memoryview:
    return memoryview(bytes(value % 256 for value in values)).cast("b")


def test_rows_are_summed() -> None:
    """I4: mean pooling but for its length, and beyond a byte."""
    assert pooled([signed(1, -2, 127), signed(-128, 5, 127), signed(0, 0, 127)]) == [-127, 3, 381]
    assert pooled([signed(-128, 127)]) == [-128, 127]
    assert pooled([]) == []


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ([], []),
        ([0, 0, 0], [0, 0, 0]),
        ([1, -1, 0], [127, -127, 0]),
        ([127, -127], [127, -127]),
        ([254, -254, 127, -1], [127, -127, 64, 0]),  # 63.5 and -0.5: a half goes up
        ([2, 1, -1], [127, 64, -63]),
        ([10**30, -(10**30), 1], [127, -127, 0]),
        ([-3, 1], [-127, 42]),
    ],
)
def test_a_vector_is_fitted(vector: list[int], expected: list[int]) -> None:
    """L3: the largest value becomes 127 either way; what is nothing stays nothing."""
    assert fitted(vector) == expected


def test_fitting_rounds_to_the_nearest() -> None:
    """L3: no value is further than a half from the exact one, and none leaves the range."""
    dice = Random(1)
    for _ in range(200):
        vector = [dice.randint(-(10**6), 10**6) for _ in range(20)]
        most = max(map(abs, vector))
        for value, fit in zip(vector, fitted(vector), strict=True):
            assert abs(Fraction(value * LARGEST, most) - fit) <= Fraction(1, 2)
            assert -LARGEST <= fit <= LARGEST


@pytest.mark.parametrize("step", [1, 32, STEP])
def test_the_length(step: int) -> None:
    """L3: the root, cut to a thousandth of a step."""
    dice = Random(step)
    for wide in (1, 2, 256, 1024):
        vector = [dice.randint(-LARGEST, LARGEST) for _ in range(wide)]
        exact = sum(value * value for value in vector) * (step * 1000) ** 2
        result = length(vector, step)
        assert result**2 <= exact < (result + 1) ** 2
    assert length([3, 4], step) == 5 * step * 1000
    assert length([0, 0], step) == length([], step) == 0


def test_cosines_against_fractions() -> None:
    """L3: the exact cosine's whole millionths, or one less or more; the length is cut to a thousandth of a step."""
    dice, scale = Random(2), 10**12
    for wide in (1, 2, 16, 256, 1024):
        for _ in range(50):
            query = [dice.randint(-LARGEST, LARGEST) for _ in range(wide)]
            norm = sum(value * value for value in query)
            dot = dice.randint(-isqrt(norm) * STEP, isqrt(norm) * STEP)
            exact = Fraction(dot * scale * MICRO, max(isqrt(norm * scale**2), 1) * STEP)
            divisor = length(query, STEP)
            assert abs(cosine(dot, divisor) - exact) <= 1 + Fraction(MICRO, divisor or 1), (query, dot)


@pytest.mark.parametrize("over", [1, 2, 1000])
def test_a_cosine_is_never_above_one(over: int) -> None:
    """L3, R6: rounding when vectors were stored may carry a dot product over the product of lengths."""
    query = [LARGEST] * 4
    assert cosine(2 * LARGEST * STEP * over, length(query, STEP)) == MICRO
    assert cosine(2 * LARGEST * STEP - 1, length(query, STEP)) < MICRO


def test_cosines_of_nothing() -> None:
    """L3: a vector of zeros is near to nothing."""
    assert cosine(0, length([0, 0], STEP)) == 0
    assert cosine(5, 0) == 0
    assert cosine(0, length([1, 2], STEP)) == 0


@pytest.mark.parametrize(("dot", "micro"), [(5, MICRO), (-5, -MICRO), (4, 800_000), (-4, -800_000), (0, 0), (1, 200_000)])
def test_from_minus_one_to_one(dot: int, micro: int) -> None:
    """L3: of a query of length 5 and steps of 1."""
    assert cosine(dot, length([3, -4], 1)) == micro


@pytest.mark.parametrize(("dot", "micro"), [(1, 333_333), (2, 666_666), (-1, -333_334), (-2, -666_667)])
def test_millionths_are_cut_downwards(dot: int, micro: int) -> None:
    """L3, B1: whole numbers are divided, so that no machine rounds otherwise."""
    assert cosine(dot, length([2, 2, 1], 1)) == micro
