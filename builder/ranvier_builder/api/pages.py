"""The text of one page, from the chunks of the index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ranvier.query.scope import condition
from ranvier.requests import Scope

if TYPE_CHECKING:
    from ranvier import Engine
    from ranvier.store.snapshot import Steps


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as the index has it. `text` is Markdown: the headings, and the plain text below each."""

    id: str
    title: str
    url: str
    path: str
    tags: tuple[str, ...]
    text: str


def page_text(engine: Engine, item: str, level: int) -> Steps[PageText | None]:
    """Read a page, named by id, path, slug or title; `None` if there is none that the level of a caller may see (A5)."""
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
        parts += [chunk.body for chunk in chunks if chunk.body]
        above = headings
    return PageText(card.id, card.title, card.url, card.path, tuple(card.tags), "\n\n".join(parts) + "\n")


def _new_headings(above: tuple[str, ...], headings: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings of a section that are not those of the section above. One without text of its own has no chunk."""
    is_new = False
    for depth, heading in enumerate(headings):
        is_new = is_new or depth == len(headings) - 1 or above[depth : depth + 1] != (heading,)
        if is_new:
            yield f"{'#' * min(6, depth + 2)} {heading}"
