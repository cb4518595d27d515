"""Write the constructors of dataclasses and named tuples into sources that a browser loads.

Python makes these functions from source when it imports a class. With constructors in the bytecode, a browser needs neither
Python's parser nor its compiler, which are a twelfth of the engine's first part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ranvier_builder.engine.annotations import end_of, line_starts

_CLASS_OPTIONS = frozenset({"frozen", "slots"})
_FIELD_OPTIONS = frozenset({"default", "default_factory", "compare", "repr"})


def with_constructors(source: bytes) -> bytes:
    """Return a Python source with `__init__` in each dataclass, and `__new__` in each `NamedTuple`.

    The text is added after the last statement of a class, so each version of Python gives the same bytes. The fields of base
    classes are not read: in the core, no dataclass is the base of another.

    Raises:
        ValueError: a class or a field has an option for which no constructor can be written.

    """
    starts, text = line_starts(source), source.decode()
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    for node in sorted(classes, key=lambda node: node.end_lineno or 0, reverse=True):
        if constructor := _constructor(node, text):
            end = end_of(node, starts)
            indent = "\n" + " " * node.body[0].col_offset
            source = source[:end] + "".join(indent + line for line in constructor).encode() + source[end:]
    return source


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    default: str  # as source
    factory: str = ""  # of a default, as source

    def __str__(self) -> str:
        default = "..." if self.factory else self.default  # no field of the core has an ellipsis as its value
        return f"{self.name}={default}" if default else self.name

    @property
    def value(self) -> str:
        """Its value in the constructor, as source."""
        return f"({self.factory})() if {self.name} is ... else {self.name}" if self.factory else self.name


def _constructor(node: ast.ClassDef, source: str) -> list[str]:
    """Return the lines of a class's constructor; none if the class has its own, or needs none."""
    methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    if any(_name(base) == "NamedTuple" for base in node.bases):
        parameters = [*_parameters(node, source)]
        values = "".join(f"{parameter.name}, " for parameter in parameters)
        return [f"def __new__({', '.join(['cls', *map(str, parameters)])}):", f" return tuple.__new__(cls, ({values}))"]
    decorators = [item for item in node.decorator_list if _name(item) == "dataclass"]
    if "__init__" in methods or not decorators:
        return []
    _options(decorators[0], source, _CLASS_OPTIONS)
    parameters = [*_parameters(node, source)]
    lines = [f" self.{parameter.name} = {parameter.value}" for parameter in parameters]
    lines += [" self.__post_init__()"] if "__post_init__" in methods else []
    return [f"def __init__({', '.join(['self', *map(str, parameters)])}):", *(lines or [" pass"])]


def _parameters(node: ast.ClassDef, source: str) -> Iterator[_Parameter]:
    """Yield a parameter for each field. A default is the value of the class's attribute."""
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
            continue
        if _name(item.annotation) == "ClassVar":
            continue
        name = item.target.id
        if isinstance(item.value, ast.Call) and _name(item.value) == "field":
            options = _options(item.value, source, _FIELD_OPTIONS)
            yield _Parameter(name, options.get("default", ""), options.get("default_factory", ""))
        else:
            yield _Parameter(name, name if item.value else "")


def _options(node: ast.expr, source: str, known: frozenset[str]) -> dict[str, str]:
    """Return the source of each named argument of a call; none if the node is no call."""
    keywords = node.keywords if isinstance(node, ast.Call) else []
    options = {keyword.arg or "**": ast.get_source_segment(source, keyword.value) or "" for keyword in keywords}
    if unknown := sorted(options.keys() - known):
        raise ValueError(f"line {node.lineno}: no constructor can be written for {', '.join(unknown)}")
    return options


def _name(node: ast.expr) -> str:
    """Return the last name of what is called, has arguments in brackets, or stands alone."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
