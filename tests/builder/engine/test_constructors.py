"""Sources for browsers: dataclasses and named tuples have their constructors, so that a start compiles nothing."""

import dataclasses
import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import ranvier
from ranvier_builder.engine.constructors import with_constructors
from support.replacements import load_replacement

CORE = Path(ranvier.__file__).parent
HEAD = "from __future__ import annotations\nfrom dataclasses import dataclass, field\nfrom typing import ClassVar, NamedTuple\n"


@pytest.mark.parametrize(
    ("source", "constructor"),
    [
        (
            "@dataclass(slots=True)\nclass A:\n    ä: int\n    b: str = 'ü'  # a remark",
            "\n    def __init__(self, ä, b=b):\n     self.ä = ä\n     self.b = b  # a remark",
        ),
        (
            "@dataclass\nclass A:\n  b: list[int] = field(default_factory=list, compare=False)\n  c: ClassVar[int] = 1",
            "\n  def __init__(self, b=...):\n   self.b = (list)() if b is ... else b",
        ),
        (
            "@dataclass\nclass A:\n a: int = field(default=2)\n def __post_init__(self): ...",
            "\n def __init__(self, a=2):\n  self.a = a\n  self.__post_init__()",
        ),
        ("@dataclass\nclass A:\n    pass", "\n    def __init__(self):\n     pass"),
        ("@dataclass\nclass A:\n    a: int\n    def __init__(self): ...", ""),
        ("class A(NamedTuple):\n    a: int", "\n    def __new__(cls, a):\n     return tuple.__new__(cls, (a, ))"),
        ("class A:\n    a: int = 0", ""),
    ],
    ids=["defaults", "a factory and a class variable", "hook", "no fields", "own constructor", "named tuple", "another class"],
)
def test_constructor_is_added_after_the_last_statement(source: str, constructor: str) -> None:
    end = source.find("  #") if "#" in source else len(source)
    expected = source[:end] + constructor + ("" if "#" in source else source[end:])
    result = with_constructors(f"{source}\n\nafter = 1\n".encode()).decode()
    assert result == f"{expected}\n\nafter = 1\n"


@pytest.mark.parametrize(
    "source", ["@dataclass(kw_only=True)\nclass A: ...", "@dataclass\nclass A:\n    a: int = field(init=False)"]
)
def test_unknown_options_are_errors(source: str) -> None:
    with pytest.raises(ValueError, match=r"line \d: no constructor can be written for (kw_only|init)"):
        with_constructors(source.encode())


def test_classes_have_the_values_of_the_original_ones() -> None:
    source = f"""{HEAD}
class Pair(NamedTuple):
    left: int
    right: int = 2

@dataclass
class Box:
    name: str
    rows: list[int] = field(default_factory=lambda: [1, 2])
    size: int = 3
"""
    original: dict[str, Any] = {"__name__": __name__}
    exec(source, original)
    names: dict[str, Any] = {"__name__": __name__}
    # `NamedTuple` of the host refuses an own `__new__`
    exec(with_constructors(source.encode()).decode().replace("(NamedTuple)", "(tuple)"), names)
    assert names["Pair"](1) == original["Pair"](1) == (1, 2)
    assert names["Pair"](right=4, left=3) == (3, 4)
    box = names["Box"]("a")
    assert vars(box) == vars(original["Box"]("a")) == {"name": "a", "rows": [1, 2], "size": 3}
    assert names["Box"]("b").rows is not box.rows
    assert names["Box"]("b", rows=None).rows is None


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: path.relative_to(CORE).as_posix())
def test_parameters_of_the_core_are_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = ".".join(("ranvier", *path.relative_to(CORE).with_suffix("").parts)).removesuffix(".__init__")
    original = importlib.import_module(name)
    copy = ModuleType(name)
    copy.__dict__.update(__file__=str(path), __package__=original.__package__, __path__=getattr(original, "__path__", []))
    source = with_constructors(path.read_bytes()).decode().replace("(NamedTuple)", "(tuple)")
    monkeypatch.setitem(sys.modules, "dataclasses", load_replacement("dataclasses"))
    exec(compile(source, str(path), "exec"), vars(copy))
    for cls in vars(original).values():
        if not isinstance(cls, type) or cls.__module__ != name:
            continue
        if dataclasses.is_dataclass(cls):
            assert not any(map(dataclasses.is_dataclass, cls.__bases__)), "fields of bases are not read"
            assert parameters(vars(copy)[cls.__name__].__init__) == parameters(cls.__init__), cls  # type: ignore[misc]
        elif issubclass(cls, tuple):
            assert parameters(vars(copy)[cls.__name__].__new__)[1:] == parameters(cls.__new__)[1:], cls


def parameters(function: Any) -> list[tuple[str, Any, bool]]:
    """Return the name and the kind of each parameter, and whether it has a default."""
    items = inspect.signature(function).parameters.values()
    return [(item.name, item.kind, item.default is not item.empty) for item in items]
