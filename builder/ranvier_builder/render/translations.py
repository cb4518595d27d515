"""Pages that are translations of one page: `en/install.md` and `de/install.md`, `install.md` and `install.de.md`.

Their paths differ in one folder or in the end of the name, which is the page's language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ranvier.text import primary

from ranvier_builder.model import Page


class Place(NamedTuple):
    """A path or an address, split at the folder of a language."""

    parent: tuple[str, ...]  # folders above the language's
    folder: str  # of the language; empty if the path has none
    rest: tuple[str, ...]


def translations(pages: Iterable[Page], site_lang: str) -> list[dict[str, Page]]:
    """Return the groups of pages that are translations of each other: language → page; of two in one language, the first."""
    groups = defaultdict[tuple[str, ...], dict[str, Page]](dict)
    for page in pages:
        lang = page.neuron.lang or site_lang
        place = place_of(page.neuron.path, lang)
        groups[*place.parent, *place.rest].setdefault(lang, page)
    return [group for group in groups.values() if len(group) > 1]


def place_of(path: str, lang: str) -> Place:
    """Split a path at the folder of its language; for `guide.de.md`, the language is only removed from the name."""
    *folders, name = path.split("/")
    for at, folder in enumerate(folders):
        if is_tag(folder, lang):
            return Place((*folders[:at],), folder, (*folders[at + 1 :], name))
    stem, _, ending = name.rpartition(".")
    base, _, tag = stem.rpartition(".")
    return Place((), "", (*folders, f"{base}.{ending}" if base and is_tag(tag, lang) else name))


def is_tag(name: str, lang: str) -> bool:
    """Return whether the name of a folder or of a part of a file's name is that of a language."""
    return name.replace("_", "-").lower() in (lang.lower(), primary(lang))
