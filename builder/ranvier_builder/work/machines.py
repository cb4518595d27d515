"""Use the workers of a Dask cluster instead of local processes. They need the content folder under the same path."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from ranvier import __version__

from ranvier_builder.errors import BuildError

SCHEME = "dask://"
_TIMEOUT = 20  # seconds until a scheduler must answer


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler of a cluster: `dask://HOST:PORT`.

    Raises:
        BuildError: the package is missing, no scheduler answers, a worker has another Ranvier, or a file ends workers.

    """
    try:
        import distributed
    except ImportError:
        raise BuildError(f"{address} needs the package distributed", cure='pip install "ranvier[dask]"') from None
    connect: Any = distributed.Client  # its types are incomplete
    try:
        client = connect("tcp://" + address.removeprefix(SCHEME), timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        cure = "start `dask scheduler` there, or remove `--executor`"
        raise BuildError(f"no Dask scheduler answers at {address}", cure=cure) from error
    with client:
        _check_versions(client)
        try:
            yield client.get_executor()
        except distributed.KilledWorker as error:
            cure = "give the workers more memory; or build without `--executor`: such a build names the file and continues"
            raise BuildError(f"a file ended several workers of the cluster: {error}", cure=cure) from error


def _check_versions(client: Any) -> None:
    cure = f"install ranvier {__version__} where the workers run"
    try:
        versions: dict[str, str] = client.run(version)
    except ImportError as error:
        raise BuildError(f"a worker of the cluster cannot import Ranvier: {error}", cure=cure) from error
    if not versions:
        raise BuildError("the cluster has no workers", cure="start some with `dask worker`")
    for worker in sorted(versions):
        if versions[worker] != __version__:
            raise BuildError(f"the worker {worker} has Ranvier {versions[worker]}, not {__version__}", cure=cure)


def version() -> str:
    """Return the version of Ranvier; it runs on the workers."""
    return __version__
