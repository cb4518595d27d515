"""A replacement for enum, for the flags of `re`: here they are plain integers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

IntFlag, KEEP = int, None


def _simple_enum(base: type, *, boundary: object) -> Callable[[type], type]:
    """Return a decorator that changes nothing."""
    return lambda cls: cls


def global_enum(cls: Any) -> Any:
    """Copy the members of a class into its module."""
    members = {name: value for name, value in vars(cls).items() if type(value) is int}
    vars(sys.modules[cls.__module__]).update(members)
    return cls
