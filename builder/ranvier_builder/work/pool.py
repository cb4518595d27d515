"""Sharing work out: any `concurrent.futures.Executor` will do, processes here or a cluster's."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

BATCH = 16  # items that a process takes at a time: enough to outweigh the sending, few enough to share out evenly
WORTH_IT = 64  # items; below that, starting processes costs more than they save


@contextmanager
def pool(jobs: int = 0) -> Iterator[Executor | None]:
    """Give a pool of processes, one for each processor where `jobs` is 0; `None` for one job: all is done here.

    Processes start when the first work is given out, and never by a bare fork: a progress bar's thread may hold a lock.
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield None
        return
    kinds = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in kinds else "spawn")
    if "forkserver" in kinds:
        context.set_forkserver_preload(["ranvier_builder.work"])
    with ProcessPoolExecutor(jobs, mp_context=context) as executor:
        yield executor


def shared_out(
    job: Callable[[list[T]], list[R]], items: Sequence[T], executor: Executor | None, done: Callable[[int], None]
) -> Iterator[R]:
    """Yield what a job makes of each item, in the items' order. The job takes a list of them and must be picklable."""
    batches = [list(items[at : at + BATCH]) for at in range(0, len(items), BATCH)]
    results = map(job, batches) if executor is None or len(items) < WORTH_IT else executor.map(job, batches)
    for batch in results:
        done(len(batch))
        yield from batch
