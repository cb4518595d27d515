from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from leaks.tree import CONFIG, garden
from support.content import build_without_engine


@dataclass(frozen=True)
class BuiltSite:
    """A content folder and a site that was built from it; a copy for each test."""

    content: Path
    out: Path


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    folder = tmp_path_factory.mktemp("garden")
    content = garden(folder / "content")
    build_without_engine(content, folder / "out", CONFIG)
    return BuiltSite(content, folder / "out")


@pytest.fixture
def built(master: BuiltSite, tmp_path: Path) -> BuiltSite:
    shutil.copytree(master.out, tmp_path / "out")
    return BuiltSite(master.content, tmp_path / "out")
