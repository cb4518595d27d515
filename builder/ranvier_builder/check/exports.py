"""Fields that a page exports in MDX, for the proof: read by separate code, by their braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN = re.compile(r"(?m)^export\s+(?:const|let|var)\s+(?:frontmatter|frontMatter|meta|metadata)\b[^={\n]*=\s*\{")
_PIECE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<open>[\[({])|(?P<close>[\])}])|(?P<comma>,)|(?P<colon>:)
    |(?P<word>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\w$][\w$.-]*)|(?P<other>\S)""",
    re.DOTALL | re.VERBOSE,
)
_LENGTH, _NUMBER = 8000, 10  # characters of an export, exports of a page


def exported_fields(text: str) -> Iterator[dict[str, str]]:
    """Yield the keys and the plain values of each exported object, without the values that are expressions."""
    for number, begin in enumerate(_BEGIN.finditer(text)):
        if number < _NUMBER:
            yield _fields(text[begin.end() : begin.end() + _LENGTH])


def _fields(text: str) -> dict[str, str]:
    fields, depth, words = dict[str, str](), 1, list[str]()  # words: the key, a colon, and the value
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        depth += (kind == "open") - (kind == "close")
        if depth < 1 or (kind == "comma" and depth == 1):
            if len(words) == 3 and words[1] == ":" and _is_plain(words[2]):
                fields.setdefault(words[0].strip("\"'`").lower(), words[2].strip("\"'`"))
            words = []
        elif kind:
            words.append(piece.group())
        if depth < 1:
            break
    return fields


def _is_plain(value: str) -> bool:
    return (value[0] in "\"'`0123456789" and "${" not in value) or value in ("true", "false")
