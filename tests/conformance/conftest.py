"""Fixtures of the conformance tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from conformance.server import MakeSite
from support.whole_site import whole_site


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> MakeSite:
    """Build a site of all audiences; equal files are built once."""
    sites: dict[tuple[tuple[str, str], ...], Path] = {}

    def make(files: Mapping[str, str]) -> Path:
        key = tuple(sorted(files.items()))
        if key not in sites:
            sites[key] = whole_site(tmp_path_factory.mktemp("seed"), files)
        return sites[key]

    return make
