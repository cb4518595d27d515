"""Where the code of a Markdown text is, in one pass: what stands there is no tag, no comment, no heading."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TICKS = re.compile(r"`+")

Range = tuple[int, int]


def fences(text: str) -> list[Range]:
    """Find fenced blocks, fences included; one that is not closed runs to the end."""
    found: list[Range] = []
    at, start, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if match and not fence and "`" not in match[2]:
            start, fence = at, match[1]
        elif match and fence and match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
            found.append((start, at + len(line)))
            fence = ""
        at += len(line)
    return [*found, (start, len(text))] if fence else found


def code(text: str) -> list[Range]:
    """Find fenced blocks and code spans, in order. A span ends at the next run of as many backticks in its paragraph."""
    blocks = fences(text)
    starts = [start for start, _ in blocks]
    runs = [run.span() for run in _TICKS.finditer(text) if not _inside(run.start(), blocks, starts)]
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(runs):
        by_length[end - start].append(number)
    found, after = list(blocks), 0
    for number, (start, end) in enumerate(runs):
        same = by_length[end - start]
        closer = bisect_right(same, number)
        if start < after or closer == len(same):
            continue
        stop = runs[same[closer]][1]
        if text.find("\n\n", end, stop) < 0:
            found.append((start, stop))
            after = stop
    return sorted(found)


def without(text: str, ranges: list[Range]) -> str:
    """Put a line's end for each range, so that nothing joins over it."""
    out, at = [], 0
    for start, end in ranges:
        out += [text[at:start], "\n"]
        at = max(at, end)
    return "".join((*out, text[at:]))


def outside(text: str, ranges: list[Range], pattern: re.Pattern[str], by: str) -> str:
    """Replace a pattern wherever it does not begin in a range."""
    starts = [start for start, _ in ranges]
    return pattern.sub(lambda found: found.group() if _inside(found.start(), ranges, starts) else by, text)


def _inside(at: int, ranges: list[Range], starts: list[int]) -> bool:
    before = bisect_right(starts, at) - 1
    return before >= 0 and at < ranges[before][1]
