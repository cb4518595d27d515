"""A body while its dialects are converted to Markdown: its text, its code ranges, its problems. Line numbers do not change."""

from __future__ import annotations

import re
from bisect import bisect_right
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


def _lines_around(text: str, blocks: Iterable[tuple[int, int]]) -> list[bool]:
    """Return for each line of a text whether it is in no block; the blocks are in order, and may be in another."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    is_around, last_end = [True] * len(starts), -1
    for start, end in blocks:
        if end > last_end:  # it is not in the one before
            last_end = end
            first, last = bisect_right(starts, start) - 1, bisect_right(starts, end)
            is_around[first:last] = [False] * (last - first)
    return is_around


def _visible_lines(text: str, is_around: list[bool]) -> list[str]:
    """Return the lines of a text that are in no block, with a sign for each character of code."""
    parts, at = list[str](), 0
    for start, end in code(text):
        parts += [text[at:start], _NOT_NEWLINE.sub("\0", text[start:end])]
        at = end
    lines = "".join((*parts, text[at:])).split("\n")
    return [line for line, is_visible in zip(lines, is_around, strict=True) if is_visible]


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
        """Replace matches of whole lines outside of comments, as `apply_blocks` does."""
        blocks = [match for match in self.matches(pattern) if not self._is_in_comment(match.start())]
        if blocks:
            spans = [match.span() for match in blocks]
            self.apply_blocks(spans, [(*match.span(), replacement(match)) for match in blocks])

    def apply_blocks(self, blocks: Iterable[tuple[int, int]], edits: Iterable[Edit]) -> bool:
        """Apply edits that keep the number of lines, unless code outside of the blocks would begin or end.

        A comment there could become code, and would be shown. Return whether the edits are applied.
        """
        original, is_around = self.text, _lines_around(self.text, blocks)
        before = _visible_lines(original, is_around)
        self.apply(edits)
        is_applied = before == _visible_lines(self.text, is_around)
        if not is_applied:
            self.apply([(0, len(self.text), original)])
        return is_applied

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
