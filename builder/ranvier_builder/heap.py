"""The heap of the C library, and the garbage collector of Python."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Objects that a build creates, on balance, between two searches for unreachable cycles. With Python's 700, the searches take
# 4 % of a build of 2,000 pages; with this number .7 %, and no more memory.
MANY_OBJECTS = 20_000


def trim_heap() -> None:
    """Return free memory to the system, where the C library has `malloc_trim` (glibc).

    By itself, glibc returns only the free end of the heap. After a stage with many long texts, most free memory is elsewhere.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Search for unreachable cycles of objects less often than Python does."""
    thresholds = gc.get_threshold()
    gc.set_threshold(MANY_OBJECTS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
