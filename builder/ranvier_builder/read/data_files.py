"""Fields for the pages of a folder, or for one page, in files beside them: of Material for MkDocs, Quarto and Eleventy."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.settings import folded, js_objects, load, text_of_file
from ranvier_builder.read.withholding import withholding_field

# Files for all pages in their folder: of Material for MkDocs and of Quarto.
_FOLDER_FILES = (".meta.yml", "_metadata.yml", "_metadata.yaml")
_OF_NPM = "package.json"  # `private: true` is about the package
# Files of Eleventy have the name of a folder or of a page, and one of these endings.
_SCRIPTS = tuple(f".11tydata.{ending}" for ending in ("js", "mjs", "cjs"))
_ELEVENTY = (".11tydata.json", *_SCRIPTS)
_JSON = ".json"  # other programs have such files, too


def data_fields(
    root: Path, paths: Iterable[str], folder_files: Collection[str], endings: Collection[str]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the inner folders and the pages with fields in other files, the names of these files, and the fields.

    `folder_files` are further names of files for all pages in their folder; `endings`, of files with the fields of a page.
    """
    paths = [*paths]
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    names_in = {folder: _names(root / folder) for folder in sorted(folders)}
    for folder, names in names_in.items():
        stem = folder.rpartition("/")[2]
        for name in () if folder == "." else [*_FOLDER_FILES, *sorted(folder_files), *_data_files(stem, _JSON)]:
            yield from _fields_of(root, folder, folder, name, names)
    for path in (path for path in paths if suffix(path) in PAGES):
        folder, stem = str(PurePosixPath(path).parent), PurePosixPath(path).stem
        for name in _data_files(stem, *endings):
            yield from _fields_of(root, path, folder, name, names_in[folder])


def is_held(fields: dict[str, Any]) -> bool:
    """Return whether fields that are not in a page withhold it."""
    return "audience" in fields or bool(withholding_field(fields))


def _names(folder: Path) -> frozenset[str]:
    with suppress(OSError):
        return frozenset(os.listdir(folder))  # noqa: PTH208 (names are enough)
    return frozenset()


def _data_files(stem: str, *endings: str) -> list[str]:
    return [f"{stem}{ending}" for ending in (*endings, *_ELEVENTY)]


def _fields_of(
    root: Path, subject: str, folder: str, name: str, names: Collection[str]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if name in names and name != _OF_NPM:
        path = str(PurePosixPath(folder, name))
        if fields := (_script_fields if name.endswith(_SCRIPTS) else _read)(root / path):
            yield subject, path, fields


def _script_fields(file: Path) -> dict[str, Any]:
    """Return the literals among the fields that a script exports."""
    fields = folded(next(js_objects(file.with_suffix("")), None))
    return {name: value for name, value in fields.items() if value is not None}


def _read(file: Path) -> dict[str, Any]:
    """Return the fields of such a file; if they cannot be read and could name an audience, as in a page, they name one."""
    settings = load(file)
    if settings is not None or (file.suffix == _JSON and not file.name.endswith(_ELEVENTY)):
        return folded(settings)
    parts = split(f"---\n{text_of_file(file)}\n---\n")
    return {"audience": None} if parts.problem else parts.fields
