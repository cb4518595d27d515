"""`ranvier eval`: measure how well a built site answers queries with known relevant pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from ranvier.presets import NAMES
from ranvier.requests import STRATEGIES
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ranvier_builder.cli.group import FOLDER, PathType, json_text, require_site
from ranvier_builder.console import progress_bar
from ranvier_builder.errors import BuildError
from ranvier_builder.evaluate.bootstrap import Interval
from ranvier_builder.evaluate.measured import Measurement, measure
from ranvier_builder.evaluate.measures import MEASURES, library
from ranvier_builder.evaluate.pages import Pages
from ranvier_builder.evaluate.queries import read_judged
from ranvier_builder.evaluate.report import FIRST, START, write_report
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.strict import visible

FILE = PathType(dir_okay=False)
SITE = click.option("--site", type=FOLDER, default=Path("public"), show_default=True, help="The built site to search.")
_MIN_QUERIES = 20  # with fewer queries, intervals mean little


@click.command("eval", epilog="Example: ranvier eval queries.tsv qrels.tsv --worst 5")
@click.argument("queries", type=FILE)
@click.argument("qrels", type=FILE, required=False)
@click.option(
    "--site", "sites", type=FOLDER, multiple=True, default=(Path("public"),), show_default="public",
    help="The built site to search. Repeatable: each site is compared with the first.",
)  # fmt: skip
@click.option(
    "--preset", "presets", type=click.Choice(NAMES), multiple=True, default=("default",), show_default=True,
    help="The ranking. Repeatable: each preset is compared with the first.",
)  # fmt: skip
@click.option(
    "--strategy", "strategies", type=click.Choice(STRATEGIES), multiple=True, default=("auto",), show_default=True,
    help="Search by words (bm25), by meaning (vector), or by both (rag). Repeatable.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1, 100), default=100, show_default=True, help="Number of hits to evaluate.")
@click.option("--worst", type=click.IntRange(0), default=0, metavar="N", help="Show the N queries with the worst results.")
@click.option("--report", type=FILE, help="Write an HTML page with every query and the differences between the runs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with every query.")
def eval(
    queries: Path,
    qrels: Path | None,
    sites: tuple[Path, ...],
    presets: tuple[str, ...],
    strategies: tuple[str, ...],
    limit: int,
    worst: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Measure how well a site answers QUERIES. QRELS names the relevant pages of each query.

    QUERIES has lines of id TAB text, QRELS lines of id TAB page TAB grade. Both may be BEIR or TREC files. QUERIES alone has
    lines of text TAB page, or is a CSV file of query,page. An empty page in a CSV file means that no page answers the query.
    """
    library()
    if report is not None and report.is_file() and report.read_bytes()[: len(START)] not in (START, b""):
        raise BuildError("is not a report: it was not replaced", file=report, cure="name another file with --report")
    for site in sites:
        require_site(site)
    variants = [Variant(preset, strategy) for preset in dict.fromkeys(presets) for strategy in dict.fromkeys(strategies)]
    runs = []
    with progress_bar(Console(stderr=True)) as progress:
        for site in dict.fromkeys(sites):
            with Site(site) as site_index:
                judged = read_judged(Pages.of(site_index), queries, qrels)
                for variant in variants:
                    progress(variant.preset, len(judged))
                    runs.append(
                        measure(_run_name(site, sites, variant, strategies), site_index, judged, variant, limit, progress)
                    )
    if report is not None:
        write_report(report, runs)
    if as_json:
        results = [_run_json(run, runs[0]) for run in runs]
        click.echo(json_text({"limit": limit, "measures": list(MEASURES), "runs": results}))
    else:
        _show(Console(highlight=False), runs, worst)
        if report is not None:
            click.echo(f"{visible(str(report))} contains all queries.")


def _run_name(site: Path, sites: Sequence[Path], variant: Variant, strategies: Sequence[str]) -> str:
    parts = (str(site) if len(set(sites)) > 1 else "", variant.preset, variant.strategy if len(set(strategies)) > 1 else "")
    return " ".join(filter(None, parts))


