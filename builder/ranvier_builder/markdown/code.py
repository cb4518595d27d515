"""Finds the code in a Markdown text, in one pass. Tags, comments, headings and shortcodes are not recognised in code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_TICKS = re.compile(r"`+")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# Openers of containers, which shift the column for indented code: list items, definitions, and the blocks of other systems
# whose contents are indented by four.
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)]|:)(?=[ \t]|$)[ \t]*")
_INDENTING = re.compile(r"(?:!!!|\?\?\?\+?|===!?\+?)[ \t]+\S|\[\^[^\]\n]+\]:|:::[ \t]+\w+\.")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_RAW = re.compile(r"<(pre|code|script|style|PRE|CODE|SCRIPT|STYLE)\b")  # `<Code />` is a component of MDX
_MAX_DEPTH = 60  # nested containers; deeper contents count as text
_QUOTE = -1

Range = tuple[int, int]


class _Scanner:
    """Scans the lines of a text as CommonMark does; a container is a quote, or the indentation width of its contents."""

    def __init__(self) -> None:
        self.fenced: list[Range] = []
        self.indented: list[Range] = []
        self._containers: list[int] = []
        self._in_paragraph = False
        self._fence = ""
        self._fence_start = 0

    def line(self, at: int, line: str) -> None:
        content, matched = self._enter(line)
        if self._fence:
            if matched == len(self._containers) or not content.strip():
                self._fence_line(at + len(line), content)
                return
            self.close(at)
        if not content.strip():
            self._in_paragraph = False
            return
        if matched < len(self._containers) and not (self._in_paragraph and _is_prose(content)):
            del self._containers[matched:]
            self._in_paragraph = False
        self._open(at, line, content)

    def _enter(self, line: str) -> tuple[str, int]:
        """Strip the markers of the open containers from a line; return the rest and the number of containers that continue."""
        content, count = line.rstrip("\n").expandtabs(4), 0
        for container in self._containers:
            text = content.lstrip(" ")
            if container == _QUOTE:
                if not text.startswith(">") or len(content) - len(text) > 3:
                    break
                content = text[1:].removeprefix(" ")
            elif text and len(content) - len(text) < container:
                break
            else:
                content = content[container:]
            count += 1
        return content, count

    def _open(self, at: int, line: str, content: str) -> None:
        while len(self._containers) < _MAX_DEPTH:
            text = content.lstrip(" ")
            if len(content) - len(text) > 3:
                if not self._in_paragraph:
                    self.indented.append((at, at + len(line)))
                return
            item = _ITEM.match(text)
            if text.startswith(">"):
                self._containers.append(_QUOTE)
                content = text[1:].removeprefix(" ")
            elif item and not (self._in_paragraph and not text[item.end() :]):
                width = len(item.group()) if len(item.group().strip()) + 5 > len(item.group()) else 2
                self._containers.append(len(content) - len(text) + width + (not text[item.end() :]))
                content = text[width:]
            else:
                break
            self._in_paragraph = False
            if not content.strip():
                return
        self._text(at, content.lstrip(" "))

    def _text(self, at: int, text: str) -> None:
        fence = _FENCE.match(text)
        self._in_paragraph = not (fence or _HEADING.match(text))
        if _INDENTING.match(text) and len(self._containers) < _MAX_DEPTH:
            self._containers.append(4)
            self._in_paragraph = False
        elif fence and not (fence[1][0] == "`" and "`" in fence[2]):
            self._fence_start, self._fence = at, fence[1]
        else:
            self._in_paragraph = self._in_paragraph or bool(fence)

    def _fence_line(self, end: int, content: str) -> None:
        fence = _FENCE.match(content.lstrip(" ")) if len(content) - len(content.lstrip(" ")) < 4 else None
        if fence and fence[1][0] == self._fence[0] and len(fence[1]) >= len(self._fence) and not fence[2].strip():
            self.close(end)

    def close(self, at: int) -> None:
        """Close the open fence, if any."""
        if self._fence:
            self.fenced.append((self._fence_start, at))
        self._fence, self._in_paragraph = "", False


def _is_prose(line: str) -> bool:
    text = line.lstrip(" ")
    if text.startswith((">", ":::", "///")):
        return False
    return not any(opener.match(text) for opener in (_ITEM, _FENCE, _HEADING, _INDENTING))


def _scan(text: str) -> _Scanner:
    scanner, at = _Scanner(), 0
    for line in re.split(r"(?<=\n)", text):
        scanner.line(at, line)
        at += len(line)
    scanner.close(len(text))
    return scanner


def fences(text: str) -> list[Range]:
    """Find fenced blocks, fences included, also in lists and quotes; an unclosed block extends to the end of its container."""
    return _scan(text).fenced if "```" in text or "~~~" in text else []


def blocks(text: str) -> list[Range]:
    """Find fenced and indented blocks, in order."""
    scanner = _scan(text)
    return sorted([*scanner.fenced, *scanner.indented])


@lru_cache(maxsize=1)  # the dialects need the code of a body, and the tag check needs it again
def code(text: str) -> list[Range]:
    """Find blocks, spans and raw `<pre>`, `<code>`, `<script>`, `<style>`, in order, without nesting.

    A span ends at the next run of the same number of backticks in its paragraph.
    """
    return _with_spans(text, blocks(text))


def code_without_indented(text: str, listings: list[Range]) -> list[Range]:
    """Find the same without indented blocks; `listings` are known to be code."""
    return _with_spans(text, merge(fences(text), listings))


def spans(text: str) -> list[Range]:
    """Find the same as `code` in a text that is a single paragraph."""
    return _with_spans(text, [])


def _with_spans(text: str, ranges: list[Range]) -> list[Range]:
    if _RAW.search(text):
        # A tag in a span belongs to the span; a backtick in the contents of a tag does not open a span.
        ranges = merge(ranges, raw_elements(text, _RAW, Inside(merge(ranges, _spans(text, Inside(ranges))))))
    return merge(ranges, _spans(text, Inside(ranges)))


def merge(ranges: list[Range], others: list[Range]) -> list[Range]:
    """Merge two lists of ranges into one sorted list; overlapping ranges become one range."""
    out: list[Range] = []
    for start, end in sorted([*ranges, *others]):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _spans(text: str, inside: Callable[[int], bool]) -> list[Range]:
    runs = [run.span() for run in _TICKS.finditer(text) if not inside(run.start())]
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(runs):
        by_length[end - start].append(number)
    ranges, end_of_last = [], 0
    for number, (start, end) in enumerate(runs):
        same_length = by_length[end - start]
        closer = bisect_right(same_length, number)
        if start < end_of_last or closer == len(same_length) or _is_escaped(text, start):
            continue
        stop = runs[same_length[closer]][1]
        if text.find("\n\n", end, stop) < 0:
            ranges.append((start, stop))
            end_of_last = stop
    return ranges


def _is_escaped(text: str, at: int) -> bool:
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def raw_elements(text: str, opener: re.Pattern[str], inside: Callable[[int], bool]) -> list[Range]:
    """Find elements up to their closing tags, without nesting; `opener` matches opening tags, and its group 1 is the name."""
    ranges, end_of_last, unclosed = list[Range](), 0, set[str]()
    for tag in opener.finditer(text):
        name = tag[1].lower()
        if tag.start() < end_of_last or name in unclosed or inside(tag.start()):
            continue
        closer = re.compile(f"</{name}", re.IGNORECASE | re.ASCII).search(text, tag.end())
        if closer is None:
            unclosed.add(name)
        else:
            end_of_last = closer.start()
            ranges.append((tag.start(), end_of_last))
    return ranges


def longer_fence(text: str) -> str:
    """Return the fence of a listing of a text: more backticks than any run in it has."""
    return "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))


def escaped_signs(words: str) -> str:
    """Return the Markdown of words in which no sign is markup."""
    return _PUNCTUATION.sub(r"\\\g<0>", words)


def without(text: str, ranges: list[Range]) -> str:
    """Replace each range by a newline, so that the text before and after it is not joined."""
    out, at = [], 0
    for start, end in ranges:
        out += [text[at:start], "\n"]
        at = max(at, end)
    return "".join((*out, text[at:]))


class Inside:
    """Tests whether an offset in a text lies in one of some sorted ranges."""

    def __init__(self, ranges: list[Range]) -> None:
        self._ranges = ranges
        self._starts = [start for start, _ in ranges]

    def __call__(self, at: int) -> bool:
        """Return whether an offset lies in a range."""
        number = bisect_right(self._starts, at) - 1
        return number >= 0 and at < self._ranges[number][1]


def outside(text: str, ranges: list[Range], pattern: re.Pattern[str], template: str) -> str:
    """Replace all matches of a pattern that do not begin in a range."""
    inside = Inside(ranges)
    return pattern.sub(lambda match: match.group() if inside(match.start()) else match.expand(template), text)
