"""Sections → chunks of about 500 characters (C1, C2).

A chunk ends at the end of a paragraph, else of a sentence, else of a line, else at a space: a line of code or a table row is
cut only if it alone is longer than a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from ranvier.store.texts import PROSE

from ranvier_builder.model import Block, Chunk, Section

TARGET = 500  # characters [000]
OVERLAP = 80  # maximum characters of the previous sentence that the next chunk of a section repeats
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]]*\s+")

Body = tuple[str, tuple[int, ...]]  # the text and the spans of a chunk


@dataclass(frozen=True, slots=True)
class _Unit:
    """The smallest part that is not split, and its separator from the previous part."""

    text: str
    separator: str
    prose: bool
    kind: int


def chunks(sections: tuple[Section, ...], summary: str = "", extra: tuple[tuple[str, str], ...] = ()) -> tuple[Chunk, ...]:
    """Split a page into chunks, in reading order. The summary is the first chunk, unless the page begins with it.

    The other published fields (N3) follow, one per line: `product: Kestrel`.
    A page without text has one empty chunk, so that its title is found.
    """
    chunks = [
        Chunk(section.anchor, section.headings, body, spans)
        for at, section in enumerate(sections)
        for body, spans in _bodies(section, sections[at + 1 : at + 2])
    ]
    lead = () if not summary or (chunks and chunks[0].body.startswith(summary)) else (Block(summary),)
    fields = (Block("\n".join(f"{name}: {value}" for name, value in extra), lines=True),) if extra else ()
    chunks[:0] = [Chunk("", (), *body) for blocks in (lead, fields) for body in _join(list(_units(blocks)))]
    return tuple(chunks) or (Chunk("", (), ""),)


def _bodies(section: Section, following: tuple[Section, ...]) -> list[Body]:
    """Return a section's chunk texts, and where code and tables are in them.

    A heading without text is a chunk only if no deeper heading follows.
    """
    if section.blocks:
        return list(_join(list(_units(section.blocks))))
    has_deeper = bool(following) and following[0].headings[: len(section.headings)] == section.headings
    return [] if has_deeper else [("", ())]


def _units(blocks: tuple[Block, ...]) -> Iterator[_Unit]:
    for block in blocks:
        parts = block.text.split("\n") if block.lines else _sentences(block.text)
        inner = "\n" if block.lines else " "
        separator = "\n\n"
        for part in parts:
            for piece in _pieces(part):
                yield _Unit(piece, separator, not block.lines, block.kind)
                separator = inner


def _sentences(text: str) -> list[str]:
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    return [part for start, end in pairwise(ends) if (part := text[start:end].rstrip())]


def _pieces(text: str) -> Iterator[str]:
    """Cut a too long text at the last possible space, in linear time."""
    at = 0
    while len(text) - at > TARGET:
        end = text.rfind(" ", at + TARGET // 2, at + TARGET)
        end = at + TARGET if end < 0 else end
        yield text[at:end].rstrip()
        at = end + (text[end : end + 1] == " ")
    yield text[at:]


def _join(units: list[_Unit]) -> Iterator[Body]:
    body, last = "", None
    spans: list[tuple[int, int, int]] = []
    for unit in units:
        if body and len(body) + len(unit.separator) + len(unit.text) > TARGET:
            yield body, tuple(chain.from_iterable(spans))
            overlap = last.text if last is not None and last.prose and unit.prose and len(last.text) <= OVERLAP else ""
            body = overlap + unit.separator + unit.text if overlap else unit.text
            spans = [(0, len(overlap), last.kind)] if overlap and last is not None and last.kind != PROSE else []
        else:
            body = body + unit.separator + unit.text if body else unit.text
        last = unit
        if unit.kind != PROSE:
            _extend(spans, len(body) - len(unit.text), unit)
    if body.strip():
        yield body, tuple(chain.from_iterable(spans))


def _extend(spans: list[tuple[int, int, int]], start: int, unit: _Unit) -> None:
    """Add a unit to the spans, or to the last of them if it continues that one."""
    first, length, kind = spans[-1] if spans else (start, 0, unit.kind)
    if kind == unit.kind and first + length + len(unit.separator) >= start:
        spans[-1:] = [(first, start + len(unit.text) - first, kind)]
    else:
        spans.append((start, len(unit.text), unit.kind))


def repetition(previous: str, body: str) -> str:
    """Return the start of a chunk's text that repeats the end of the previous chunk; an empty string if none."""
    for end in range(min(OVERLAP, len(body) - 1), 0, -1):
        if body[end].isspace() and previous.endswith(body[:end]):
            return body[:end]
    return ""
