"""Findings of `ranvier check` in vectors: damaged files and chunks without a vector (M1, [002])."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder.check.findings import SEVERE
from ranvier_builder.check.site import check_site
from support.content import build_tree, write_tree
from support.damage import cut, findings_of, flip
from support.shared import copied_fixture, site_fixture
from support.vector_files import VectorFolder, open_vectors

PAGES = {
    "index.md": "---\ntitle: Garden\naliases: [Orchard]\n---\nA garden with beds.\n\n## Beans\n\nBeans climb on poles.\n",
    "water.md": "# Water\n\nEvery morning the beds get water from the rain barrel.\n\n## Hoses\n\nA hose leaks.\n",
    "boden.md": "---\nlang: de\n---\n# Boden\n\nDer Boden ist im Frühling noch kalt und nass.\n",
}
master = site_fixture(build_tree, PAGES, vectors=True)
site = copied_fixture("master")


def test_complete_site_with_vectors_has_no_findings(site: Path) -> None:
    """The model reads English; the German page has no vector."""
    report = check_site(site)
    assert report.findings == []
    assert (report.chunks, report.vectors, report.model) == (5, 4, "WordLlama 256")


def test_site_without_vectors_has_no_findings(tmp_path: Path) -> None:
    report = check_site(build_tree(tmp_path, PAGES))
    assert (report.findings, report.vectors, report.model) == ([], 0, "")


@pytest.mark.parametrize(("damage", "check"), [(cut, "damaged_file"), (flip, "damaged_file"), (Path.unlink, "missing_file")])
@pytest.mark.parametrize(
    ("kind", "number"), [("head", 0), ("tokens", 0), ("tokens", 1), ("rows", 0), ("rows", 5), ("shards", 0)]
)
def test_damaged_and_missing_vector_files_are_found(
    site: Path, kind: str, number: int, damage: Callable[[Path], None], check: str
) -> None:
    """If the head is damaged, the other files are not reported as unnamed."""
    name = VectorFolder(site / "_ranvier").name(kind, number)
    damage(site / "_ranvier" / name)
    assert findings_of(check_site(site)) == {(check, name)}


def test_unnamed_vector_file_is_found(site: Path) -> None:
    write_tree(site, {"_ranvier/vectors/0123456789abcdef01234567.bin": b"x"})
    assert findings_of(check_site(site)) == {("unnamed_file", "vectors/0123456789abcdef01234567.bin")}


@pytest.mark.parametrize(
    "values",
    [{"site_tokens": "x"}, {"other_counts": "x"}, {"shards": [b"short", [1]]}, {"options": {"x": 1}}, {"tokenizer": "x"}],
)
def test_vector_head_with_wrong_values_is_found(site: Path, values: dict[str, object]) -> None:
    """The check does not crash."""
    with open_vectors(site) as files:
        files.head.update(values)
    checks = {finding.check for finding in check_site(site).findings}
    assert checks <= {"missing_vector", "missing_file", "damaged_file", "unnamed_file"}


def test_chunks_without_a_vector_are_found(site: Path) -> None:
    """[002]: reported by page; it is no damage."""
    with open_vectors(site) as files:
        files.without(0, 3)
        files.without(0, 2)
    (finding,) = check_site(site).findings
    assert (finding.check, finding.file) == ("missing_vector", "water.md")
    assert finding.message.startswith("2 of 2 chunks have words but no vector")
    assert finding.check not in SEVERE


def test_chunk_without_words_needs_no_vector(tmp_path: Path) -> None:
    """Also if the model reads every language."""
    files = {"a.md": "---\ntitle: Words\n---\nSome of them.\n", "b.md": "---\ntitle: '!'\n---\n!\n"}
    site = build_tree(tmp_path, files, vectors=True)
    with open_vectors(site) as files:
        files.without(0, 1)
    assert check_site(site).findings == []
