"""The reStructuredText in an `{eval-rst}` of MyST → directives and roles of MyST. Each line stays one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from itertools import takewhile
from textwrap import dedent

NAME = "eval-rst"
_BEGIN = re.compile(r"(?P<margin> *)\.\.(?: +|\Z)")  # of a directive, a label or a comment
_DIRECTIVE = re.compile(r"(?P<name>[A-Za-z][\w:+.-]*?) ?::(?:[ \t]+(?P<argument>.*))?\Z")
_LABEL = re.compile(r"_(?P<label>[\w .:/-]+):\Z")
_ROLE = re.compile(r"(?<![\w:`\\]):(?P<name>[A-Za-z][\w:+.-]*):(?=`)")
_LINK = re.compile(r"`(?P<words>[^`<>\[\]]+?)\s*<(?P<address>[^`<>\s]+)>`__?(?!\w)")
_FIELD = re.compile(r":(?P<name>\w[\w -]*):[ \t]+(?=\S)")
_OPTION = re.compile(r":[\w-]+:(?!`)")  # not a role
_DEPTH_MAX = 5  # of directives in directives


@dataclass(frozen=True, slots=True)
class Rst:
    """A reader of reStructuredText.

    `boxes` and `literal` are names of directives that MyST has; others are shown as their argument, above their text. So is a
    box without a blank line for its fence, whose `titles` have the words before the argument.
    `hides` returns whether no reader sees a directive with a name and an argument.
    """

    boxes: Container[str]
    literal: Container[str]
    hides: Callable[[str, str], bool]
    titles: Mapping[str, str]

    def markdown(self, text: str) -> str:
        """Return the Markdown of a text, with two lines more, for the fences around it."""
        return "\n".join(["", *self._blocks(text.expandtabs().split("\n"), _DEPTH_MAX)])

    def _blocks(self, lines: list[str], depth: int) -> list[str]:
        out = list[str]()
        while (at := len(out)) < len(lines):
            line = lines[at].rstrip()
            begin = _BEGIN.match(line)
            if begin is None:
                out.append(_line(line))
                continue
            margin = re.compile(rf"{begin['margin']} |\s*\Z")
            below = [*takewhile(margin.match, (lines[index] for index in range(at + 1, len(lines))))]
            is_bare = begin.end() == len(line) and not (below and below[0].strip())
            out += [""] if is_bare else self._block(line, begin, below, depth)
        return out

    def _block(self, line: str, begin: re.Match[str], below: list[str], depth: int) -> list[str]:
        """Return the lines of a directive or a label; empty lines for a comment, which is not shown."""
        directive, label = _DIRECTIVE.match(line, begin.end()), _LABEL.match(line, begin.end())
        name, argument = (directive["name"].lower(), directive["argument"] or "") if directive else ("", "")
        is_shown = label or (directive and depth)
        if is_shown and begin["margin"] and not self.hides(name, argument):  # in a list, or an example
            return [_line(line)]
        if is_shown and directive:
            return self._directive(name, argument, dedent("\n".join(below)).split("\n") if below else [], depth)
        return [f"({label['label']})=" if label else "", *("" for _ in below)]

    def _directive(self, name: str, argument: str, lines: list[str], depth: int) -> list[str]:
        options = [*takewhile(_OPTION.match, lines)]
        text = lines[len(options) :]
        is_literal, is_closed = name in self.literal, bool(text) and not text[-1]
        if is_closed and (is_literal or name in self.boxes):
            fence = ":" * (2 + depth)  # those around it have more
            inner = text[:-1] if is_literal else self._blocks(text[:-1], depth - 1)
            return [f"{fence}{{{name}}} {_line(argument)}", *options, *inner, fence]
        if self.hides(name, argument):
            return ["", *("" for _ in lines)]
        if is_literal:  # no line for a fence: its text is indented code
            return ["", *("" for _ in options), *(f"    {line}" for line in text)]
        words = f"`{argument}`" if argument and "`" not in argument else _line(argument)
        words = f"{self.titles[name]} {_line(argument)}" if name in self.titles else words
        return [words, *("" for _ in options), *self._blocks(text, depth - 1)]


def _line(line: str) -> str:
    line = _FIELD.sub(r"- **\g<name>**: ", line) if line.startswith(":") else line
    return _LINK.sub(r"[\g<words>](<\g<address>>)", _ROLE.sub(r"{\g<name>}", line)).replace("`\\ ", "`")
