"""The health of a finished site: `ranvier build`'s or `ranvier index`'s output, as a visitor's browser will meet it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ranvier_builder.check.findings import Finding, in_order
from ranvier_builder.check.pages import check_pages
from ranvier_builder.check.stored import StoredFiles, check_stored
from ranvier_builder.model import Progress

BASE = "_ranvier"


@dataclass(frozen=True, slots=True)
class SiteHealth:
    """What was counted and what was found, in the report's order."""

    neurons: int
    chunks: int
    pages: int
    links: int
    files: int  # below `_ranvier/`
    bytes: int
    vectors: int  # chunks that are found by their meaning
    model: str  # what made their vectors; empty where there are none
    findings: tuple[Finding, ...]


def is_site(path: Path) -> bool:
    """Tell whether a folder is a built site, whole or damaged, or the `_ranvier` folder of one."""
    return (path / BASE).is_dir() or (path / "entry.json").is_file()


def check_site(path: Path, progress: Progress | None = None) -> SiteHealth:
    """Check a site's folder, or its `_ranvier` folder. Never raises for what is damaged: that is what it reports."""
    tell = progress or (lambda stage, count: None)
    site = path.resolve().parent if path.resolve().name == BASE else path
    base = site / BASE if (site / BASE).is_dir() else path
    stored = check_stored(base, tell)
    if base is path and site is path:  # a bare snapshot: it has no pages
        return _health(stored, 0, 0, stored.findings)
    pages = check_pages(site, stored.urls, tell)
    return _health(stored, pages.pages, pages.links, [*stored.findings, *pages.findings])


def _health(stored: StoredFiles, pages: int, links: int, findings: list[Finding]) -> SiteHealth:
    counted = (stored.neurons, stored.chunks, pages, links, stored.files, stored.bytes, stored.vectors)
    return SiteHealth(*counted, stored.model, in_order(findings))
