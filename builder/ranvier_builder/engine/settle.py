"""Imports the core and leaves nothing behind that no search needs. Runs inside Pyodide, called by prepare.mjs.

What is not imported here cannot be imported later: a browser that starts from the snapshot has no library.
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
    """Import every module of the core, which lies where the worker puts it, and tidy up."""
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
    # Nobody asks on it; its buffer holds the remains of what lay there before.
    sys.stdin = sys.__stdin__ = None  # type: ignore[misc]
    # The folder will be written again, with more in it: nobody may remember what was there.
    sys.path_importer_cache.clear()


def modules() -> list[str]:
    """Name all modules of the core."""
    paths = [f"{folder}/{name}" for folder, _, names in os.walk(ROOT) for name in names if name.endswith(".pyc")]
    bare = sorted(os.path.relpath(path, ROOT).removesuffix(".pyc") for path in paths)
    return [name.removesuffix("/__init__").replace("/", ".") for name in bare]


def open_once() -> None:
    """SQLite reads its own settings when it is first used; FTS5 is there or the engine is of no use."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(a, content='')")
    database.close()


def lighten() -> None:
    """Drop what functions, classes and modules know about themselves; nobody asks again."""
    made: dict[CodeType, CodeType] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            del thing.__annotations__
            thing.__doc__ = None
            thing.__qualname__ = thing.__name__
            if thing.__code__.co_linetable:  # of a frozen module, or generated
                thing.__code__ = made.setdefault(thing.__code__, bare(thing.__code__))
        elif isinstance(thing, type) and thing.__flags__ & HEAP_TYPE:
            lighten_class(thing)
    for module in sys.modules.values():
        if type(module) is ModuleType:
            for name in OF_MODULES:
                if name in vars(module):
                    setattr(module, name, None)


def lighten_class(cls: type) -> None:
    """Drop a class's texts; one of C's that may not be changed stays as it is."""
    for name in OF_CLASSES:
        try:
            if name in vars(cls):
                delattr(cls, name)
        except (AttributeError, TypeError):
            continue
