"""The text of one page, from the chunks of the index."""

from __future__ import annotations

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
    parts = [f"# {card.title}"]
    for headings, chunks in groupby(ordered, key=lambda passage: passage.headings):
        parts += [f"{'#' * min(6, len(headings) + 1)} {headings[-1]}"] if headings else []
        parts += [chunk.body for chunk in chunks if chunk.body]
    return PageText(card.id, card.title, card.url, card.path, tuple(card.tags), "\n\n".join(parts) + "\n")
