"""The text of one page, from the chunks of the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ranvier.query.scope import condition
from ranvier.requests import Scope

from ranvier_builder.render.chunk import repetition

if TYPE_CHECKING:
    from ranvier import Engine
    from ranvier.store.snapshot import Steps
    from ranvier.store.texts import Passage


def page_text(engine: Engine, item: str, level: int) -> Steps[dict[str, Any] | None]:
    """Read a page, named by id, path, slug or title; `None` if there is none that the level of a caller may see (A5).

    Its `text` is Markdown: the headings, and the plain text below each.
    """
    scope = condition(Scope(item=item), level) if item else None
    if scope is None:
        return None
    sql = f"SELECT n FROM neuron WHERE {scope.sql} ORDER BY n LIMIT 1"
    rows = yield from engine.snapshot.query(sql, scope.values, (), sorted(scope.packs))
    if not rows:
        return None
    passages = yield from engine.texts.passages(engine.snapshot.manifest.chunks_of(rows[0][0]))
    ordered = [passages[chunk] for chunk in sorted(passages)]
    card = ordered[0].neuron
    parts, above = [f"# {card.title}"], tuple[str, ...]()
    for (headings, _), chunks in groupby(ordered, key=lambda passage: (passage.headings, passage.anchor)):
        parts += _new_headings(above, headings)
        parts += _bodies(chunks)
        above = headings
    fields = {name: getattr(card, name) for name in ("id", "title", "url", "path", "tags")}
    return fields | {"text": "\n\n".join(parts) + "\n"}


def _bodies(chunks: Iterable[Passage]) -> Iterator[str]:
    """Yield the texts of a section's chunks. A chunk of prose may repeat the last sentence of the chunk before."""
    above = ""
    for chunk in chunks:
        is_prose = chunk.spans[:1] != (0,)
        body = chunk.body.removeprefix(repetition(above, chunk.body)).lstrip() if is_prose else chunk.body
        if body:
            yield body
        above = chunk.body


def _new_headings(above: tuple[str, ...], headings: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings of a section that are not those of the section above. One without text of its own has no chunk."""
    is_new = False
    for depth, heading in enumerate(headings):
        is_new = is_new or depth == len(headings) - 1 or above[depth : depth + 1] != (heading,)
        if is_new:
            yield f"{'#' * min(6, depth + 2)} {heading}"
