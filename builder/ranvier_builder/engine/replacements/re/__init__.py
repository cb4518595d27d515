"""A replacement for re, with patterns that were compiled when the core was packed: see `patterns.py`.

Other patterns need Python's parser and compiler of patterns, which are imported then. Flags are plain integers.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
from functools import lru_cache
from typing import Any

NOFLAG, IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, DEBUG, ASCII = 0, 2, 4, 8, 16, 32, 64, 128, 256
I, L, M, S, U, X, A = IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, ASCII  # noqa: E741


@lru_cache(maxsize=512)
def compile(pattern: str | bytes, flags: int = 0) -> Any:
    """Return the compiled pattern; raise `re.error` if it is invalid."""
    try:
        from compiled_patterns import PATTERNS  # type: ignore[import-not-found]
    except ImportError:  # the core is not there yet, or published as source
        PATTERNS = {}
    if compiled := PATTERNS.get((pattern, flags)):
        all_flags, code, groups, names, group_names = compiled
        return _sre.compile(pattern, all_flags, list(code), groups, dict(names), group_names)
    from re import _compiler  # type: ignore[attr-defined]

    return _compiler.compile(pattern, flags)


def search(pattern: str | bytes, text: Any, flags: int = 0) -> Any:
    """Return the first match anywhere in a text, or None."""
    return compile(pattern, flags).search(text)


def _compile_template(pattern: Any, template: Any) -> Any:
    """Return the compiled template of a replacement; C calls this for templates with a backslash."""
    from re import _parser  # type: ignore[attr-defined]

    return _sre.template(pattern, _parser.parse_template(template, pattern))


def __getattr__(name: str) -> Any:
    if name not in ("error", "PatternError"):
        raise AttributeError(name)
    from re import _constants  # type: ignore[attr-defined]

    return getattr(_constants, name)
