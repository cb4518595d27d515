"""Fixtures of the browser tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.layered import layered_manual
from support.sites import SiteServer, serving

__all__ = ["layered_manual"]


@pytest.fixture
def server(example_site: Path) -> Iterator[SiteServer]:
    """The manual on a server that records the requests of one test."""
    with serving(example_site) as server:
        yield server
