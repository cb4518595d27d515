"""Jobs for process pools, which must be importable in other processes."""

import os
import signal

from ranvier_builder.work import limits
from ranvier_builder.work.limits import Unfinished, each

LOW_MEMORY = 1 << 28  # bytes


def work(item: str) -> str:
    """Behave as the name of an item says; return other items in capitals."""
    if item == "in Python":
        while True:
            pass
    if item == "in a regular expression":
        import re

        re.match(r"(a|a)*b", "a" * 60)
    if item == "behind a library that catches all":
        return _caught()
    if item == "in C":
        sum(range(10**12))  # hours
    if item == "memory":
        bytearray(2 * LOW_MEMORY)
    if item == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    return item.upper()


def _caught() -> str:
    try:
        while True:
            pass
    except BaseException:
        return "a partial answer"


def batch(items: list[str]) -> list[str | Unfinished]:
    """Work on each item for at most 0.3 seconds; a process that may be killed is killed after one or two."""
    limits.SECONDS, limits._GRACE, limits.MEMORY = 0.3, 1, LOW_MEMORY
    return each(work, items, len)
