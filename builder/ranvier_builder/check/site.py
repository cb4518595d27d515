"""The health of a finished site: the output of `ranvier build` or `ranvier index`, as browsers load it."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder.check.findings import SiteHealth, in_order
from ranvier_builder.check.pages import check_pages
from ranvier_builder.check.stored import check_stored
from ranvier_builder.model import Progress, silent
from ranvier_builder.output import BASE, ENTRY, LOADER


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
    health.findings[:] = in_order(health.findings)
    return health
