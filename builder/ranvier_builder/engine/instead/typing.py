"""Stands in for typing: what is written down for a type checker means nothing here, but for the fields of a `NamedTuple`."""

from __future__ import annotations

from _typing import ParamSpec, TypeVar  # type: ignore[import-not-found]
from collections import namedtuple

__all__ = [
    "IO",
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Generic",
    "Literal",
    "NamedTuple",
    "ParamSpec",
    "Protocol",
    "Self",
    "TypeVar",
    "cast",
    "get_origin",
    "overload",
]

TYPE_CHECKING = False


class Any:
    """Whatever it may be."""


class Generic:
    """A base of classes with parameters: `Box[int]` is `Box`."""

    __slots__ = ()

    def __class_getitem__(cls, _: object) -> type:
        """Return the class."""
        return cls


class Protocol(Generic):
    """A base of descriptions."""

    __slots__ = ()


class IO(Generic):
    """A file."""


class _Form:
    """A word of annotations, with or without something in brackets."""

    def __getitem__(self, _: object) -> _Form:
        return self


ClassVar = _Form()
Literal = _Form()
Self = _Form()


class _Fields(type):
    """Makes a named tuple of the annotations and methods of a class; they are strings, so nothing is evaluated."""

    def __new__(cls, name: str, _: tuple[type, ...], members: dict[str, object]) -> type:
        names = [*members.pop("__annotations__")]  # type: ignore[misc]
        defaults = [members.pop(field) for field in names if field in members]
        module = str(members.pop("__module__"))
        made = namedtuple(name, names, defaults=defaults, module=module)  # type: ignore[misc]
        for member, value in members.items():
            setattr(made, member, value)
        return made


NamedTuple = type.__new__(_Fields, "NamedTuple", (), {"__slots__": ()})


def cast(_: object, value: object) -> object:
    """Return the value."""
    return value


def get_origin(_: object) -> None:
    """Return nothing: an annotation that is a string is no `ClassVar[…]` whose brackets could be taken off."""


def overload(function: object) -> object:
    """Return the function, which the next of its name replaces."""
    return function
