"""The health of a finished site: the output of `ranvier build` or `ranvier index`, as browsers load it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ranvier_builder.check.findings import Finding, SiteHealth, in_order
from ranvier_builder.check.pages import check_pages
from ranvier_builder.check.stored import check_stored
from ranvier_builder.model import Progress, silent
from ranvier_builder.output import BASE, ENTRY, LICENSES, LOADER, WORKER, WORKER_BESIDE, WRITTEN
from ranvier_builder.paths import files_below

_FIXED = (LICENSES, LOADER, WORKER_BESIDE)  # names of files in the base
_IMPORT = re.compile(r'import "([\w./-]{1,80})/offline/[a-z-]+\.js";\s*')


def is_site(path: Path) -> bool:
    """Return whether a folder is a built site, intact or damaged, or its `_ranvier` folder."""
    return (path / BASE).is_dir() or (path / ENTRY).is_file()


def is_indexed(path: Path) -> bool:
    """Return whether a folder is a site to which `ranvier index` added search."""
    return (path / BASE / LOADER).is_file()


def check_site(path: Path, progress: Progress = silent) -> SiteHealth:
    """Check a site's folder, or its `_ranvier` folder. Damage is reported and never raised."""
    site = path.resolve().parent if path.resolve().name == BASE else path
    base = site / BASE if (site / BASE).is_dir() else path
    health = check_stored(base, progress)
    if base is not path or site is not path:  # otherwise a snapshot without pages
        check_pages(site, health, progress)
        health.findings += _missing_files(site, base)
        health.findings += [damage for file in (site / WORKER, base / WORKER_BESIDE) for damage in _worker(file)]
    health.findings[:] = in_order(health.findings)
    return health


def _missing_files(site: Path, base: Path) -> Iterator[Finding]:
    """Find files that the build wrote, that no manifest names, and that are missing: pages, and files with fixed names."""
    try:
        listed = {*(base / WRITTEN).read_text("utf-8", "replace").splitlines()}
    except OSError:  # only the next build needs the list
        return
    is_ours = f"{BASE}/{WRITTEN}" in listed  # the list of `ranvier index` is relative to the base
    for name in listed.difference(files_below(site if is_ours else base)):
        in_base = name.removeprefix(f"{BASE}/") if is_ours else name
        if in_base in _FIXED or (is_ours and in_base == name):
            yield Finding("missing_file", name, 0, "is missing, although the build wrote it")


def _worker(file: Path) -> Iterator[Finding]:
    """Check that the service worker imports a module of this build: its name is fixed, so an upload may keep an old one."""
    if file.is_file():
        match = _IMPORT.fullmatch(file.read_text("utf-8", "replace"))
        if match is None or not (file.parent / match[1]).is_dir():
            yield Finding("damaged_file", file.name, 0, "imports no module of this site")
