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


def standing_in() -> ModuleType:
    """Load the stand-in under a name of its own."""
    spec = importlib.util.spec_from_file_location("standing_in", make.HERE / "instead" / "dataclasses.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["original", "stand-in"])
def kit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, and the same classes made with it."""
    module: Any = dataclasses if request.param == "original" else standing_in()
    shapes = ModuleType("shapes")
    monkeypatch.setitem(sys.modules, "shapes", shapes)
    vars(shapes).update(dataclass=module.dataclass, field=module.field)
    exec(SHAPES, vars(shapes))
    return SimpleNamespace(module=module, **{name: value for name, value in vars(shapes).items() if name[0].isupper()})


def test_dataclass_fields_and_their_order(kit: Any) -> None:
    assert [field.name for field in kit.module.fields(kit.Leg)] == ["name", "size", "counts", "seen"]
    assert [field.name for field in kit.module.fields(kit.Leg("a"))] == ["name", "size", "counts", "seen"]
    assert list(kit.Base.__dataclass_fields__) == ["name", "size"]
    assert kit.Leg.packs == ("link",)
    assert kit.module.is_dataclass(kit.Leg("a"))
    assert kit.module.is_dataclass(kit.Leg)
    assert not kit.module.is_dataclass("a")


def test_dataclass_values_and_defaults(kit: Any) -> None:
    leg = kit.Leg("a", seen=["b"])
    assert (leg.name, leg.size, leg.counts, leg.seen) == ("a", 3, {}, ("b",))
    assert kit.Leg("a").counts is not leg.counts
    assert kit.Leg("a", 5, {"x": 1}).counts == {"x": 1}
    assert kit.Mutable().rows == []
    with pytest.raises(ValueError, match="size"):
        kit.Leg("a", -1)
    for wrong in ({}, {"name": "a", "other": 1}):
        with pytest.raises(TypeError):
            kit.Leg(**wrong)


def test_dataclass_equality_and_hash(kit: Any) -> None:
    assert kit.Leg("a", counts={"x": 1}) == kit.Leg("a")
    assert kit.Leg("a") != kit.Leg("b")
    assert kit.Base("a") != kit.Leg("a")
    assert hash(kit.Leg("a", 4, {"x": 1})) == hash(("a", 4, ()))
    assert hash(kit.One(7)) == hash((7,))
    assert kit.None_() == kit.None_()
    assert len({kit.None_(), kit.None_()}) == 1
    mutable = kit.Mutable()
    mutable.rows = [1]
    assert mutable == kit.Mutable([1])
    with pytest.raises(TypeError):
        hash(mutable)


def test_dataclass_replace(kit: Any) -> None:
    leg = kit.Leg("a", 5, {"x": 1})
    other = kit.module.replace(leg, size=6)
    assert (type(other), other.name, other.size, other.counts is leg.counts) == (kit.Leg, "a", 6, True)
    with pytest.raises(ValueError, match="size"):
        kit.module.replace(leg, size=-1)


def test_dataclass_repr(kit: Any) -> None:
    assert repr(kit.Base("a")) == "Base(name='a', size=3)"
