"""The numbers of a preset by name, `legs.section.weight`, and the values to try for them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from ranvier import RequestError
from ranvier.legs import SEMANTIC
from ranvier.presets import Preset, overlay

from ranvier_builder.errors import ConfigError

Path = tuple[str, ...]

_FACTORS = (0.5, 2.0, 4.0)  # for numbers of which only the ratio to others matters
_DEPTHS = (10, 30, 60, 100)  # k of reciprocal rank fusion


@dataclass(frozen=True, slots=True)
class Axis:
    """A number, and the values to try: first the current one, `None` for a leg or a stage as a whole. `false` turns it off."""

    path: Path
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Its name, as in `ranvier.toml`."""
        return ".".join(self.path)


def nested(changes: Mapping[Path, Any]) -> dict[str, Any]:
    """Nest changes: `{("fuse", "k"): 10}` → `{"fuse": {"k": 10}}`. Values below a disabled leg or stage are dropped."""
    tables: dict[str, Any] = {}
    for path, value in sorted(changes.items(), key=lambda item: item[0]):
        table: Any = tables
        for name in path[:-1]:
            table = table.setdefault(name, {}) if isinstance(table, dict) else table
        if isinstance(table, dict):
            table[path[-1]] = value
    return tables


def read_axis(text: str, stages: Preset) -> Axis:
    """Read `fuse.k=10,30,60`: a number of the preset, and TOML values, separated by commas.

    Raises:
        ConfigError: the number does not exist, or a value is invalid.

    """
    name, equals, values = text.partition("=")
    path = tuple(part.strip() for part in name.split("."))
    if not equals or not values.strip() or not all(path):
        raise ConfigError(f"--over {text!r} is not of the form NAME=VALUE,VALUE", cure="--over fuse.k=10,30,60")
    return _axis(path, _values(values), stages, text)


def default_axes(stages: Preset, *, with_meaning: bool = True) -> tuple[Axis, ...]:
    """Return the default axes: the weights of legs and links, the weight of titles, and k of rank fusion.

    Legs of last resort, and notes, are skipped: too few queries depend on them. Without `with_meaning`, semantic legs are
    skipped. The weight of the first leg stays fixed, as a reference for the others.
    """
    candidates: list[tuple[Path, tuple[Any, ...]]] = []
    legs = [leg for leg in stages.legs if not leg.last_resort and leg.name != "note" and (with_meaning or leg.kind != SEMANTIC)]
    for leg in legs[1:]:
        number, zero = ("by_length", ()) if getattr(leg, "by_length", 0) else ("weight", (0.0,))
        current = getattr(leg, number, 0.0)
        candidates.append((("legs", leg.name, number), (*zero, *(_round(current * factor) for factor in _FACTORS))))
    for leg in legs[:1]:
        title, *others = getattr(leg, "weights", ()) or (0,)
        candidates.append((("legs", leg.name, "weights"), tuple([_round(title * factor), *others] for factor in _FACTORS)))
    if stages.fuse.by.startswith("rrf"):
        candidates.append((("fuse", "k"), _DEPTHS))
    for stage in stages.adjust:
        if stage.name == "linked":
            current = getattr(stage, "strength", 0)
            candidates.append((("adjust", "linked", "strength"), (0.0, *(_round(current * factor) for factor in _FACTORS))))
    axes = (_axis(path, values, stages, ".".join(path)) for path, values in candidates)
    return tuple(axis for axis in axes if len(axis.values) > 1)


def _axis(path: Path, values: tuple[Any, ...], stages: Preset, text: str) -> Axis:
    for value in values:
        try:
            overlay(stages, nested({path: value}))
        except RequestError as error:
            raise ConfigError(f"--over {text}: {error}", cure="the page `Presets` of the manual lists the numbers") from None
    current = _current(stages, path)
    others: list[Any] = []
    for value in values:
        if value not in others and value != current:
            others.append(value)
    return Axis(path, (current, *others))


def _current(stages: Preset, path: Path) -> Any:
    """Return the preset's value; `None` for a leg, a stage or a table as a whole."""
    value: Any = stages
    for name in path:
        if isinstance(value, tuple):
            value = next(part for part in value if part.name == name)
        else:
            value = getattr(value, name)
    if is_dataclass(value):
        return None
    return list(value) if isinstance(value, tuple) else value


def _values(text: str) -> tuple[Any, ...]:
    """Parse values: `10,30` → numbers, `[6,3],[3,3]` → lists, `true,false` → booleans, bare words → strings."""
    try:
        values: list[Any] = tomllib.loads(f"x = [{text}]")["x"]
    except (tomllib.TOMLDecodeError, RecursionError):
        values = [word.strip() for word in text.split(",")]
    return tuple(values)


def _round(number: float) -> float:
    """Round to three digits; finer differences do not matter."""
    return float(f"{number:.3g}")
