"""Pages and chunks → text shards: the shown text of hits, about 8 kB per file, whole pages if they fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgpack
from ranvier.store.texts import NeuronCard

from ranvier_builder.model import Chunk, Page, Rendered
from ranvier_builder.write.analyse import primary

# bytes before deflating: small enough to fetch ten for a query, large enough for a small number of files
SHARD = 8_000
# from this number of pages, shards are larger: many hosts accept at most 20,000 files
MANY_PAGES, LARGE_SHARD = 5_000, 16_000


def card(page: Page, lang: str = "en") -> NeuronCard:
    """Return the data that every hit of a page shows. Nothing else of a Neuron's frontmatter is ever written."""
    neuron = page.neuron
    tags = list(neuron.tags)
    return NeuronCard(
        *(neuron.id, page.seq_id, page.slug, neuron.title, page.url, neuron.path, neuron.kind, tags, neuron.modality),
        lang=primary(neuron.lang, lang),
        updated=neuron.updated,
    )


def text_shards(rendered: Iterable[Rendered], lang: str = "en", most: int = SHARD) -> Iterator[list[Any]]:
    """Yield the shards: lists of parts, each starting with the number of its first chunk.

    Args:
        rendered: the pages.
        lang: the site's language.
        most: bytes of a shard.

    """
    shard: list[Any] = []
    size = 0
    for part in _parts(rendered, lang, most):
        length = len(msgpack.packb(part))
        if shard and size + length > most:
            yield shard
            shard, size = [], 0
        shard.append(part)
        size += length
    if shard:
        yield shard


def _parts(rendered: Iterable[Rendered], lang: str, most: int) -> Iterator[list[Any]]:
    """Yield `[first chunk, card, [[anchor, headings, body, spans?], …]]`; a page longer than a shard gives several parts."""
    first = 1
    for page in rendered:
        fields = list(card(page.page, lang))
        for run in _cut(page.chunks, most):
            yield [first, fields, [[chunk.anchor, list(chunk.headings), chunk.body, *_spans(chunk)] for chunk in run]]
            first += len(run)


def _spans(chunk: Chunk) -> list[list[int]]:
    return [list(chunk.spans)] if chunk.spans else []


def _cut(chunks: tuple[Chunk, ...], most: int) -> Iterator[list[Chunk]]:
    run: list[Chunk] = []
    size = 0
    for chunk in chunks:
        length = len(chunk.body.encode()) + sum(map(len, chunk.headings)) + 16
        if run and size + length > most:
            yield run
            run, size = [], 0
        run.append(chunk)
        size += length
    if run:
        yield run
