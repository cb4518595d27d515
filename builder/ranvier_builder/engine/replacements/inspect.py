"""A replacement for inspect. Pyodide only checks whether a function that it passes to JavaScript is a coroutine function."""

CO_COROUTINE = 0x80


def iscoroutinefunction(function: object) -> bool:
    """Tell whether a function was written with `async def`."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and bool(code.co_flags & CO_COROUTINE)
