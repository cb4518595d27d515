"""A replacement for traceback. Pyodide formats exceptions with it.

The published bytecode has no sources and no line numbers, so a traceback has the first line of each function instead.
"""

import sys
from collections.abc import Iterator
from itertools import groupby
from types import TracebackType

CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"


def print_exception(_: object, error: BaseException, trace: TracebackType | None = None) -> None:
    """Write an exception to the standard error output; `sys.excepthook` has the same parameters."""
    sys.stderr.write("".join(format_exception(error)))


def format_exception(error: BaseException, /, *_: object) -> list[str]:
    """Return the lines of an exception as Python prints it; its causes come first."""
    chain: list[tuple[BaseException, str]] = [(error, "")]
    seen = {id(error)}
    while (cause := _cause_of(chain[-1][0])) and id(cause[0]) not in seen:
        seen.add(id(cause[0]))
        chain.append(cause)
    return [line for item, link in reversed(chain) for line in (*_lines_of(item), link) if line]


def _cause_of(error: BaseException) -> tuple[BaseException, str] | None:
    if error.__cause__ is not None:
        return error.__cause__, CAUSE
    if error.__context__ is not None and not error.__suppress_context__:
        return error.__context__, CONTEXT
    return None


def _lines_of(error: BaseException) -> Iterator[str]:
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        for line, equal in groupby(_frames(error.__traceback__)):
            times = len(list(equal))
            yield line if times == 1 else f"{line}  [{times} times]\n"
    yield _last_line(error)
    yield from (f"{note}\n" for note in getattr(error, "__notes__", ()))


def _frames(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        code = trace.tb_frame.f_code
        yield f'  File "{code.co_filename}", line {trace.tb_lineno or code.co_firstlineno}, in {code.co_name}\n'
        trace = trace.tb_next


def _last_line(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    try:
        text = str(error)
    except Exception:
        text = "<exception str() failed>"
    return f"{name}: {text}\n" if text else f"{name}\n"
