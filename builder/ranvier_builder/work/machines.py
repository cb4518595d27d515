"""Use the workers of a Dask cluster instead of local processes. They need the content folder under the same path."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakSet

from ranvier import __version__

from ranvier_builder.errors import BuildError

R = TypeVar("R")

SCHEME = "dask://"
_TIMEOUT = 20  # seconds until a scheduler must answer
_CLOSED = ("closing", "closed")  # states of a client that lost its scheduler


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler of a cluster: `dask://HOST:PORT`.

    Raises:
        BuildError: the package is missing, no scheduler answers, it ends, a worker has another Ranvier, or a file ends workers.

    """
    try:
        import distributed
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise BuildError(f"{address} needs the package distributed", cure='pip install "ranvier[dask]"') from None
    connect: Any = distributed.Client  # its types are incomplete
    try:
        client = connect("tcp://" + address.removeprefix(SCHEME), timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        cure = "start `dask scheduler` there, or remove `--executor`"
        raise BuildError(f"no Dask scheduler answers at {address}", cure=cure) from error
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it also raises the errors that it prints
    lost = BuildError(f"the Dask scheduler at {address} ended", cure="start it again, or remove `--executor`")
    with client:
        try:
            _check_versions(client)
            yield _Workers(client, lost)
        except (CancelledError, CommClosedError) as error:
            raise lost from error
        except distributed.KilledWorker as error:
            cure = "give the workers more memory; or build without `--executor`: such a build names the file and continues"
            raise BuildError(f"a file ended several workers of the cluster: {error}", cure=cure) from error


class _Workers(Executor):
    """The workers of a cluster. Dask's own executor leaves a result pending for ever if the scheduler ends while it is sent."""

    def __init__(self, client: Any, lost: BuildError) -> None:
        self._client, self._lost = client, lost
        self._executor: Executor = client.get_executor()
        self._futures = WeakSet[Future[Any]]()
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, call: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Call a function on a worker."""
        future = self._executor.submit(call, *args, **kwargs)
        self._futures.add(future)
        return future

    def _watch(self) -> None:
        while self._client.status not in _CLOSED:
            time.sleep(1)
        for future in list(self._futures):
            with suppress(InvalidStateError):
                future.set_exception(self._lost)


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
