"""Obsidian's comments, `%%…%%`, in texts that also say `100%%`. Where it is in doubt what a sign does, it hides.

A sign opens a comment at the beginning of its line, or after a blank or another sign. One that begins its line may be closed
anywhere below; any other only in its paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from ranvier_builder.markdown.code import Inside
from ranvier_builder.markdown.dialects.source import Edit

_PARAGRAPH = re.compile(r"\n(?:[ \t>]*\n)+")
_BEGINS = re.compile(r"[\s>]*(?P<item>(?:[-+*]|\d{1,9}[.)])[ \t]+)?\Z")
_LONGEST = 200  # characters before a sign that may still be the beginning of a line
_SPACES = " \t\n\r\f\v\u00a0"
_OPENING = _SPACES + "([{<\"'*_~=>|-:“‘«"
_CLOSING = _SPACES + ".,;:!?)]}\"'*_~|”’»"


@dataclass(slots=True)
class _Sign:
    """`%%` at a place, and what its neighbours say of it."""

    at: int
    paragraph: int
    begins: bool  # its line
    item: bool  # and that is the line of a list's item
    inside: bool  # a word, or at its end
    may_open: bool
    opens: bool  # what it cannot but do
    stray: bool  # it reads as a number's: `100%%`
    followed: bool = False  # in its paragraph, by a sign that may close


def comments(text: str, in_code: Inside) -> tuple[list[Edit], int]:
    """Find comments, and the sign that begins a line and is never closed; -1 where there is none. In linear time."""
    signs = _signs(text, in_code)
    edits: list[Edit] = []
    number, far = 0, True
    while number < len(signs):
        sign = signs[number]
        last = _anywhere(signs, number) if sign.begins and (far or not sign.item) else len(signs)
        if last == len(signs):
            if sign.begins and not sign.item:
                return edits, sign.at
            far = far and not sign.begins  # to look once through all of a text is enough
            last = _in_paragraph(signs, number) if sign.may_open else number
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
        sign.followed = closed_in == sign.paragraph
        if not sign.opens and not sign.stray:
            closed_in = sign.paragraph
    return signs


def _sign(text: str, at: int, paragraph: int) -> _Sign:
    before, after = text[at - 1 : at] or "\n", text[at + 2 : at + 3] or "\n"
    line = text.rfind("\n", max(0, at - _LONGEST), at) + 1
    beginning = _BEGINS.match(text, line, at) if line or at <= _LONGEST else None
    begins = beginning is not None
    ends_line = not text[at + 2 : at + 2 + _LONGEST].partition("\n")[0].strip()
    after_sign = begins or before in _OPENING
    return _Sign(
        at,
        paragraph,
        begins=begins,
        item=beginning is not None and beginning["item"] is not None,
        inside=not after_sign,
        may_open=after_sign or after not in _CLOSING,
        opens=after_sign and not ends_line and (after not in _SPACES or begins),
        stray=before.isdigit() and after in _CLOSING and not ends_line,
    )


def _in_paragraph(signs: list[_Sign], number: int) -> int:
    """Find the sign that closes one within its paragraph; the last of the paragraph, where the signs do not match."""
    first, depth, last = signs[number], 1, number
    follows = signs[number + 1] if number + 1 < len(signs) else first
    if first.inside and follows.opens and follows.followed:
        return number  # `a%%20b and %%a comment%%`
    for at in range(number + 1, len(signs)):
        if signs[at].paragraph != first.paragraph:
            break
        last = at
        depth += _step(signs[at])
        if not depth:
            break
    return last


def _anywhere(signs: list[_Sign], number: int) -> int:
    """Find the sign that closes one that begins its line; `len(signs)` where there are others and none does."""
    depth = 1
    for at in range(number + 1, len(signs)):
        depth += _step(signs[at])
        if not depth:
            return at
    return len(signs)


def _step(sign: _Sign) -> int:
    """A sign that can only open, or reads as a number's, closes nothing if a better one follows in its paragraph."""
    if sign.followed and (sign.opens or sign.stray):
        return 1 if sign.opens else 0
    return -1
