"""What the seeds' tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conformance.server import whole_site


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, str]], Path]:
    """Build a site of files that all audiences' Neurons are in; the same files are built once."""
    known: dict[tuple[tuple[str, str], ...], Path] = {}

    def make(files: Mapping[str, str]) -> Path:
        key = tuple(sorted(files.items()))
        if key not in known:
            known[key] = whole_site(tmp_path_factory.mktemp("seed"), files)
        return known[key]

    return make
