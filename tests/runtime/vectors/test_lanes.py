"""Dot products in one large integer (L3, B1): the exact result of other methods."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from ranvier.vectors.lanes import LARGEST, ZERO, Lanes

Method = Callable[[Sequence[Sequence[int]], Sequence[int]], list[int]]


def by_lanes(rows: Sequence[Sequence[int]], query: Sequence[int]) -> list[int]:
    columns = bytes(value + ZERO for column in zip(*rows, strict=True) for value in column)
    return Lanes(columns, len(rows)).dots(query)


def by_loop(rows: Sequence[Sequence[int]], query: Sequence[int]) -> list[int]:
    results = []
    for row in rows:
        total = 0
        for value, other in zip(row, query, strict=True):
            total += value * other
        results.append(total)
    return results


def by_numpy(rows: Sequence[Sequence[int]], query: Sequence[int]) -> list[int]:
    table = np.array(rows, np.int64).reshape(len(rows), len(query))
    results: list[int] = (table @ np.array(query, np.int64)).tolist()
    return results


def by_sumprod(rows: Sequence[Sequence[int]], query: Sequence[int]) -> list[int]:
    """Python 3.12's own; before it, the same of rational numbers' parent type: `sum` of products."""
    product = getattr(math, "sumprod", lambda first, other: sum(map(int.__mul__, first, other)))
    return [product(row, query) for row in rows]


METHODS: tuple[Method, ...] = (by_lanes, by_numpy, by_sumprod)
LOW, HIGH = -ZERO, 255 - ZERO  # of a byte's values


def drawn(rows: int, wide: int, values: Sequence[int], queries: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    dice = Random(f"{rows} {wide} {values} {queries}")
    return [dice.choices(values, k=wide) for _ in range(rows)], dice.choices(queries, k=wide)


EVERY, ANY = range(LOW, HIGH + 1), range(-LARGEST, LARGEST + 1)
DRAWS: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "any": (EVERY, ANY),
    "edges": ((LOW, HIGH), (-LARGEST, LARGEST)),
    "edges and nothing": ((LOW, 0, HIGH), (-LARGEST, 0, LARGEST)),
    "lowest by lowest": ((LOW,), (-LARGEST,)),
    "lowest by highest": ((LOW,), (LARGEST,)),
    "highest by highest": ((HIGH,), (LARGEST,)),
    "highest by lowest": ((HIGH,), (-LARGEST,)),
    "nothing asked": (EVERY, (0,)),
    "nothing there": ((0,), ANY),
}


@pytest.mark.parametrize("wide", [1, 2, 256, 1024])
@pytest.mark.parametrize("rows", [0, 1, 2, 33])
@pytest.mark.parametrize("draw", DRAWS)
def test_dot_products_agree_with_other_methods(draw: str, rows: int, wide: int) -> None:
    """L3, B1: on 3.11 and later, with numpy and without."""
    table, query = drawn(rows, wide, *DRAWS[draw])
    expected = by_loop(table, query)
    assert len(expected) == rows
    for method in METHODS:
        assert method(table, query) == expected, method.__name__


@pytest.mark.parametrize("wide", [256, 1024])
@pytest.mark.parametrize("draw", ["any", "edges"])
def test_dot_products_of_a_thousand_rows(draw: str, wide: int) -> None:
    """L3, B1: no lane overflows into its neighbour."""
    table, query = drawn(1000, wide, *DRAWS[draw])
    expected = by_numpy(table, query)
    assert by_lanes(table, query) == expected
    assert by_sumprod(table[::50], query) == expected[::50]


def test_dot_products_of_the_widest_row() -> None:
    """L3: 255 × 127 per dimension stays below 2³² for 132,000 dimensions; neighbours do not change."""
    wide = 132_000
    columns = bytes(value + ZERO for value in (HIGH, LOW, HIGH)) * wide
    assert Lanes(columns, 3).dots([LARGEST] * wide) == [wide * LARGEST * value for value in (HIGH, LOW, HIGH)]


def test_dot_products_do_not_change_the_rows() -> None:
    """L3."""
    table, query = drawn(5, 16, *DRAWS["any"])
    lanes = Lanes(bytes(value + ZERO for column in zip(*table, strict=True) for value in column), 5)
    first = lanes.dots(query)
    lanes.dots([LARGEST] * 16)
    assert lanes.dots(query) == first == by_loop(table, query)


@pytest.mark.parametrize("query", [[1], [1, 2, 3], []])
def test_query_of_another_dimension_is_refused(query: list[int]) -> None:
    """X1: words answer then."""
    with pytest.raises(ValueError, match="argument"):
        Lanes(bytes(2 * 4), 4).dots(query)
