"""Terminal output of a build: progress while it runs, and its report."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from ranvier_builder.audience import example
from ranvier_builder.model import Progress as ProgressCallback
from ranvier_builder.model import Report, Warn
from ranvier_builder.strict import by_kind, visible, visible_lines
from ranvier_builder.withheld import usual_cure

MIN_MERGED = 1000  # from this number of warnings, a kind is one line
_ABSOLUTE = re.compile(r": (/[^/\s]+/)")  # prefix of a link's target, from the host's root
GROUP_CURES = {
    "link": "the target pages are not in this folder, or are withheld",
    "media": "the files are not in this folder: build a folder that contains them too",
    "frontmatter": "put quotes around values that contain a colon or begin with a special character",
    "audience": "correct misspelt names; define names of your own in ranvier.toml below [audience]",
    "markup": "the source is shown as it is",
    "duplicate": "give each page its own `id`, and leave copies out with `exclude`",
}
LINES_SHOWN = 3  # of each group by default: a vault of ten thousand files has thousands of warnings


@contextmanager
def progress_bar(console: Console, *, quiet: bool = False) -> Iterator[ProgressCallback]:
    """Show the current stage and its progress; nothing if the output is not a terminal, or with `quiet`."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("Starting", total=None)

        def progress(stage: str, count: int) -> None:
            if stage:
                bar.reset(task, description=stage, total=count or None)
            else:
                bar.advance(task, count)

        yield progress


def headed_table(*headings: str) -> Table:
    """Return a table with a line of headings, whose cells wrap."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def number_table() -> Table:
    """Return a table without headings, for names, numbers and details."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column()
    return table


def peak_memory() -> int | None:
    """Return the peak memory in bytes of this process or of its largest finished worker; `None` on Windows."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024  # getrusage(2): bytes there, kilobytes on Linux and the BSDs
    return unit * max(resource.getrusage(process).ru_maxrss for process in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def report_json(report: Report) -> dict[str, Any]:
    """Return the report of a build as one JSON object; its keys are documented in the manual and stable."""
    return {
        "read": report.read,
        "published": report.published,
        "withheld": dict(report.withheld),
        "links": report.links,
        "unresolved": report.unresolved,
        "chunks": report.chunks,
        "vectors": report.vectors,
        "files": report.files,
        "bytes": report.bytes,
        "seconds": round(report.seconds, 3),
        "peak_memory": peak_memory(),
        "kinds": report.kinds(),
        "warnings": [
            {"file": warning.file, "line": warning.line, "kind": warning.kind, "message": warning.message}
            for warning in report.warnings
        ],
    }


def show_report(console: Console, report: Report, out: Path, *, verbose: bool, quiet: bool = False) -> None:
    """Print the report of a build: first its warnings, then its numbers, so that the numbers stay on the screen.

    With `quiet`, print only the warnings.
    """
    groups = by_kind(report.warnings)
    show_groups(console, dict(_group(kind, group, verbose) for kind, group in groups.items()), verbose)
    if quiet:
        return
    _show_withheld(console, report)
    console.print(_numbers(report))
    command = f"ranvier serve {visible(quote(str(out)))}"
    console.print(Text.assemble((visible(str(out)), "bold"), f" is ready: {command}"), soft_wrap=True)


def show_layer(console: Console, report: Report, *, verbose: bool, quiet: bool) -> None:
    """Print the warnings of an encrypted layer, and how many pages it adds."""
    groups = [_group(kind, group, verbose) for kind, group in by_kind(report.warnings).items()]
    show_groups(console, {f"layer {report.audience}: {heading}": lines for heading, lines in groups}, verbose)
    if not quiet:
        counts = f"{report.published:,} pages, {len(report.audiences):,} of them not public"
        console.print(f"layer {report.audience}: {counts}", highlight=False)


def _group(kind: str, group: list[Warn], verbose: bool) -> tuple[str, list[str]]:
    """Return a group's heading and its lines: a large group has one line with a cure; equal messages are merged."""
    heading = f"{kind}  {len(group):,}"
    if verbose:
        return heading, list(map(str, group))
    if len(group) >= MIN_MERGED:
        return f"{heading}: {_cure(kind, group)}", []
    if kind not in ("link", "media"):  # in all other kinds, each file needs a fix
        return heading, list(map(str, group))
    first = {warning.message: warning for warning in reversed(group)}
    counts = Counter(warning.message for warning in group)
    return heading, [f"{first[message]}{f' ({count:,} times)' if count > 1 else ''}" for message, count in counts.items()]


