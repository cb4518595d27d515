"""Limits of time and memory for the work on one file.

A timer of processor time interrupts Python code and regular expressions. It does not interrupt other C code; in a process of
`pool`, the system ends the process a little later. Memory is limited if the system reports its use, as Linux does.

A timer interrupts only the main thread of a process, and Windows has no such timer: there, and in thread pools, work has no
limit.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from mmap import PAGESIZE
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# Processor time. A megabyte of Markdown takes up to 2 s in measurements; slow machines get five times that, and small unusual
# files a minimum.
SECONDS: float = 20
SECONDS_A_MEGABYTE = 10
MAX_BYTES = 16_000_000  # bytes up to which the time limit grows; larger texts are not read as a whole
MEMORY = 4 << 30  # bytes in addition to those in use at the start; the largest Markdown file that is read takes about 1.2 GB
SIMPLIFY = "make it smaller or simpler, or list it under `exclude`"  # cure in warnings of kind `limit`
_GRACE = 5  # seconds from the timer to the end of the process

_may_be_killed = False  # whether the system may end this process


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Interrupted work on a file. `reason` follows the file's name in a message: "takes more than 20 seconds …"."""

    reason: str


class _TimeExceeded(BaseException):
    """The time limit is exceeded. Not an `Exception`, because a library may catch that."""


def each(work: Callable[[T], R], items: list[T], weight: Callable[[T], int]) -> list[R | Unfinished]:
    """Do work for each item, within limits; `weight(item)` is the number of bytes to read for it."""
    return [_run_limited(work, item, weight(item)) for item in items]


def size(*files: Path) -> int:
    """Return the total size of some files in bytes; missing files have size 0."""
    total = 0
    for file in files:
        with suppress(OSError):
            total += file.stat().st_size
    return total


def allow_kill() -> None:
    """Allow the system to kill this process if the timer has no effect, without a core dump."""
    global _may_be_killed
    _may_be_killed = True
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _run_limited(work: Callable[[T], R], item: T, weight: int) -> R | Unfinished:
    seconds = SECONDS + min(weight, MAX_BYTES) * SECONDS_A_MEGABYTE // 1_000_000
    try:
        with _limits(seconds):
            return work(item)
    except _TimeExceeded:
        return Unfinished(f"takes more than {seconds} seconds of processor time")
    except MemoryError:
        return Unfinished(f"takes more than {MEMORY >> 20:,} MB of memory")


@contextmanager
def _limits(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    import resource

    with ExitStack() as stack:
        if used_bytes := _bytes_in_use():
            stack.enter_context(_lower_limit(resource.RLIMIT_AS, used_bytes + MEMORY))
        if _may_be_killed:
            stack.enter_context(_lower_limit(resource.RLIMIT_CPU, int(time.process_time() + seconds) + _GRACE))
        stack.enter_context(_timer(seconds))
        yield


@contextmanager
def _timer(seconds: float) -> Iterator[None]:
    """Raise `_TimeExceeded` after some seconds, and again every second: a callback from C may suppress it."""
    is_on, is_over = True, False

    def end(*_: Any) -> None:
        nonlocal is_over
        if is_on:
            is_over = True
            raise _TimeExceeded

    handler = signal.signal(signal.SIGPROF, end)
    timer = signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
        if is_over:
            raise _TimeExceeded
    finally:
        is_on = False
        signal.setitimer(signal.ITIMER_PROF, *timer)
        signal.signal(signal.SIGPROF, handler or signal.SIG_DFL)


@contextmanager
def _lower_limit(kind: int, limit: int) -> Iterator[None]:
    """Lower a limit of the process temporarily, unless it is already lower."""
    import resource

    soft, hard = resource.getrlimit(kind)
    if soft == resource.RLIM_INFINITY or limit < soft:
        resource.setrlimit(kind, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))


def _bytes_in_use() -> int:
    """Return the size of this process's address space; 0 if it is unknown."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * PAGESIZE
    except OSError:
        return 0
