"""Imports modules from archives in memory: zip files with uncompressed members, bytecode or sources.

Python's `zipimport` unmarshals each module twice, and modules on the file system cost many calls into JavaScript.
"""

from __future__ import annotations

import marshal
import sys
from _frozen_importlib import ModuleSpec
from types import CodeType, ModuleType

HEADER_SIZE = 30
"""Bytes of a member's header, before its name (APPNOTE.TXT, §4.3.7)."""

PYC_HEADER_SIZE = 16
ENDINGS = ("/__init__.pyc", ".pyc", "/__init__.py", ".py")

members: dict[str, memoryview] = {}
"""The members of all archives, by their paths."""


def add(archive: bytes | memoryview) -> None:
    """Make the modules of an archive available."""
    data, at = memoryview(archive), 0
    while bytes(data[at : at + 4]) == b"PK\3\4":
        size, name_size, extra_size = (
            int.from_bytes(data[at + a : at + b], "little") for a, b in ((22, 26), (26, 28), (28, 30))
        )
        start = at + HEADER_SIZE + name_size + extra_size
        at, name = start + size, str(data[at + HEADER_SIZE : at + HEADER_SIZE + name_size], "utf-8")
        members[name] = data[start:at]


def add_library() -> None:
    """Make the modules of the archive available from which Python imported this module."""
    with open(globals()["__loader__"].archive, "rb") as file:  # noqa: PTH123 (a browser has no pathlib)
        add(file.read())


class Importer:
    """Finds and loads the modules."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a module, if an archive has it."""
        stem = name.replace(".", "/")
        for ending in ENDINGS:
            if (member := stem + ending) in members:
                return ModuleSpec(name, Importer, loader_state=member, is_package=ending.startswith("/"))  # type: ignore[arg-type]
        return None

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Let Python create the module."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Run a module."""
        assert module.__spec__
        exec(_code(module.__spec__.loader_state), vars(module))


def _code(member: str) -> CodeType:
    data = members[member]
    if member.endswith(".py"):
        return compile(bytes(data), member, "exec", dont_inherit=True)
    code: CodeType = marshal.loads(data[PYC_HEADER_SIZE:])
    return code


sys.meta_path.insert(0, Importer)
