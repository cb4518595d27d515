"""Files that are not pages, but text that pages include: by their fields, as in Hugo, or by their names or settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any

from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Neuron, Outline
from ranvier_builder.paths import suffix
from ranvier_builder.read.ignored import braced
from ranvier_builder.read.settings import folded, strings_at, value_at
from ranvier_builder.read.values import text_of

_FOLDERS = ("_includes", "_layouts", "_partials", "_snippets")
_NEVER = ("never", "false")
_OF_PAGES = {"environment": "production", "kind": "page"}  # targets of a `cascade`, and their values for the published pages
_UNWRITTEN = ("permalink", "render", "url")  # fields of Eleventy, Zola and Lume, which write no file if the value is false

# Fields of other systems that keep a page out of the search or out of menus: if the value is true, and if it is false.
_UNSEARCHED = tuple("noindex nosearch no-search search_exclude exclude_search excludesearch excludefromsearch".split())
_UNSEARCHED += ("searchhidden", "hiddenfromsearch", "booksearchexclude", "robotsnoindex", "search.exclude")
_SEARCHED = ("search", "searchable", "pagefind", "in_search_index", "robots")
_OUT_OF_MENUS = tuple("nav_exclude toc_hide bookhidden geekdochidden eleventyexcludefromcollections".split())
_OUT_OF_MENUS += ("sidebar.hidden", "sidebar.exclude")
_IN_MENUS = ("navigation", "visible")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def is_snippet(path: str, fields: dict[str, Any]) -> bool | None:
    """Return whether a file is not a page; `None` if it does not say so, and its folder decides."""
    *folders, name = path.lower().split("/")
    if any(folder in _FOLDERS for folder in folders) or (
        name.startswith("_") and name != "_index.mdx" and suffix(name) == ".mdx"
    ):
        return True
    is_hidden = _is_true(fields.get("headless")) or any(text_of(fields.get(name)) == "false" for name in _UNWRITTEN)
    return True if is_hidden else _is_hidden(_build(fields))


def is_unlisted(fields: dict[str, Any]) -> bool:
    """Return whether `unlisted`, `hidden` of Mintlify and GitBook, or `build` of Hugo says that a page is in no list."""
    build = _build(fields)
    is_in_no_list = isinstance(build, dict) and text_of(build.get("list", "always")) in _NEVER
    return is_in_no_list or _is_true(fields.get("hidden")) or _is_true(fields.get("unlisted"))


def is_unsearched(fields: dict[str, Any]) -> bool:
    """Return whether a field keeps a page out of the search of another system, or out of all search engines."""
    return _says(fields, _UNSEARCHED, _SEARCHED) or "noindex" in (text_of(fields.get("robots")) or "").lower()


def is_out_of_menus(fields: dict[str, Any]) -> bool:
    """Return whether a field keeps a page out of the menus of another system, which has it in its search."""
    return _says(fields, _OUT_OF_MENUS, _IN_MENUS)


def _says(fields: dict[str, Any], true: Iterable[str], false: Iterable[str]) -> bool:
    return any(_is_true(value_at(fields, name)) for name in true) or any(
        (text_of(fields.get(name)) or "").lower() in _FALSE for name in false
    )


def has_snippets_below(fields: dict[str, Any]) -> bool | None:
    """Return whether the files in the folder of an index file are not pages; `None` if it does not say so."""
    if _is_true(fields.get("headless")):
        return True
    states = (_is_hidden(_build(item)) for item in cascades(fields) if _is_for_all_pages(item))
    return next((state for state in states if state is not None), None)


def _is_for_all_pages(item: dict[str, Any]) -> bool:
    """Return whether a `cascade` applies to all pages of a published site: it has no target, or one that these pages have."""
    target = folded(item.get("target", item.get("_target")))
    globs = {name: [*braced(strings_at(target, name))] for name in target}
    return globs.keys() <= _OF_PAGES.keys() and all(
        any(fnmatchcase(_OF_PAGES[name], glob) for glob in globs[name]) for name in globs
    )


def cascades(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fields that an index file gives to the pages below it: Hugo's `cascade`, a map or a list of maps."""
    cascade = fields.get("cascade")
    return [item for item in (cascade if isinstance(cascade, list) else [cascade]) if isinstance(item, dict)]


def excluded(neuron: Neuron, paths: Collection[str]) -> Neuron:
    """Return a Neuron that is no page if it names no audience and the settings of its system exclude its file."""
    is_excluded = neuron.audience is None and strip_claims(neuron.path) in paths
    return replace(neuron, is_snippet=True) if is_excluded else neuron


def hidden(neuron: Neuron, outline: Outline) -> Neuron:
    """Return a Neuron that is not in the search, or in no menu, if settings of its system say so."""
    path = PurePosixPath(strip_claims(neuron.path))
    places = {*map(str, (path, *path.parents))}
    noindex, unlisted = (not names.isdisjoint(places) for names in (outline.unsearched, outline.unlisted))
    return replace(neuron, noindex=neuron.noindex or noindex, unlisted=neuron.unlisted or unlisted)


def without_snippets(neurons: Iterable[Neuron]) -> tuple[Neuron, ...]:
    """Return the Neurons that are pages."""
    neurons = tuple(neurons)
    folders = {PurePosixPath(neuron.path).parent: neuron for neuron in neurons if neuron.snippets_below is not None}

    def is_page(neuron: Neuron) -> bool:
        if neuron.is_snippet is not None:
            return not neuron.is_snippet
        index = next((folders[folder] for folder in PurePosixPath(neuron.path).parents if folder in folders), None)
        return index is None or not index.snippets_below

    return tuple(filter(is_page, neurons))


def _build(fields: dict[str, Any]) -> Any:
    return fields.get("build", fields.get("_build"))


def _is_hidden(build: Any) -> bool | None:
    """Return whether the map `build` says that a page is not rendered, and not that lists have it."""
    if not isinstance(build, dict) or "render" not in build:
        return None
    return all(text_of(build.get(name, "never")) in _NEVER for name in ("render", "list"))


def _is_true(value: Any) -> bool:
    return (text_of(value) or "").lower() in _TRUE
