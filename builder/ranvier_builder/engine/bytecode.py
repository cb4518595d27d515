"""Python's bytecode as it goes out. Runs inside Pyodide: the interpreter that makes it has to be the one that reads it.

Four fifths of a stock boot are spent compiling Python source; with bytecode there is nothing to compile.
"""

from __future__ import annotations

import importlib.util
import marshal
from types import CodeType

UNCHECKED_HASH = 0b01
"""A pyc with this flag is never compared with its source (PEP 552), which does not ship."""

HAS_DOCSTRING = 0x4000000
"""A flag of a code object whose first constant is its text of help (CPython 3.14, CO_HAS_DOCSTRING)."""


def bytecode(name: str, source: bytes, root: str) -> tuple[str, bytes]:
    """Return the name and the content of the pyc for one source, laid out for a library without source."""
    code = compile(source, f"{root}/{name}", "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little") + importlib.util.source_hash(source)
    return f"{name}c", head + marshal.dumps(bare(code))


def bare(code: CodeType) -> CodeType:
    """Leave out of a function, and of those in it, what only people read who debug it.

    Where each instruction lies is a third of all bytecode: a traceback names files and functions, and where these begin.
    A function that is called by a wrong number of arguments says its name without its class's. Variables that are neither
    parameters nor shared are numbered, so that many functions have the same names.
    """
    constants = [bare(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts]
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
    """Return the names of a function's variables, all but its parameters' and those that inner functions share numbered."""
    parameters = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    kept = {*code.co_varnames[:parameters], *code.co_cellvars, *code.co_freevars}
    return tuple(name if name in kept else f"_{at}" for at, name in enumerate(code.co_varnames))
