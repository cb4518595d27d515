"""I3: workers of a cluster read and render without changing a byte; cluster errors are reported before the build starts."""

import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from distributed import LocalCluster
from ranvier_builder import Config, build, publish
from ranvier_builder.errors import BuildError
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.work.machines import _Workers, cluster
from support.cli import failure
from support.content import build_without_engine, read_tree, stub_assets

PAGES = 100  # enough for several processes


@pytest.fixture(scope="module")
def workers() -> Iterator[str]:
    """Two workers, processes of this machine; the scheduler's address."""
    options = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=2, processes=True, **options) as local:
        yield local.scheduler_address.replace("tcp://", "dask://")


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    folder.mkdir()
    for number in range(PAGES):
        links = f"[[page-{(number * 7) % PAGES}]]"
        (folder / f"page-{number}.md").write_text(f"# Page {number}\n\nThe harbour has {number} ships, see {links}.\n", "utf-8")
    (folder / "cellar.md").write_text("---\naudience: curator\n---\n\n# Dungeon\n", "utf-8")
    return folder


def test_cluster_build_writes_the_same_bytes(workers: str, content: Path, tmp_path: Path) -> None:
    config = Config(default_audience="public", search=SearchSettings(vectors=False))
    with cluster(workers) as executor, patch.object(publish, "write_assets", stub_assets):
        build(content, tmp_path / "there", config, executor=executor)
    build_without_engine(content, tmp_path / "here", config)
    assert read_tree(tmp_path / "there") == read_tree(tmp_path / "here")


def test_cluster_with_another_version_is_an_error(workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier_builder.work.machines.__version__", "99.0")
    with pytest.raises(BuildError, match=r"has Ranvier 0\..*, not 99\.0"), cluster(workers):
        pass


def test_unreachable_cluster_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier_builder.work.machines._TIMEOUT", 1)
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        address = f"dask://127.0.0.1:{port.getsockname()[1]}"
        output = failure("build", tmp_path, "-o", tmp_path / "out", "--executor", address)
    assert f"no Dask scheduler answers at {address}" in output
    assert not (tmp_path / "out").exists()


def test_scheduler_that_ends_is_an_error(workers: str) -> None:
    """Dask cancels pending tasks."""
    with pytest.raises(BuildError, match=rf"the Dask scheduler at {workers} ended\n  cure: start it again"), cluster(workers):
        raise CancelledError


def test_result_that_a_closed_scheduler_did_not_send_is_an_error() -> None:
    """Dask leaves it pending for ever."""
    lost = BuildError("the Dask scheduler ended")
    client = SimpleNamespace(status="running", get_executor=lambda: SimpleNamespace(submit=lambda *_: Future()))
    result = _Workers(client, lost).submit(print)
    client.status = "closed"
    with pytest.raises(BuildError, match="the Dask scheduler ended"):
        result.result(10)


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "dask://", "dask://host", "ray://host:1"])
def test_invalid_cluster_address_is_an_error(address: str, tmp_path: Path) -> None:
    assert "dask://HOST:PORT" in failure("build", tmp_path, "--executor", address, code=2)
