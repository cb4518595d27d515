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
abc.MutableSequence.register(deque)


class Counter(dict):  # type: ignore[type-arg]
    """Counts of values. A value that was never counted has the count 0."""

    def __init__(self, values: abc.Iterable[object] = ()) -> None:
        if isinstance(values, dict):
            super().__init__(values)
        else:
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
        rest = cls._fields[len(values) :]
        values_by_name = cls._field_defaults | named
        if len(values) > len(cls._fields) or not named.keys() <= set(rest) <= values_by_name.keys():
            raise TypeError(f"{cls.__name__} has the fields {', '.join(cls._fields)}")
        return tuple.__new__(cls, (*values, *(values_by_name[name] for name in rest)))

    @classmethod
    def _make(cls, values: abc.Iterable[object]) -> _NamedTuple:
        return tuple.__new__(cls, values)

    def _replace(self, /, **changes: object) -> _NamedTuple:
        values = [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
        if changes:
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)}")
        return self._make(values)

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
