"""How a site's owner tunes its search: the settings, and the published pages → what the snapshot is given.

The words of pins, synonyms and segments are published: they are the owner's own. What they say of pages is not simply taken:
a pin on what is withheld is not written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from ranvier import text

from ranvier_builder.abbreviations import abbreviations
from ranvier_builder.config import Config
from ranvier_builder.model import Page, Rendered, Warn
from ranvier_builder.paths import MARKDOWN
from ranvier_builder.render.names import Names
from ranvier_builder.write.analyse import primary
from ranvier_builder.write.facts import languages


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a snapshot is given, and what could not be."""

    values: dict[str, Any]
    warnings: tuple[Warn, ...] = ()


def tune(config: Config, rendered: Iterable[Rendered]) -> Tuned:
    """Make what the snapshot is given of the settings and the published pages; Neurons are numbered as `write_store` does."""
    rendered = list(rendered)
    pins, warnings = _pins(config, [one.page for one in rendered if not one.page.neuron.noindex])
    common = abbreviations(languages(rendered, config.lang)) if config.search.abbreviations else {}
    values = {
        "pins": pins,
        "segments": [{one.name: getattr(segment, one.name) for one in fields(segment)} for segment in config.segments],
        "synonyms": {word: list(others) for word, others in sorted((common | dict(config.synonyms)).items())},
        "preset": config.search.preset,
    }
    return Tuned({name: value for name, value in values.items() if value}, tuple(warnings))


def _pins(config: Config, pages: list[Page]) -> tuple[dict[str, list[int]], list[Warn]]:
    """Return the pinned Neurons by the name that a query is, in each of the site's languages."""
    if not config.pins:
        return {}, []
    names, numbers = Names(pages), {page.slug: number for number, page in enumerate(pages, 1)}
    langs = list(dict.fromkeys(primary(page.neuron.lang, config.lang) for page in pages))
    pins: dict[str, list[int]] = {}
    warnings = []
    for pin in config.pins:
        found = [(said, _meant(names, said)) for said in pin.pages]
        chosen = [numbers[slug] for _, slug in found if slug is not None]
        for lang in langs if chosen else ():  # else its query stays unsaid, too: it may be the name of what is withheld
            key = text.name(pin.query, lang)
            pins[key] = list(dict.fromkeys((*pins.get(key, ()), *chosen)))
        lost = (said for said, slug in found if slug is None)
        warnings += [Warn(pin.at[0], "field", f"a pin leads to no page that is searched: {said}", pin.at[1]) for said in lost]
    return dict(sorted(pins.items())), warnings


def _meant(names: Names, said: str) -> str | None:
    """Find a page by id, by path or address, by name or title. A file's path means that file, and no other of its name."""
    said = said.strip()
    found = [names.identified(said), names.at(said)]
    if not said.lower().endswith(MARKDOWN):
        found.append(names.named("", said))
    number = next((number for number in found if number is not None), None)
    return None if number is None else names.slug(number)
