"""A body while its dialects are converted to Markdown: its text, its code ranges, its problems. Line numbers do not change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from ranvier_builder.markdown.code import Inside, code, merge
from ranvier_builder.markdown.dialects.math import mathematics

Edit = tuple[int, int, str]  # from, to, replacement
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass
class PairedTag:
    """A tag that opens or closes an element; `partner` is the matching tag."""

    start: int
    end: int
    name: str
    closes: bool
    is_self_closing: bool
    partner: Self | None = field(default=None, init=False)


def pair(tags: Iterable[PairedTag]) -> None:
    """Match each closing tag with the last open tag of the same name."""
    open_tags: dict[str, list[PairedTag]] = {}
    for tag in tags:
        if tag.closes and open_tags.get(tag.name):
            tag.partner = open_tags[tag.name].pop()
            tag.partner.partner = tag
        elif not tag.closes and not tag.is_self_closing:
            open_tags.setdefault(tag.name, []).append(tag)


def without_code(text: str) -> list[str]:
    """Return the lines of a text with a sign for each character of code."""
    parts, at = list[str](), 0
    for start, end in code(text):
        parts += [text[at:start], _NOT_NEWLINE.sub("\0", text[start:end])]
        at = end
    return "".join((*parts, text[at:])).split("\n")


class MarkdownSource:
    """The text that the dialects convert, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: list[tuple[int, str]] = []  # line of the text, and message

    @cached_property
    def in_code(self) -> Inside:
        """Test whether an offset is in code, in which no syntax is interpreted."""
        return Inside(code(self.text))

    @cached_property
    def in_tex(self) -> Inside:
        """Test whether an offset is in code or in mathematics, in which braces are TeX. Comments are recognised in TeX too."""
        return Inside(merge(code(self.text), mathematics(self.text)))

    def __contains__(self, part: str) -> bool:
        return part in self.text

    def apply(self, edits: Iterable[Edit]) -> None:
        """Replace parts; a part that overlaps an earlier one is skipped. Missing newlines are added after a replacement."""
        out, at = [], 0
        for start, end, new in sorted(edits):
            if start < at:
                continue
            missing = self.text.count("\n", start, end) - new.count("\n")
            out += [self.text[at:start], new, "\n" * missing]
            at = end
        if at:
            self.text = "".join((*out, self.text[at:]))
            for name in ("in_code", "in_tex"):
                self.__dict__.pop(name, None)

    def matches(self, pattern: re.Pattern[str], *, tex: bool = False) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern that begin outside of code and, with `tex`, of mathematics."""
        for match in pattern.finditer(self.text):
            if not (self.in_tex if tex else self.in_code)(match.start()):
                yield match

    def replace(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], *, tex: bool = False) -> None:
        """Replace the same matches."""
        self.apply((*match.span(), replacement(match)) for match in self.matches(pattern, tex=tex))

    def replace_blocks(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> None:
        """Replace matches of whole lines, unless code outside of them would begin or end: then a comment could be shown."""
        original, blocks = self.text, [match for match in self.matches(pattern) if not self._is_in_comment(match.start())]
        if not blocks:
            return
        self.apply((*match.span(), replacement(match)) for match in blocks)
        inside, at, line = set[int](), 0, 0
        for match in blocks:
            line += original.count("\n", at, match.start())
            at = match.start()
            inside |= {*range(line, line + match.group().count("\n") + 1)}
        before, after = (
            [line for number, line in enumerate(without_code(text)) if number not in inside] for text in (original, self.text)
        )
        if before != after:
            self.apply([(0, len(self.text), original)])

    def _is_in_comment(self, at: int) -> bool:
        """Return whether an offset is in a comment of HTML: an arrow `-->` below it ends the comment."""
        start = self.text.rfind("<!--", 0, at)
        return start >= 0 and self.text.find("-->", start, at) < 0 and not self.in_code(start)

    def drop(self, pattern: re.Pattern[str], *, tex: bool = False) -> None:
        """Remove the same matches."""
        self.replace(pattern, lambda _: "", tex=tex)

    def report(self, at: int, message: str) -> None:
        """Store a problem at an offset."""
        self.problems.append((self.text.count("\n", 0, at) + 1, message))

    def spans(self, opener: str, closer: str, *, anywhere: bool = False, quiet: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the spans from each opener to the next closer, both included, outside of code; in linear time.

        An opener without a closer before the next opener is skipped and, unless `quiet`, reported once.
        """
        at, end, unclosed = 0, -1, -1
        while (start := self.text.find(opener, at)) >= 0:
            at = start + len(opener)
            if not anywhere and self.in_code(start):
                continue
            if end < at:
                end = self.text.find(closer, at)
            next_opener = self.text.find(opener, at, end) if end >= 0 else -1
            if end < 0 or next_opener >= 0:
                unclosed = start if unclosed < 0 else unclosed
                if end < 0:
                    break
                continue
            at = end + len(closer)
            yield start, at
        if unclosed >= 0 and not (anywhere or quiet):
            self.report(unclosed, f"{opener} is not closed by {closer}; shown as it is")

    def is_alone(self, start: int, end: int) -> bool:
        """Return whether a part is alone on its lines."""
        text, last = self.text, len(self.text)
        while start and text[start - 1] in " \t>":
            start -= 1
        while end < last and text[end] in " \t":
            end += 1
        return (not start or text[start - 1] == "\n") and (end == last or text[end] == "\n")
