"""How much time and memory the work on one file may take.

A timer of processor time interrupts Python code, and the matching of a regular expression. It does not interrupt other code in
C; in the processes of `pool` the system ends such a process a little later. Memory is limited where the system tells how much
is in use, as Linux does.

A timer interrupts only the main thread of a process, and Windows has no such timer: there, and in a pool of threads, no work is
ended.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# Seconds of processor time. To read and render a megabyte of Markdown takes 2, and no file of four real sites takes as many:
# five times that for a slow machine, and a floor for what is small and unusual.
SECONDS: float = 20
SECONDS_A_MEGABYTE = 10
LARGEST = 16_000_000  # bytes for which more time is given: no text that is larger is read whole
MEMORY = 4 << 30  # bytes beyond those in use when the work begins; the largest Markdown file that is read takes some 1.2 GB
SIMPLER = "make it smaller or simpler, or list it under `exclude`"  # the cure, in every warning of kind `limit`
_GRACE = 5  # seconds from the timer to the end of the process

_expendable = False  # whether the system may end this process


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Work on a file that was ended. `why` follows the file's name in a message: "takes more than 20 seconds …"."""

    why: str


class _Overtime(BaseException):
    """The timer has run out. Not an `Exception`, which a library may catch."""


def each(work: Callable[[T], R], items: list[T], weight: Callable[[T], int]) -> list[R | Unfinished]:
    """Do work for each item, within limits; `weight(item)` is the number of bytes that are to be read for it."""
    return [_limited(work, item, weight(item)) for item in items]


def size(*files: Path) -> int:
    """Return the bytes of some files together; what is not there has none."""
    total = 0
    for file in files:
        with suppress(OSError):
            total += file.stat().st_size
    return total


def be_expendable() -> None:
    """Let the system end this process where the timer is not heard, and without a core dump."""
    global _expendable
    _expendable = True
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _limited(work: Callable[[T], R], item: T, weight: int) -> R | Unfinished:
    seconds = SECONDS + min(weight, LARGEST) * SECONDS_A_MEGABYTE // 1_000_000
    try:
        with _limits(seconds):
            return work(item)
    except _Overtime:
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
        if used := _bytes_in_use():
            stack.enter_context(_lowered(resource.RLIMIT_AS, used + MEMORY))
        if _expendable:
            stack.enter_context(_lowered(resource.RLIMIT_CPU, int(time.process_time() + seconds) + _GRACE))
        stack.enter_context(_timer(seconds))
        yield


@contextmanager
def _timer(seconds: float) -> Iterator[None]:
    """Raise `_Overtime` after so many seconds, and each second from then on: a callback from C may swallow it."""
    is_on, is_over = True, False

    def end(*_: Any) -> None:
        nonlocal is_over
        if is_on:
            is_over = True
            raise _Overtime

    handler = signal.signal(signal.SIGPROF, end)
    timer = signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
        if is_over:
            raise _Overtime
    finally:
        is_on = False
        signal.setitimer(signal.ITIMER_PROF, *timer)
        signal.signal(signal.SIGPROF, handler or signal.SIG_DFL)


@contextmanager
def _lowered(kind: int, limit: int) -> Iterator[None]:
    """Lower a limit of the process for a while, unless it is lower already."""
    import resource

    soft, hard = resource.getrlimit(kind)
    if soft == resource.RLIM_INFINITY or limit < soft:
        resource.setrlimit(kind, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))


def _bytes_in_use() -> int:
    """Return the size of this process's address space; 0 where the system does not say."""
    try:
        import resource

        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ImportError):
        return 0
