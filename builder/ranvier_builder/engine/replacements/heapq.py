"""A replacement for heapq, whose functions for searches are written in C."""

from _heapq import heapify, heappop, heappush, heappushpop, heapreplace

__all__ = ["heapify", "heappop", "heappush", "heappushpop", "heapreplace"]
