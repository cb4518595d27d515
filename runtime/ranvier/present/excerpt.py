"""The excerpt of a chunk: prose, lines of code or rows of a table, never mixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ranvier.present.highlight import Marker
from ranvier.store.texts import CODE, PROSE, TABLE, Passage
from ranvier.types import SnippetKind

_KINDS: dict[int, SnippetKind] = {PROSE: "prose", CODE: "code", TABLE: "table"}


class Excerpt(NamedTuple):
    """An escaped text with marks. Code and tables keep their lines; cells are separated by ` · `."""

    text: str
    kind: SnippetKind


def excerpt(marker: Marker, passage: Passage) -> Excerpt:
    """Return the excerpt of the part with most query words; ties: prose before code and tables, then the first."""
    lang = passage.neuron.lang
    if not passage.spans:
        return Excerpt(marker.snippet(passage.body, lang=lang), "prose")
    parts = [*_parts(passage)]
    scores = [(len(marker.terms_in(text, lang)), kind == PROSE, -at) for at, (text, kind) in enumerate(parts)]
    text, kind = parts[-max(scores)[2]]
    snippet = marker.snippet(text, lang=lang, lines=kind != PROSE)
    return Excerpt(snippet.replace(" | ", " · ") if kind == TABLE else snippet, _KINDS.get(kind, "prose"))


def _parts(passage: Passage) -> Iterator[tuple[str, int]]:
    """Yield the parts of a chunk with their kinds, without empty ones."""
    body, at = passage.body, 0
    for start, length, kind in zip(*(passage.spans[place::3] for place in range(3)), strict=True):
        if body[at:start].strip():
            yield body[at:start].strip(), PROSE
        at = start + length
        yield body[start:at], kind
    if body[at:].strip():
        yield body[at:].strip(), PROSE
