"""Stands in for what runs Python that JavaScript hands over: the original takes it apart with `ast` and `tokenize`.

A boot does so with a few words. The worker imports modules and calls them.
"""

from __future__ import annotations

from importlib import import_module
from types import CodeType

Names = dict[str, object]


def eval_code(
    source: str, globals: Names | None = None, locals: Names | None = None, *, filename: str = "<exec>", **_: object
) -> object:
    """Run Python; return the value of the expression that ends it, where that begins a line or follows imports."""
    names = {} if globals is None else globals
    if "\n" in source.strip():
        head, tail = _parted(source.strip(), filename)
        exec(compile(head, filename, "exec"), names, locals)
        return eval(tail, names, locals) if tail else None
    return _line(source.strip(), names, locals)


def _line(source: str, names: Names, locals: Names | None) -> object:
    """Run one line, without `compile`: it would make the types of all nodes of syntax trees."""
    while source.startswith("import "):
        head, _, source = source.partition(";")
        exec(head, names, locals)
        source = source.strip()
    try:
        return eval(source, names, locals)
    except SyntaxError:
        exec(source, names, locals)
        return None


def _parted(source: str, filename: str) -> tuple[str, CodeType | None]:
    """Part the statements from the last expression: from the last line on up, what is an expression after whole statements."""
    at = len(source)
    while at > 0:
        at = source.rfind("\n", 0, at)
        head, tail = source[: at + 1], source[at + 1 :]
        if not tail[:1].isspace() and _compiled(head, filename, "exec") and (code := _compiled(tail, filename, "eval")):
            return head, code
    return source, None


def _compiled(source: str, filename: str, how: str) -> CodeType | None:
    try:
        code: CodeType = compile(source, filename, how)
        return code
    except SyntaxError:
        return None


def pyimport_impl(path: str) -> object:
    """Return a module, or what is in one, by its dotted name."""
    stem, _, name = path.rpartition(".")
    if not stem:
        return import_module(path)
    parent = import_module(stem)
    return getattr(parent, name) if hasattr(parent, name) else import_module(path)
