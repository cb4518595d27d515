"""Pages → rows of the tables for filters, lists and boosts. They contain only searched pages, also as targets of links.

Every value comes from a Neuron that passed the audience gate; a reference is ignored unless its target also passed.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from ranvier import text

from ranvier_builder.composed import composed
from ranvier_builder.embed.models import StaticModel
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Neuron, Rendered
from ranvier_builder.render.dates import day_of
from ranvier_builder.render.names import PageNames
from ranvier_builder.render.tree import Tree
from ranvier_builder.write.analyse import primary

# storing all prefixes of a tag takes quadratic space, so very deep tags are cut
_MAX_TAG_LEVELS = 32
Rows = Iterator[tuple[Any, ...]]
MAX_WEIGHT = 10.0
WEIGHT_STEPS = 16  # steps of a byte of `weights` for a weight of 1


@dataclass(frozen=True, slots=True)
class Collection:
    """The build's data about all pages together."""

    name: str  # the site's short name
    lang: str = "en"
    above: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # slug → slugs of its ancestors, nearest first
    levels: Mapping[str, int] = field(default_factory=dict)  # path → 0 public, 1 tool, 2 curator; default: public
    tuning: Mapping[str, Any] = field(default_factory=dict)  # pins, segments, synonyms, preset: as written for the reader
    folders: Mapping[str, Any] = field(default_factory=dict)  # of `folder_columns`
    substring: bool = True  # whether parts of words are indexed: half of the index
    model: StaticModel | None = None  # embeds chunks; `None`: no search by meaning


def ancestors(tree: Tree, rendered: Iterable[Rendered]) -> dict[str, tuple[str, ...]]:
    """Return for each page's slug the slugs of its ancestors in the tree, nearest first."""
    slugs = (page.page.slug for page in rendered)
    return {slug: tuple(node.slug for node in reversed(tree.above(slug)) if node.slug != slug) for slug in slugs}


def languages(rendered: Iterable[Rendered], lang: str) -> list[str]:
    """Return the searched languages, most frequent first; `lang` is the site's."""
    counts = Counter(primary(page.page.neuron.lang, lang) for page in rendered if not page.page.neuron.noindex)
    return sorted(counts, key=lambda lang: (-counts[lang], lang))


class Facts:
    """The rows of each table, by its name in `schema.sql`."""

    def __init__(self, indexed: Sequence[Rendered], collection: Collection) -> None:
        self._indexed = indexed
        self._lang_of_site, self._above, self._levels = collection.lang, collection.above, collection.levels
        self._numbers = {page.page.slug: number for number, page in enumerate(indexed, 1)}
        self._links = self._link_rows()
        # If a weight is above the maximum, weights are the order of pages, as in Hugo, and search ignores them.
        self._ordered = any(page.page.neuron.weight > MAX_WEIGHT for page in indexed)

    def tables(self) -> dict[str, Rows]:
        """Return the rows of every table, sorted by its key."""
        return {
            "neuron": self._neurons(),
            "name": self._names(),
            "tag": self._tags(),
            "link": iter(self._links),
            "derived": self._derived(),
            "note": self._notes(),
        }

    def langs(self) -> list[str]:
        """Return the languages of the Neurons, most frequent first."""
        return languages(self._indexed, self._lang_of_site)

    def weights(self) -> bytes:
        """Return a byte for each Neuron: its weight in sixteenths."""
        return bytes(round(min(max(self._weight(page) * WEIGHT_STEPS, 0), 255)) for page in self._indexed)

    def _weight(self, page: Rendered) -> float:
        return 1.0 if self._ordered else page.page.neuron.weight

    def linked(self) -> bytes:
        """Return a byte for each Neuron: the number of other Neurons that link to it, at most 255."""
        counts = Counter(target for _, target in self._links)
        return bytes(min(counts[number], 255) for number in range(1, len(self._indexed) + 1))

    def _lang(self, neuron: Neuron) -> str:
        return primary(neuron.lang, self._lang_of_site)

    def _neurons(self) -> Rows:
        for number, rendered in enumerate(self._indexed, 1):
            page, neuron = rendered.page, rendered.page.neuron
            above = (self._numbers.get(slug) for slug in self._above.get(page.slug, ()))
            yield (
                *(number, neuron.id, page.seq_id, page.slug, neuron.title, page.url, neuron.path),
                *(posixpath.dirname(neuron.path), neuron.kind, neuron.modality, self._lang(neuron), neuron.role),
                next((number for number in above if number is not None), None),
                self._levels.get(neuron.path, 0),
                *(day_of(page), neuron.created, neuron.updated, neuron.source_type, neuron.confidence, self._weight(rendered)),
            )

    def _names(self) -> Rows:
        rows = set()
        for number, rendered in enumerate(self._indexed, 1):
            neuron = rendered.page.neuron
            for name in (neuron.title, *neuron.aliases, PurePosixPath(neuron.path).stem, rendered.page.slug):
                rows.add((text.name(name, text.AS_WRITTEN), number))
        yield from sorted(row for row in rows if row[0])

    def _tags(self) -> Rows:
        rows: dict[tuple[str, int], int] = {}
        for number, rendered in enumerate(self._indexed, 1):
            for tag in rendered.page.neuron.tags:
                parts = composed(composed(tag).casefold()).split("/")
                for end in {*range(1, min(len(parts), _MAX_TAG_LEVELS)), len(parts)}:
                    key = "/".join(parts[:end]), number
                    rows[key] = max(rows.get(key, 0), int(end == len(parts)))
        yield from ((*key, is_own) for key, is_own in sorted(rows.items()))

    def _link_rows(self) -> list[tuple[int, int]]:
        ends = {
            (source, self._numbers.get(link.to))
            for source, rendered in enumerate(self._indexed, 1)
            for link in rendered.links
            if link.to is not None
        }
        return sorted((source, target) for source, target in ends if target is not None and target != source)

    def _derived(self) -> Rows:
        if not any(rendered.page.neuron.derived_from for rendered in self._indexed):
            return
        names, rows = PageNames(rendered.page for rendered in self._indexed), set()
        for number, rendered in enumerate(self._indexed, 1):
            for reference in rendered.page.neuron.derived_from:
                place = names.refer(rendered.page.neuron.path, reference)
                if place is not None and (source := self._numbers[names.slug(place)]) != number:
                    rows.add((number, source))
        yield from sorted(rows)

    def _notes(self) -> Rows:
        for number, rendered in enumerate(self._indexed, 1):
            neuron = rendered.page.neuron
            note = strip_claims(neuron.user_note).strip() if neuron.user_note_shared else ""
            if note:
                yield number, note
