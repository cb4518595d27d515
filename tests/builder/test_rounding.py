"""Numbers of the whole site are rounded (I3): an edit of one page changes few files."""

import pytest
from ranvier_builder.rounding import significant


@pytest.mark.parametrize(
    ("value", "bits", "rounded"), [(0, 3, 0), (7, 3, 7), (9, 3, 8), (1003, 8, 1004), (0.3, 2, 0.25), (1, 1, 1), (255, 3, 256)]
)
def test_numbers_have_few_significant_bits(value: float, bits: int, rounded: float) -> None:
    """I3."""
    assert significant(value, bits) == rounded
