"""Search overrides of a site: settings and published pages → values in the snapshot.

The words of pins, synonyms and segments are published: the owner wrote them. Their references to pages are checked: a pin on a
withheld page is not written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ranvier import text

from ranvier_builder.abbreviations import abbreviations
from ranvier_builder.config import Config
from ranvier_builder.model import Page, Rendered, Warn
from ranvier_builder.paths import PAGES
from ranvier_builder.render.names import PageNames
from ranvier_builder.write.analyse import primary
from ranvier_builder.write.facts import languages


def site_overrides(config: Config, rendered: Iterable[Rendered]) -> tuple[dict[str, Any], list[Warn]]:
    """Return the snapshot's overrides, and warnings about invalid ones; Neurons have the numbers of `write_store`."""
    rendered = list(rendered)
    pins, warnings = _pins(config, [page.page for page in rendered if not page.page.neuron.noindex])
    defaults = abbreviations(languages(rendered, config.lang)) if config.search.abbreviations else {}
    values = {
        "pins": pins,
        "segments": [{field.name: getattr(segment, field.name) for field in fields(segment)} for segment in config.segments],
        "synonyms": {word: list(others) for word, others in sorted((defaults | dict(config.synonyms)).items())},
        "preset": config.search.preset,
    }
    return {name: value for name, value in values.items() if value}, warnings


def _pins(config: Config, pages: list[Page]) -> tuple[dict[str, list[int]], list[Warn]]:
    """Return the pinned Neurons by the query as a name, in each of the site's languages."""
    if not config.pins:
        return {}, []
    names, numbers = PageNames(pages), {page.slug: number for number, page in enumerate(pages, 1)}
    langs = list(dict.fromkeys(primary(page.neuron.lang, config.lang) for page in pages))
    pins: dict[str, list[int]] = {}
    warnings = []
    for pin in config.pins:
        targets = [(name, _page_of(names, name)) for name in pin.pages]
        pinned = [numbers[slug] for _, slug in targets if slug is not None]
        # without targets its query is not published either: it may be the name of a withheld page
        for lang in langs if pinned else ():
            key = text.name(pin.query, lang)
            pins[key] = list(dict.fromkeys((*pins.get(key, ()), *pinned)))
        missing = (name for name, slug in targets if slug is None)
        warnings += [
            Warn(pin.location[0], "field", f"the search does not contain the target of a pin: {name}", pin.location[1])
            for name in missing
        ]
    return dict(sorted(pins.items())), warnings


def _page_of(names: PageNames, name: str) -> str | None:
    """Find a page by id, by path or address, by name or title. A file's path matches only that file, not others of its name."""
    name = name.strip()
    numbers = [names.by_id(name), names.at(name)]
    if not name.lower().endswith(PAGES):
        numbers.append(names.find("", name))
    number = next((number for number in numbers if number is not None), None)
    return None if number is None else names.slug(number)
