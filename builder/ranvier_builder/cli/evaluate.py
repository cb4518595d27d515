"""`ranvier eval`: how well a built site answers queries whose right pages somebody has named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from ranvier.presets import NAMES
from ranvier.requests import STRATEGIES
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ranvier_builder.cli.group import READABLE, built_site, json_text
from ranvier_builder.console import progress_bar
from ranvier_builder.evaluate import MEASURES, Interval, Pages, Query, Site, Variant, bootstrap, paired, read_judged, scores
from ranvier_builder.evaluate.measures import library
from ranvier_builder.strict import visible

FILE = click.Path(path_type=Path, dir_okay=False)
SITE = click.option("--site", type=READABLE, default=Path("public"), show_default=True, help="The built site that is asked.")
_FEW = 20  # queries, below which an interval says little
_PERFECT = 1 - 1e-9
_FIRST = 3  # hits that are shown of a query that did badly


class Measured(NamedTuple):
    """A way to rank, what it found, and how well: measure → a value for each query."""

    name: str
    variant: Variant
    pages: tuple[tuple[str, ...], ...]
    less: dict[str, int]
    values: dict[str, list[float]]


@click.command("eval", epilog="Example: ranvier eval queries.tsv qrels.tsv --worst 5")
@click.argument("queries", type=FILE)
@click.argument("qrels", type=FILE, required=False)
@SITE
@click.option(
    "--preset", "presets", type=click.Choice(NAMES), multiple=True, default=("default",), show_default=True,
    help="Which ranking. May be given again: each is compared with the first.",
)  # fmt: skip
@click.option(
    "--strategy", "strategies", type=click.Choice(STRATEGIES), multiple=True, default=("auto",), show_default=True,
    help="Words (bm25), meaning (vector), or both (rag). May be given again.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1, 100), default=100, show_default=True, help="How many hits are looked at.")
@click.option("--worst", type=click.IntRange(0), default=0, metavar="N", help="Show the N queries that did worst.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with every query.")
def eval(
    queries: Path,
    qrels: Path | None,
    site: Path,
    presets: tuple[str, ...],
    strategies: tuple[str, ...],
    limit: int,
    worst: int,
    as_json: bool,
) -> None:
    """Measure how well a site answers QUERIES, by the pages that QRELS says are right.

    QUERIES has lines of id TAB text, QRELS of id TAB page TAB grade. QUERIES alone has lines of text TAB page.
    """
    library()
    built_site(site, bare=True)
    with Site(site) as opened, progress_bar(Console(stderr=True)) as tell:
        judged = read_judged(Pages.of(opened), queries, qrels)
        variants = [Variant(preset, strategy) for preset in dict.fromkeys(presets) for strategy in dict.fromkeys(strategies)]
        runs = []
        for variant in variants:
            tell(variant.preset, len(judged))
            run = opened.run(judged, variant, limit, tell)
            runs.append(Measured(_name(variant, strategies), variant, run.pages, dict(run.less), scores(judged, run.pages)))
    if as_json:
        click.echo(json_text(_plain(site, limit, judged, runs)))
    else:
        _show(Console(highlight=False), judged, runs, worst)


def _name(variant: Variant, strategies: Sequence[str]) -> str:
    return f"{variant.preset} {variant.strategy}" if len(set(strategies)) > 1 else variant.preset


def _show(console: Console, judged: Sequence[Query], runs: Sequence[Measured], worst: int) -> None:
    for run in runs:
        for notice, count in run.less.items():
            console.print(Text(f"{run.name}, {count:,} of {len(judged):,} queries: {visible(notice)}", style="yellow"))
    console.print(_table(judged, runs))
    if len(judged) < _FEW:
        console.print(Text(f"{len(judged):,} queries are few: judge more before you trust the intervals.", style="yellow"))
    for run in runs if worst else ():
        console.print(Text(f"\nWorst of {run.name}" if len(runs) > 1 else "\nWorst", style="bold"))
        chosen = _worst(run)[:worst]
        for line in (line for at in chosen for line in _query(judged[at], run, at)):
            console.print(line, soft_wrap=True)
        if not chosen:
            console.print("Every query has all its right pages first.")


def _table(judged: Sequence[Query], runs: Sequence[Measured]) -> Table:
    """A row for each measure of each run: its mean and interval, and from the second run on its difference from the first."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0), pad_edge=False)  # 80 columns are enough
    table.add_column(f"{len(judged):,} {'query' if len(judged) == 1 else 'queries'}", no_wrap=True)
    for heading in ("", "mean", "95 %", *(("difference", "95 %") if len(runs) > 1 else ())):
        table.add_column(heading, no_wrap=True)
    for run in runs:
        for name in MEASURES:
            cells = _cells(bootstrap(run.values[name]), "")
            if run is not runs[0]:
                cells += _cells(paired([runs[0].values[name]], [run.values[name]]), "+")
            table.add_row(run.name if name == next(iter(MEASURES)) else "", name, *cells)
    return table


