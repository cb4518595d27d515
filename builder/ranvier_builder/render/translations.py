"""Pages that are translations of one page: `en/install.md` and `de/install.md`, `install.md` and `install.de.md`.

They have one `translationKey`; or their paths differ in one folder or in the end of a name, which is the page's language; or
they have one address elsewhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import PurePosixPath
from sys import intern
from typing import NamedTuple

from ranvier.text import primary

from ranvier_builder.language_names import COUNTRIES, ENGLISH_NAMES, language_name
from ranvier_builder.model import Page
from ranvier_builder.render.names import bare

_SEPARATOR = re.compile(r"[._-]")
# The folder of a translation in Docusaurus: of pages, posts or documents, of a version and of a further instance.
_DOCUSAURUS = re.compile(
    r"(?P<folder>(?:.+/)?i18n/[^/]+)/docusaurus-plugin-content-(?P<kind>[a-z]+)(?:-(?P<name>[^/]+))?/(?P<current>current/)?"
)


class Place(NamedTuple):
    """A path, split at the folder of a language."""

    folder: str  # of the language, with those above it; empty if the path has none
    rest: str  # the path without the language
    lang: str


def translations(pages: Iterable[Page], site_lang: str) -> list[dict[str, Page]]:
    """Return the groups of pages that are translations of each other: language → page; of two in one language, the first.

    A page in the folder of a language belongs to it, even if its text is not translated yet.
    """
    places, groups = places_of(pages, site_lang), list[dict[str, Page]]()
    keys = [(page, place.lang, _keys(page, place)) for page, place in places]
    for kind in range(3):
        members = {page.slug for group in groups for page in group.values()}
        groups += _groups((key[kind], lang, page) for page, lang, key in keys if key[kind] and page.slug not in members)
    return groups


def _keys(page: Page, place: Place) -> tuple[str, str, str]:
    """Return what a page has in common with its translations: a field, the path in the folder of the language, a permalink."""
    permalinks = (address for address in page.neuron.addresses if "/" in address)  # a name alone is relative to the folder
    return page.neuron.translation, place.rest, next(permalinks, "")


def places_of(pages: Iterable[Page], site_lang: str) -> list[tuple[Page, Place]]:
    """Split the path of each page at the folder of its language, or at that of other pages above it."""
    places = [(page, place_of(page.neuron.path, page.neuron.lang or site_lang)) for page in pages]
    folders = {place.folder: place.lang for _, place in places if place.folder}
    for at, (page, place) in enumerate(places if folders else ()):
        above = map(str, PurePosixPath(page.neuron.path).parents)
        if not place.folder and (lang := next(filter(None, map(folders.get, above)), "")):
            places[at] = page, place_of(page.neuron.path, lang)
    return places


def _groups(items: Iterable[tuple[str, str, Page]]) -> list[dict[str, Page]]:
    groups = defaultdict[str, dict[str, Page]](dict)
    for key, lang, page in items:
        groups[key].setdefault(lang, page)
    return [group for group in groups.values() if len(group) > 1]


class Counterparts:
    """The pages that the links of translations mean, as slugs. It is sent to processes, so equal strings are one object."""

    def __init__(self, pages: Iterable[Page], site_lang: str) -> None:
        """Index the pages, if their paths have languages."""
        places = places_of(pages, site_lang)
        self._site_lang = site_lang
        # Path with a language → its folder, and the key of its page.
        self._places: dict[str, tuple[str, tuple[str, str]]] = {}
        self._slugs: dict[tuple[str, str], str] = {}
        self._langs: dict[str, str] = {}  # language tags by themselves in lower case
        has_languages = any(place.rest != page.neuron.path for page, place in places)
        for page, place in places if has_languages else ():
            key = bare(place.rest), place.lang
            if place.rest != page.neuron.path:
                self._places[page.neuron.path] = intern(place.folder), key
            self._langs.setdefault(place.lang.lower(), place.lang)
            if not page.neuron.unlisted:  # only links of an author lead to these
                self._slugs.setdefault(key, page.slug)

    def other(self, source: str, targets: Iterable[str], addresses: Iterable[str]) -> str | None:
        """Return the page in the site's language for a path that a folder of another language does not have yet.

        Else return the page of an address with its language, as Hugo has it: `/de/install/` for `install.de.md`.
        """
        folder, (_, lang) = self._places.get(source, ("", ("", "")))
        inner = (target for target in targets if folder and target.startswith(f"{folder}/"))
        keys = [(bare(place_of(target, lang).rest), self._site_lang) for target in inner]
        for address in addresses:
            tag, _, rest = address.strip("/").partition("/")
            keys.append((bare(rest), self._langs.get(tag.lower(), "")))
        return next((self._slugs[key] for key in keys if key in self._slugs), None)

    def same_language(self, source: str, link: str, target: str, slug: str) -> str:
        """Return `b.de.md` for a link from `a.de.md` to `b.md` or `b`; the link from `b.de.md` itself is to the other language.

        The link `b.en.md` names its language.
        """
        folder, (own, lang) = self._places.get(source, ("", ("", "")))
        _, (rest, _) = self._places.get(target, ("", (bare(target), "")))
        is_named = target in self._places and bare(link) == bare(target)
        return slug if not lang or folder or is_named or rest == own else self._slugs.get((rest, lang), slug)


def place_of(path: str, lang: str) -> Place:
    """Split a path at the folder of its language; for `guide.de.md` and `content.de/`, the language is only removed."""
    if (match := _DOCUSAURUS.match(path)) and is_tag(match["folder"].rpartition("/")[2], lang):
        return Place(match["folder"], match["folder"].rpartition("i18n/")[0] + _source(match) + path[match.end() :], lang)
    *folders, name = path.split("/")
    for at, folder in enumerate(folders):
        own = [] if is_tag(folder, lang) else [without_tag(folder, lang)]
        if all(own):
            return Place("/".join(folders[: at + 1]), "/".join((*folders[:at], *own, *folders[at + 1 :], name)), lang)
    stem, _, ending = name.rpartition(".")
    base = without_tag(stem, lang)
    return Place("", "/".join((*folders, f"{base}.{ending}")) if base else path, lang)


def _source(match: re.Match[str]) -> str:
    """Return the folder whose translations a folder of Docusaurus has."""
    name, kind = match["name"], match["kind"]
    if kind == "docs" and not match["current"]:
        return f"{name}_versioned_docs/" if name else "versioned_docs/"
    return f"{name or {'pages': 'src/pages'}.get(kind, kind)}/"


def without_tag(name: str, lang: str) -> str:
    """Return a name without a language at its end: `content.de` → `content`; empty if there is none."""
    ends = (match for match in _SEPARATOR.finditer(name) if match.start())
    return next((name[: match.start()] for match in ends if is_tag(name[match.end() :], lang)), "")


def is_tag(name: str, lang: str) -> bool:
    """Return whether the name of a folder or of a part of a file's name is that of a language: `de`, `Deutsch`, `german`."""
    tag = name.replace("_", "-").lower()
    return COUNTRIES.get(tag, tag) in _names_of(lang)


@cache
def _names_of(lang: str) -> frozenset[str]:
    return frozenset((lang.lower(), primary(lang), language_name(lang).lower(), ENGLISH_NAMES.get(primary(lang), lang)))
