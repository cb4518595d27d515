"""`ranvier build`."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ranvier_builder.cli.group import FOLDER, INPUT, QUIET, PathType, clean_up_on_termination, json_text
from ranvier_builder.cli.keys import key_module
from ranvier_builder.config import FILE, Config, find_config, load_config
from ranvier_builder.console import progress_bar, report_json, show_layer, show_report
from ranvier_builder.errors import BuildError
from ranvier_builder.paths import identity
from ranvier_builder.pipeline import build as build_site
from ranvier_builder.read.settings import CANDIDATES
from ranvier_builder.strict import visible, visible_lines
from ranvier_builder.work.database import Memory
from ranvier_builder.work.machines import SCHEME, cluster
from ranvier_builder.work.pool import pool

NEW_FOLDER = PathType(file_okay=False)
_POLL_SECONDS = 0.3  # seconds between two checks for a missing content folder


def _cluster_address(_: click.Context, option: click.Parameter, address: str | None) -> str | None:
    if address is None or re.fullmatch(rf"{SCHEME}[^/\s]+:\d+", address):
        return address
    raise click.BadParameter(f"{address} is not of the form {SCHEME}HOST:PORT", param=option)


@click.command(epilog="Example: ranvier build docs -o public --default-audience public")
@click.argument("content", type=FOLDER)
@click.option("-o", "--output", type=FOLDER, default=Path("public"), show_default=True, help="Folder to write the site to.")
@click.option("-c", "--config", type=INPUT, help="Default: ranvier.toml.")
@click.option("--audience", "publish_for", help="Audience of the site: public, tool or curator.")
@click.option(
    "--layers", metavar="LIST", help="Public site, and encrypted layers beside it: public,tool,curator. Needs --keys."
)
@click.option("--keys", type=INPUT, help="Secret file with the keys of the layers, written by ranvier keys.")
@click.option("--default-audience", help="Audience of pages without an audience. Default: these pages are withheld.")
@click.option("--url", help="Address of the published site; required for sitemap.xml.")
@click.option("--strict", is_flag=True, default=None, help="Fail on any warning, and keep the old site.")
@click.option("--watch", is_flag=True, help="Build again after each change of a file. Ctrl-C stops it.")
@click.option("--jobs", type=click.IntRange(0, 256), default=0, help="Number of parallel processes; 0: one per processor.")
@click.option(
    "--executor", metavar="URL", callback=_cluster_address, help="Use the workers of a Dask cluster: dask://HOST:PORT."
)
@click.option("--cache", type=NEW_FOLDER, help="Folder for results that later builds reuse. Default: the user's cache.")
@click.option("--fresh", is_flag=True, help="Ignore the cache, and build everything again.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@click.option("-v", "--verbose", is_flag=True, help="Print every warning.")
@QUIET
def build(
    content: Path,
    output: Path,
    config: Path | None,
    layers: str | None,
    keys: Path | None,
    watch: bool,
    jobs: int,
    executor: str | None,
    cache: Path | None,
    fresh: bool,
    as_json: bool,
    verbose: bool,
    quiet: bool,
    **settings: Any,
) -> None:
    """Build a site from the folder CONTENT of Markdown files."""
    if (layers is None) != (keys is None):
        raise click.UsageError("--layers and --keys belong together")
    if layers is not None and settings["publish_for"] is not None:
        raise click.UsageError("--layers names the audiences: it cannot be used with --audience")
    console = Console(stderr=True)

    def load() -> Config:
        return load_config(config or find_config(content), **settings)

    def build_once(workers: Executor | None, memory: Memory) -> None:
        with progress_bar(console, quiet=quiet) as progress:
            if layers is not None and keys is not None:
                key_module()  # its error is clearer than that of the following import
                from ranvier_builder.layers.build import build_layers, layer_audiences

                audiences = layer_audiences(layers)
                reports = build_layers(content, output, load(), audiences, keys, progress, executor=workers, memory=memory)
            else:
                reports = [build_site(content, output, load(), progress, executor=workers, memory=memory)]
        report, *others = reports
        if as_json:
            layer_reports = {"layers": {other.audience: report_json(other) for other in others}} if others else {}
            click.echo(json_text(report_json(report) | layer_reports))
        else:
            for other in others:
                show_layer(console, other, verbose=verbose, quiet=quiet)
            show_report(console, report, output, verbose=verbose, quiet=quiet)

    clean_up_on_termination()
    CANDIDATES.clear()
    CANDIDATES.update(filter(None, (keys,)))
    memory = Memory(cache)
    skipped = (output.resolve(), memory.place.resolve())
    inputs = (content, *skipped, config, lambda: load().theme_dir, lambda text: _warn(console, text))
    changes = _changes(*inputs) if watch else iter(())
    with cluster(executor) if executor else pool(jobs) as workers:
        next(changes, None)
        build_once(workers, Memory(cache, fresh))
        if watch:
            if not quiet:
                console.print(f"Watching {visible(str(content))} (Ctrl-C stops)", highlight=False, markup=False, soft_wrap=True)
            _watch(changes, console, lambda: build_once(workers, memory))


def _watch(changes: Iterator[None], console: Console, rebuild: Callable[[], None]) -> None:
    """Build after every change, until Ctrl-C. After a failed build, print the error and wait for the next change."""
    try:
        for _ in changes:
            try:
                rebuild()
            except BuildError as error:
                _warn(console, f"Error: {visible_lines(str(error))}", "red")
    except KeyboardInterrupt:
        return


def _warn(console: Console, text: str, style: str = "yellow") -> None:
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)


def _changes(
    content: Path, out: Path, cache: Path, config: Path | None, theme: Callable[[], str], warn: Callable[[str], None]
) -> Iterator[None]:
    """Yield before the first build, and after each change of the content, of settings or the author's theme.

    Changes during a build are noticed, too. The folder may be deleted and made again.
    """

    def is_input(_: object, path: str) -> bool:  # the output and the cache may be inside the content, also by a link
        file = Path(os.path.realpath(path))  # `resolve` raises an error for a link to itself
        return not file.is_relative_to(out) and cache not in (file, file.parent) and ".ranvier-" not in path

    settings = config or content.resolve().parent / FILE
    times, checked = _change_times((settings, *CANDIDATES)), time.time_ns()
    if not content.is_dir():
        yield  # the first build reports it
    while True:
        place, folders = identity(content), _inputs(content, theme)
        is_new = True  # changes before the watcher starts are unknown
        for changes in _events(folders, is_input, warn):
            # Settings are compared: a watcher loses a file that an editor replaces, and does not see a new one. A file that the
            # last build was the first to look for may have changed since.
            before, times = times, _change_times((settings, *CANDIDATES))
            last_check, checked = checked, time.time_ns()
            if is_new or changes or any(before.get(file, min(at, last_check)) != at for file, at in times.items()):
                yield
            is_new = False
            if identity(content) != place or _inputs(content, theme) != folders:
                break
        while not content.is_dir():
            time.sleep(_POLL_SECONDS)


def _inputs(content: Path, theme: Callable[[], str]) -> list[Path]:
    """Return the folders to watch: while the settings have an error, only the content."""
    with suppress(BuildError):
        if (folder := theme()) and Path(folder).is_dir():
            return [content, Path(folder)]
    return [content]


def _events(folders: list[Path], is_input: Callable[[object, str], bool], warn: Callable[[str], None]) -> Iterator[object]:
    """Yield changes, or something empty after a second without one, until a folder is missing.

    A watcher stops at a folder that it may not read.
    """
    import watchfiles  # needed only for this flag

    try:
        yield from watchfiles.watch(*folders, watch_filter=is_input, yield_on_timeout=True, rust_timeout=1000)
    except FileNotFoundError:
        return
    except PermissionError as error:
        warn(f"warning: a folder cannot be watched, so all files are compared each second: {visible(str(error))}")
    before = None
    while True:
        # Not folders: a build changes the one above the output.
        files = [Path(folder, name) for top in folders for folder, _, names in os.walk(top) for name in names]
        times = _change_times(file for file in files if is_input(None, str(file)))
        yield before is not None and times != before
        before = times
        time.sleep(1)


def _change_times(files: Iterable[Path]) -> dict[Path, int]:
    """Return the time of the last change of each file, in nanoseconds; 0 if there is no such file."""
    times = dict.fromkeys(files, 0)
    for file in times:
        with suppress(OSError, ValueError):  # a setting may name a file by what cannot be a path
            times[file] = file.stat().st_mtime_ns
    return times
