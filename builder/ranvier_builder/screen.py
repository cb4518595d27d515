"""What the terminal shows: progress while a build runs, its summary, and hits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

from ranvier import SearchResult
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from ranvier_builder.model import Report
from ranvier_builder.pipeline import Progress as Tell

_WARNINGS_SHOWN = 10


@contextmanager
def progress_bar(console: Console) -> Iterator[Tell]:
    """Show the stage that runs and how far it is; nothing where the output is not a terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Starting", total=None)

        def tell(stage: str, count: int) -> None:
            if stage:
                bar.reset(task, description=stage, total=count or None)
            else:
                bar.advance(task, count)

        yield tell


def show_report(console: Console, report: Report, out: Path, *, verbose: bool) -> None:
    """Print what a build did."""
    _show_warnings(console, report, verbose)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column()
    table.add_row("Neurons read", f"{report.read:,}")
    table.add_row("published", f"{report.published:,}")
    withheld = sum(report.withheld.values())
    table.add_row("withheld", f"{withheld:,}", "; ".join(f"{count:,}: {reason}" for reason, count in report.withheld.items()))
    table.add_row("chunks", f"{report.chunks:,}")
    table.add_row("files", f"{report.files:,}")
    table.add_row("bytes", f"{report.bytes:,}")
    table.add_row("seconds", f"{report.seconds:.1f}")
    console.print(table)
    console.print(f"[bold]{escape(str(out))}[/] is ready: ranvier serve {escape(str(out))}", highlight=False)
    if withheld and not report.published:
        console.print("Nothing was published. Set default_audience in ranvier.toml, or audience in each file.", style="yellow")


def _show_warnings(console: Console, report: Report, verbose: bool) -> None:
    shown = report.warnings if verbose else report.warnings[:_WARNINGS_SHOWN]
    for warning in shown:
        console.print(f"[yellow]warning[/] {escape(str(warning))}", highlight=False, soft_wrap=True)
    rest = len(report.warnings) - len(shown)
    if rest:
        console.print(f"[yellow]… and {rest:,} more warnings[/] (--verbose prints them)", highlight=False)


def show_hits(console: Console, result: SearchResult) -> None:
    """Print hits as a reader would like them in a terminal."""
    for notice in result.notices:
        console.print(notice.text, style="yellow")
    if not result.hits:
        console.print("Nothing found.")
    for hit in result.hits:
        console.print(
            Text.assemble((f"{hit.rank}. ", "dim"), _marked(hit.title_highlight, "bold"), (f"  {hit.url or './'}", "cyan"))
        )
        console.print(_marked(hit.snippet), soft_wrap=False)
        for sub in hit.sub_results:
            console.print(Text.assemble("   ", (f"# {sub.title}", "dim"), (f"  {sub.url}", "cyan dim")), soft_wrap=True)
    if result.next_offset is not None:
        console.print(f"{result.total_hits} in all; --offset {result.next_offset} shows more.", style="dim")


def _marked(html: str, style: str = "") -> Text:
    text = Text(style=style)
    for at, part in enumerate(re.split(r"</?mark>", html)):
        text.append(unescape(part), style="bold yellow" if at % 2 else "")
    return text
