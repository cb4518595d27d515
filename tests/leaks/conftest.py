from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from leaks.tree import CONFIG, garden
from support.content import build_without_engine


@dataclass(frozen=True)
class Built:
    """A content folder and a site that was built from it; a copy for each test."""

    content: Path
    out: Path


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("garden")
    content = garden(folder / "content")
    build_without_engine(content, folder / "out", CONFIG)
    return Built(content, folder / "out")


@pytest.fixture
def built(master: Built, tmp_path: Path) -> Built:
    shutil.copytree(master.out, tmp_path / "out")
    return Built(master.content, tmp_path / "out")
