"""A replacement for typing. Annotations have no effect here, except for the fields of a `NamedTuple`."""

from __future__ import annotations

from _typing import TypeVar  # type: ignore[import-not-found]
from collections import namedtuple

__all__ = [
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Generic",
    "Literal",
    "NamedTuple",
    "Protocol",
    "TypeVar",
    "cast",
]

TYPE_CHECKING = False


class Any:
    """Any type."""


class Generic:
    """Base of generic classes: `Box[int]` is `Box`."""

    __slots__ = ()

    def __class_getitem__(cls, _: object) -> type:
        """Return the class."""
        return cls


class Protocol(Generic):
    """Base of protocols."""

    __slots__ = ()


class _SpecialForm:
    """A special form of annotations, with or without an argument in brackets."""

    def __getitem__(self, _: object) -> _SpecialForm:
        return self


ClassVar = _SpecialForm()
Literal = _SpecialForm()


class _NamedTupleMeta(type):
    """Makes a named tuple from the annotations and methods of a class. Annotations are strings and are not evaluated."""

    def __new__(meta, name: str, _: tuple[type, ...], members: dict[str, object]) -> type:
        names = [*members.pop("__annotations__")]  # type: ignore[misc]
        defaults = [members.pop(field) for field in names if field in members]
        module = str(members.pop("__module__"))
        cls = namedtuple(name, names, defaults=defaults, module=module)  # type: ignore[misc]
        for member, value in members.items():
            setattr(cls, member, value)
        return cls


NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {"__slots__": ()})


def cast(_: object, value: object) -> object:
    """Return the value."""
    return value
