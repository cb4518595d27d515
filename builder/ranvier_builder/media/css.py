"""Style rules of vector pictures: accepted only if they cannot load anything."""

from __future__ import annotations

import re

from ranvier_builder.media.refused import RefusedError

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A function is a name directly followed by a bracket. Without backslashes in the text, a name has no other spelling.
_NAME = r"[\w\-\x80-\U0010ffff]"
_FUNCTION = re.compile(rf"(?<!{_NAME})({_NAME}++)\(")
_RULE = re.compile(rf"@({_NAME}*)")
_FONT = r"(?:font/[\w.+-]+|application/(?:x-)?font-[\w.-]+|application/octet-stream)"
_DATA = rf"data:{_FONT}(?:;charset=[\w-]+)?;base64,[A-Za-z0-9+/=\s]*+"
# A part of the picture itself, or an embedded font.
_URL = re.compile(rf"""url\(\s*(["']?)(?:#[^"'()\s]*+|{_DATA})\1\s*\)""", re.IGNORECASE)
_RULES = frozenset("media keyframes -webkit-keyframes font-face supports charset layer".split())
_FUNCTIONS = frozenset(
    """rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark
    matrix matrix3d translate translate3d translatex translatey translatez scale scale3d scalex scaley scalez
    rotate rotate3d rotatex rotatey rotatez skew skewx skewy perspective
    calc min max clamp abs sign round mod rem sin cos tan sqrt pow exp hypot log var
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    cubic-bezier steps linear ease inset circle ellipse polygon path ray rect xywh counter counters
    linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
    not is where has lang dir nth-child nth-last-child nth-of-type nth-last-of-type and or selector
    format local tech""".split()
)


def checked_css(text: str) -> str:
    """Return style rules, or the value of one property, without comments; raise `RefusedError` if they could load something."""
    plain = _COMMENT.sub(" ", text)
    if "\\" in plain:
        raise RefusedError("its style has a backslash in it")
    for name in _RULE.findall(plain):
        if name.lower() not in _RULES:
            raise RefusedError(f"its style has the rule @{name}")
    for name in _FUNCTION.findall(_URL.sub(" ", plain)):
        if name.lower() == "url":
            raise RefusedError("its style loads something by url(…)")
        if name.lower() not in _FUNCTIONS:
            raise RefusedError(f"its style has the function {name}(…)")
    return plain
