"""A replacement for functools: what a search and Pyodide's start use of it."""

from __future__ import annotations

from _functools import _lru_cache_wrapper, partial, reduce  # type: ignore[import-not-found]
from collections.abc import Callable
from typing import Any

__all__ = ["cache", "cached_property", "lru_cache", "partial", "reduce", "update_wrapper"]

METADATA = ("__module__", "__name__", "__qualname__", "__doc__")


def update_wrapper(wrapper: Any, wrapped: Any, *_: object) -> Any:
    """Copy a function's name and origin to the function that wraps it."""
    for name in METADATA:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    wrapper.__wrapped__ = wrapped
    return wrapper


def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    """Keep the results of the most recent calls, with the limit `maxsize`; `None`: of all calls."""
    if callable(maxsize):
        return update_wrapper(_lru_cache_wrapper(maxsize, 128, typed, _cache_info), maxsize)
    return lambda function: update_wrapper(_lru_cache_wrapper(function, maxsize, typed, _cache_info), function)


def cache(function: Any) -> Any:
    """Keep the results of all calls."""
    return lru_cache(None)(function)


def _cache_info(*counts: int) -> tuple[int, ...]:
    return counts


class cached_property:
    """A property that is computed on the first access."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = vars(instance)[self.name] = self.function(instance)
        return value
