"""Turns Pyodide's standard library into a small archive of bytecode. Runs inside Pyodide, called by trim.mjs.

Its members are stored, not deflated: HTTP compresses the whole better, and
unpacking costs boot time. Nothing of the machine goes in: no clock, no path, no order of a folder.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

try:
    from ranvier_builder.engine.bytecode import bytecode
except ImportError:  # inside Pyodide, where the two lie side by side
    from bytecode import bytecode  # type: ignore[no-redef, import-not-found]

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip can hold; every member has it."""

REGULAR_FILE = 0o100644 << 16
UNIX = 3


def trim(source: bytes, modules: Iterable[str], instead: Mapping[str, str], root: str) -> bytes:
    """Return a stored zip of the bytecode of `modules`, found in the zip `source`; their files are named below `root`.

    Where `instead` has the name of a member, its text is taken for the source.
    """
    with zipfile.ZipFile(io.BytesIO(source)) as library:
        names = set(library.namelist())
        members = [find(module, names) for module in modules]
        return pack(bytecode(name, instead[name].encode() if name in instead else library.read(name), root) for name in members)


def find(module: str, names: set[str]) -> str:
    """Return the member that holds the source of a module; a name that is not there is a mistake in the list."""
    path = module.replace(".", "/")
    for name in (f"{path}/__init__.py", f"{path}.py"):
        if name in names:
            return name
    raise LookupError(f"the standard library has no module {module}")


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
