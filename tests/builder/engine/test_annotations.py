"""Sources for browsers: the same program without the annotations of functions."""

import ast
from pathlib import Path

import pytest
import ranvier
from ranvier_builder.engine.annotations import without_annotations


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a: int, *b: str, c: 'x | y' = 2, **d: Any) -> None: ...\n", "def f(a, *b, c = 2, **d) : ...\n"),
        (
            "def f(\n    a: dict[\n        str, int\n    ],\n) -> (\n    int\n):\n    return a\n",
            "def f(\n    a,\n) :\n    return a\n",
        ),
        ("def f() -> Callable[[int], int]:\n    return lambda x: x\n", "def f() :\n    return lambda x: x\n"),
        (
            "class A:\n    ä: int = 0  # → a field\n\n    async def ö(self, ü: int): ...\n",
            "class A:\n    ä: int = 0  # → a field\n\n    async def ö(self, ü): ...\n",
        ),
    ],
    ids=["kinds of parameters", "several lines", "a result with brackets", "fields stay"],
)
def test_annotations_of_functions_are_cut(source: str, expected: str) -> None:
    assert without_annotations(source.encode()).decode() == expected


def test_rest_of_the_core_is_unchanged() -> None:
    for path in sorted(Path(ranvier.__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                node.annotation = None
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                node.returns = None
        assert ast.dump(ast.parse(without_annotations(source))) == ast.dump(tree), path
