"""Stands in for `pyodide.code` without what needs `inspect`: calls that drop surplus arguments."""

from _pyodide._base import CodeRunner, eval_code, eval_code_async, find_imports, should_quiet  # type: ignore[import-not-found]

__all__ = ["CodeRunner", "eval_code", "eval_code_async", "find_imports", "should_quiet"]
