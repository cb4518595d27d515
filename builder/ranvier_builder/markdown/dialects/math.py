"""Finds TeX between dollar signs, and distinguishes it from amounts of money."""

from __future__ import annotations

import re

from ranvier_builder.markdown.code import Range

INLINE = re.compile(r"\$(?P<tex>(?:[^$\\\n]|\\.|\n(?!\n))+)\$(?![\w$])")
DISPLAY = re.compile(r"\$\$(?P<tex>(?:[^$\\\n]|\\.|\n(?!\n)|\$(?!\$))+)\$\$")
BRACKETS = re.compile(r"\\\((?P<tex>(?:[^\\\n]|\\[^()\n]|\n(?!\n))+)\\\)")
_TEX = re.compile(rf"(?<![\w$\\])(?:{DISPLAY.pattern.replace('tex', 'display')}|{INLINE.pattern})", re.DOTALL)
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")


def is_tex(tex: str, *, display: bool) -> bool:
    """Return whether a text between dollar signs is TeX and not about money: `$5 and $6`, `$5, or 6$`."""
    if display:
        return bool(tex.strip())
    return not (tex[0].isspace() or tex[-1].isspace() or (tex[0].isdigit() and _WORDS.search(tex)))


def mathematics(text: str) -> list[Range]:
    """Find the TeX between dollar signs, in order."""
    if "$" not in text:
        return []
    return [match.span() for match in _TEX.finditer(text) if match["display"] or is_tex(match["tex"], display=False)]
