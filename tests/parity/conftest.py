"""A second site beside the manual."""

from __future__ import annotations

from pathlib import Path

import pytest
from parity.harbour import harbour


@pytest.fixture(scope="session")
def harbour_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site in ten languages, built whole. Its content lies beside it."""
    return harbour(tmp_path_factory.mktemp("harbour"))
