"""Import the core and remove everything that no search needs. Runs inside Pyodide, called by prepare.mjs.

Other modules cannot be imported later: a browser that starts from the snapshot has no library.
"""

import builtins
import gc
import importlib
import os
import re
import sqlite3
import sys
from types import CodeType, FunctionType, ModuleType

from bytecode import bare  # type: ignore[import-not-found]

ROOT = "/ranvier-core"

UNASKED = ("bytecode", "settle", "site", "_sitebuiltins")
"""Modules that have done their work: `site` reads settings when Python starts, and greets whoever types at a prompt."""

PROMPT = ("copyright", "credits", "exit", "help", "license", "quit")
"""What `site` puts among the built-in names for the same."""

HEAP_TYPE = 1 << 9
"""A flag of classes that were made while Python ran (CPython, Py_TPFLAGS_HEAPTYPE)."""

OF_MODULES = ("__doc__", "__about__", "__file__", "__cached__", "__loader__", "__spec__")
"""Where a module came from, which is asked when it is imported or reloaded."""

OF_CLASSES = ("__doc__", "__annotations__", "__annotate_func__", "__static_attributes__", "__firstlineno__")
"""What is written down for people and their tools."""


def settle() -> None:
    """Import every module of the core, which is at the same path as in the worker, and tidy up."""
    sys.path[:] = [ROOT, *(path for path in sys.path if path not in ("", "/tmp"))]  # Pyodide adds "" at every boot
    for name in modules():
        importlib.import_module(name)
    open_once()
    for name in UNASKED:
        del sys.modules[name]
    for name in PROMPT:
        delattr(builtins, name)
    del sys.__interactivehook__
    lighten()
    re.purge()
    # It is never read; its buffer contains remains of old data.
    sys.stdin = sys.__stdin__ = None  # type: ignore[misc]
    # The folder is written again later with more files, so its old content must not stay cached.
    sys.path_importer_cache.clear()


def modules() -> list[str]:
    """Return the names of all modules of the core."""
    paths = [f"{folder}/{name}" for folder, _, names in os.walk(ROOT) for name in names if name.endswith(".pyc")]
    bare = sorted(os.path.relpath(path, ROOT).removesuffix(".pyc") for path in paths)
    return [name.removesuffix("/__init__").replace("/", ".") for name in bare]


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
            for name in OF_MODULES:
                if name in vars(module):
                    setattr(module, name, None)


def lighten_class(cls: type) -> None:
    """Remove a class's metadata; immutable classes written in C stay unchanged."""
    for name in OF_CLASSES:
        try:
            if name in vars(cls):
                delattr(cls, name)
        except (AttributeError, TypeError):
            continue
