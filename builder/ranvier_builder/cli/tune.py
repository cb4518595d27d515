"""`ranvier tune`: choose numbers of the ranking by half of the judged queries, and evaluate them by the other half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from ranvier.requests import STRATEGIES
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ranvier_builder.cli.evaluate import FILE, SITE, interval_json
from ranvier_builder.cli.group import INPUT, choice, json_text, require_site
from ranvier_builder.config import FILE as CONFIG_FILE
from ranvier_builder.config import load_config, require_config
from ranvier_builder.console import progress_bar
from ranvier_builder.errors import BuildError, ConfigError
from ranvier_builder.evaluate.bootstrap import Interval
from ranvier_builder.evaluate.measures import MEASURES, library
from ranvier_builder.evaluate.numbers import Axis, default_axes, read_axis
from ranvier_builder.evaluate.pages import Pages
from ranvier_builder.evaluate.preset_file import toml_of, value_of, write_numbers
from ranvier_builder.evaluate.queries import read_judged
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.evaluate.sweep import Comparison, Trial, Tuning
from ranvier_builder.evaluate.sweep import tune as find_best
from ranvier_builder.strict import visible

_MIN_PLOT, _MAX_PLOT = 14, 60  # columns of a plot
_OTHER_COLUMNS = 29  # columns for marks, difference and gaps, without the first column and the measure's name


@click.command(epilog="Example: ranvier tune queries.tsv qrels.tsv --over fuse.k=10,30,60 --write")
@click.argument("queries", type=FILE)
@click.argument("qrels", type=FILE, required=False)
@SITE
@click.option("--over", "ranges", multiple=True, metavar="NAME=A,B", help="A number and the values to try. Repeatable.")
@choice("--measure", list(MEASURES), "nDCG@10", "The measure to maximise.")
@choice("--strategy", STRATEGIES, "auto", "As for search.")
@click.option("--grid", is_flag=True, help="Try every combination, instead of one number after the other.")
@click.option("--write", is_flag=True, help="Write the best numbers to ranvier.toml if they are better.")
@click.option("-c", "--config", type=INPUT, help="With --write. Default: ranvier.toml in this folder or in the folder above.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def tune(
    queries: Path,
    qrels: Path | None,
    site: Path,
    ranges: tuple[str, ...],
    measure: str,
    strategy: str,
    grid: bool,
    write: bool,
    config: Path | None,
    as_json: bool,
) -> None:
    """Search for numbers of the default ranking that answer QUERIES better. QRELS names the relevant pages of each query.

    The numbers are chosen on one half of the queries and measured on the other half. The files are the same as for eval.
    """
    library()
    require_site(site)
    with Site(site) as site_index, progress_bar(Console(stderr=True)) as progress:
        file = _config_file(config, site_index.preset_overrides) if write else None
        judged = tuple(query for query in read_judged(Pages.of(site_index), queries, qrels) if query.grades)
        axes = _axes(site_index, ranges)
        tuning = find_best(site_index, judged, axes, measure=measure, grid=grid, strategy=strategy, progress=progress)
    is_written = file is not None and bool(tuning.best)
    if file is not None and is_written:
        write_numbers(file, tuning.best)
    if as_json:
        click.echo(json_text(_json(site, tuning, file if is_written else None)))
    else:
        _show(Console(highlight=False), tuning, file if is_written else None)
    if write and not is_written:
        cure = "judge more queries" if tuning.candidate else "try other values with --over"
        raise BuildError("no file was written, because no value is better", cure=cure)


def _config_file(config: Path | None, site_preset: Mapping[str, Any]) -> Path:
    """Find the config file to write, before measuring; it must be the one that the site was built with."""
    file = require_config(config)
    if load_config(file).search.preset != site_preset:
        cure = "build the site again, and repeat the command"
        raise ConfigError("the site was built with another search.preset", file=file, cure=cure)
    return file


def _axes(site: Site, ranges: Sequence[str]) -> tuple[Axis, ...]:
    stages = site.stages(Variant())
    axes = tuple(read_axis(text, stages) for text in ranges) if ranges else default_axes(stages, with_meaning=site.has_vectors)
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"--over {name} occurs twice", cure=f"write all values in one list: --over {name}=A,B")
    return axes


def _show(console: Console, tuning: Tuning, file: Path | None) -> None:
    summary = (
        f"{tuning.settings:,} settings tried on {tuning.chosen_on:,} queries; each difference is from the current settings."
    )
    console.print(Text(summary), soft_wrap=True)
    console.print(_trial_table(console, tuning))
    if not tuning.candidate:
        console.print("No setting is better than the current ones.")
        return
    console.print(Text(f"\nOn the {tuning.judged_on:,} other queries:", style="bold"))
    console.print(_held_out_table(tuning))
    console.print(_verdict(tuning), soft_wrap=True)
    if file is not None:
        console.print(
            Text(f"{visible(str(file))} contains the new numbers. Build the site again to apply them."), soft_wrap=True
        )
    elif tuning.best:
        console.print(Text(f"\nFor {CONFIG_FILE}:\n\n{toml_of(tuning.best).rstrip()}"), soft_wrap=True)


def _verdict(tuning: Tuning) -> Text:
    difference = tuning.held_out[tuning.measure].difference
    if tuning.is_better:
        return Text(f"Better: {tuning.measure} rises by {difference.low:.3f} to {difference.high:.3f}.", style="green")
    if difference.holds_zero:
        verdict = f"No significant difference: the interval of the difference in {tuning.measure} contains 0."
        return Text(verdict, style="yellow")
    return Text(f"Worse: the new numbers lower {tuning.measure} on the other half of the queries.", style="red")


def _trial_table(console: Console, tuning: Tuning) -> Table:
    """Return a table with a row per value, the other numbers at their best, with a plot of the difference from now."""
    reach = max((abs(bound) for trial in tuning.trials for bound in trial.difference), default=0.0)
    labels = [_value(trial) for trial in tuning.trials] + [trial.axis.name for trial in tuning.trials]
    width = _plot_width(console, max(map(len, labels)) + len(tuning.measure) + _OTHER_COLUMNS)
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("", "", tuning.measure, "difference"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    table.add_column(f"{-reach:<+{width // 2}.3f}0{reach:>+{width // 2}.3f}", no_wrap=True)
    name = ""
    for trial in tuning.trials:
        if trial.axis.name != name:
            name = trial.axis.name
            table.add_row(Text(name, style="bold"))
        mark = " ".join(word for word, is_set in (("now", trial.is_now), ("best", trial.is_best)) if is_set)
        plot = draw_interval(trial.difference, reach, width, ascii_only=console.options.ascii_only)
        style = "green" if trial.is_best and not trial.is_now else ""
        table.add_row(_value(trial), mark, f"{trial.mean:.3f}", f"{trial.difference.mean:+z.3f}", plot, style=style)
    return table


def _value(trial: Trial) -> str:
    return f"  {'current' if trial.value is None else _short_number(trial.value)}"


def _short_number(value: Any) -> str:
    """Shorten numbers: 0.3333333333333333 → 0.3333, 3.0 → 3."""
    if isinstance(value, list):
        return f"[{', '.join(map(_short_number, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else value_of(value)


def _plot_width(console: Console, other_columns: int) -> int:
    """Return the width that the other columns leave; it is odd, so that zero is in the middle."""
    return max(_MIN_PLOT, min(_MAX_PLOT, console.width - other_columns)) // 2 * 2 - 1


def draw_interval(difference: Interval, reach: float, width: int, *, ascii_only: bool = False) -> str:
    """Draw a difference and its interval on a line from −reach to +reach: `     │  ├──●───┤   `."""
    zero, line, left, right, point = "|-[]o" if ascii_only else "│─├┤●"

    def place(value: float) -> int:
        return width // 2 if not reach else round((value / reach + 1) * (width // 2))

    mean, low, high = map(place, difference)
    characters = [line if low <= at <= high else " " for at in range(width)]
    for at, character in ((width // 2, zero), (low, left), (high, right), (mean, point)):
        characters[at] = character
    return "".join(characters)


def _held_out_table(tuning: Tuning) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("", "now", "best", "difference, 95 %"):
        table.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
    for name, comparison in tuning.held_out.items():
        mean, low, high = (f"{number:+z.3f}" for number in comparison.difference)
        style = "bold" if name == tuning.measure else ""
        table.add_row(name, f"{comparison.before:.3f}", f"{comparison.after:.3f}", f"{mean} [{low}, {high}]", style=style)
    return table


def _json(site: Path, tuning: Tuning, file: Path | None) -> dict[str, Any]:
    return {
        "site": str(site),
        "measure": tuning.measure,
        "queries": {"chosen_on": tuning.chosen_on, "judged_on": tuning.judged_on},
        "settings": tuning.settings,
        "candidate": {".".join(path): value for path, value in tuning.candidate.items()},
        "best": {".".join(path): value for path, value in tuning.best.items()},
        "preset": tuning.preset,
        "better": tuning.is_better,
        "written": None if file is None else str(file),
        "chosen": _comparison_json(tuning.chosen),
        "held_out": {name: _comparison_json(comparison) for name, comparison in tuning.held_out.items()},
        "tried": [
            {"number": trial.axis.name, "value": trial.value, "mean": trial.mean, "now": trial.is_now, "best": trial.is_best}
            | interval_json(trial.difference, "difference")
            for trial in tuning.trials
        ],
    }


def _comparison_json(comparison: Comparison) -> dict[str, float]:
    return {"before": comparison.before, "after": comparison.after} | interval_json(comparison.difference, "difference")
