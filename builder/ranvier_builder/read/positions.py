"""Positions and labels of pages and folders, from files in the folders: `_category_.json`, `meta.json`, `.order`, `.pages`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier.text import primary

from ranvier_builder.paths import PAGES, is_page, page_name, suffix
from ranvier_builder.read.settings import js_objects, load, text_of_file, value_at
from ranvier_builder.read.values import words_of

Position = tuple[float | None, str]  # among its siblings, and the label

AZURE = ".order"  # of a wiki of Azure DevOps
_CATEGORY = ("_category_.json", "_category_.yml", "_category_.yaml")
_META = re.compile(r"_?meta(?:\.(?P<lang>[a-z]{2}(?:-[A-Za-z]{2,4})?))?\.json|_meta\.[jt]sx?")
AWESOME = (".nav.yml", ".pages")  # of awesome-nav and awesome-pages, plugins of MkDocs
_REST = re.compile(r"\.{3}(?:[ \t]*\|[ \t]*(?:flat|regex=.*))*|\.{3}[ \t]*\|[ \t]*(?:glob=)?(?P<glob>.+)|(?P<name>.*[*?].*)")
_MAX_DEPTH = 20
_MAX_POSITION = 1e9


def read_positions(
    folder: Path, names: Iterable[str], folders: Mapping[str, Position]
) -> tuple[dict[str, Position], dict[str, Position]]:
    """Return the positions of pages, by their paths without suffix, and of folders; `folders` has those of other settings."""
    paths = {str(PurePosixPath(path).parent): path for path in names if path.rpartition("/")[2] in _CATEGORY}
    categories = {name: _category(folder / path) for name, path in paths.items()}
    all_folders = {**folders, **{name: category for name, category in categories.items() if category is not None}}
    # A name in `meta.json` is that of a page, if there is one, published or not: its label is no label of a folder.
    files_of_pages = {page_name(path) for path in names if suffix(path) in PAGES}
    pages = dict[str, Position]()
    places = [(lang, *place) for lang, path in meta_files(names) for place in _meta(folder, path)]
    for lang, plain_name, (position, label) in (*places, *(("", *place) for place in _awesome(folder, names))):
        name = f"{plain_name}.{lang}" if f"{plain_name}.{lang}" in files_of_pages else plain_name
        positions = pages if name in files_of_pages and position is not None else all_folders
        first_position, first_label = positions.get(name, (None, ""))
        positions[name] = (position if first_position is None else first_position, first_label or label)
    for name, place in _azure(folder, names):
        for positions in (pages, all_folders):
            positions.setdefault(name, (place, ""))
    return pages, all_folders


def meta_files(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the files with the language of each, first those without one and in English: folders have one label."""
    matches = ((_META.fullmatch(path.rpartition("/")[2]), path) for path in names)
    files = [(match["lang"] or "", path) for match, path in matches if match]
    return sorted(files, key=lambda file: (file[0] != "", primary(file[0]) != "en", file))


def read_meta(file: Path) -> Any:
    """Return the settings in a file `meta.json`, or the literals of a `_meta.js`."""
    return load(file) if file.suffix == ".json" else next(js_objects(file.with_suffix("")), None)


def _meta(folder: Path, path: str) -> Iterator[tuple[str, Position]]:
    """Yield the label of a folder, and positions and labels of its pages and folders; of Fumadocs, Nextra and Rspress."""
    settings = read_meta(folder / path)
    parent = PurePosixPath(path).parent
    pages = value_at(settings, "pages")
    if isinstance(settings, list):  # of Rspress
        named = ((item["name"], item) if isinstance(item, dict) and "name" in item else (item, "") for item in settings)
        pages = {name.removesuffix(suffix(name) * is_page(name)): item for name, item in named if isinstance(name, str)}
    elif path.rpartition("/")[2].startswith("_"):  # of Nextra
        pages = settings
    elif isinstance(settings, dict):
        yield str(parent), (None, words_of(settings.get("title")))
        pages = {name: "" for name in pages if isinstance(name, str)} if isinstance(pages, list) else None
    for position, (name, value) in enumerate(pages.items() if isinstance(pages, dict) else ()):
        label = words_of((value.get("title") or value.get("label")) if isinstance(value, dict) else value)
        yield str(parent / name), (float(position), label)


def _awesome(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, Position]]:
    """Yield the same from the files of plugins of MkDocs, which also say where the pages come that they do not name."""
    inner = dict[PurePosixPath, set[str]]()
    for path in map(PurePosixPath, names):
        for child, parent in zip((path, *path.parents), path.parents, strict=False):
            inner.setdefault(parent, set()).add(child.name)
    for parent in sorted(inner):
        settings = next(filter(None, (load(folder / parent / name) for name in AWESOME)), None)
        if isinstance(settings, dict):
            yield str(parent), (None, words_of(settings.get("title")))
            for position, (name, label) in enumerate(_arranged(settings, inner[parent])):
                yield posixpath.normpath(parent / name.removesuffix(suffix(name) * is_page(name))), (float(position), label)


def _arranged(settings: dict[Any, Any], children: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the names in a folder in their order, with their labels; all others are at `...`, or at a glob."""
    is_descending = "desc" in (settings.get("order"), value_at(settings, "sort.direction"))
    arranged = settings.get("nav") or [settings.get("arrange"), "..."]
    items = [(value.strip().strip("/"), label) for value, label in _items(arranged, 0)]
    rest = sorted(children.difference(name for name, _ in items), reverse=is_descending)
    for name, label in items:
        if match := _REST.fullmatch(name):
            yield from ((other, "") for other in rest if fnmatchcase(other, match["glob"] or match["name"] or "*"))
        else:
            yield name.partition("/")[0], "" if "/" in name else label
            yield name, label


def _items(value: Any, depth: int, label: str = "") -> Iterator[tuple[str, str]]:
    """Yield the paths in a list with their labels; also those in its sections, whose labels are left out."""
    if isinstance(value, str):
        yield value, label
    elif isinstance(value, list) and depth < _MAX_DEPTH:
        for item in value:
            for name, inner in item.items() if isinstance(item, dict) else (("", item),):
                yield from _items(inner, depth + 1, words_of(name))


def _azure(folder: Path, names: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield the positions of the pages in a wiki of Azure DevOps: each folder lists the names of its pages."""
    parents = {PurePosixPath(path).parent for path in names} if (folder / AZURE).is_file() else ()
    for parent in sorted(parents):
        for position, line in enumerate(text_of_file(folder / parent / AZURE).split()):
            yield str(parent / line), float(position)


def _category(file: Path) -> Position | None:
    settings = load(file)
    if not isinstance(settings, dict):
        return None
    position, words = settings.get("position"), words_of(settings.get("label"))
    if isinstance(position, (int, float)) and not isinstance(position, bool) and abs(position) < _MAX_POSITION:
        return float(position), words
    return None, words
