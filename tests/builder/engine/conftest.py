"""The npm package of the engine, and an empty cache."""

import shutil
from pathlib import Path

import pytest
from ranvier_builder.engine import make, obtain


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real package, unpacked."""
    folder = tmp_path_factory.mktemp("pyodide")
    archive = make.fetch(str(shutil.which("npm")), folder)
    make.check_integrity(archive)
    make.extract(archive, folder / "stock")
    return folder / "stock"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no other source of engines, scripts or prepared files."""
    monkeypatch.delenv(obtain.VARIABLE, raising=False)
    monkeypatch.setattr(obtain, "shipped_folder", lambda: None)
    monkeypatch.setattr(obtain, "user_cache_path", lambda name: tmp_path / "cache" / name)
    return tmp_path / "cache" / "ranvier"
