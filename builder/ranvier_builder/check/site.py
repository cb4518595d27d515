"""The health of a finished site: the output of `ranvier build` or `ranvier index`, as browsers load it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ranvier_builder.check.findings import Finding, in_order
from ranvier_builder.check.pages import check_pages
from ranvier_builder.check.stored import StoredFiles, check_stored
from ranvier_builder.model import Progress, silent

BASE = "_ranvier"


@dataclass(frozen=True, slots=True)
class SiteHealth:
    """Counts and findings, in the order of the report."""

    neurons: int
    chunks: int
    pages: int
    links: int
    files: int  # below `_ranvier/`
    bytes: int
    vectors: int  # chunks with a vector
    model: str  # embedding model; empty without vectors
    findings: tuple[Finding, ...]


def is_site(path: Path) -> bool:
    """Return whether a folder is a built site, intact or damaged, or its `_ranvier` folder."""
    return (path / BASE).is_dir() or (path / "entry.json").is_file()


def is_indexed(path: Path) -> bool:
    """Return whether a folder is a site to which `ranvier index` added search."""
    return (path / BASE / "search.js").is_file()


def check_site(path: Path, progress: Progress = silent) -> SiteHealth:
    """Check a site's folder, or its `_ranvier` folder. Damage is reported and never raised."""
    site = path.resolve().parent if path.resolve().name == BASE else path
    base = site / BASE if (site / BASE).is_dir() else path
    stored = check_stored(base, progress)
    if base is path and site is path:  # a snapshot without pages
        return _health(stored, 0, 0, stored.findings)
    pages = check_pages(site, stored.urls, progress)
    return _health(stored, pages.pages, pages.links, [*stored.findings, *pages.findings])


def _health(stored: StoredFiles, pages: int, links: int, findings: list[Finding]) -> SiteHealth:
    figures = (stored.neurons, stored.chunks, pages, links, stored.files, stored.bytes, stored.vectors)
    return SiteHealth(*figures, stored.model, in_order(findings))
