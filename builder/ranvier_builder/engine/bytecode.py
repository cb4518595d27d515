"""Make the published bytecode. Runs inside Pyodide: the same interpreter must make the bytecode and read it.

A stock boot spends four fifths of its time compiling Python source; bytecode needs no compilation.
"""

from __future__ import annotations

import marshal
from importlib._bootstrap_external import MAGIC_NUMBER
from types import CodeType

UNCHECKED_HASH = 0b01
"""A pyc with this flag is never compared with its source (PEP 552), which does not ship."""

NO_HASH = bytes(8)

HAS_DOCSTRING = 0x4000000
"""A flag of a code object whose first constant is its text of help (CPython 3.14, CO_HAS_DOCSTRING)."""


def bytecode(name: str, source: bytes, root: str) -> tuple[str, bytes]:
    """Return the name and the content of the pyc for one source, for a library without sources."""
    code = compile(source, f"{root}/{name}", "exec", dont_inherit=True, optimize=2)
    head = MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little") + NO_HASH
    return f"{name}c", head + marshal.dumps(strip_debug_data(code))


def strip_debug_data(code: CodeType) -> CodeType:
    """Remove data that only debugging needs from a function and its inner functions.

    Line positions are a third of all bytecode. Without them, a traceback has files, functions and their first lines.
    An error about a wrong number of arguments has the function's name without its class. Variables that are neither
    parameters nor shared are numbered, so that many functions have the same names.
    """
    constants = [strip_debug_data(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts]
    if code.co_flags & HAS_DOCSTRING:
        constants[0] = None
    return code.replace(
        co_linetable=b"",
        co_qualname=code.co_name,
        co_varnames=numbered(code),
        co_consts=tuple(constants),
        co_flags=code.co_flags & ~HAS_DOCSTRING,
    )


def numbered(code: CodeType) -> tuple[str, ...]:
    """Return a function's variable names, numbered except for parameters and variables shared with inner functions."""
    parameters = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    kept = {*code.co_varnames[:parameters], *code.co_cellvars, *code.co_freevars}
    return tuple(name if name in kept else f"_{at}" for at, name in enumerate(code.co_varnames))