def _cells(interval: Interval, sign: str) -> list[Text]:
    style = "" if not sign or interval.holds_zero else "green" if interval.mean > 0 else "red"
    return [
        Text(f"{interval.mean:{sign}.3f}", style=style),
        Text(f"{interval.low:{sign}.3f} to {interval.high:{sign}.3f}", style="dim"),
    ]


def _worst(run: Measured) -> list[int]:
    """Return what is not perfect: lowest nDCG@10 first; among equals those whose first right page stands lowest."""
    flawed = (at for at, value in enumerate(run.values["nDCG@10"]) if value < _PERFECT)
    return sorted(flawed, key=lambda at: (*(run.values[name][at] for name in ("nDCG@10", "MRR", "recall@100")), at))


def _query(query: Query, run: Measured, at: int) -> Iterator[Text]:
    """Tell a query's measure, where the right pages stood, and what came first: that is what can be acted on."""
    yield Text.assemble((f"{run.values['nDCG@10'][at]:.3f}  ", "dim"), (visible(query.text), "bold"))
    for page, rank in _ranks(query, run.pages[at]):
        yield Text.assemble("       expected ", (visible(page), "cyan"), f"  {f'at {rank}' if rank else 'not found'}")
    if not run.pages[at]:
        yield Text("       nothing was found")
    for rank, page in enumerate(run.pages[at][:_FIRST], 1):
        if not query.grades.get(page, 0) > 0:
            yield Text.assemble(f"       {rank}. ", (visible(page), "cyan"))


def _ranks(query: Query, pages: Sequence[str]) -> list[tuple[str, int | None]]:
    """Return the relevant pages, best grade first, and where they stand."""
    places = {page: rank for rank, page in enumerate(pages, 1)}
    relevant = sorted((page for page, grade in query.grades.items() if grade > 0), key=lambda page: (-query.grades[page], page))
    return [(page, places.get(page)) for page in relevant]


def interval_json(interval: Interval, mean: str) -> dict[str, float]:
    """Return an interval as JSON, its mean under a name."""
    return {mean: interval.mean, "low": interval.low, "high": interval.high}


def _plain(site: Path, limit: int, judged: Sequence[Query], runs: Sequence[Measured]) -> dict[str, Any]:
    return {
        "site": str(site),
        "limit": limit,
        "measures": list(MEASURES),
        "runs": [_run(judged, run, runs[0]) for run in runs],
    }


def _run(judged: Sequence[Query], run: Measured, first: Measured) -> dict[str, Any]:
    values = run.values
    plain: dict[str, Any] = {
        "name": run.name,
        "preset": run.variant.preset,
        "strategy": run.variant.strategy,
        "measures": {name: interval_json(bootstrap(values[name]), "mean") for name in MEASURES},
        "less": run.less,
        "queries": [_query_json(query, run, at) for at, query in enumerate(judged)],
    }
    if run is not first:
        differences = {name: paired([first.values[name]], [values[name]]) for name in MEASURES}
        against = {name: interval_json(interval, "difference") for name, interval in differences.items()}
        plain["against"] = {"name": first.name, "measures": against}
    return plain


def _query_json(query: Query, run: Measured, at: int) -> dict[str, Any]:
    return {
        "id": query.id,
        "query": query.text,
        "measures": {name: round(run.values[name][at], 9) for name in MEASURES},
        "expected": [{"path": page, "grade": query.grades[page], "rank": rank} for page, rank in _ranks(query, run.pages[at])],
        "first": list(run.pages[at][:_FIRST]),
    }
