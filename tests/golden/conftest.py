"""The manual, for all tests of its ranking."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import ranvier


@pytest.fixture(scope="session")
def manual(manual_index: Path) -> Iterator[ranvier.Library]:
    with ranvier.open_snapshot(manual_index) as library:
        yield library
