"""The npm package of the engine, fetched once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ranvier_builder.engine import make


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real package, unpacked."""
    folder = tmp_path_factory.mktemp("pyodide")
    archive = make.fetch(str(shutil.which("npm")), folder)
    make.check_integrity(archive)
    make.extract(archive, folder / "stock")
    return folder / "stock"
