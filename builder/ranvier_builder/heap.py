"""The heap of the C library."""

from __future__ import annotations

import ctypes
import sys


def trim_heap() -> None:
    """Return free memory to the system, where the C library has `malloc_trim` (glibc).

    By itself, glibc returns only the free end of the heap. After a stage with many long texts, most free memory is elsewhere.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
