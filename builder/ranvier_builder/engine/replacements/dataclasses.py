"""A replacement for dataclasses. It compiles the constructor of a class that has none; the original compiles seven functions.

A frozen class has a hash. Nothing here prevents an assignment, because the core makes none.
"""

from __future__ import annotations

from _operator import attrgetter
from collections.abc import Callable
from typing import Any

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace"]

FIELDS = "__dataclass_fields__"
MISSING = object()


class Field:
    """A field of a class, and its default."""

    def __init__(self, default: object, factory: object, compare: bool) -> None:
        self.name = ""
        self.default = default
        self.default_factory = factory
        self.compare = compare


def field(*, default: object = MISSING, default_factory: object = MISSING, compare: bool = True, **_: object) -> Any:
    """Describe a field."""
    return Field(default, default_factory, compare)


def dataclass(cls: type | None = None, /, *, frozen: bool = False, **_: object) -> Any:
    """Add the methods that follow from the annotations of a class, unless the class defines them."""
    if cls is None:
        return lambda decorated: _add_methods(decorated, frozen)
    return _add_methods(cls, frozen)


def _add_methods(cls: type, frozen: bool) -> type:
    members = {name: member for base in reversed(cls.__mro__[1:]) for name, member in vars(base).get(FIELDS, {}).items()}
    members |= {name: _pop_field(cls, name) for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar")}
    setattr(cls, FIELDS, members)
    compared = [member.name for member in members.values() if member.compare]
    key = attrgetter(*compared) if len(compared) > 1 else _short_getter(*compared)
    methods: dict[str, object] = {"__eq__": _eq(key), "__repr__": _repr}
    if "__init__" not in vars(cls):  # the core's classes have it, see constructors.py
        methods["__init__"] = _init(cls, members)
    if "__eq__" not in vars(cls):
        methods["__hash__"] = (lambda self: hash(key(self))) if frozen else None
    for name, function in methods.items():
        if name not in vars(cls):
            setattr(cls, name, function)
    return cls


def _pop_field(cls: type, name: str) -> Field:
    value = vars(cls).get(name, MISSING)
    if isinstance(value, Field):
        delattr(cls, name)
    else:
        value = Field(value, MISSING, True)
    value.name = name
    return value


def _init(cls: type, members: dict[str, Field]) -> Callable[..., None]:
    """Make `__init__`. Its source refers to defaults by name."""
    names: dict[str, object] = {"MISSING": MISSING}
    parameters, lines = "self", ""
    for name, member in members.items():
        names[f"_{name}"] = member.default if member.default_factory is MISSING else member.default_factory
        if member.default_factory is not MISSING:
            parameters += f", {name}=MISSING"
            lines += f"\n self.{name} = _{name}() if {name} is MISSING else {name}"
        else:
            parameters += f", {name}" if member.default is MISSING else f", {name}=_{name}"
            lines += f"\n self.{name} = {name}"
    if hasattr(cls, "__post_init__"):
        lines += "\n self.__post_init__()"
    exec(f"def __init__({parameters}):{lines or ' pass'}", names)
    return names["__init__"]  # type: ignore[return-value]


def _short_getter(*names: str) -> Callable[[object], tuple[object, ...]]:
    """Return a getter for fewer than two fields, which returns a tuple as `attrgetter` does for more."""
    return lambda self: tuple(getattr(self, name) for name in names)


def _eq(key: Callable[[object], object]) -> Callable[[object, object], object]:
    def equal(self: object, other: object) -> object:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _repr(self: object) -> str:
    values = ", ".join(f"{member.name}={getattr(self, member.name)!r}" for member in fields(self))
    return f"{type(self).__name__}({values})"


def fields(value: object) -> tuple[Field, ...]:
    """Return the fields of a class, or of an instance."""
    return tuple(getattr(value, FIELDS).values())


def is_dataclass(value: object) -> bool:
    """Tell whether a value is a dataclass or an instance of one."""
    return hasattr(value, FIELDS)


def replace(value: Any, /, **changes: object) -> Any:
    """Return a new instance with other values of some fields."""
    return type(value)(**{member.name: getattr(value, member.name) for member in fields(value)} | changes)
