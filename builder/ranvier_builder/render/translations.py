"""Pages that are translations of one page: `en/install.md` and `de/install.md`, `install.md` and `install.de.md`.

Their paths differ in one folder or in the end of a name, which is the page's language; or they have one address elsewhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ranvier.text import primary

from ranvier_builder.language_names import COUNTRIES, ENGLISH_NAMES, language_name
from ranvier_builder.model import Page

_SEPARATOR = re.compile(r"[._-]")
# The folder of a translation in Docusaurus: of pages, posts or documents, of a version and of a further instance.
_DOCUSAURUS = re.compile(
    r"(?P<folder>(?:.+/)?i18n/[^/]+)/docusaurus-plugin-content-(?P<kind>[a-z]+)(?:-(?P<name>[^/]+))?/(?P<current>current/)?"
)


class Place(NamedTuple):
    """A path, split at the folder of a language."""

    folder: str  # of the language, with those above it; empty if the path has none
    rest: str  # the path without the language


def translations(pages: Iterable[Page], site_lang: str) -> list[dict[str, Page]]:
    """Return the groups of pages that are translations of each other: language → page; of two in one language, the first.

    A page in the folder of a language belongs to it, even if its text is not translated yet.
    """
    langs = [(page, page.neuron.lang or site_lang) for page in pages]
    places = [place_of(page.neuron.path, lang) for page, lang in langs]
    folders = {place.folder: lang for place, (_, lang) in zip(places, langs, strict=True) if place.folder}
    for at, (page, _) in enumerate(langs):
        above = map(str, PurePosixPath(page.neuron.path).parents)
        if not places[at].folder and (lang := next(filter(None, map(folders.get, above)), "")):
            langs[at], places[at] = (page, lang), place_of(page.neuron.path, lang)
    rests = {page.slug: place.rest for place, (page, _) in zip(places, langs, strict=True)}
    groups = _groups(langs, lambda page: rests[page.slug])
    grouped = {page.slug for group in groups for page in group.values()}
    others = [item for item in langs if item[0].slug not in grouped and any(map(_is_permalink, item[0].neuron.addresses))]
    return groups + _groups(others, lambda page: next(filter(_is_permalink, page.neuron.addresses)))


def _groups(langs: Sequence[tuple[Page, str]], key: Callable[[Page], Hashable]) -> list[dict[str, Page]]:
    groups = defaultdict[Hashable, dict[str, Page]](dict)
    for page, lang in langs:
        groups[key(page)].setdefault(lang, page)
    return [group for group in groups.values() if len(group) > 1]


def _is_permalink(address: str) -> bool:
    return "/" in address  # a name alone is relative to the folder


def place_of(path: str, lang: str) -> Place:
    """Split a path at the folder of its language; for `guide.de.md` and `content.de/`, the language is only removed."""
    if (match := _DOCUSAURUS.match(path)) and is_tag(match["folder"].rpartition("/")[2], lang):
        return Place(match["folder"], match["folder"].rpartition("i18n/")[0] + _source(match) + path[match.end() :])
    *folders, name = path.split("/")
    for at, folder in enumerate(folders):
        if is_tag(folder, lang) or (base := _without_tag(folder, lang)):
            own = [] if is_tag(folder, lang) else [base]
            return Place("/".join(folders[: at + 1]), "/".join((*folders[:at], *own, *folders[at + 1 :], name)))
    stem, _, ending = name.rpartition(".")
    return Place("", "/".join((*folders, f"{_without_tag(stem, lang) or stem}.{ending}")))


def _source(match: re.Match[str]) -> str:
    """Return the folder that a folder of Docusaurus has the translations of."""
    name, kind = match["name"], match["kind"]
    if kind == "docs" and not match["current"]:
        return f"{name}_versioned_docs/" if name else "versioned_docs/"
    return f"{name or {'pages': 'src/pages'}.get(kind, kind)}/"


def _without_tag(name: str, lang: str) -> str:
    """Return a name without a language at its end: `content.de` → `content`; empty if there is none."""
    ends = (match for match in _SEPARATOR.finditer(name) if match.start())
    return next((name[: match.start()] for match in ends if is_tag(name[match.end() :], lang)), "")


def is_tag(name: str, lang: str) -> bool:
    """Return whether the name of a folder or of a part of a file's name is that of a language: `de`, `Deutsch`, `german`."""
    tag = name.replace("_", "-").lower()
    names = (lang.lower(), primary(lang), language_name(lang).lower(), ENGLISH_NAMES.get(primary(lang)))
    return COUNTRIES.get(tag, tag) in names
