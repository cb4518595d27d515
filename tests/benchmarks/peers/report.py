"""A comparison as text: for the terminal, and for a page of the manual with its plots."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from peers.plot import Panel, draw
from peers.tables import NAMES, Column, Data, Table, noise, spread, tables

RESULTS = Path(__file__).with_name("results.json")
_BLOCK = re.compile(r"(?ms)^## Results\n.*?(?=^## |\Z)")  # of the page: from this heading to the next
_FIGURES = re.compile(r"[{\[][^{}\[\]]*[}\]]")  # an object or a list without another one inside
WEAK = 3


def text(data: Data) -> str:
    """Return all tables as Markdown."""
    parts = [f"{table.title}. {table.about}\n\n{_markdown(table)}" for table in tables(data)]
    return "\n\n".join([_about(data), *parts, _weak(data)])


def write(page: Path, data: Data) -> None:
    """Replace the results in a page of the manual, write a plot for each table beside it, and store the results.

    Judged collections that this run did not measure keep their results, which do not depend on the machine.

    Raises:
        ValueError: the page has no heading `Results`.

    """
    before: Data = json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}
    data = {name: value for name, value in before.items() if name.startswith("judged")} | data
    page.write_text(rewritten(page.read_text("utf-8"), page.stem, data), "utf-8")
    for name, plot in plots(page.stem, data).items():
        page.with_name(name).write_text(plot, "utf-8")
    RESULTS.write_text(stored(data), "utf-8")


def stored(data: Data) -> str:
    """Return results as JSON; the figures of one measurement are one line."""
    text = json.dumps(data, indent=1, sort_keys=True)
    return _FIGURES.sub(lambda figures: re.sub(r"\n *", " ", figures[0]), text) + "\n"


def rewritten(page: str, stem: str, data: Data) -> str:
    """Return a page with other results."""
    parts = ["## Results", _about(data)]
    for table in tables(data):
        picture = f"![{table.title}: the table below as bars]({_plot(stem, table)})"
        parts += [f"### {table.title}", table.about, picture, _markdown(table)]
    parts += ["### Still worse", _weak(data)]
    body, count = _BLOCK.subn(lambda _: "\n\n".join(parts) + "\n\n", page)
    if not count:
        raise ValueError("the page has no heading “Results”")
    return body.rstrip("\n") + "\n"


def plots(stem: str, data: Data) -> dict[str, str]:
    """Return the SVG of each table, by its file name."""
    return {_plot(stem, table): draw(_panels(table), NAMES["ranvier"]) for table in tables(data)}


def _plot(stem: str, table: Table) -> str:
    return f"{stem}-{table.name}.svg"


def _about(data: Data) -> str:
    about, (low, high) = data["about"], spread(data)
    versions = ", ".join(f"{name} {about['versions'][key]}" for key, name in NAMES.items())
    return (
        f"{about['pages']:,} pages of `{about['corpus']}`. {versions}. Chromium {about['chromium']}, Python {about['python']}. "
        f"Times are medians. Two equal visits differ by {noise(data):.0%} (median). The visits of one row ask different "
        f"queries: on the 4G line they take from {low:.0%} to {high:.0%} of their median. Compare times only with each other."
    )


def _markdown(table: Table) -> str:
    lines = [f"| | {' | '.join(column.head for column in table.columns)} |", f"| --- |{' --: |' * len(table.columns)}"]
    for key, name in NAMES.items():
        if any(key in column.values for column in table.columns):
            lines.append(f"| {name} | {' | '.join(column.figure(key) for column in table.columns)} |")
    return "\n".join(lines)


def _panels(table: Table) -> list[Panel]:
    return [
        Panel(column.head, [(NAMES[key], column.values[key], column.figure(key)) for key in NAMES if key in column.values])
        for column in table.columns
    ]


def _weak(data: Data) -> str:
    """Return the worst column of each table against the best library, the worst first."""
    worst = sorted((max(_behind(table)) for table in tables(data)), reverse=True)[:WEAK]
    lines = [f"- {line}" for ratio, line in worst if ratio > 1]
    return "\n".join(["In these figures, one a table, Ranvier is furthest behind another library:", "", *lines])


def _behind(table: Table) -> Iterator[tuple[float, str]]:
    for column in table.columns:
        ratio, best = _ratio(column)
        figures = f"Ranvier {column.figure('ranvier')}, {NAMES[best]} {column.figure(best)}"
        yield ratio, f"**{table.title}: {column.head[0].lower()}{column.head[1:]}.** {figures}."


def _ratio(column: Column) -> tuple[float, str]:
    own = column.values["ranvier"]
    values_of_peers = {name: value for name, value in column.values.items() if name != "ranvier"}
    if column.unit == "score":
        best = max(values_of_peers, key=lambda name: (values_of_peers[name], name))
        return values_of_peers[best] / max(own, 1e-9), best
    best = min(values_of_peers, key=lambda name: (values_of_peers[name], name))
    return own / max(values_of_peers[best], 1e-9), best
