"""Stands in for `pyodide.code`: runs Python, and knows nothing of asyncio, of packages, or of calls with surplus arguments."""

from _pyodide._base import eval_code  # type: ignore[import-not-found]

__all__ = ["eval_code"]
