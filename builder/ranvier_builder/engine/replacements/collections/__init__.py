"""A replacement for collections: what a search uses of it. `namedtuple` compiles no source."""

from __future__ import annotations

import _collections_abc as abc
import sys
from _collections import (  # type: ignore[import-not-found]
    OrderedDict,
    _count_elements,
    _tuplegetter,
    defaultdict,
    deque,
)

__all__ = ["Counter", "OrderedDict", "abc", "defaultdict", "deque", "namedtuple"]

sys.modules["collections.abc"] = abc


class Counter(dict):  # type: ignore[type-arg]
    """Counts of values. A value that was never counted has the count 0."""

    def __init__(self, values: abc.Iterable[object] = ()) -> None:
        _count_elements(self, values)

    def __missing__(self, value: object) -> int:
        """Return 0."""
        return 0

    def total(self) -> int:
        """Return the sum of all counts."""
        return sum(self.values())


class _NamedTuple(tuple):  # type: ignore[type-arg]
    """The methods of all named tuples."""

    __slots__ = ()
    _fields: tuple[str, ...]
    _field_defaults: dict[str, object]

    def __new__(cls, *values: object, **named: object) -> _NamedTuple:
        """Fill the fields. The core's own classes have a faster method."""
        if len(values) > len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(values)}")
        named = cls._field_defaults | named
        values += tuple(named.pop(name) for name in cls._fields[len(values) :])
        return tuple.__new__(cls, values)

    @classmethod
    def _make(cls, values: abc.Iterable[object]) -> _NamedTuple:
        return tuple.__new__(cls, values)

    def _replace(self, /, **changes: object) -> _NamedTuple:
        return self._make([changes.get(name, value) for name, value in zip(self._fields, self, strict=True)])

    def _asdict(self) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({values})"


def namedtuple(name: str, fields: str | abc.Iterable[str], *, defaults: abc.Iterable[object] = (), module: str = "") -> type:
    """Make a class of tuples whose positions have names; the last fields have `defaults`."""
    names = tuple(fields.replace(",", " ").split() if isinstance(fields, str) else fields)
    values = tuple(defaults)
    members: dict[str, object] = {field: _tuplegetter(at, None) for at, field in enumerate(names)}
    members |= {
        "__slots__": (),
        "__module__": module,
        "__match_args__": names,
        "_fields": names,
        "_field_defaults": dict(zip(names[len(names) - len(values) :], values, strict=True)),
    }
    return type(name, (_NamedTuple,), members)
