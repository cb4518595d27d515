"""Distribute work to any `concurrent.futures.Executor`: local processes or a cluster."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from ranvier_builder.errors import BuildError
from ranvier_builder.heap import MANY_OBJECTS
from ranvier_builder.work.limits import Unfinished, allow_kill

T = TypeVar("T")
R = TypeVar("R")
Job = Callable[[list[T]], list[R | Unfinished]]

# Items per task: large enough to outweigh the transfer, small enough for an even distribution. On a cluster, each task also
# transfers shared data, such as the link index, which grows with the number of items; so the number of tasks is limited.
BATCH, MAX_BATCHES = 16, 256
_TASKS_OF_A_PROCESS = 4  # of `map_items`: each transfers the job
_MIN_AHEAD = 32  # tasks whose results may wait in memory until they are used; at least two for each process
# Below both limits, starting processes takes more time than it saves. Processes also have the advantage that they can be
# killed: the C code of HTML parsers needs quadratic time for a hostile file, and cannot be interrupted.
MIN_ITEMS, MIN_BYTES = 64, 250_000
_PROCESS_DIED = Unfinished("ends the process that works on it, by its time, its memory or a fault of a library")


@contextmanager
def pool(jobs: int = 0) -> Iterator[Executor | None]:
    """Yield a pool of processes, one per processor if `jobs` is 0; `None` if `jobs` is 1: this process does all work."""
    if jobs == 1:
        yield None
        return
    with Processes(jobs or os.cpu_count() or 1) as executor:
        yield executor


class Processes(Executor):
    """Parallel processes. A process that dies raises `BrokenExecutor` only for its own call, and is replaced.

    They start with the first work, and never by a plain fork: the thread of a progress bar may hold a lock.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.task_limit = max(_MIN_AHEAD, 2 * jobs)
        self._threads = ThreadPoolExecutor(jobs)
        self._idle = SimpleQueue[ProcessPoolExecutor]()
        for _ in range(jobs):
            self._idle.put(_process())

    def submit(self, call: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Call a function in the next free process."""
        return self._threads.submit(self._call, call, args, kwargs)

    def _call(self, call: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        process = self._idle.get()
        try:
            return process.submit(call, *args, **kwargs).result()
        except BrokenExecutor:
            process = _process()
            raise
        finally:
            self._idle.put(process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their submitted work."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        while not self._idle.empty():
            self._idle.get().shutdown(wait)


def _process() -> ProcessPoolExecutor:
    kinds = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in kinds else "spawn")
    if "forkserver" in kinds:
        context.set_forkserver_preload(["ranvier_builder.work.read", "ranvier_builder.work.render"])
    return ProcessPoolExecutor(1, mp_context=context, initializer=_initialise)


def _initialise() -> None:
    allow_kill()
    gc.set_threshold(MANY_OBJECTS)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a terminal sends Ctrl-C to every process: only the build reports it
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the build is killed: the queue of its work is not closed, so it would wait for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def shared(value: T, executor: Executor | None, folder: Path | None) -> Iterator[Callable[[], T]]:
    """Yield a function that returns a large value in tasks. Processes of this machine read it from a file in `folder`."""
    if executor is None:
        yield lambda: value
    elif isinstance(executor, Processes):
        with TemporaryDirectory(dir=folder) as temporary:
            file = Path(temporary, "value")
            file.write_bytes(pickle.dumps(value))
            yield partial(_unpickled, file)
    else:
        yield partial(_unpickled, pickle.dumps(value))


@lru_cache(maxsize=1)  # a process has many tasks
def _unpickled(data: bytes | Path) -> Any:
    return pickle.loads(data if isinstance(data, bytes) else data.read_bytes())


@contextmanager
def background(executor: Executor | None, call: Callable[..., R], *args: Any) -> Iterator[Callable[[], R]]:
    """Start a call in a process of its own, if `executor` has processes; yield a function that waits for its result.

    Otherwise, or if the process dies, the call is made here when its result is needed. The process is ended after the block.
    """
    if not isinstance(executor, Processes):
        yield partial(call, *args)
        return
    process = _process()
    process_id, future = process.submit(os.getpid), process.submit(call, *args)

    def result() -> R:
        with suppress(BrokenExecutor):
            return future.result()
        return call(*args)

    try:
        yield result
    finally:
        if not future.done():  # after an error: nobody needs the result
            with suppress(BrokenExecutor):
                os.kill(process_id.result(), signal.SIGTERM)
        process.shutdown()


def map_items(job: Callable[[T], R], items: Sequence[T], weight: Callable[[T], int], executor: Executor | None) -> Iterator[R]:
    """Yield the result of a job for each item, in order. If `executor` has processes, each does a few large tasks.

    So a large job, which may hold private text, needs no file.
    """
    if not isinstance(executor, Processes) or is_small(items, weight):
        yield from map(job, items)
        return
    step = min(executor.jobs * _TASKS_OF_A_PROCESS, len(items))
    tasks = [list(items[at::step]) for at in range(step)]
    results = [*_map_in_processes(partial(_call_each, job), tasks, executor)]
    for at, item in enumerate(items):
        result = results[at % step][at // step]
        yield job(item) if isinstance(result, Unfinished) else result


def _call_each(job: Callable[[T], R], items: list[T]) -> list[R | Unfinished]:
    return [*map(job, items)]


def is_small(items: Sequence[T], weight: Callable[[T], int]) -> bool:
    """Return whether this process does the work of some items faster than others would."""
    return len(items) < MIN_ITEMS and sum(map(weight, items)) < MIN_BYTES


def map_batches(
    job: Job[T, R], items: Sequence[T], weight: Callable[[T], int], executor: Executor | None, progress: Callable[[int], None]
) -> Iterator[R | Unfinished]:
    """Yield the result of a job for each item, in the order of the items.

    The job takes a list of items and must be picklable; `weight` returns the bytes of an item. An item whose process dies is
    `Unfinished`, without effect on other items.
    """
    size = max(BATCH, -(-len(items) // MAX_BATCHES))
    batches = [list(items[at : at + size]) for at in range(0, len(items), size)]
    executor = None if is_small(items, weight) else executor
    for batch in map(job, batches) if executor is None else _map_in_processes(job, batches, executor):
        progress(len(batch))
        yield from batch


def _map_in_processes(job: Job[T, R], batches: list[list[T]], executor: Executor) -> Iterator[list[R | Unfinished]]:
    task_count = executor.task_limit if isinstance(executor, Processes) else len(batches)  # a cluster's size is unknown
    futures = deque((batch, _submit(job, batch, executor)) for batch in batches[:task_count])
    remaining_batches = iter(batches[task_count:])
    try:
        while futures:
            batch, future = futures.popleft()
            if following := next(remaining_batches, None):
                futures.append((following, _submit(job, following, executor)))
            try:
                yield future.result()
            except BrokenExecutor:
                yield _retry(job, batch)
    finally:
        for _, future in futures:
            future.cancel()


def _submit(job: Job[T, R], batch: list[T], executor: Executor) -> Future[list[R | Unfinished]]:
    """Submit a batch; return a failed future if an earlier batch broke an external pool."""
    try:
        return executor.submit(job, batch)
    except BrokenExecutor as error:
        failed_future = Future[list[R | Unfinished]]()
        failed_future.set_exception(error)
        return failed_future


def _retry(job: Job[T, R], batch: list[T]) -> list[R | Unfinished]:
    """Retry a batch whose process died, in smaller parts, to find the item that kills it."""
    results: list[R | Unfinished] = []
    size = BATCH if len(batch) > BATCH else 1
    with Processes(1) as process:
        _check_start(process)  # otherwise each item would count as a cause
        for at in range(0, len(batch), size):
            part = batch[at : at + size]
            try:
                results += process.submit(job, part).result()
            except BrokenExecutor:
                results += _retry(job, part) if size > 1 else [_PROCESS_DIED]
    return results


def _check_start(process: Executor) -> None:
    try:
        process.submit(os.getpid).result()
    except BrokenExecutor as error:
        raise BuildError(
            "no process of the build can start",
            cure='in a script, call the build below `if __name__ == "__main__":`; free memory; or build with --jobs 1',
        ) from error
