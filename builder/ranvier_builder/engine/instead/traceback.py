"""Stands in for traceback: Pyodide writes an exception down with it. There are no sources to quote.

Bytecode that ships does not know its lines: where a function begins is told instead.
"""

import sys
from collections.abc import Iterator
from itertools import groupby
from types import TracebackType

CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"


def print_exception(_: object, error: BaseException, trace: TracebackType | None = None) -> None:
    """Write an exception to the standard error output, as `sys.excepthook` is called."""
    sys.stderr.write("".join(format_exception(error)))


def format_exception(error: BaseException, /, *_: object) -> list[str]:
    """Return an exception as it is printed, with those that led to it before it."""
    chain: list[tuple[BaseException, str]] = [(error, "")]
    met = {id(error)}
    while (link := _before(chain[-1][0])) and id(link[0]) not in met:
        met.add(id(link[0]))
        chain.append(link)
    return [part for one, leads in reversed(chain) for part in (*_alone(one), leads) if part]


def _before(error: BaseException) -> tuple[BaseException, str] | None:
    if error.__cause__ is not None:
        return error.__cause__, CAUSE
    if error.__context__ is not None and not error.__suppress_context__:
        return error.__context__, CONTEXT
    return None


def _alone(error: BaseException) -> Iterator[str]:
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        for line, same in groupby(_frames(error.__traceback__)):
            times = len(list(same))
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
        text = "<it cannot be said>"
    return f"{name}: {text}\n" if text else f"{name}\n"
