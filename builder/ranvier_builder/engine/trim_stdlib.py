"""Convert Pyodide's standard library to a small archive of bytecode. Runs inside Pyodide, called by trim.mjs.

Its members are stored, not deflated: HTTP compresses the whole archive better, and unpacking costs boot time.
The result does not depend on the machine: not on its clock, paths or order of files.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

try:
    from ranvier_builder.engine.bytecode import bytecode
except ImportError:  # inside Pyodide, where both files are in one folder
    from bytecode import bytecode  # type: ignore[no-redef, import-not-found]

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip can hold; every member has it."""

REGULAR_FILE = 0o100644 << 16
UNIX = 3


def trim(source: bytes, modules: Iterable[str], replacements: Mapping[str, str], root: str) -> bytes:
    """Return a stored zip of the bytecode of `modules` in the zip `source`; `root` is the prefix of their file names.

    If `replacements` has the name of a member, its text replaces the source. Its other members are added.
    """
    with zipfile.ZipFile(io.BytesIO(source)) as library:
        names = set(library.namelist())
        members = [*(find(module, names) for module in modules), *(name for name in replacements if name not in names)]
        sources = {name: text.encode() for name, text in replacements.items()}
        sources |= {name: library.read(name) for name in members if name not in sources}
        return pack(bytecode(name, sources[name], root) for name in members)


def find(module: str, names: set[str]) -> str:
    """Return the member with the source of a module; raise `LookupError` if it is missing."""
    path = module.replace(".", "/")
    for name in (f"{path}/__init__.py", f"{path}.py"):
        if name in names:
            return name
    raise LookupError(f"the standard library has no module {module}")


def pack(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a stored zip with sorted names and a fixed date: equal members give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(members):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = UNIX
            entry.external_attr = REGULAR_FILE
            archive.writestr(entry, content)
    return out.getvalue()
