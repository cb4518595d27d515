"""Settings of Quarto and bookdown: the pages of a site, or the chapters of a book."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read.ignored import anchored, literal_paths
from ranvier_builder.read.settings import git_lines, load, strings_at

NAMES = ("_quarto.yml", "_quarto.yaml")
_UNRENDERED = ("_*", "README.md", "README.[Rrq]md", "CLAUDE.md", "AGENTS.md")


def quarto_lines(place: Path) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the settings files, each with the folder of the pages and lines in the syntax of `.gitignore`."""
    for name in NAMES:
        if isinstance(settings := load(place / name), dict):
            yield name, ".", _lines([settings, *_further(place, settings)])
            yield ".gitignore", ".", git_lines(place)
    if isinstance(settings := load(place / "_bookdown.yml"), dict):
        yield "_bookdown.yml", ".", _bookdown(settings)


def _further(place: Path, settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the settings in the further files that the first names, and those of its default profile."""
    names = [name for key in ("metadata-file", "metadata-files") for name in strings_at(settings, key)]
    names += [f"_quarto-{profile}.yml" for profile in strings_at(settings, "profile.default")]
    paths = (posixpath.normpath(name) for name in names)
    files = (load(place / path) for path in paths if not path.startswith(("/", "..")))
    return (item for item in files if isinstance(item, dict))


def _lines(settings: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines: globs of pages, `!` before those that exclude some; or the chapters of a book; and drafts."""
    globs = [*strings_at(settings, "project.render")]
    books = [item["book"] for item in settings if "book" in item]
    if "book" in strings_at(settings, "project.type") and books:
        globs = [posixpath.join("/", posixpath.normpath(path)) for path in _all_strings(books) if suffix(path) in PAGES]
    pages = (f"*{ending}" for ending in PAGES)  # a list of pages says nothing about other files
    yield from pages if any(not glob.startswith("!") for glob in globs) else _UNRENDERED
    for glob in sorted(globs, key=lambda glob: glob.startswith("!")):  # Quarto applies these last
        line = posixpath.join("**", glob.removeprefix("!").removeprefix("./"))
        yield line if glob.startswith("!") else f"!{line}"
    yield from anchored(strings_at(settings, "website.drafts"))


def _bookdown(settings: dict[str, Any]) -> Iterator[str]:
    chapters = [path for path in _all_strings(settings.get("rmd_files")) if suffix(path) in PAGES]
    top = "/" if settings.get("rmd_subdir") else ""  # or all chapters in inner folders
    yield from ("_*", *([f"{top}*.[Rr]md"] if chapters else []))
    yield from (f"!{line}" for line in literal_paths(chapters))


def _all_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all_strings(item)
