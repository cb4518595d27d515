"""Presets: the stages of the pipeline with their numbers. There is one for each seed, and `default`.

A preset consists of the dataclasses of its stages: a leg or a boost is one file with its class, and one line in a preset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from ranvier.errors import RequestError
from ranvier.legs import Leg
from ranvier.query.syntax import Understanding
from ranvier.rank.confidence import ConfidenceGate
from ranvier.rank.diversity import Diversity
from ranvier.rank.fuse import Fusion
from ranvier.rank.stage import Stage
from ranvier.requests import MAX_CANDIDATES, MAX_LIMIT, MIN_CANDIDATES, nearest

_LARGEST = 1_000_000_000  # of a number in a preset: scores of larger numbers could not be rounded
_BOUNDS = (("results", 1, MAX_LIMIT), ("candidates", MIN_CANDIDATES, MAX_CANDIDATES), ("return_all", 1, MAX_LIMIT))  # P4
_KINDS = {float: "a number", int: "a whole number", str: "a string"}
NAMES = ("brain", "default", "desktop", "tasks", "vault", "wiki")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is looked at and shown (P4)."""

    results: int = 30
    candidates: int = 200
    return_all: int = 100
    candidates_grow: bool = False  # later pages look at more candidates, as in [003]; otherwise all pages are of one list
    overfetch: int = 0  # candidates per hit, because the audience filter runs after recall: 3 in [000]


@dataclass(frozen=True, slots=True)
class Preset:
    """Which stages run, in which order, with which numbers."""

    name: str
    understand: Understanding
    legs: tuple[Leg, ...]
    fuse: Fusion
    adjust: tuple[Stage, ...] = ()
    gate: ConfidenceGate = field(default_factory=ConfidenceGate)
    diversify: Diversity = field(default_factory=Diversity)
    limits: Limits = field(default_factory=Limits)
    retrieve: tuple[Leg, ...] = ()  # the legs of `retrieve`; empty: the same


@lru_cache(maxsize=16)
def preset(name: str) -> Preset:
    """Return a preset by its name; raise `RequestError` with the nearest name if there is none."""
    if name not in NAMES:
        raise RequestError(f"there is no preset {name!r}{nearest(name, NAMES)}")
    stages: Preset = import_module(f"ranvier.presets.{name}").PRESET
    return stages


def overlay(base: Preset, changes: Mapping[str, Any]) -> Preset:
    """Return a preset with other numbers: `{"fuse": {"k": 10}, "legs": {"page": {"weight": 2.0}}}`.

    Raises:
        RequestError: an unknown name (the message has the nearest one), or a value of another type.

    """
    changed: Preset = _overlay(base, changes, base.name)
    for name, minimum, maximum in _BOUNDS:
        value = getattr(changed.limits, name)
        if not minimum <= value <= maximum:
            raise RequestError(f"{base.name}.limits.{name} must be from {minimum} to {maximum:,}, not {value}")
    return changed


def _overlay(value: Any, changes: Any, where: str) -> Any:
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return _overlay_by_name(value, _table(changes, where), where)
    if is_dataclass(value):
        values = {field.name: getattr(value, field.name) for field in fields(value)}
        table = _table(changes, where)
        for name in table:
            if name not in values:
                raise RequestError(f"{where} has no {name!r}{nearest(name, values)}")
        return replace(value, **{name: _overlay(values[name], new, f"{where}.{name}") for name, new in table.items()})  # type: ignore[type-var]
    return _same_kind(value, changes, where)


def _overlay_by_name(stages: tuple[Any, ...], changes: Mapping[str, Any], where: str) -> tuple[Any, ...]:
    """Change stages by their names; `false` instead of a stage's numbers removes the stage."""
    names = [stage.name for stage in stages]
    for name in changes:
        if name not in names:
            raise RequestError(f"{where} has no {name!r}{nearest(name, names)}")
    remaining = [stage for stage in stages if changes.get(stage.name) is not False]
    return tuple(_overlay(stage, changes.get(stage.name, {}), f"{where}.{stage.name}") for stage in remaining)


def _table(changes: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(changes, Mapping):
        raise RequestError(f"{where} must be a table, not {changes!r}")
    return changes


def _same_kind(value: Any, new: Any, where: str) -> Any:
    if isinstance(value, tuple) and isinstance(new, (list, tuple)):
        if value and len(value) != len(new):
            raise RequestError(f"{where} must be {len(value)} values, not {len(new)}")
        return tuple(_same_kind(old, other, where) for old, other in zip(value, new, strict=True)) if value else tuple(new)
    if isinstance(value, bool) != isinstance(new, bool):
        raise RequestError(f"{where} must be {'true or false' if isinstance(value, bool) else 'a number'}, not {new!r}")
    if isinstance(new, (int, float)) and not abs(new) <= _LARGEST:  # NaN fails this comparison too
        raise RequestError(f"{where} must be a number from {-_LARGEST:,} to {_LARGEST:,}, not {new!r}")
    if isinstance(value, float) and isinstance(new, (int, float)):
        return float(new)
    if not isinstance(new, type(value)):
        raise RequestError(f"{where} must be {_KINDS.get(type(value), 'a list')}, not {new!r}")
    if isinstance(new, int) and new < 0:  # each is a count, or is added to a rank before a division
        raise RequestError(f"{where} must not be negative, not {new!r}")
    return new
