"""Turns Pyodide's standard library into a small archive of bytecode. Runs inside Pyodide, called by trim.mjs.

Four fifths of a stock boot are spent compiling Python source, so the archive holds bytecode, made by the very
interpreter that will read it. Its members are stored, not deflated: HTTP compresses the whole better, and
unpacking costs boot time. Nothing of the machine goes in: no clock, no path, no order of a folder.
"""

from __future__ import annotations

import importlib.util
import io
import marshal
import zipfile
from collections.abc import Iterable

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip can hold; every member has it."""

UNCHECKED_HASH = 0b01
"""A pyc with this flag is never compared with its source (PEP 552), which does not ship."""

REGULAR_FILE = 0o100644 << 16
UNIX = 3


def trim(source: bytes, modules: Iterable[str], root: str) -> bytes:
    """Return a stored zip of the bytecode of `modules`, found in the zip `source`; their files are named below `root`."""
    with zipfile.ZipFile(io.BytesIO(source)) as library:
        names = set(library.namelist())
        return pack(bytecode(library, find(module, names), root) for module in modules)


def find(module: str, names: set[str]) -> str:
    """Return the member that holds the source of a module; a name that is not there is a mistake in the list."""
    path = module.replace(".", "/")
    for name in (f"{path}/__init__.py", f"{path}.py"):
        if name in names:
            return name
    raise LookupError(f"the standard library has no module {module}")


def bytecode(library: zipfile.ZipFile, name: str, root: str) -> tuple[str, bytes]:
    """Return the name and the content of the pyc for one source member, laid out for a library without source."""
    source = library.read(name)
    code = compile(source, f"{root}/{name}", "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little") + importlib.util.source_hash(source)
    return f"{name}c", head + marshal.dumps(code)


def pack(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a stored zip with sorted names and one fixed date: the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(members):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = UNIX
            entry.external_attr = REGULAR_FILE
            archive.writestr(entry, content)
    return out.getvalue()
