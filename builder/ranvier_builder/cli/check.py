"""`ranvier check`: the health of a content folder, or of a finished site."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from ranvier_builder.audience import Gate
from ranvier_builder.check.against import check_against
from ranvier_builder.check.findings import CHECKS, SEVERE, Finding, SiteHealth, as_json, in_order
from ranvier_builder.check.health import STALE_DAYS, ContentHealth, check_content
from ranvier_builder.check.site import check_site, is_indexed, is_site
from ranvier_builder.cli.group import FOLDER, INPUT, QUIET, READABLE, clean_up_on_termination, json_text
from ranvier_builder.config import find_config, load_config
from ranvier_builder.console import number_table, progress_bar, show_groups
from ranvier_builder.errors import BuildError
from ranvier_builder.pipeline import Stages, survey
from ranvier_builder.strict import visible
from ranvier_builder.work.pool import pool


@click.command(epilog="Example: ranvier check docs --stale-days 180")
@click.argument("path", type=FOLDER)
@click.option(
    "--against", type=READABLE, help="For a site: the folder of its content. Proves that no withheld text was published."
)
@click.option("-c", "--config", type=INPUT, help="Default: ranvier.toml of the content.")
@click.option("--audience", "publish_for", help="Audience of the site: public, tool or curator.")
@click.option("--default-audience", help="Audience of pages without an audience. Default: these pages are withheld.")
@click.option("--url", help="Address of the published site, if the build had this option.")
@click.option(
    "--stale-days",
    type=click.IntRange(0),
    default=STALE_DAYS,
    show_default=True,
    help="For content: number of days after which a page is stale.",
)
@click.option("--jobs", type=click.IntRange(0, 256), default=0, help="Number of parallel processes; 0: one per processor.")
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
@click.option("--strict", is_flag=True, help="Exit with status 1 on any finding, not only on damage and leaks.")
@click.option("-v", "--verbose", is_flag=True, help="Print every finding.")
@QUIET
@click.pass_context
def check(
    context: click.Context,
    /,
    path: Path,
    against: Path | None,
    config: Path | None,
    stale_days: int,
    jobs: int,
    as_object: bool,
    strict: bool,
    verbose: bool,
    quiet: bool,
    **overrides: str | None,
) -> None:
    """Check PATH, a folder of Markdown or a built site, and report problems. The command writes no files."""
    if against is not None and is_indexed(path):
        message = "is a site of another generator, whose pages have no audiences: there is nothing to prove"
        raise BuildError(message, file=path, cure="leave out --against")
    clean_up_on_termination()
    if is_site(path):
        kind, numbers, findings = "site", *_site(path, against, config, overrides, jobs, quiet)
    elif against is not None:
        raise BuildError("is not a site built by Ranvier", file=path, cure="ranvier check OUT --against CONTENT")
    else:
        kind, numbers, findings = "content", *_content(path, config, overrides, stale_days, jobs, quiet)
    if as_object:
        click.echo(json_text(as_json(kind, str(path), numbers, findings)))
    else:
        console = Console(highlight=False)
        _show(console, numbers, findings, verbose, quiet)
        if not quiet and is_indexed(path) and sum(finding.check == "broken_heading" for finding in findings) > _MANY_HEADINGS:
            console.print(_NO_SCRIPTS, style="yellow", soft_wrap=True)
    if any(finding.check in SEVERE for finding in findings) or (strict and findings):
        context.exit(1)


_LABELS = {"neurons": "notes", "chunks": "passages", "vectors": "found by meaning"}  # in words that a newcomer knows
# Checks whose equal messages are merged: the same wrong address may be on many pages.
_GROUPED = ("broken_link", "withheld_link", "broken_heading", "media")
_MANY_HEADINGS = 20  # an author's own mistakes are fewer
_NO_SCRIPTS = """Many links lead to missing headings. Scripts may make these in the browser, and this check runs no scripts.
No option leaves them out; without --strict they do not change the exit status."""
Report = tuple[dict[str, Any], tuple[Finding, ...]]


def _content(
    content: Path, config: Path | None, overrides: dict[str, str | None], stale_days: int, jobs: int, quiet: bool
) -> Report:
    settings = load_config(config or find_config(content), **overrides)
    # The view of the curator: everything with a valid audience or without an audience.
    curator_settings = replace(settings, publish_for="curator", default_audience=settings.default_audience or "curator")
    with progress_bar(Console(stderr=True), quiet=quiet) as progress, pool(jobs) as executor:
        content_survey = survey(content, curator_settings, progress, executor=executor)
        if not content_survey.neurons:
            raise BuildError(
                "is neither a folder with Markdown files nor a built site",
                file=content,
                cure="ranvier check CONTENT, or ranvier check OUT after a build",
            )
        gate = Gate(settings.publish_for, settings.default_audience, settings.audience)
        progress("Comparing", 0)
        report = check_content(
            content_survey.neurons,
            content_survey.rendered,
            content_survey.warnings,
            gate,
            today=date.today(),
            stale_days=stale_days,
        )
    return _numbers(report), report.findings


def _site(
    site: Path, against: Path | None, config: Path | None, overrides: dict[str, str | None], jobs: int, quiet: bool
) -> Report:
    with progress_bar(Console(stderr=True), quiet=quiet) as progress:
        report = check_site(site, progress)
        leaks: list[Finding] = []
        if against is not None:
            settings = load_config(config or find_config(against), **overrides)
            with pool(jobs) as executor:
                leaks = check_against(site, against, Stages(settings, progress, executor))
    numbers = _numbers(report)
    if against is not None:
        numbers["leaks"] = sum(finding.check == "leak" for finding in leaks)
    return numbers, in_order([*report.findings, *leaks])


def _numbers(report: ContentHealth | SiteHealth) -> dict[str, Any]:
    return {field.name: getattr(report, field.name) for field in fields(report) if field.name not in ("urls", "findings")}


def _lines(check: str, findings: list[Finding], verbose: bool) -> list[str]:
    """Return the lines for findings: all if verbose, else one line per broken target, the most frequent first."""
    if verbose:
        return [line for finding in findings for line in (str(finding), *(f"  {other}" for other in finding.others[1:]))]
    groups_by_message: dict[str, list[Finding]] = {}
    for finding in findings:
        groups_by_message.setdefault(finding.message if check in _GROUPED else str(finding), []).append(finding)
    groups = sorted(groups_by_message.values(), key=len, reverse=True)
    return [f"{group[0]} ({len(group):,} times)" if len(group) > 1 else str(group[0]) for group in groups]


def _show(console: Console, numbers: dict[str, Any], findings: tuple[Finding, ...], verbose: bool, quiet: bool) -> None:
    groups = {check: [finding for finding in findings if finding.check == check] for check in CHECKS}
    groups = {check: group for check, group in groups.items() if group}
    lines = {f"{CHECKS[check]}  {len(group):,}": _lines(check, group, verbose) for check, group in groups.items()}
    show_groups(console, lines, verbose)
    if quiet:
        return
    table = number_table()
    for name, number in ((_LABELS.get(name, name), number) for name, number in numbers.items()):
        if isinstance(number, dict):
            reasons = "; ".join(f"{count:,}: {visible(reason)}" for reason, count in number.items())
            table.add_row(name, f"{sum(number.values()):,}", Text(reasons))
        elif isinstance(number, str):
            table.add_row(name, Text(visible(number or "none")))
        else:
            table.add_row(name, f"{number:,}")
    for check, group in groups.items():
        table.add_row(CHECKS[check], f"{len(group):,}")
    console.print(table)
    if not findings:
        console.print("No problems found.", style="green")
