"""Compile the patterns of the core, so that browsers need not. Runs inside Pyodide, called by prepare.mjs.

Python compiles each pattern from its text when it is imported. For the patterns of the core, that was a third of a start.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any


def compiled_patterns(names: Iterable[str]) -> str:
    """Import modules, and return the source of `compiled_patterns`, which `replacements/re` reads."""
    requests: dict[tuple[str, int], None] = {}
    original = _compiler.compile

    def record(pattern: str, flags: int = 0) -> Any:
        requests[pattern, flags] = None
        return original(pattern, flags)

    _compiler.compile = record
    for name in names:
        importlib.import_module(name)
    return f"PATTERNS = { ({request: compiled(*request) for request in requests})!r}\n"


def compiled(pattern: str, flags: int) -> tuple[int, tuple[int, ...], int, tuple[tuple[str, int], ...], tuple[str | None, ...]]:
    """Return the arguments of `_sre.compile` after the pattern: flags, code, number of groups, and their names, two ways."""
    parsed = _parser.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, at in state.groupdict.items():
        names[at] = name
    code = tuple(map(int, _compiler._code(parsed, flags)))
    return int(flags | state.flags), code, state.groups - 1, tuple(state.groupdict.items()), tuple(names)
