"""Obsidian's comments, `%%…%%`, in texts that can also contain `100%%`. If the role of a sign is unclear, text is hidden.

A sign opens a comment at the beginning of its line, or after a blank or punctuation. A comment at the beginning of a line can
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
_MAX_PREFIX = 200  # characters before a sign that can still be the prefix of its line
_SPACES = " \t\n\r\f\v\u00a0"
_OPENING = _SPACES + "([{<\"'*_~=>|-:“‘«"
_CLOSING = _SPACES + ".,;:!?)]}\"'*_~|”’»"


@dataclass(slots=True)
class _Sign:
    """A `%%`, and its properties, derived from the characters beside it."""

    at: int
    paragraph: int
    starts_line: bool  # at the beginning of its line
    in_list_item: bool  # and this line is a list item
    in_word: bool  # in a word, or at its end
    may_open: bool
    opens: bool  # it can only open
    stray: bool  # it looks like the unit of a number: `100%%`
    has_closer: bool = False  # a sign that can close follows in its paragraph


def comments(text: str, in_code: Inside) -> tuple[list[Edit], int]:
    """Find comments, and the unclosed sign at the beginning of a line, or -1 if there is none. In linear time."""
    signs = _signs(text, in_code)
    edits: list[Edit] = []
    number, search_on = 0, True
    while number < len(signs):
        sign = signs[number]
        last = _closing_sign(signs, number) if sign.starts_line and (search_on or not sign.in_list_item) else len(signs)
        if last == len(signs):
            if sign.starts_line and not sign.in_list_item:
                return edits, sign.at
            search_on = search_on and not sign.starts_line  # one scan to the end of the text is enough
            last = _closing_in_paragraph(signs, number) if sign.may_open else number
        if last > number:
            edits.append((sign.at, signs[last].at + 2, ""))
        number = last + 1
    return edits, -1


def _signs(text: str, in_code: Inside) -> list[_Sign]:
    ends = [gap.start() for gap in _PARAGRAPH.finditer(text)]
    signs, at = list[_Sign](), 0
    while (mark := text.find("%%", at)) >= 0:
        at = mark + 2
        if not in_code(mark):
            signs.append(_sign(text, mark, bisect_left(ends, mark)))
    closed_in = -1
    for sign in reversed(signs):
        sign.has_closer = closed_in == sign.paragraph
        if not sign.opens and not sign.stray:
            closed_in = sign.paragraph
    return signs


def _sign(text: str, at: int, paragraph: int) -> _Sign:
    before, after = text[at - 1 : at] or "\n", text[at + 2 : at + 3] or "\n"
    line = text.rfind("\n", max(0, at - _MAX_PREFIX), at) + 1
    beginning = _LINE_PREFIX.match(text, line, at) if line or at <= _MAX_PREFIX else None
    starts_line = beginning is not None
    ends_line = not text[at + 2 : at + 2 + _MAX_PREFIX].partition("\n")[0].strip()
    after_sign = starts_line or before in _OPENING
    return _Sign(
        at,
        paragraph,
        starts_line=starts_line,
        in_list_item=beginning is not None and beginning["item"] is not None,
        in_word=not after_sign,
        may_open=after_sign or after not in _CLOSING,
        opens=after_sign and not ends_line and (after not in _SPACES or starts_line),
        stray=before.isdigit() and after in _CLOSING and not ends_line,
    )


def _closing_in_paragraph(signs: list[_Sign], number: int) -> int:
    """Find the sign that closes a sign in its paragraph; the last sign of the paragraph if the signs do not match."""
    first, depth, last = signs[number], 1, number
    follows = signs[number + 1] if number + 1 < len(signs) else first
    if first.in_word and follows.opens and follows.has_closer:
        return number  # `a%%20b and %%a comment%%`
    for at in range(number + 1, len(signs)):
        if signs[at].paragraph != first.paragraph:
            break
        last = at
        depth += _step(signs[at])
        if not depth:
            break
    return last


def _closing_sign(signs: list[_Sign], number: int) -> int:
    """Find the sign that closes a sign at the beginning of its line; `len(signs)` if none does."""
    depth = 1
    for at in range(number + 1, len(signs)):
        depth += _step(signs[at])
        if not depth:
            return at
    return len(signs)


def _step(sign: _Sign) -> int:
    """Return the change of depth at a sign. An opening or stray sign does not close if a better one follows."""
    if sign.has_closer and (sign.opens or sign.stray):
        return 1 if sign.opens else 0
    return -1
