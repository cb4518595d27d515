"""Compare a finished site with the content that it was built from: the proof is repeated from scratch (A3, M1)."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from ranvier_builder.check.findings import Finding
from ranvier_builder.check.scan import PROGRAM
from ranvier_builder.output import BASE, ENTRY, LAYERS, foreign_files
from ranvier_builder.pipeline import Stages


def check_against(site: Path, content: Path, stages: Stages) -> list[Finding]:
    """Build the publishable part of a content folder, compare a site with the result, and scan the site.

    Returns:
        A leak for each file that differs, with the withheld words in it if they are known. A file that no build wrote is a
        leak if it contains withheld words, and unproved otherwise.

    Raises:
        BuildError: the content cannot be read, or no file of it is published: the settings are not those of the site.

    """
    stages = stages.with_syntax(content)
    reading = stages.read_published(content, site)
    with tempfile.TemporaryDirectory() as scratch:
        proof = stages.proof(reading, Path(scratch), site)
        stages.progress("Proving", 0)
        differences = [name for name in proof.compare(site) if not _is_hidden(name) and not _is_sealed(name, site, proof.twin)]
        hits, _ = proof.scan(site, differences)
        leaks = list(proof.leaks(site, differences, hits))
    foreign = {*foreign_files(site)}
    is_other = any(name.startswith(PROGRAM) for name in differences)
    new_leaks = [leak for leak in leaks if leak.source or not (is_other or leak.file in foreign)]
    findings = [Finding("leak", leak.file, 0, f"{leak.message}{_source(leak.source, leak.line)}") for leak in new_leaks]
    if is_other:
        message = "was built by another version of Ranvier or with other settings: build the site again, and check the new site"
        findings.append(Finding("other_version", "_ranvier", 0, message))
    differing_files = {*differences} - foreign
    findings += [
        Finding("unproved", hit.file, 0, f"contains {hit.words!r}{_source(hit.path, hit.line)}; a new build contains it too")
        for hit in hits
        if hit.file not in {*differing_files, *foreign}
    ]
    unproved = sorted(foreign - {finding.file for finding in findings})
    return findings + [
        Finding("unproved", name, 0, "was not written by a build, so it cannot be compared with the content")
        for name in unproved
    ]


def _is_hidden(name: str) -> bool:
    """Return whether a file is below the folder of a tool, for example of version control."""
    return any(part.startswith(".") for part in name.split("/")[:-1])


def _is_sealed(name: str, site: Path, twin: Path) -> bool:
    """Return whether a file belongs to encrypted layers, whose builds have their own proofs, or only names them."""
    if name != f"{BASE}/{ENTRY}" or not (site / name).is_file():
        return name.startswith(f"{BASE}/{LAYERS}/")
    try:
        entry = json.loads((site / name).read_bytes())
        entry.pop("locked", None)
        return bool(entry == json.loads((twin / name).read_bytes()))
    except (ValueError, AttributeError):
        return False


def _source(source: str, line: int) -> str:
    return f", as {source}:{line} does" if source else ""
