"""Import the core and remove everything that no search needs. Runs inside Pyodide, called by prepare.mjs.

Other modules cannot be imported later: a browser that starts from the snapshot has no library.
"""

import gc
import importlib
import re
import sqlite3
import sys
from types import CodeType, FunctionType, ModuleType

import archives  # type: ignore[import-not-found]
from bytecode import bare  # type: ignore[import-not-found]

PACKAGES = ("msgpack/", "ranvier/", "snowballstemmer/")
"""The core, and what it imports. The other members of archives are the library."""

UNUSED_MODULES = ("bytecode", "settle", "site")
"""Modules that only the start needs."""

HEAP_TYPE = 1 << 9
"""A flag of classes that were made while Python ran (CPython, Py_TPFLAGS_HEAPTYPE)."""

MODULE_METADATA = ("__doc__", "__about__", "__file__", "__cached__", "__loader__", "__spec__")
"""The origin of a module; only imports and reloads read it."""

CLASS_METADATA = ("__doc__", "__annotations__", "__annotate_func__", "__static_attributes__", "__firstlineno__")
"""Attributes of classes that only documentation and debuggers read."""


def settle() -> None:
    """Import every module of the core, and tidy up."""
    sys.path[:] = [path for path in sys.path if path not in ("", "/tmp")]  # Pyodide adds "" at every boot
    for name in modules():
        importlib.import_module(name)
    open_once()
    for name in UNUSED_MODULES:
        del sys.modules[name]
    lighten()
    re.purge()
    # It is never read; its buffer contains remains of old data.
    sys.stdin = sys.__stdin__ = None  # type: ignore[misc]
    archives.members.clear()
    sys.path_importer_cache.clear()


def modules() -> list[str]:
    """Return the names of all modules of the core."""
    paths = sorted(path.removesuffix(".pyc") for path in archives.members if path.startswith(PACKAGES))
    return [path.removesuffix("/__init__").replace("/", ".") for path in paths]


def open_once() -> None:
    """Use SQLite once, because it reads its settings on first use; this fails if FTS5 is missing."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(a, content='')")
    database.close()


def lighten() -> None:
    """Remove metadata of functions, classes and modules that no search needs."""
    made: dict[CodeType, CodeType] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            del thing.__annotations__
            thing.__doc__ = None
            thing.__qualname__ = thing.__name__
            if thing.__code__.co_linetable:  # from a frozen module, or generated
                thing.__code__ = made.setdefault(thing.__code__, bare(thing.__code__))
        elif isinstance(thing, type) and thing.__flags__ & HEAP_TYPE:
            lighten_class(thing)
    for module in sys.modules.values():
        if type(module) is ModuleType:
            for name in MODULE_METADATA:
                if name in vars(module):
                    setattr(module, name, None)


def lighten_class(cls: type) -> None:
    """Remove a class's metadata; immutable classes written in C stay unchanged."""
    for name in CLASS_METADATA:
        try:
            if name in vars(cls):
                delattr(cls, name)
        except (AttributeError, TypeError):
            continue
