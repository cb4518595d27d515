"""What a search (`ranvier.rank.versions`) and the browser's suggestions need of the translations on a site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from typing import Any

from ranvier.store.files import steps
from ranvier.text import primary

from ranvier_builder.model import Rendered
from ranvier_builder.render.translations import place_of, translations


class Translations:
    """The searched pages that are translations of each other."""

    def __init__(self, indexed: Sequence[Rendered], site_lang: str) -> None:
        """Group the pages; they are numbered from 1."""
        self._groups = translations((page.page for page in indexed), site_lang)
        self._numbers = {page.page.slug: number for number, page in enumerate(indexed, 1)} if self._groups else {}
        counts = Counter(lang for group in self._groups for lang in group)
        self._langs = sorted(
            counts, key=lambda lang: (lang != site_lang, primary(lang) != primary(site_lang), -counts[lang], lang)
        )

    def columns(self) -> dict[str, Any]:
        """Return `translations` of the hot pack: languages, Neurons, distances to the first of their groups, languages."""
        numbered = [{lang: self._numbers[page.slug] for lang, page in group.items()} for group in self._groups]
        rows = sorted(
            (number, number - min(group.values()), self._langs.index(lang))
            for group in numbered
            for lang, number in group.items()
        )
        if not rows:
            return {}
        numbers, distances, langs = zip(*rows, strict=True)
        return {"translations": [self._langs, steps(numbers), [*distances], [*langs]]}

    def folders(self, older: Container[int] = ()) -> dict[str, str]:
        """Return the folder of each language in addresses, from the site's root, with its slash: that of most of its pages.

        `older`: pages that have a newer version, which are not suggested; their folders do not count.
        """
        counts = defaultdict[str, Counter[str]](Counter)
        for group in self._groups:
            if any(self._numbers[page.slug] in older for page in group.values()):
                continue
            places = [place_of(page.neuron.path, lang) for lang, page in group.items()]
            if any(place.folder for place in places) and len({place.rest for place in places}) == 1:
                end = _common_end([page.url.split("/") for page in group.values()])
                for lang, page in group.items():
                    counts[lang][page.url[: len(page.url) - end]] += 1
        langs: dict[str, str] = {}
        for lang in filter(counts.get, self._langs):
            langs.setdefault(_most_frequent(counts[lang]), lang)  # a folder may have pages with and without a region
        return {lang: folder for folder, lang in langs.items()} if len(langs) > 1 else {}


def _common_end(addresses: Sequence[Sequence[str]]) -> int:
    """Return the length of the folders at the end that all addresses have, with their slashes."""
    end = 0
    for parts in zip(*map(reversed, addresses), strict=False):
        if len({*parts}) > 1:
            break
        end += len(parts[0]) + 1
    return max(end - 1, 0)


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda folder: (-counts[folder], folder))
