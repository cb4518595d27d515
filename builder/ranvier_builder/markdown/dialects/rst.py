"""The reStructuredText in an `{eval-rst}` of MyST → directives and roles of MyST. Each line stays one line."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import takewhile
from textwrap import dedent

NAME = "eval-rst"
_DIRECTIVE = re.compile(r"\.\. (?P<name>[A-Za-z][\w:+.-]*)::(?:[ \t]+(?P<argument>.*))?\Z")
_LABEL = re.compile(r"\.\. _(?P<label>[\w .:/-]+):\Z")
_ROLE = re.compile(r"(?<![\w:`\\]):(?P<name>[A-Za-z][\w:+.-]*):(?=`)")
_LINK = re.compile(r"`(?P<words>[^`<>\[\]]+?)\s*<(?P<address>[^`<>\s]+)>`__?(?!\w)")
_FIELD = re.compile(r":(?P<name>\w[\w -]*):[ \t]+(?=\S)")
_OPTION = re.compile(r":[\w-]+:(?!`)")  # not a role
_DEPTH_MAX = 5  # of directives in directives


def rst(text: str, boxes: Container[str], literal: Container[str]) -> str:
    """Return the Markdown of a text, with two lines more, for the fences around it.

    `boxes` and `literal` are names of directives that MyST has; others are shown as their argument, above their text.
    """
    return "\n".join(["", *_blocks([*text.rstrip("\n").split("\n"), ""], boxes, literal, _DEPTH_MAX)])


def _blocks(lines: list[str], boxes: Container[str], literal: Container[str], depth: int) -> list[str]:
    out, at = list[str](), 0
    while at < len(lines):
        line, at = lines[at].rstrip(), at + 1
        if not line.startswith(".. ") or not depth:
            out.append(_line(line))
            continue
        below = [*takewhile(lambda line: not line.strip() or line[0] == " ", lines[at:])]
        at += len(below)
        directive, label = _DIRECTIVE.match(line), _LABEL.match(line)
        inner = dedent("\n".join(below)).split("\n") if below else []
        if directive:
            out += _directive(directive["name"], directive["argument"] or "", inner, boxes, literal, depth)
        else:  # a comment is not shown
            out += [f"({label['label']})=" if label else "", *("" for _ in below)]
    return out


def _directive(
    name: str, argument: str, lines: list[str], boxes: Container[str], literal: Container[str], depth: int
) -> list[str]:
    options = [*takewhile(_OPTION.match, lines)]
    text = lines[len(options) :]
    is_literal, is_closed = name in literal, bool(text) and not text[-1]
    if is_closed and (is_literal or name in boxes):
        fence = ":" * (2 + depth)  # those around it have more
        inner = text[:-1] if is_literal else _blocks(text[:-1], boxes, literal, depth - 1)
        return [f"{fence}{{{name}}} {_line(argument)}", *options, *inner, fence]
    if is_literal:  # no line for a fence: its text is indented code
        return ["", *("" for _ in options), *(f"    {line}" for line in text)]
    words = f"`{argument}`" if argument and "`" not in argument else _line(argument)
    return [words, *("" for _ in options), *_blocks(text, boxes, literal, depth - 1)]


def _line(line: str) -> str:
    line = _FIELD.sub(r"- **\g<name>**: ", line) if line.startswith(":") else line
    return _LINK.sub(r"[\g<words>](<\g<address>>)", _ROLE.sub(r"{\g<name>}", line))
