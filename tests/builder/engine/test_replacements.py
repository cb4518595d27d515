"""B1: the replacement for dataclasses does what the core needs."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from ranvier_builder.engine import make

SHAPES = """
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

@dataclass(frozen=True, slots=True)
class Base:
    name: str
    size: int = 3

@dataclass(frozen=True, slots=True)
class Leg(Base):
    packs: ClassVar[tuple[str, ...]] = ("link",)
    counts: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    seen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("size")
        object.__setattr__(self, "seen", tuple(self.seen))

@dataclass(frozen=True, slots=True)
class One:
    value: int

@dataclass(frozen=True)
class None_:
    pass

@dataclass(slots=True)
class Mutable:
    rows: list[int] = field(default_factory=list)
"""


def load_replacement() -> ModuleType:
    """Load the replacement of dataclasses as another module."""
    spec = importlib.util.spec_from_file_location("replacement", make.HERE / "replacements" / "dataclasses.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["original", "replacement"])
def variant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, and the same classes made with it."""
    module: Any = dataclasses if request.param == "original" else load_replacement()
    shapes = ModuleType("shapes")
    monkeypatch.setitem(sys.modules, "shapes", shapes)
    vars(shapes).update(dataclass=module.dataclass, field=module.field)
    exec(SHAPES, vars(shapes))
    return SimpleNamespace(module=module, **{name: value for name, value in vars(shapes).items() if name[0].isupper()})


def test_dataclass_fields_and_their_order(variant: Any) -> None:
    assert [field.name for field in variant.module.fields(variant.Leg)] == ["name", "size", "counts", "seen"]
    assert [field.name for field in variant.module.fields(variant.Leg("a"))] == ["name", "size", "counts", "seen"]
    assert list(variant.Base.__dataclass_fields__) == ["name", "size"]
    assert variant.Leg.packs == ("link",)
    assert variant.module.is_dataclass(variant.Leg("a"))
    assert variant.module.is_dataclass(variant.Leg)
    assert not variant.module.is_dataclass("a")


def test_dataclass_values_and_defaults(variant: Any) -> None:
    leg = variant.Leg("a", seen=["b"])
    assert (leg.name, leg.size, leg.counts, leg.seen) == ("a", 3, {}, ("b",))
    assert variant.Leg("a").counts is not leg.counts
    assert variant.Leg("a", 5, {"x": 1}).counts == {"x": 1}
    assert variant.Mutable().rows == []
    with pytest.raises(ValueError, match="size"):
        variant.Leg("a", -1)
    for wrong in ({}, {"name": "a", "other": 1}):
        with pytest.raises(TypeError):
            variant.Leg(**wrong)


def test_dataclass_equality_and_hash(variant: Any) -> None:
    assert variant.Leg("a", counts={"x": 1}) == variant.Leg("a")
    assert variant.Leg("a") != variant.Leg("b")
    assert variant.Base("a") != variant.Leg("a")
    assert hash(variant.Leg("a", 4, {"x": 1})) == hash(("a", 4, ()))
    assert hash(variant.One(7)) == hash((7,))
    assert variant.None_() == variant.None_()
    assert len({variant.None_(), variant.None_()}) == 1
    mutable = variant.Mutable()
    mutable.rows = [1]
    assert mutable == variant.Mutable([1])
    with pytest.raises(TypeError):
        hash(mutable)


def test_dataclass_replace(variant: Any) -> None:
    leg = variant.Leg("a", 5, {"x": 1})
    other = variant.module.replace(leg, size=6)
    assert (type(other), other.name, other.size, other.counts is leg.counts) == (variant.Leg, "a", 6, True)
    with pytest.raises(ValueError, match="size"):
        variant.module.replace(leg, size=-1)


def test_dataclass_repr(variant: Any) -> None:
    assert repr(variant.Base("a")) == "Base(name='a', size=3)"
