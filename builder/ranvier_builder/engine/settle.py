"""Imports the core and leaves nothing behind that only the import needed. Runs inside Pyodide, called by prepare.mjs.

What is not imported here cannot be imported later: a browser that starts from the snapshot has no library.
"""

import gc
import importlib
import linecache
import os
import re
import sqlite3
import sys
from types import FunctionType

sys.path.append("/tmp")
from bytecode import placeless  # type: ignore[import-not-found]

ROOT = "/ranvier-core"


def settle() -> None:
    """Import every module of the core, which lies where the worker puts it, and tidy up."""
    sys.path[:] = [ROOT, *(path for path in sys.path if path not in ("", "/tmp"))]  # Pyodide adds "" at every boot
    for name in modules():
        importlib.import_module(name)
    open_once()
    lighten()
    linecache.cache.clear()
    re.purge()
    # The folder will be written again, with more in it: nobody may remember what was there.
    sys.path_importer_cache.clear()
    del sys.modules["bytecode"]


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
    """Drop what functions know of their parameters' types, and where the lines of generated ones lie; nobody asks again."""
    for function in gc.get_objects():
        if type(function) is FunctionType:
            del function.__annotations__
            if function.__code__.co_filename == "<string>":
                function.__code__ = placeless(function.__code__)


settle()
