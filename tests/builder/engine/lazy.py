"""Names what code in a snapshot would import when it is called, and cannot. Run inside it by restore.mjs."""

import _imp
import gc
import importlib.util
import json
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType

# The engine has no `dis`, so the numbers of instructions come from a compiled line.
LEVEL, NAMES, IMPORT = compile("import x", "", "exec", optimize=2).co_code[2:8:2]
LONGER = 69  # EXTENDED_ARG of CPython 3.14


def imports(code: CodeType) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each import in a function: its level, the module's name, and what is taken from it."""
    more, level, names = 0, 0, None
    for op, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        arg = more | low
        more = arg << 8 if op == LONGER else 0
        if op == LEVEL:
            level = arg
        elif op == NAMES:
            names = code.co_consts[arg]
        elif op == IMPORT:
            yield level, code.co_names[arg], names or ()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imports(constant)


def there(name: str) -> bool:
    """A module is in memory, or in the interpreter itself."""
    return name in sys.modules or name in sys.builtin_module_names or _imp.is_frozen(name)


def missing() -> list[str]:
    """Return `who: what` for each import that would fail, sorted."""
    results = set()
    for function in [item for item in gc.get_objects() if type(item) is FunctionType]:
        package = function.__globals__.get("__package__") or ""
        for level, name, names in imports(function.__code__):
            module = importlib.util.resolve_name("." * level + name, package) if level else name
            required = [module, *(f"{module}.{name}" for name in names if not hasattr(sys.modules.get(module), name))]
            results |= {f"{function.__module__}: {item}" for item in required if not there(item)}
    return sorted(results)


def _example() -> None:
    import json.tool  # noqa: F401
    from importlib import abc, no_such_part  # type: ignore[attr-defined]  # noqa: F401

    import no_such_module  # type: ignore[import-not-found]  # noqa: F401


def checked() -> str:
    """Return what is missing, as JSON, once it is certain that something missing would be found."""
    mine = [line for line in missing() if line.startswith(f"{__name__}: ")]
    assert mine == [f"{__name__}: importlib.no_such_part", f"{__name__}: json.tool", f"{__name__}: no_such_module"], mine
    long = "\n ".join(["def f():", *(f"n{at}" for at in range(300)), "import far_away"])
    spare: dict[str, FunctionType] = {}
    exec(long, spare)
    assert list(imports(spare["f"].__code__)) == [(0, "far_away", ())]
    del spare["f"]
    return json.dumps([line for line in missing() if not line.startswith(f"{__name__}: ")])
