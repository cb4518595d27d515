"""Recompile the modules that are frozen into the interpreter. Runs inside Pyodide, called by lighten.mjs."""

from __future__ import annotations

import _imp
import marshal
import zipfile

from bytecode import strip_debug_data  # type: ignore[import-not-found]
from trim_stdlib import find  # type: ignore[import-not-found]

REPLACEMENTS = {
    "site": "import archives; archives.add_library()",
    "_sitebuiltins": "raise ImportError('the names of the interactive prompt are not available')",
    "ntpath": "raise ImportError('paths of Windows are not available')",
    "runpy": "raise ImportError('modules cannot run as scripts')",
}
"""Sources instead of the originals.

CPython imports `site` at the start, for the settings of an installation, and `site` the prompt. Ours adds the importer of the
library, see `replacements/archives.py`. No search needs the others.
"""


def smaller_modules(library: str) -> list[tuple[bytes, bytes]]:
    """Return the bytecode of each frozen module, and the same without docstrings, assertions and debug data.

    `library` is the path of the zip with their sources. Modules with the prefix `__`, for CPython's tests, are skipped.
    """
    with zipfile.ZipFile(library) as sources:
        members = set(sources.namelist())
        names = [name for name in _imp._frozen_module_names() if not name.startswith("__")]  # type: ignore[attr-defined]
        return [recompiled(name, sources, members) for name in names]


def recompiled(name: str, sources: zipfile.ZipFile, members: set[str]) -> tuple[bytes, bytes]:
    """Return the bytecode of one frozen module, and the smaller bytecode."""
    match _imp.find_frozen(name, withdata=True):
        case (memoryview() as data, _, str(origin)):
            source = REPLACEMENTS.get(name, sources.read(find(origin, members)))
        case other:
            raise LookupError(f"the interpreter has no frozen module {name}, but {other}")
    file = _imp.get_frozen_object(name).co_filename
    return bytes(data), marshal.dumps(strip_debug_data(compile(source, file, "exec", dont_inherit=True, optimize=2)))
