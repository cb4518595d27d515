"""A replacement for the module that documents Pyodide's functions in C: the classes that C needs, without documentation."""

from __future__ import annotations

from typing import Any

_instantiate_token = object()
_js_flags: dict[str, int] = {}


def _undocumented(*args: object) -> None:
    """Do nothing."""


class _JsProxyMetaClass(type):
    """The class of the classes of JavaScript objects, which C makes."""

    def __instancecheck__(cls, instance: object) -> bool:
        return type.__instancecheck__(cls, instance) or hasattr(type(instance), "_js_type_flags")


class JsProxy(metaclass=_JsProxyMetaClass):
    """A JavaScript object. C makes one of this class, and reads the docstrings of its methods."""

    def __init__(self, token: object = None) -> None:
        """Raise `TypeError` unless C calls it."""
        if token is not _instantiate_token:
            raise TypeError(f"{type(self).__name__} cannot be instantiated.")

    def __getattr__(self, name: str) -> Any:
        return _undocumented


class JsNull:
    """JavaScript's null."""

    typeof = "object"

    def __new__(cls) -> Any:
        """Return the only object of the class."""
        return jsnull

    def __repr__(self) -> str:
        return "jsnull"

    def __bool__(self) -> bool:
        return False


jsnull = object.__new__(JsNull)


class JsBigInt(int):
    """JavaScript's bigint."""


class ConversionError(Exception):
    """A value that the other language cannot represent."""


class InternalError(Exception):
    """An error in Pyodide itself."""


def __getattr__(name: str) -> Any:
    return JsProxy
