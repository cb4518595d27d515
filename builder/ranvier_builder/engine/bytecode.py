"""Python's bytecode as it goes out. Runs inside Pyodide: the interpreter that makes it has to be the one that reads it.

Four fifths of a stock boot are spent compiling Python source; with bytecode there is nothing to compile.
"""

from __future__ import annotations

import importlib.util
import marshal
from types import CodeType

UNCHECKED_HASH = 0b01
"""A pyc with this flag is never compared with its source (PEP 552), which does not ship."""

SAME_LINE = 0x80 | 13 << 3
"""An entry of a location table: no columns; its low bits are a length, the next byte is how many lines further."""

ENTRY_UNITS = 8
"""How many code units one entry covers at most (CPython, InternalDocs/code_objects.md)."""


def bytecode(name: str, source: bytes, root: str) -> tuple[str, bytes]:
    """Return the name and the content of the pyc for one source, laid out for a library without source."""
    code = compile(source, f"{root}/{name}", "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little") + importlib.util.source_hash(source)
    return f"{name}c", head + marshal.dumps(placeless(code))


def placeless(code: CodeType) -> CodeType:
    """Let every instruction lie on the first line of its function.

    Where each lies on its line is a third of all bytecode. A traceback still names files and functions.
    """
    units = len(code.co_code) // 2
    table = b"".join(bytes((SAME_LINE | min(ENTRY_UNITS, units - at) - 1, 0)) for at in range(0, units, ENTRY_UNITS))
    inner = tuple(placeless(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts)
    return code.replace(co_linetable=table, co_consts=inner)
