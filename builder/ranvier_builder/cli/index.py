"""`ranvier index`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ranvier_builder.cli.group import FOLDER, INPUT, QUIET, clean_up_on_termination, json_text
from ranvier_builder.config import find_config, load_config
from ranvier_builder.console import progress_bar, report_json, show_report
from ranvier_builder.indexing import index as index_site
from ranvier_builder.indexing import snippet
from ranvier_builder.read.globs import Located
from ranvier_builder.work.pool import pool


@click.command(epilog="Example: ranvier index public --url https://example.org/docs/")
@click.argument("site", type=FOLDER)
@click.option("-c", "--config", type=INPUT, help="Default: ranvier.toml.")
@click.option("--url", help="Address of the published site; the printed HTML contains its path.")
@click.option("--lang", help="Language of pages without a lang attribute.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="HTML files that are not indexed. Repeatable.")
@click.option("--listings", is_flag=True, default=None, help="Index pages of tags, archives and pagination, too.")
@click.option("--pagefind", is_flag=True, help="Also write pagefind/pagefind.js, for search UIs that are made for Pagefind.")
@click.option("--strict", is_flag=True, default=None, help="Fail on any warning, and keep the old index.")
@click.option("--jobs", type=click.IntRange(0, 256), default=0, help="Number of parallel processes; 0: one per processor.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@click.option("-v", "--verbose", is_flag=True, help="Print every warning.")
@QUIET
def index(
    site: Path,
    config: Path | None,
    exclude: tuple[str, ...],
    pagefind: bool,
    jobs: int,
    as_json: bool,
    verbose: bool,
    quiet: bool,
    **overrides: Any,
) -> None:
    """Add search to SITE, a folder of HTML from any site generator. Without --pagefind, only SITE/_ranvier is written."""
    clean_up_on_termination()
    globs = tuple(Located(glob, ("command line", 0)) for glob in exclude) or None
    settings = load_config(config or find_config(site), exclude=globs, **overrides)
    console = Console(stderr=True)
    with progress_bar(console, quiet=quiet) as progress, pool(jobs) as executor:
        report = index_site(site, settings, progress, executor=executor, pagefind=pagefind)
    if as_json:
        click.echo(json_text(report_json(report) | {"html": snippet(settings.url)}))
        return
    show_report(console, report, site, verbose=verbose, quiet=quiet)
    if quiet:
        return
    console.print("Insert these two lines into your pages, the second at the place of the search box:", soft_wrap=True)
    click.echo(snippet(settings.url))
