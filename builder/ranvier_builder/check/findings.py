"""The findings of `ranvier check`. All checks use one type, so that tables, JSON and exit codes need no special cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

# Name of each check in JSON → its heading in the table, in the order of the report.
CHECKS = {
    "missing_file": "Missing files",
    "damaged_file": "Damaged files",
    "unnamed_file": "Unlisted files",
    "no_search": "Failed searches",
    "leak": "Leaks",
    "other_version": "Built by another version",
    "unproved": "Unproved files",
    "missing_vector": "Chunks without a vector",
    "broken_link": "Broken links",
    "withheld_link": "Links to withheld pages",
    "broken_heading": "Links to missing headings",
    "sitemap": "Sitemap entries without a page",
    "orphan": "Orphans",
    "same_text": "Same text",
    "similar_text": "Nearly the same text",
    "same_title": "Same title",
    "same_id": "Same id",
    "stale": "Stale pages",
    "empty": "Empty pages",
    "long": "Very long pages",
    "frontmatter": "Frontmatter that cannot be read",
    "field": "Fields with invalid values",
    "encoding": "Invalid encodings",
    "audience": "Unclear audiences",
    "name": "Names that cannot be used",
    "markup": "Syntax that cannot be parsed",
    "media": "Missing media",
    "limit": "Files over a limit",
}
# These mean that the site is not the one that was built, or shows private text: exit code 1 even without `--strict`.
SEVERE = frozenset(("missing_file", "damaged_file", "unnamed_file", "no_search", "leak", "other_version"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem. `others` are further files that it concerns, such as the rest of a group of duplicates."""

    check: str  # one of `CHECKS`
    file: str
    line: int
    message: str
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(slots=True)
class SiteHealth:
    """Counts and findings of a site; the checks fill them in."""

    neurons: int = 0
    chunks: int = 0
    pages: int = 0
    links: int = 0
    files: int = 0  # below `_ranvier/`
    bytes: int = 0
    vectors: int = 0  # chunks with a vector
    model: str = ""  # embedding model; empty without vectors
    urls: set[str] = field(default_factory=set)  # pages that hits lead to
    findings: list[Finding] = field(default_factory=list)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort by check, in the order of `CHECKS`, then by file and line."""
    rank = {check: at for at, check in enumerate(CHECKS)}
    return tuple(sorted(findings, key=lambda finding: (rank[finding.check], finding.file, finding.line, finding.message)))


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Count the findings of each check; a check without findings has 0, so that programs need no test for missing keys."""
    counter = Counter(finding.check for finding in findings)
    return {check: counter[check] for check in CHECKS}


def as_json(checked: str, path: str, numbers: dict[str, Any], findings: tuple[Finding, ...]) -> dict[str, Any]:
    """Return the object that `ranvier check --json` prints; its keys are documented in the manual and do not change."""
    return {
        "checked": checked,
        "path": path,
        "ok": not findings,
        "severe": any(finding.check in SEVERE for finding in findings),
        "numbers": numbers,
        "counts": counts(findings),
        "findings": [asdict(finding) for finding in findings],
    }
