"""`licenses.txt` names each component that a wheel and a site contain, with its licence and the licence's text."""

import re
import tomllib
from pathlib import Path

from ranvier_builder import assets
from ranvier_builder.engine import engine_files, pinned

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "runtime" / "ranvier_web" / "licenses.txt"
LICENSE = "MIT"
# Strings in the engine's files that show that a component is in them.
MARKS = {
    "SQLite": b"SQLite format 3",
    "Expat": b"XML_",
    "libmpdec": b"libmpdec",
    "HACL*": b"HACL*",
    "mimalloc": b"mimalloc",
    "zlib": b"zlib.Decompress",
    "bzip2": b"libbzip2",
    "liblzma (XZ Utils)": b"_lzma",
    "Zstandard": b"ZSTD_",
    "hiwire": b"hiwire",
    "libc++": b"std::",
    "stackframe": b"StackFrame",
    "error-stack-parser": b"ErrorStackParser",
}


def components() -> dict[str, str]:
    """Return the licence of each component by its name, without versions."""
    table = FILE.read_text("utf-8").partition("\nComponent")[2].partition("\n\nPyodide is changed")[0]
    rows = [re.split(r"\s{2,}", line) for line in table.splitlines() if re.search(r"\S\s{2,}\S", line)][2:]  # without the head
    assert all(len(row) == 3 for row in rows), rows
    return {name: licence for names, licence, _ in rows for name in names.split(", ")}


def licences(expression: str) -> set[str]:
    """Return the parts of an SPDX expression."""
    return set(expression.split(" AND "))


def test_every_licence_has_its_text() -> None:
    texts = set(re.findall(r"^Licence text: (\S+)$", FILE.read_text("utf-8"), re.MULTILINE))
    assert texts == {part for licence in components().values() for part in licence.split(" WITH ")}


def test_metadata_names_every_licence() -> None:
    """By its SPDX identifier; the model of the extra `vectors` is not in the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert licences(project["license"]) == {LICENSE, *components().values()}
    assert project["license-files"] == ["LICENSE", FILE.relative_to(ROOT).as_posix()]


def test_every_shipped_component_is_named() -> None:
    """The engine with its version, the packages of the core, and libraries that are linked into the engine's module."""
    names = components()
    assert f"Pyodide {pinned.VERSION}" in names
    assert {*assets._BUNDLED} <= names.keys()
    engine = b"".join(path.read_bytes() for path in engine_files().paths)
    assert {name for name, mark in MARKS.items() if mark in engine} == MARKS.keys() & names.keys() == MARKS.keys()


def test_site_has_the_licences(small_site: Path) -> None:
    """Under a fixed name that no browser requests."""
    assert (small_site / "_ranvier" / "licenses.txt").read_bytes() == FILE.read_bytes()
