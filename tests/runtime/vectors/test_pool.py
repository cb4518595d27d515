"""The query vector and cosines in integers (L3, I4), compared with fractions."""

from fractions import Fraction
from math import isqrt
from random import Random

import pytest
from ranvier.vectors.lanes import LARGEST
from ranvier.vectors.pool import MICRO, cosine, fit, length, pool

STEP = 64  # a unit vector is stored in steps of 1 / `STEP`


def signed(*values: int) -> memoryview:
    return memoryview(bytes(value % 256 for value in values)).cast("b")


def test_token_rows_are_summed() -> None:
    """I4: mean pooling without division, beyond a byte."""
    assert pool([signed(1, -2, 127), signed(-128, 5, 127), signed(0, 0, 127)]) == [-127, 3, 381]
    assert pool([signed(-128, 127)]) == [-128, 127]
    assert pool([]) == []


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
def test_vector_is_scaled_to_127(vector: list[int], expected: list[int]) -> None:
    """L3: the largest absolute value becomes 127; zero stays zero."""
    assert fit(vector) == expected


def test_scaling_rounds_to_the_nearest() -> None:
    """L3: within a half, and within the range."""
    rng = Random(1)
    for _ in range(200):
        vector = [rng.randint(-(10**6), 10**6) for _ in range(20)]
        largest = max(map(abs, vector))
        for value, scaled in zip(vector, fit(vector), strict=True):
            assert abs(Fraction(value * LARGEST, largest) - scaled) <= Fraction(1, 2)
            assert -LARGEST <= scaled <= LARGEST


@pytest.mark.parametrize("step", [1, 32, 64, 256])
def test_length_of_a_vector(step: int) -> None:
    """L3: the root, cut to a thousandth of a step."""
    rng = Random(step)
    for wide in (1, 2, 256, 1024):
        vector = [rng.randint(-LARGEST, LARGEST) for _ in range(wide)]
        exact = sum(value * value for value in vector) * (step * 1000) ** 2
        result = length(vector, step)
        assert result**2 <= exact < (result + 1) ** 2
    assert length([3, 4], step) == 5 * step * 1000
    assert length([0, 0], step) == length([], step) == 0


def test_cosines_agree_with_fractions() -> None:
    """L3: to a millionth."""
    rng, scale = Random(2), 10**12
    for wide in (1, 2, 16, 256, 1024):
        for _ in range(50):
            query = [rng.randint(-LARGEST, LARGEST) for _ in range(wide)]
            norm = sum(value * value for value in query)
            dot = rng.randint(-isqrt(norm) * STEP, isqrt(norm) * STEP)
            exact = Fraction(dot * scale * MICRO, max(isqrt(norm * scale**2), 1) * STEP)
            divisor = length(query, STEP)
            assert abs(cosine(dot, divisor) - exact) <= 1 + Fraction(MICRO, divisor or 1), (query, dot)


@pytest.mark.parametrize("factor", [1, 2, 1000])
def test_cosine_is_at_most_one(factor: int) -> None:
    """L3, R6: although stored vectors are rounded."""
    query = [LARGEST] * 4
    assert cosine(2 * LARGEST * STEP * factor, length(query, STEP)) == MICRO
    assert cosine(2 * LARGEST * STEP - 1, length(query, STEP)) < MICRO


def test_cosine_of_a_zero_vector_is_zero() -> None:
    """L3."""
    assert cosine(0, length([0, 0], STEP)) == 0
    assert cosine(5, 0) == 0
    assert cosine(0, length([1, 2], STEP)) == 0


@pytest.mark.parametrize(("dot", "micro"), [(5, MICRO), (-5, -MICRO), (4, 800_000), (-4, -800_000), (0, 0), (1, 200_000)])
def test_cosine_range(dot: int, micro: int) -> None:
    """L3: of a query of length 5 and steps of 1."""
    assert cosine(dot, length([3, -4], 1)) == micro


@pytest.mark.parametrize(("dot", "micro"), [(1, 333_333), (2, 666_666), (-1, -333_334), (-2, -666_667)])
def test_cosines_are_rounded_down(dot: int, micro: int) -> None:
    """L3, B1: integer division is the same on every machine."""
    assert cosine(dot, length([2, 2, 1], 1)) == micro
