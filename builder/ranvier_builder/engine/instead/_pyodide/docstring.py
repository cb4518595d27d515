"""Stands in for what writes the help texts of functions in C at every boot, by `inspect`; nobody asks for help there."""

from collections.abc import Callable


def get_cmeth_docstring(function: Callable[..., object]) -> str:
    """Return no text."""
    return ""
