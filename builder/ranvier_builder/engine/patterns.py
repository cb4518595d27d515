"""Compile the patterns of the core, so that browsers need not. Runs inside Pyodide, called by prepare.mjs.

Python compiles each pattern from its text when it is imported. For the patterns of the core, that was a third of a start.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

EXAMPLES = (".NET", "é", "é .NET", "日本 語", "は", "Googleは", "NEAR(a b, 3)")
"""Queries for which the core compiles the patterns that it does not compile at import."""


def compiled_patterns(names: Iterable[str], examples: Iterable[str] = ()) -> str:
    """Import modules, parse queries, and return the source of `compiled_patterns`, which `replacements/re` reads."""
    requests: dict[tuple[str, int], None] = {}
    original = _compiler.compile

    def record(pattern: str, flags: int = 0) -> Any:
        requests[pattern, flags] = None
        return original(pattern, flags)

    _compiler.compile = record
    for name in names:
        importlib.import_module(name)
    for example in examples:
        _analyse(example)
    patterns = {request: compiled(*request) for request in requests}
    return f"PATTERNS = {patterns!r}\n"


def _analyse(query: str) -> None:
    """Call the functions of the core that compile patterns."""
    text, syntax = (importlib.import_module(f"ranvier.{name}") for name in ("text", "query.syntax"))
    syntax.parse(query)
    for function in (text.languages, text.is_open, text.terms):
        function(query)
    text.places(query, query)


def compiled(pattern: str, flags: int) -> tuple[int, tuple[int, ...], int, tuple[tuple[str, int], ...], tuple[str | None, ...]]:
    """Return the arguments of `_sre.compile` after the pattern: flags, code, number of groups, and their names, two ways."""
    parsed = _parser.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, at in state.groupdict.items():
        names[at] = name
    code = tuple(map(int, _compiler._code(parsed, flags)))
    return int(flags | state.flags), code, state.groups - 1, tuple(state.groupdict.items()), tuple(names)