def _show(console: Console, runs: Sequence[Measurement], worst: int) -> None:
    first = runs[0]
    for run in runs:
        for notice, count in run.reduced.items():
            query_count = len(run.judged) + len(run.unanswerable)
            console.print(Text(f"{visible(run.name)}, {count:,} of {query_count:,} queries: {visible(notice)}", style="yellow"))
    if first.judged:
        console.print(_table(runs))
    if 0 < len(first.judged) < _MIN_QUERIES:
        queries = "1 query is" if len(first.judged) == 1 else f"{len(first.judged):,} queries are"
        console.print(Text(f"{queries} too few for reliable intervals: judge more queries.", style="yellow"))
    for run in runs if first.unanswerable else ():
        queries = "query" if len(run.unanswerable) == 1 else "queries"
        summary = f"{len(run.false_positives):,} of {len(run.unanswerable):,} unanswerable {queries} got an answer"
        console.print(Text(f"{visible(run.name)}: {summary}."), soft_wrap=True)
    for run in runs if worst else ():
        console.print(Text(f"\nWorst of {visible(run.name)}" if len(runs) > 1 else "\nWorst", style="bold"))
        worst_queries = run.imperfect()[:worst]
        for line in (line for at in worst_queries for line in _query_lines(run, at)):
            console.print(line, soft_wrap=True)
        for query, page in [*run.false_positives.items()][:worst]:
            console.print(Text.assemble("unanswerable  ", (visible(query), "bold"), "\n       1. ", (visible(page), "cyan")))
        if not worst_queries and not run.false_positives:
            console.print("Every query has all its relevant pages first.")


def _table(runs: Sequence[Measurement]) -> Table:
    """Return a table with a row for each measure of each run: mean, interval, and difference from the first run."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0), pad_edge=False)  # fits into 80 columns
    query_count = len(runs[0].judged)
    table.add_column(f"{query_count:,} {'query' if query_count == 1 else 'queries'}", no_wrap=True)
    for heading in ("", "mean", "95 %", *(("difference", "95 %") if len(runs) > 1 else ())):
        table.add_column(heading, no_wrap=True)
    for run in runs:
        means, differences = run.means, run.differences(runs[0]) if run is not runs[0] else {}
        for name in MEASURES:
            cells = _cells(means[name], "")
            if differences:
                cells += _cells(differences[name], "+")
            table.add_row(visible(run.name) if name == next(iter(MEASURES)) else "", name, *cells)
    return table


def _cells(interval: Interval, sign_format: str) -> list[Text]:
    style = "" if not sign_format or interval.holds_zero else "green" if interval.mean > 0 else "red"
    return [
        Text(f"{interval.mean:{sign_format}z.3f}", style=style),
        Text(f"{interval.low:{sign_format}z.3f} to {interval.high:{sign_format}z.3f}", style="dim"),
    ]


def _query_lines(run: Measurement, at: int) -> Iterator[Text]:
    """Yield lines for a query: its measure, the ranks of its relevant pages, and the wrong pages among the first results."""
    query = run.judged[at]
    yield Text.assemble((f"{run.values['nDCG@10'][at]:.3f}  ", "dim"), (visible(query.text), "bold"))
    for page, rank in run.ranks(at):
        yield Text.assemble("       expected ", (visible(page), "cyan"), f"  {f'at {rank}' if rank else 'not found'}")
    if not run.pages[at]:
        yield Text("       no results")
    for rank, page in enumerate(run.pages[at][:FIRST], 1):
        if not query.grades.get(page, 0) > 0:
            yield Text.assemble(f"       {rank}. ", (visible(page), "cyan"))


def interval_json(interval: Interval, mean: str) -> dict[str, float]:
    """Return an interval as JSON, with a given name for its mean."""
    return {mean: interval.mean, "low": interval.low, "high": interval.high}


def _run_json(run: Measurement, first: Measurement) -> dict[str, Any]:
    result: dict[str, Any] = {
        "name": run.name,
        "site": run.site,
        "preset": run.variant.preset,
        "strategy": run.variant.strategy,
        "measures": {name: interval_json(interval, "mean") for name, interval in run.means.items()},
        "less": dict(run.reduced),
        "queries": [_query_json(run, at) for at in range(len(run.judged))],
        "unanswerable": [{"query": query.text, "shown": run.false_positives.get(query.text)} for query in run.unanswerable],
    }
    if run is not first:
        differences = {name: interval_json(interval, "difference") for name, interval in run.differences(first).items()}
        result["against"] = {"name": first.name, "measures": differences}
    return result


def _query_json(run: Measurement, at: int) -> dict[str, Any]:
    query = run.judged[at]
    return {
        "id": query.id,
        "query": query.text,
        "measures": {name: round(run.values[name][at], 9) for name in MEASURES},
        "expected": [{"path": page, "grade": query.grades[page], "rank": rank} for page, rank in run.ranks(at)],
        "first": list(run.pages[at][:FIRST]),
    }
