"""Settings in `_config.yml`: of Jekyll, of Hexo, and of a Jupyter Book."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ranvier_builder.read.data_files import is_held
from ranvier_builder.read.ignored import anchored, lines_outside, literal
from ranvier_builder.read.settings import folded, load, strings_at, values_at
from ranvier_builder.read.snippets import is_snippet

NAMES = ("_config.yml", "_config.yaml", "_config.toml")
_SOURCES = ("source", "source_dir")  # the folder of the pages: in Jekyll, in Hexo
_TYPES = {"page": "pages", "post": "posts", "draft": "drafts"}  # former names of types in Jekyll


def config_lines(place: Path) -> Iterator[tuple[str, str, Iterator[str]]]:
    """Yield the settings files, each with the folder of the pages and lines in the syntax of `.gitignore`."""
    yield from ((name, base, _lines(place, settings)) for name, base, settings in _files(place))


def default_lines(place: Path, test: Callable[[dict[str, Any]], bool]) -> Iterator[tuple[str, str, Iterator[str]]]:
    """Yield the same for the pages whose defaults in Jekyll pass a test."""
    yield from ((name, base, _defaults(settings, test)) for name, base, settings in _files(place))


def _files(place: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in NAMES:
        settings = load(place / name)
        if isinstance(settings, dict):
            sources = (text for key in _SOURCES for text in strings_at(settings, key))
            is_folder = os.path.isdir  # it is false for a name that is too long
            yield name, posixpath.normpath(next((text for text in sources if is_folder(place / text)), ".")), settings


def _lines(place: Path, settings: dict[str, Any]) -> Iterator[str]:
    yield from anchored(strings_at(settings, "exclude_patterns"))
    toc = load(place / "_toc.yml")
    if settings.get("only_build_toc_files") is True:
        yield from lines_outside(toc)
    if "exclude_patterns" not in settings and not (place / "_toc.yml").is_file():
        yield from _jekyll(settings)


def _jekyll(settings: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for Jekyll, whose globs are beginnings of paths."""
    yield from ("_*", "\\#*", "~*", "!_posts", "/vendor/bundle/")
    for glob in (glob for key in ("exclude", "ignore") for glob in strings_at(settings, key)):
        yield ("" if glob.startswith("*") else "/") + glob.strip("/") + ("/" if glob.endswith("/") else "*")
    collections = settings.get("collections")
    for name, options in collections.items() if isinstance(collections, dict) else ():
        if isinstance(options, dict) and options.get("output") is True:
            yield "!" + posixpath.join("/", next(strings_at(settings, "collections_dir"), ""), f"_{name}")
    yield from (f"!{glob}" for glob in strings_at(settings, "include"))
    yield from _defaults(settings, lambda fields: is_held(fields) or bool(is_snippet("", fields)))


def _defaults(settings: dict[str, Any], test: Callable[[dict[str, Any]], bool]) -> Iterator[str]:
    for item in values_at(settings, "defaults"):
        if any(map(test, map(folded, values_at(item, "values")))):
            path, kind = (next(strings_at(item, f"scope.{key}"), "") for key in ("path", "type"))
            names = [*_default(path.lstrip("/"), _TYPES.get(kind, kind))]
            places = ("", *strings_at(settings, "collections_dir"))  # paths may leave it out
            yield from (posixpath.join("/", place, *names) for place in places if names)


def _default(path: str, kind: str) -> Iterator[str]:
    """Yield the names of the files that a default of Jekyll is for: the beginning of a path or a glob, and a type."""
    if path:
        yield path if "*" in path or path.endswith("/") else f"{literal(path)}*"
    if kind not in ("", "pages") and "/_" not in f"/{path}":
        yield from ("**", f"_{kind}")
