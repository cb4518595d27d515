"""Pages that are translations of one page: `en/install.md` and `de/install.md`, `install.md` and `install.de.md`.

Their paths differ in one folder or in the end of the name, which is the page's language.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ranvier.store.files import steps
from ranvier.text import primary

from ranvier_builder.model import Rendered


class _Place(NamedTuple):
    parent: tuple[str, ...]  # folders above the language's
    folder: str  # of the language; empty if the path has none
    rest: tuple[str, ...]


class Translations:
    """The translations on a site: what a search (`ranvier.rank.versions`) and the browser's suggestions need of them."""

    def __init__(self, indexed: Sequence[Rendered], site_lang: str) -> None:
        """Group the searched pages; they are numbered from 1. Of two pages in one language, only the first is in a group."""
        groups = defaultdict[tuple[str, ...], dict[str, int]](dict)
        for number, page in enumerate(indexed, 1):
            lang = page.page.neuron.lang or site_lang
            place = _place(PurePosixPath(page.page.neuron.path).parts, lang)
            groups[*place.parent, *place.rest].setdefault(lang, number)
        self._groups = [group for group in groups.values() if len(group) > 1]
        self._pages = {number: indexed[number - 1] for group in self._groups for number in group.values()}
        counts = Counter(lang for group in self._groups for lang in group)
        self._langs = sorted(
            counts, key=lambda lang: (lang != site_lang, primary(lang) != primary(site_lang), -counts[lang], lang)
        )

    def columns(self) -> dict[str, Any]:
        """Return `translations` of the hot pack: languages, then Neurons, the first Neurons of their groups, and languages."""
        rows = sorted(
            (number, min(group.values()), self._langs.index(lang)) for group in self._groups for lang, number in group.items()
        )
        if not rows:
            return {}
        numbers, firsts, langs = zip(*rows, strict=True)
        return {"translations": [self._langs, steps(numbers), steps(firsts), bytes(langs)]}

    def folders(self) -> dict[str, str]:
        """Return the folder of each language in addresses, from the site's root, with its slash: that of most of its pages."""
        counts = defaultdict[str, Counter[str]](Counter)
        for group in self._groups:
            places = {lang: _place(tuple(self._pages[number].page.url.split("/")), lang) for lang, number in group.items()}
            parents = {place.parent for place in places.values() if place.folder}
            for lang, place in places.items():
                if len(parents) == 1:
                    counts[lang]["".join(f"{part}/" for part in (*min(parents), place.folder) if part)] += 1
        folders = {lang: _most_frequent(counts[lang]) for lang in self._langs if counts[lang]}
        return folders if len({*folders.values()}) == len(folders) > 1 else {}


def _place(parts: tuple[str, ...], lang: str) -> _Place:
    """Split a path at the folder of its language; for `guide.de.md`, the language is only removed from the name."""
    *folders, name = parts
    for at, folder in enumerate(folders):
        if _is_tag(folder, lang):
            return _Place(parts[:at], folder, parts[at + 1 :])
    stem, _, ending = name.rpartition(".")
    base, _, tag = stem.rpartition(".")
    return _Place((), "", (*folders, f"{base}.{ending}" if base and _is_tag(tag, lang) else name))


def _is_tag(name: str, lang: str) -> bool:
    return name.replace("_", "-").lower() in (lang.lower(), primary(lang))


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda folder: (-counts[folder], folder))
