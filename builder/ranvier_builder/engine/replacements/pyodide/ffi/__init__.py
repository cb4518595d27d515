"""A replacement for Pyodide's interface for Python programs. Only JavaScript uses ours."""

from _pyodide._importhook import register_js_module, unregister_js_module  # type: ignore[import-not-found]

__all__ = ["register_js_module", "unregister_js_module"]
