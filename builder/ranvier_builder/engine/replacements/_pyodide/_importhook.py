"""A replacement for Pyodide's imports of JavaScript modules and of packages. Ours import `js` and `pyodide_js` only."""

from __future__ import annotations

import sys
from typing import Any


def register_js_module(name: str, module: Any) -> None:
    """Make a JavaScript object importable."""
    sys.modules[name] = module


def unregister_js_module(name: str) -> None:
    """Undo `register_js_module`."""
    del sys.modules[name]


def register_js_finder() -> None:
    """Do nothing: modules need no finder."""


def register_windows_finder() -> None:
    """Do nothing: paths are those of Unix."""


def register_module_not_found_hook(packages: object) -> None:
    """Do nothing: there are no packages."""


def add_note_to_module_not_found_error(error: ModuleNotFoundError) -> None:
    """Do nothing: no package would help."""
