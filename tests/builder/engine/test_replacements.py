"""B1: the replacements for standard modules do what the core needs."""

import collections
import dataclasses
import functools
import heapq
import importlib
import io
import marshal
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from ranvier_builder.engine.patterns import compiled_patterns
from support.replacements import load_replacement

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


@pytest.fixture(params=["original", "replacement"])
def variant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, and the same classes made with it."""
    module: Any = dataclasses if request.param == "original" else load_replacement("dataclasses")
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


@pytest.mark.parametrize("original", [True, False], ids=["original", "replacement"])
def test_collections(original: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "collections.abc", collections.abc)  # the replacement sets it
    module: Any = collections if original else load_replacement("collections")
    counts = module.Counter("abca")
    counts["b"] += 2
    assert (counts, counts["z"], counts.total()) == ({"a": 2, "b": 3, "c": 1}, 0, 6)
    assert "z" not in counts
    assert module.Counter[int]() == {}
    assert module.abc.Mapping is collections.abc.Mapping
    pair = module.namedtuple("Pair", "left right", defaults=[2])
    assert pair(1) == pair(left=1) == pair._make([1, 2]) == (1, 2)
    assert (pair(1).left, pair(1, right=3).right, pair._fields) == (1, 3, ("left", "right"))
    assert pair(1)._replace(left=5)._asdict() == {"left": 5, "right": 2}
    assert repr(pair(1)) == "Pair(left=1, right=2)"
    for values, named in (([], {}), ([1, 2, 3], {}), ([1], {"left": 2}), ([1], {"other": 2})):
        with pytest.raises(TypeError):
            pair(*values, **named)
    with pytest.raises((TypeError, ValueError)):  # which of them depends on the version of Python
        pair(1)._replace(other=2)
    assert module.Counter({"a": 5}) == {"a": 5}
    assert isinstance(module.deque(), collections.abc.MutableSequence)


@pytest.mark.parametrize("module", [functools, load_replacement("functools")], ids=["original", "replacement"])
def test_functools(module: Any) -> None:
    calls = []

    @module.lru_cache(maxsize=2)
    def double(number: int) -> int:
        """Twice."""
        calls.append(number)
        return 2 * number

    assert [double(number) for number in (1, 2, 1, 3, 2)] == [2, 4, 2, 6, 4]
    assert calls == [1, 2, 3, 2]
    assert (double.__name__, double.__doc__, double.cache_info()) == ("double", "Twice.", (1, 4, 2, 2))
    assert module.cache(len)("abc") == module.lru_cache(len)("abc") == 3

    class Lazy:
        @module.cached_property
        def value(self) -> list[int]:
            return []

    lazy = Lazy()
    assert lazy.value is lazy.value is not Lazy().value
    assert module.update_wrapper(lambda: 0, double).__wrapped__ is double


def test_patterns_are_compiled_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of the original, and without the compiler; other patterns need it."""
    source = "import re\nWORD = re.compile(r'(?P<first>[é-ü]+)-(x)?', re.IGNORECASE)\nDIGIT = re.compile(r'\\d')\n"
    (tmp_path / "some_patterns.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    re.purge()  # a pattern that is in the cache is not compiled
    monkeypatch.setattr(re._compiler, "compile", re._compiler.compile)  # type: ignore[attr-defined]
    compiled: Any = ModuleType("compiled_patterns")
    exec(compiled_patterns(["some_patterns"]), vars(compiled))
    originals: Any = importlib.import_module("some_patterns")
    monkeypatch.delitem(sys.modules, "some_patterns")
    monkeypatch.setitem(sys.modules, "compiled_patterns", compiled)
    module = load_replacement("re")
    patterns: list[str] = []
    monkeypatch.setattr(re._compiler, "compile", lambda pattern, flags: patterns.append(pattern))  # type: ignore[attr-defined]
    for original in (originals.WORD, originals.DIGIT):
        replacement = module.compile(original.pattern, original.flags & module.IGNORECASE)
        assert replacement == original
        for text in ("ÈÉ-x", "é-", "4", ""):
            matches = [pattern.search(text) for pattern in (original, replacement)]
            values = [match and (match.span(), match.groupdict(), match.groups(), match.lastgroup) for match in matches]
            assert values[0] == values[1]
    assert patterns == []
    module.compile(r"\d", module.ASCII)
    assert patterns == [r"\d"]


def test_other_patterns_and_their_errors() -> None:
    module = load_replacement("re")
    assert module.search("B(.)", "abc", module.IGNORECASE).expand(r"\1\1") == "cc"
    with pytest.raises(module.error, match="unterminated"):
        module.compile("[")
    assert not hasattr(module, "template")


@pytest.mark.parametrize("module", [heapq, load_replacement("heapq")], ids=["original", "replacement"])
def test_heap(module: Any) -> None:
    heap = [3, 1, 2]
    module.heapify(heap)
    module.heappush(heap, 0)
    assert [module.heappop(heap) for _ in range(4)] == [0, 1, 2, 3]


def test_modules_are_imported_from_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytecode and sources, of packages and modules; a second archive adds modules to the package of the first one."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    archives = load_replacement("archives")
    bytecode = bytes(16) + marshal.dumps(compile("value = 7", "x", "exec"))
    for members in (
        {"zoo_a/__init__.py": b"import zoo_a.\xc3\xa4\nname = 'zoo'", "zoo_a/\xe4.pyc": bytecode, "zoo_b.py": b"1 / 0"},
        {"zoo_a/late/__init__.pyc": bytecode},
    ):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        archives.add(file.getvalue())
    late_module = importlib.import_module("zoo_a.late")
    zoo = sys.modules["zoo_a"]
    assert (zoo.name, vars(zoo)["\xe4"].value, late_module.value, zoo.__path__) == ("zoo", 7, 7, [])
    for wrong, error in (("zoo_b", ZeroDivisionError), ("zoo_c", ModuleNotFoundError), ("zoo_a.c", ModuleNotFoundError)):
        with pytest.raises(error):
            importlib.import_module(wrong)
    for name in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[name]
