"""Pages that settings of another system keep out of its search or of its menus, although it publishes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.paths import PAGES, is_page
from ranvier_builder.read.finders import MINTLIFY
from ranvier_builder.read.hugo import below_indexes, cascade_lines
from ranvier_builder.read.ignored import anchored, is_ignored, patterns
from ranvier_builder.read.jekyll import default_lines
from ranvier_builder.read.mkdocs import plugin_options
from ranvier_builder.read.positions import AWESOME, meta_files, read_meta
from ranvier_builder.read.settings import load, settings_folders, strings_at, text_of_file, value_at
from ranvier_builder.read.snippets import is_out_of_menus, is_unlisted, is_unsearched

Fields = dict[str, Any]


def hidden_pages(
    folder: Path, names: Sequence[str], others: Sequence[tuple[str, Fields]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the folders and pages that are not in the search, and those that are in no menu.

    `others` are the fields in files beside pages, each with the page or the folder that has them.
    """
    paths = sorted(filter(is_page, names))
    both = [*_mintlify(folder, paths)]
    unsearched = (*both, *_with_fields(folder, paths, others, lambda item: is_unsearched(item) or is_unlisted(item)))
    unlisted = (*both, *_with_fields(folder, paths, others, lambda item: is_out_of_menus(item) or is_unlisted(item)))
    if any(value_at(load(folder / name), "seo.indexing") == "all" for name in MINTLIFY):
        unsearched = unsearched[len(both) :]
    unsearched, unlisted = (*unsearched, *_unsearched_by_mkdocs(folder, paths)), (*unlisted, *_of_folders(folder, names))
    return frozenset(map(strip_claims, unsearched)), frozenset(map(strip_claims, unlisted))


def _with_fields(
    folder: Path, paths: Sequence[str], others: Iterable[tuple[str, Fields]], test: Callable[[Fields], bool]
) -> Iterator[str]:
    """Yield what has a field in a file beside it, in a default of Jekyll, or in a cascade of Hugo."""
    yield from (subject for subject, fields in others if test(fields))
    for place, prefix in settings_folders(folder):
        names = [prefix + path for path in paths]
        for _, base, lines in (*default_lines(place, test), *cascade_lines(place, test)):
            rules = patterns(lines, base)
            yield from (name.removeprefix(prefix) for name in names if is_ignored(name, rules))
        yield from (name.removeprefix(prefix) for name in below_indexes(place, names, test))


def _mintlify(folder: Path, paths: Sequence[str]) -> Iterator[str]:
    """Yield the pages that the navigation of Mintlify does not name, or that are in one of its hidden groups."""
    navigation = next(filter(None, (value_at(load(folder / name), "navigation") for name in MINTLIFY)), None)
    shown = {*_shown(navigation)}
    hidden = [path for path in paths if shown.isdisjoint((path, path.rpartition(".")[0]))]
    if len(hidden) < len(paths) and "$ref" not in str(navigation):
        yield from hidden


def _shown(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip("/")
    elif isinstance(value, list) or (isinstance(value, dict) and value.get("hidden") is not True):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _shown(item)


def _unsearched_by_mkdocs(folder: Path, paths: Sequence[str]) -> Iterator[str]:
    """Yield the pages that the plugin exclude-search of MkDocs leaves out."""
    for place, base in ((folder, "docs"), (folder.resolve().parent, ".")):
        rules = patterns(anchored(strings_at([*plugin_options(place, "exclude-search")], "exclude")), base)
        yield from (path for path in paths if is_ignored(path, rules))


def _of_folders(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield what files in folders hide: `display` of Nextra, and `hide` of plugins of MkDocs."""
    for _, path in meta_files(names):
        parent = PurePosixPath(path).parent
        settings = read_meta(folder / path)
        for name, item in settings.items() if isinstance(settings, dict) else ():
            if value_at(item, "display") == "hidden":
                yield from (f"{parent / name}{ending}" for ending in ("", *PAGES))
    for parent in sorted({parent for path in names for parent in PurePosixPath(path).parents if parent.name}):
        files = (folder / parent / name for name in AWESOME)
        if any(value_at(load(file), "hide") is True for file in files if text_of_file(file)):
            yield str(parent)
