"""Folders that are filled once for all processes of a test run, and sites that are built once for a file of tests."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ranvier


def shared_folder(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], object]) -> Path:
    """Return the folder of this name; the first process that needs it fills it. Do not change it: copy it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, part = base / name, base / f"{name}.part"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(part, ignore_errors=True)  # left by a process that failed
            part.mkdir()
            fill(part)
            part.replace(folder)
    return folder


def site_fixture(build: Callable[..., Path], *args: Any, **options: Any) -> Any:
    """Return a fixture: the site that a function builds in a new folder. Do not change it: copy it."""

    @pytest.fixture(scope="module")
    def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return build(tmp_path_factory.mktemp("site"), *args, **options)

    return site


def copied_fixture(site: str) -> Any:
    """Return a fixture: a copy of the site of the fixture with this name, which a test may change."""

    @pytest.fixture
    def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        return Path(shutil.copytree(request.getfixturevalue(site), tmp_path / "site"))

    return copy


def entered_fixture(context: Callable[..., Any], fixture: str, scope: Any = "function", **options: Any) -> Any:
    """Return a fixture: what `context` yields for the value of the fixture with this name, such as a server for a site."""

    @pytest.fixture(scope=scope)
    def entered(request: pytest.FixtureRequest) -> Iterator[Any]:
        with context(request.getfixturevalue(fixture), **options) as result:
            yield result

    return entered


def opened_fixture(site: str, scope: Any = "function") -> Any:
    """Return a fixture: the site of the fixture with this name, opened."""
    return entered_fixture(ranvier.open_snapshot, site, scope)


def library_fixture(build: Callable[..., Path], *args: Any, **options: Any) -> Any:
    """Return a fixture: the same site, opened."""

    @pytest.fixture(scope="module")
    def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ranvier.Library]:
        with ranvier.open_snapshot(build(tmp_path_factory.mktemp("site"), *args, **options)) as opened:
            yield opened

    return library
