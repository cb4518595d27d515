"""Dot products in one large integer (L3, B1): the exact result of other methods."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from ranvier.vectors.lanes import LARGEST, ZERO, Lanes

LOW, HIGH = -ZERO, 255 - ZERO  # of a byte's values


def random_lanes(rows: int, wide: int, values: Sequence[int], queries: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    rng = Random(f"{rows} {wide} {values} {queries}")
    return [rng.choices(values, k=wide) for _ in range(rows)], rng.choices(queries, k=wide)


STORED_VALUES, QUERY_VALUES = range(LOW, HIGH + 1), range(-LARGEST, LARGEST + 1)
DRAWS: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "any": (STORED_VALUES, QUERY_VALUES),
    "edges": ((LOW, HIGH), (-LARGEST, LARGEST)),
    "edges and nothing": ((LOW, 0, HIGH), (-LARGEST, 0, LARGEST)),
    "lowest by lowest": ((LOW,), (-LARGEST,)),
    "lowest by highest": ((LOW,), (LARGEST,)),
    "highest by highest": ((HIGH,), (LARGEST,)),
    "highest by lowest": ((HIGH,), (-LARGEST,)),
    "nothing asked": (STORED_VALUES, (0,)),
    "nothing there": ((0,), QUERY_VALUES),
}


@pytest.mark.parametrize(
    ("rows", "wide"), [*((rows, wide) for rows in (0, 1, 2, 33) for wide in (1, 2, 256, 1024)), (1000, 256), (1000, 1024)]
)
@pytest.mark.parametrize("draw", DRAWS)
def test_dot_products_agree_with_those_of_numpy(draw: str, rows: int, wide: int) -> None:
    """L3, B1: no lane overflows into its neighbour, and a query does not change the rows."""
    table, query = random_lanes(rows, wide, *DRAWS[draw])
    lanes = Lanes(bytes(value + ZERO for column in zip(*table, strict=True) for value in column), rows)
    expected = (np.array(table, np.int64).reshape(rows, wide) @ np.array(query, np.int64)).tolist()
    assert lanes.dots(query) == expected
    lanes.dots([LARGEST] * wide)
    assert lanes.dots(query) == expected


def test_dot_products_of_the_widest_row() -> None:
    """L3: 255 × 127 per dimension stays below 2³² for 132,000 dimensions; neighbours do not change."""
    wide = 132_000
    columns = bytes(value + ZERO for value in (HIGH, LOW, HIGH)) * wide
    assert Lanes(columns, 3).dots([LARGEST] * wide) == [wide * LARGEST * value for value in (HIGH, LOW, HIGH)]


@pytest.mark.parametrize("query", [[1], [1, 2, 3], []])
def test_query_of_another_dimension_is_refused(query: list[int]) -> None:
    """X1: words answer then."""
    with pytest.raises(ValueError, match="argument"):
        Lanes(bytes(2 * 4), 4).dots(query)
