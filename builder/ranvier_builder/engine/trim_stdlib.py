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

EDITS = {
    # `inspect` would come along for the help text of each dataclass, made by taking its signature at every boot.
    "dataclasses.py": (
        ("import inspect\n", ""),
        # Only `asdict` and `astuple` copy, which no search calls; `copy` would bring `weakref` along.
        ("import copy\n", ""),
        (
            "        return copy.deepcopy(obj)\n\n\ndef astuple",
            "        import copy\n        return copy.deepcopy(obj)\n\n\ndef astuple",
        ),
        (
            "        return copy.deepcopy(obj)\n\n\ndef make_dataclass",
            "        import copy\n        return copy.deepcopy(obj)\n\n\ndef make_dataclass",
        ),
        (
            """        try:
            # In some cases fetching a signature is not possible.
            # But, we surely should not fail in this case.
            text_sig = str(inspect.signature(
                cls,
                annotation_format=annotationlib.Format.FORWARDREF,
            )).replace(' -> None', '')
        except (TypeError, ValueError):
            text_sig = ''
        cls.__doc__ = (cls.__name__ + text_sig)
""",
            "        cls.__doc__ = cls.__name__\n",
        ),
        (
            "        member = inspect.unwrap(member)\n",
            "        while hasattr(member, '__wrapped__'):\n            member = member.__wrapped__\n",
        ),
    ),
}
"""What is replaced in a source before it is compiled; each must be there exactly once."""


def trim(source: bytes, modules: Iterable[str], instead: Mapping[str, str], root: str) -> bytes:
    """Return a stored zip of the bytecode of `modules`, found in the zip `source`; their files are named below `root`.

    Where `instead` has the name of a member, its text is taken for the source.
    """
    with zipfile.ZipFile(io.BytesIO(source)) as library:
        names = set(library.namelist())
        members = [find(module, names) for module in modules]
        return pack(
            bytecode(name, instead[name].encode() if name in instead else edited(name, library.read(name)), root)
            for name in members
        )


def find(module: str, names: set[str]) -> str:
    """Return the member that holds the source of a module; a name that is not there is a mistake in the list."""
    path = module.replace(".", "/")
    for name in (f"{path}/__init__.py", f"{path}.py"):
        if name in names:
            return name
    raise LookupError(f"the standard library has no module {module}")


def edited(name: str, source: bytes) -> bytes:
    """Return a member's source with its edits; an edit that does not fit is a mistake."""
    for old, new in EDITS.get(name, ()):
        if source.count(old.encode()) != 1:
            raise LookupError(f"{name} is not what was to be edited: {old!r}")
        source = source.replace(old.encode(), new.encode())
    return source


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
