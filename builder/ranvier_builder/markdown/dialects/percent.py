"""Obsidian's comments, `%%…%%`, in texts that can also contain `100%%`. If the role of a marker is unclear, text is hidden.

A marker opens a comment at the beginning of its line, or after a blank or punctuation. A comment at the beginning of a line can
be closed anywhere below; any other only in its paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from ranvier_builder.markdown.code import Inside
from ranvier_builder.markdown.dialects.source import Edit

_PARAGRAPH = re.compile(r"\n(?:[ \t>]*\n)+")
_LINE_PREFIX = re.compile(r"[\s>]*(?P<item>(?:[-+*]|\d{1,9}[.)])[ \t]+)?\Z")
_MAX_PREFIX = 200  # characters before a marker that can still be the prefix of its line
_SPACES = " \t\n\r\f\v\u00a0"
_OPENING = _SPACES + "([{<\"'*_~=>|-:“‘«"
_CLOSING = _SPACES + ".,;:!?)]}\"'*_~|”’»"


@dataclass(slots=True)
class _Marker:
    """A `%%`, and its properties, derived from the characters beside it."""

    at: int
    paragraph: int
    starts_line: bool  # at the beginning of its line
    in_list_item: bool  # and this line is a list item
    in_word: bool  # in a word, or at its end
    may_open: bool
    opens: bool  # it can only open
    is_stray: bool  # it looks like the unit of a number: `100%%`
    has_closer: bool = False  # a marker that can close follows in its paragraph


def comments(text: str, in_code: Inside) -> tuple[list[Edit], int]:
    """Find comments, and the unclosed marker at the beginning of a line, or -1 if there is none. In linear time."""
    markers = _markers(text, in_code)
    edits: list[Edit] = []
    number, search_on = 0, True
    while number < len(markers):
        marker = markers[number]
        last = _closer(markers, number) if marker.starts_line and (search_on or not marker.in_list_item) else len(markers)
        if last == len(markers):
            if marker.starts_line and not marker.in_list_item:
                return edits, marker.at
            search_on = search_on and not marker.starts_line  # one scan to the end of the text is enough
            last = _closer_in_paragraph(markers, number) if marker.may_open else number
        if last > number:
            edits.append((marker.at, markers[last].at + 2, ""))
        number = last + 1
    return edits, -1


def _markers(text: str, in_code: Inside) -> list[_Marker]:
    ends = [gap.start() for gap in _PARAGRAPH.finditer(text)]
    markers, at = list[_Marker](), 0
    while (mark := text.find("%%", at)) >= 0:
        at = mark + 2
        if not in_code(mark):
            markers.append(_marker(text, mark, bisect_left(ends, mark)))
    closed_in = -1
    for marker in reversed(markers):
        marker.has_closer = closed_in == marker.paragraph
        if not marker.opens and not marker.is_stray:
            closed_in = marker.paragraph
    return markers


def _marker(text: str, at: int, paragraph: int) -> _Marker:
    before, after = text[at - 1 : at] or "\n", text[at + 2 : at + 3] or "\n"
    line = text.rfind("\n", max(0, at - _MAX_PREFIX), at) + 1
    beginning = _LINE_PREFIX.match(text, line, at) if line or at <= _MAX_PREFIX else None
    starts_line = beginning is not None
    ends_line = not text[at + 2 : at + 2 + _MAX_PREFIX].partition("\n")[0].strip()
    at_boundary = starts_line or before in _OPENING
    return _Marker(
        at,
        paragraph,
        starts_line=starts_line,
        in_list_item=beginning is not None and beginning["item"] is not None,
        in_word=not at_boundary,
        may_open=at_boundary or after not in _CLOSING,
        opens=at_boundary and not ends_line and (after not in _SPACES or starts_line),
        is_stray=before.isdigit() and after in _CLOSING and not ends_line,
    )


def _closer_in_paragraph(markers: list[_Marker], number: int) -> int:
    """Find the marker that closes a marker in its paragraph; the last marker of the paragraph if the markers do not match."""
    first = markers[number]
    follows = markers[number + 1] if number + 1 < len(markers) else first
    if first.in_word and follows.opens and follows.has_closer:
        return number  # `a%%20b and %%a comment%%`
    return _closer(markers, number, in_paragraph=True)


def _closer(markers: list[_Marker], number: int, *, in_paragraph: bool = False) -> int:
    """Find the marker that closes a marker; `len(markers)` if none does, or the last marker in its paragraph."""
    depth, last = 1, number
    for at in range(number + 1, len(markers)):
        if in_paragraph and markers[at].paragraph != markers[number].paragraph:
            return last
        last, depth = at, depth + _step(markers[at])
        if not depth:
            return last
    return last if in_paragraph else len(markers)


def _step(marker: _Marker) -> int:
    """Return the change of depth at a marker. An opening or stray marker does not close if a better one follows."""
    if marker.has_closer and (marker.opens or marker.is_stray):
        return 1 if marker.opens else 0
    return -1