def _cure(kind: str, group: list[Warn]) -> str:
    """Return what most warnings of a large group have in common, and what to do about it."""
    if kind == "link":
        prefixes = Counter(match[1] for warning in group if (match := _ABSOLUTE.search(warning.message)))
        if prefixes:
            prefix, count = min(prefixes.items(), key=lambda pair: (-pair[1], pair[0]))
            setting = f'base_paths = ["{prefix.rstrip("/")}"]'
            hint = f"{count:,} lead to {prefix}…; if this is the path of your site, set {setting} in ranvier.toml"
            return f"{visible(hint)}; --verbose prints them all"
    return f"{GROUP_CURES.get(kind, 'such as ' + visible(str(group[0])))}; --verbose prints them all"


def _show_withheld(console: Console, report: Report) -> None:
    """Show how many files are withheld, why, one of them with its line, and what publishes them."""
    for reason, count in report.withheld.items():
        if not (cure := usual_cure(reason)):
            continue
        files = "1 file is" if count == 1 else f"{count:,} files are"
        console.print(Text(f"{files} withheld: {visible(reason)}", style="bold yellow"), soft_wrap=True)
        line = example(reason, report.first.get(reason, ""), report.warnings)
        console.print(Text(f"{visible_lines(line)}\n  cure: {cure}".lstrip("\n")), soft_wrap=True)


def _numbers(report: Report) -> Table:
    table = number_table()
    withheld = "; ".join(f"{count:,}: {visible(reason)}" for reason, count in report.withheld.items())
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.kinds().items())
    memory = peak_memory()
    rows = (
        ("pages read", f"{report.read:,}", ""),
        ("published", f"{report.published:,}", ""),
        ("withheld", f"{sum(report.withheld.values()):,}", withheld),
        ("links", f"{report.links:,}", f"{report.unresolved:,} unresolved" if report.unresolved else ""),
        ("warnings", f"{len(report.warnings):,}", kinds),
        ("passages", f"{report.chunks:,}", ""),
        ("found by meaning", f"{report.vectors:,}" if report.model or report.lacks_model else "", _meaning(report)),
        ("files", f"{report.files:,}", ""),
        ("bytes", f"{report.bytes:,}", ""),
        ("seconds", f"{report.seconds:.1f}", ""),
        ("peak memory", "" if memory is None else f"{memory / 1e6:,.0f} MB", ""),
    )
    for name, number, detail in rows:
        if number:
            table.add_row(name, number, Text(detail))  # not markup: a word of a file's frontmatter may look like markup
    return table


def _meaning(report: Report) -> str:
    """Return the model that finds passages by meaning; if it does not find all, why."""
    if report.lacks_model:
        return 'no search by meaning: its model is not installed. To add it: pip install "ranvier[vectors]"'
    if report.vectors == report.chunks:
        return report.model
    languages = ", ".join(report.model_langs)
    if report.vectors:
        return f"{report.model}; the others are not in {languages}, so they are found by words only"
    return f"{report.model} reads only {languages}, and the site has no such page: it is searched by words only"


def show_groups(console: Console, groups: dict[str, list[str]], verbose: bool) -> None:
    """Print lines under headings: the first few of each, or all."""
    is_shortened = False
    for heading, lines in groups.items():
        console.print(Text(heading, style="bold yellow"))
        shown_lines = lines if verbose else lines[:LINES_SHOWN]
        for line in shown_lines:
            console.print(Text(f"  {visible(line)}"), soft_wrap=True)
        if len(lines) > len(shown_lines):
            is_shortened = True
            console.print(Text(f"  … and {len(lines) - len(shown_lines):,} more", style="dim"))
    if is_shortened:
        console.print(Text("--verbose prints them all.", style="dim"))
