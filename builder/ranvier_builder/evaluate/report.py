"""The results of `ranvier eval` as one self-contained HTML page: no scripts, nothing from a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from ranvier_builder.errors import BuildError
from ranvier_builder.evaluate.bootstrap import Interval
from ranvier_builder.evaluate.measured import Measurement
from ranvier_builder.evaluate.measures import MEASURES

SORTED_BY = "nDCG@10"
# The first bytes of `report.html`. Only a file that starts with them is replaced.
START = b'<!doctype html>\n<html lang="en">\n<head>\n<meta name="generator" content="ranvier eval">\n'
FIRST = 3  # hits that are shown for a query
_TOLERANCE = 1e-9


class _Cell(NamedTuple):
    """The result of a run for a query. `change`: difference from the first run."""

    value: float
    change: float
    ranks: list[tuple[str, int | None]]
    first: tuple[str, ...]


class _Row(NamedTuple):
    query: str
    cells: list[_Cell]


def write_report(file: Path, runs: Sequence[Measurement]) -> None:
    """Write a page with the means of each run and its result for each query, compared with the first run.

    Queries are sorted by the size of their change; of equal changes, losses come before gains.

    Args:
        file: the file to write.
        runs: at least one; all of the same queries.

    Raises:
        BuildError: the file cannot be written.

    """
    environment = Environment(
        loader=PackageLoader("ranvier_builder.evaluate", ""), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    html = environment.get_template("report.html").render(page(runs))
    try:
        file.write_text(html, "utf-8", newline="\n")
    except OSError as error:
        raise BuildError(f"cannot be written: {error.strerror}", file=file, cure="name another file with --report") from None


def page(runs: Sequence[Measurement]) -> dict[str, Any]:
    """Return the template's data."""
    first = runs[0]
    rows = [_Row(query.text, [_cell(run, first, at) for run in runs]) for at, query in enumerate(first.judged)]
    return {
        "measure": SORTED_BY,
        "measures": list(MEASURES),
        "runs": runs,
        "means": [run.means for run in runs],
        "differences": [run.differences(first) for run in runs],
        "changed": sorted((row for row in rows if _change(row)), key=lambda row: (-abs(_change(row)), _change(row), row.query)),
        "same": sorted((row for row in rows if not _change(row)), key=lambda row: (row.cells[0].value, row.query)),
        "unanswerable": [query.text for query in first.unanswerable],
        "kind": _kind,
    }


def _cell(run: Measurement, first: Measurement, at: int) -> _Cell:
    value = run.values[SORTED_BY][at]
    change = value - first.values[SORTED_BY][at]
    return _Cell(value, change if abs(change) > _TOLERANCE else 0.0, run.ranks(at), run.pages[at][:FIRST])


def _change(row: _Row) -> float:
    """Return the largest change of any run."""
    return max((cell.change for cell in row.cells), key=lambda change: (abs(change), -change))


def _kind(change: Interval | float) -> str:
    """Classify a difference, for the style sheet: "better", "worse", or "" if it may be chance."""
    low, high = (change.low, change.high) if isinstance(change, Interval) else (change, change)
    return "better" if low > 0 else "worse" if high < 0 else ""
