"""docs/features.md agrees with the tests: every feature has a proof or is marked as not built."""

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "docs" / "features.md"
NOT_YET = "not yet"
SECTIONS = "NACIQLFRSPXBGVM"
ID = re.compile(rf"\b[{SECTIONS}][1-9]\b")
ROW = re.compile(rf"^\| ([{SECTIONS}]\d) \| ([^|]+) \| ([^|]*)\| ([^|]+) \|$", re.MULTILINE)


class Feature(NamedTuple):
    """A row of the list."""

    id: str
    description: str
    code: tuple[str, ...]
    proof: str

    @property
    def is_built(self) -> bool:
        """Whether the row claims proofs."""
        return not self.proof.startswith(NOT_YET)

    @property
    def proofs(self) -> tuple[str, ...]:
        """Files, folders, and tests in files."""
        return quoted(self.proof) if self.is_built else ()


class NamedTest(NamedTuple):
    """A docstring of a test file: whose it is ("" of the file itself), and the ids in it."""

    file: str
    test: str
    ids: frozenset[str]


def quoted(cell: str) -> tuple[str, ...]:
    """Return what stands in backticks."""
    return tuple(re.findall(r"`([^`]+)`", cell))


def features(message: str) -> list[Feature]:
    """Read the rows of the list."""
    return [Feature(id_, description, quoted(code), proof) for id_, description, code, proof in ROW.findall(message)]


def named_in(source: str, file: str) -> Iterator[NamedTest]:
    """Read the ids in the docstrings of a file of tests, its own and those of its tests."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.FunctionDef) and (isinstance(node, ast.Module) or node.name.startswith("test_")):
            yield NamedTest(file, getattr(node, "name", ""), frozenset(ID.findall(ast.get_docstring(node) or "")))


def complaints(rows: list[Feature], names: list[NamedTest]) -> list[str]:
    """Say what does not fit together."""
    tests = {(name.file, name.test) for name in names}
    claimed = {id_ for name in names for id_ in name.ids}
    problems = [f"a test names {id_}, which is no feature" for id_ in sorted(claimed - {row.id for row in rows})]
    for row in rows:
        if not row.is_built and row.id in claimed:
            problems.append(f"{row.id} is not built, but a test claims it")
        if row.is_built and not row.proofs:
            problems.append(f"{row.id} has neither a test nor a word that it is not built")
        for proof in row.proofs:
            file, _, test = proof.partition("::")
            if test and (file, test) not in tests:
                problems.append(f"{row.id}: there is no test {proof}")
            elif not any(row.id in name.ids for name in names if has_test(name, file, test)):
                problems.append(f"{row.id}: nothing in {proof} names it")
    return problems


def has_test(named: NamedTest, file: str, test: str) -> bool:
    """Tell whether a docstring belongs to a proof: to its test, to its file, or to a file of its folder."""
    return (named.file == file and test in ("", named.test)) or (not test and named.file.startswith(f"{file}/"))


@pytest.fixture(scope="module")
def rows() -> list[Feature]:
    return features(LIST.read_text("utf-8"))


@pytest.fixture(scope="module")
def names() -> list[NamedTest]:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [item for file in files for item in named_in(file.read_text("utf-8"), file.relative_to(ROOT).as_posix())]


def test_feature_list_is_complete(rows: list[Feature]) -> None:
    """Every section, with ids in sequence, and the right total."""
    ids = [row.id for row in rows]
    assert "".join(letter for letter, _ in groupby(ids, key=lambda item: item[0])) == SECTIONS
    for _, group in groupby(ids, key=lambda item: item[0]):
        assert [int(item[1:]) for item in group] == list(range(1, max(int(item[1:]) for item in ids if item[0] == _) + 1))
    message = re.search(r"(\d+) ids", LIST.read_text("utf-8"))
    assert message is not None
    assert int(message[1]) == len(ids) == len(re.findall(r"^\| [A-Z]\d", LIST.read_text("utf-8"), re.MULTILINE))


def test_every_feature_is_proved_or_marked_as_not_built(rows: list[Feature], names: list[NamedTest]) -> None:
    assert complaints(rows, names) == []


def test_every_feature_names_existing_files(rows: list[Feature]) -> None:
    for row in rows:
        assert row.code or not row.is_built, f"{row.id} lives nowhere"
        for path in (*row.code, *(proof.partition("::")[0] for proof in row.proofs)):
            assert (ROOT / path).exists(), f"{row.id}: {path}"
