"""A replacement for the module that runs Python source for JavaScript. The original needs `ast` and `tokenize`.

Pyodide's boot runs a few lines. The worker only imports modules and calls their functions.
"""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from types import CodeType

Names = dict[str, object]


def eval_code(
    source: str, globals: Names | None = None, locals: Names | None = None, *, filename: str = "<exec>", **_: object
) -> object:
    """Run Python. If it ends with an expression at the start of a line, or after imports, return its value."""
    names = {} if globals is None else globals
    if "\n" in source.strip():
        head, tail = _split(source.strip(), filename)
        exec(compile(head, filename, "exec"), names, locals)
        return eval(tail, names, locals) if tail else None
    return _run_line(source.strip(), names, locals)


def _run_line(source: str, names: Names, locals: Names | None) -> object:
    """Run one line. For the lines of Pyodide's boot, such as `import a; a.b`, Python's parser and compiler are not needed."""
    while source.startswith("import "):
        head, _, source = source.partition(";")
        module, source = head.removeprefix("import ").strip(), source.strip()
        if _is_dotted_name(module):
            names[module.partition(".")[0]] = __import__(module)
        else:
            exec(head, names, locals)
    if source in ("", "{}"):
        return {} if source else None
    if _is_dotted_name(source) and (root := source.partition(".")[0]) in names:
        return reduce(getattr, source.split(".")[1:], names[root])
    try:
        return eval(source, names, locals)
    except SyntaxError:
        exec(source, names, locals)
        return None


def _is_dotted_name(source: str) -> bool:
    return all(map(str.isidentifier, source.split(".")))


def _split(source: str, filename: str) -> tuple[str, CodeType | None]:
    """Split source into its statements and its last expression, which may have several lines."""
    at = len(source)
    while at > 0:
        at = source.rfind("\n", 0, at)
        head, tail = source[: at + 1], source[at + 1 :]
        if not tail[:1].isspace() and _try_compile(head, filename, "exec") and (code := _try_compile(tail, filename, "eval")):
            return head, code
    return source, None


def _try_compile(source: str, filename: str, mode: str) -> CodeType | None:
    try:
        code: CodeType = compile(source, filename, mode)
        return code
    except SyntaxError:
        return None


def pyimport_impl(path: str) -> object:
    """Return a module, or a member of a module, by its dotted name."""
    stem, _, name = path.rpartition(".")
    if not stem:
        return import_module(path)
    parent = import_module(stem)
    return getattr(parent, name) if hasattr(parent, name) else import_module(path)
