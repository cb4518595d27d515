"""A replacement for `pyodide.code` that only runs Python source."""

from _pyodide._base import eval_code  # type: ignore[import-not-found]

__all__ = ["eval_code"]
