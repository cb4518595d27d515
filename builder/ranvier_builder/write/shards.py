"""Pages and chunks → text shards: the shown text of hits, about 8 kB per file, whole pages if they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import msgpack
from ranvier.store.texts import NeuronCard

from ranvier_builder.model import Chunk, Page, Rendered
from ranvier_builder.write.analyse import primary
from ranvier_builder.write.titles import other_names

T = TypeVar("T")

# bytes before deflating: small enough to fetch ten for a query, large enough for a small number of files
SHARD = 8_000
# from this number of pages, shards are larger: many hosts accept at most 20,000 files
MANY_PAGES, LARGE_SHARD = 5_000, 16_000
ALIASES = 20  # of a page that results may show; each part of a page has them


def card(page: Page, lang: str = "en") -> NeuronCard:
    """Return the data that every hit of a page shows. Nothing else of a Neuron's frontmatter is ever written."""
    neuron = page.neuron
    tags = list(neuron.tags)
    return NeuronCard(
        *(neuron.id, page.seq_id, page.slug, neuron.title, page.url, neuron.path, neuron.kind, tags, neuron.modality),
        lang=primary(neuron.lang, lang),
        updated=neuron.updated,
        aliases=other_names(neuron)[:ALIASES],
    )


def text_shards(rendered: Iterable[Rendered], lang: str = "en", max_bytes: int = SHARD) -> Iterator[list[Any]]:
    """Return the shards: lists of parts, each starting with the number of its first chunk.

    Args:
        rendered: the pages.
        lang: the site's language.
        max_bytes: of a shard.

    """
    return _runs(_parts(rendered, lang, max_bytes), lambda part: len(msgpack.packb(part)), max_bytes)


def _runs(items: Iterable[T], size: Callable[[T], int], max_bytes: int) -> Iterator[list[T]]:
    """Divide items into runs of at most `max_bytes` bytes; a larger item is a run of its own."""
    run: list[T] = []
    total = 0
    for item in items:
        length = size(item)
        if run and total + length > max_bytes:
            yield run
            run, total = [], 0
        run.append(item)
        total += length
    if run:
        yield run


def _parts(rendered: Iterable[Rendered], lang: str, max_bytes: int) -> Iterator[list[Any]]:
    """Yield `[first chunk, card, [[anchor, headings, body, spans?], …]]`; a page longer than a shard gives several parts."""
    first = 1
    for page in rendered:
        fields = list(card(page.page, lang))
        if not fields[-1]:
            fields.pop()  # most pages have no aliases
        for run in _runs(page.chunks, _size, max_bytes):
            yield [first, fields, [[chunk.anchor, list(chunk.headings), chunk.body, *_spans(chunk)] for chunk in run]]
            first += len(run)


def _spans(chunk: Chunk) -> list[list[int]]:
    return [list(chunk.spans)] if chunk.spans else []


def _size(chunk: Chunk) -> int:
    return len(chunk.body.encode()) + sum(map(len, chunk.headings)) + 16
