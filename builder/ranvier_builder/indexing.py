"""Adds search to a site of another generator: read its HTML → judge → write `_ranvier/` → swap in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit

from ranvier_builder.assets import write_folder
from ranvier_builder.config import Config, check_config
from ranvier_builder.errors import OutputError, ReadError
from ranvier_builder.model import Progress, Report, Warn, silent
from ranvier_builder.output import BASE, LOADER, WORKER_BESIDE, WRITTEN, list_written, replace_output
from ranvier_builder.overrides import site_overrides
from ranvier_builder.pagefind import MODULE, pagefind_files, remove_module, write_module
from ranvier_builder.publish import Publication, publish
from ranvier_builder.render.tree import Tree
from ranvier_builder.strict import strict_error
from ranvier_builder.web.files import site_files
from ranvier_builder.web.page import WebPage, read_page
from ranvier_builder.web.site import SiteText, site_text
from ranvier_builder.withheld import Reason
from ranvier_builder.work.limits import Unfinished, each, size
from ranvier_builder.work.pool import map_batches
from ranvier_builder.work.read import skipped_warning
from ranvier_builder.write.entry import name_build


def index(
    site: Path,
    config: Config | None = None,
    progress: Progress = silent,
    *,
    executor: Executor | None = None,
    pagefind: bool = False,
) -> Report:
    """Add search to a folder of HTML. Only `_ranvier/` in it is written; an older one of ours is replaced.

    Pages are read in `executor`, if any; the output has the same bytes with or without it. With `pagefind`, the module
    `pagefind/pagefind.js` is written, too, and an older one is replaced: it has the API of Pagefind. Otherwise, an older one of
    ours is removed.

    Returns:
        The numbers of pages, the pages left out by reason, and the warnings.

    Raises:
        BuildError: with the file and the cure. The site and an older index are unchanged.

    """
    started = time.perf_counter()
    config = config or Config()
    check_config(config)
    base = _base(site)
    report, text = _read(site, config, executor, progress)
    tuning, warnings = site_overrides(config, text.rendered)
    report.warnings += warnings
    if config.strict and report.warnings:
        raise strict_error(report)
    with replace_output(base, None, base=".", cure="move it away: `ranvier index` writes its files there") as work:
        out = work.site
        tree = Tree([rendered.page for rendered in text.rendered], text.title)
        title = text.title or site.resolve().name
        publication = Publication(title, text.lang, text.rendered, tree, tuning, has_folder_pages=False)
        publish(out, work.scratch, publication, config, progress, report, out / WORKER_BESIDE)
        (out / LOADER).write_bytes((files("ranvier_web") / LOADER).read_bytes())
        if pagefind:
            folder = write_folder(out, "pagefind", pagefind_files(text.pages, text.rendered, config.lang))
            write_module(site, f"{BASE}/{folder}/{MODULE}")
        else:
            remove_module(site)
        name_build(out, site)
        list_written(out, out)
        report.weigh(out)
    report.seconds = time.perf_counter() - started
    return report


def snippet(url: str = "") -> str:
    """Return the HTML for the site's pages: the script, and the element that will contain the box."""
    path = escape(urlsplit(url).path.rstrip("/"))
    return f'<script type="module" src="{path}/{BASE}/{LOADER}"></script>\n<ranvier-search></ranvier-search>'


def _base(site: Path) -> Path:
    if (site / BASE / WRITTEN).is_file() and not (site / BASE / LOADER).is_file():
        raise OutputError("was built by ranvier and already has a search", file=site, cure=f"ranvier serve {quote(str(site))}")
    base = site / BASE
    if base.is_symlink():
        raise OutputError("is a symbolic link, which may lead out of the site", file=base, cure="remove the link")
    return base


def _read(site: Path, config: Config, executor: Executor | None, progress: Progress) -> tuple[Report, SiteText]:
    files = site_files(site, config.exclude)
    progress("Reading", len(files.pages))
    job = partial(_read_batch, site)
    outcomes: Iterator[WebPage | Warn | Unfinished]
    outcomes = map_batches(job, files.pages, lambda path: size(site / path), executor, lambda count: progress("", count))
    results = [
        skipped_warning(path, result) if isinstance(result, Unfinished) else result
        for path, result in zip(files.pages, outcomes, strict=True)
    ]
    progress("Comparing", 0)
    text = site_text([result for result in results if isinstance(result, WebPage)], config)
    if files.no_pages:
        text.withheld[Reason.NO_CONTENT] += files.no_pages
    unreadable = [result for result in results if isinstance(result, Warn)]
    report = Report(
        read=len(files.pages) + files.no_pages,
        published=len(text.rendered),
        withheld=dict(sorted(text.withheld.items())),
        warnings=[*files.warnings, *unreadable, *text.warnings],
    )
    if not text.rendered:
        raise _no_pages_error(site, report, config.exclude if files.excluded else (), unreadable)
    return report, text


def _read_batch(site: Path, paths: list[str]) -> list[WebPage | Warn | Unfinished]:
    return each(partial(_read_file, site), paths, lambda path: size(site / path))


def _read_file(site: Path, path: str) -> WebPage | Warn:
    try:
        data = (site / path).read_bytes()
    except OSError as error:
        return Warn(path, "encoding", f"cannot be read: {error.strerror}; it was left out")
    return read_page(path, data)


def _no_pages_error(site: Path, report: Report, exclude: tuple[str, ...], unreadable: list[Warn]) -> ReadError:
    if not report.read:
        others = f", except those of exclude: {', '.join(exclude)}" if exclude else ""
        cure = "name the folder that your site generator writes to"
        return ReadError(f"contains no HTML file{others}", file=site, cure=cure)
    reasons = [f"{count:,}: {reason}" for reason, count in report.withheld.items()]
    message = f"contains no page that can be indexed ({'; '.join([*reasons, *map(str, unreadable[:1])])})"
    return ReadError(message, file=site, cure="see `Index any site` in the manual")
