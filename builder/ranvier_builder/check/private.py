"""The private parts of a published text: comments, ids of claims and, if the settings require it, names in links.

They are masked and not removed, because they separate words. If a site depends on them, the site of the copy differs. Only
clear comments count: in code, and wherever a comment may be shown as text, it is an example.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ranvier_builder.check.reader import fold_path

_MASK_LETTER = "\ua66e"  # a rare letter, and not another sign: behind one, `#part` is a tag
Range = tuple[int, int]
Keep = Callable[[int, str], None]  # takes the line, from 0, and the words of a private part

_CLAIM = re.compile(
    r"(?<=#)(?P<mark>claim(?:\\?[-\u2010-\u2015\u2212]|&#45;|&#x2d;|&hyphen;))"
    r"(?P<id>[0-9a-f]{8}(?![0-9a-z])|(?<=\{#claim-)[0-9a-z]{8}(?=\}))",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"^ {0,3}%%(?P<line>(?:(?!%%)[^\n])+)%%[ \t]*$|^%%[ \t]*\n(?P<block>(?:(?!%%).)+)^%%[ \t]*$", re.M | re.S)
_PERCENT_LINE = re.compile(r"^%%[ \t]*$", re.M)
_BLOCK = re.compile(r"(?:^[^\S\n]*+\S[^\n]*+(?:\n|\Z))+", re.M)  # of a transcript: consecutive lines that are not blank
# VitePress includes a file by a comment, docsify-tabs has labels in comments, and a comment marks a part of a page that another
# page can include.
_SYNTAX = re.compile(
    r"[ \t]*(?:@include:|tab:|(?:tabs:(?:start|end)|ANCHOR(?:_END)?:[ \t]*[\w-]+|-+8<-+[ \t]*\[(?:start|end):[\w-]+\]"
    r"|#(?:end)?region[ \t]+[\w-]+|Include (?:start|end)[ \w-]+?"
    r"|(?=[\w-]{0,60}(?<![^\W_])(?:start|begin|end)(?![^\W_]))[\w-]+)[ \t]*-->)"
)
_NOTE = re.compile(r"NOTE(?=\s|\Z)")
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?P<run>`{3,}|~{3,})", re.M)
# A line that may be indented code, also in lists and quotes.
_INDENTED = re.compile(r"(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*(?: {4}| {0,3}\t)")
_CODE = re.compile(
    r"<(?P<tag>pre|code|script|style|textarea|xmp|samp|kbd)\b.*?(?:</(?P=tag)|\Z)"
    r"|\{\{[<%]\s*(?P<short>[\w-]{0,40}(?:highlight|code|raw)[\w-]{0,40}).*?(?:\{\{[<%]\s*/\s*(?P=short)|\Z)"
    r"|\{%-?\s*(?P<block>highlight|raw|verbatim)\b.*?(?:\{%-?\s*end(?P=block)|\Z)"
    r"|(?m:^)[ \t]*:::[ \t]*mermaid[ \t]*\n(?:(?![ \t]*(?::::|```|~~~))[^\n]*\n)*+[ \t]*:::[ \t]*(?m:$)",
    re.S | re.I,
)
_MARKUP = re.compile(r"(\{[^{}]*\}|<[^<>]*>)")  # stays unchanged: its names mark where a block begins and ends
_WIKILINK = re.compile(r"(?<![\\$])\[\[(?P<target>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?\]\]")


@dataclass(frozen=True, slots=True)
class Private:
    """The kinds of private words under a site's settings."""

    html: bool = True  # whether HTML comments are private; a site that trusts its authors' HTML publishes them
    withheld: frozenset[str] = frozenset()  # folded names of withheld pages that no link may show

    def masked(self, text: str, keep: Keep, *, percent: bool = True) -> str:
        """Return a text with masked private words; `percent`: text between `%%` is a comment."""
        ranges = list(self._ranges(text, percent)) if "<!--" in text or "%%" in text or self.withheld else []
        return masked_claims(_mask(text, ranges, keep), keep)

    def _ranges(self, text: str, percent: bool) -> Iterator[Range]:
        code, lines, ticks = _Ranges(_code(text)), _positions("\n", text), _positions("`", text)
        paragraphs = _positions("\n\n", text)

        def is_shown(at: int) -> bool:
            line, paragraph = (starts[bisect_left(starts, at) - 1] + 1 for starts in (lines, paragraphs))
            is_code = code.contains(at) or _INDENTED.match(text, line) is not None
            return is_code or bisect_left(ticks, paragraph) < bisect_left(ticks, at)

        spans = list(_html_comments(text, is_shown)) if self.html else []
        spans += _percent_comments(_without_marks(text, code)) if percent else []
        spans = [span for span in spans if not is_shown(span[0]) and "`" not in text[slice(*span)]]
        comments = _Ranges(spans)
        links = (link.span("target") for link in (_WIKILINK.finditer(text) if self.withheld else ()))
        names = [
            span for span in links if self._hides(text[slice(*span)]) and not (comments.contains(span[0]) or is_shown(span[0]))
        ]
        last = 0
        for start, end in sorted([*spans, *names]):
            if start >= last:
                yield start, end
                last = end

    def _hides(self, target: str) -> bool:
        return fold_path(target.strip().strip("/")) in self.withheld


def _positions(pattern: str, text: str) -> list[int]:
    """Return the positions of a pattern in a text, after -1 for the start of the text."""
    return [-1, *(match.start() for match in re.finditer(pattern, text))]


def masked_transcript(text: str, keep: Keep) -> str:
    """Return a transcript with masked notes."""
    blocks = (match.span() for match in _BLOCK.finditer(text))
    remarks = [(remark.end(), end) for start, end in blocks if (remark := _NOTE.match(text, start))]
    return masked_claims(_mask(text, remarks, keep), keep)


def _html_comments(text: str, is_shown: Callable[[int], bool]) -> Iterator[Range]:
    at = text.find("<!--")
    while at >= 0:
        start = end = at + 4
        # `<!-->` and `<!--->` are complete.
        if not is_shown(at) and not text.startswith((">", "->"), start) and not _SYNTAX.match(text, start):
            end = text.find("-->", start)
            if end < 0:
                return
            yield start, end
        at = text.find("<!--", end)


def _without_marks(text: str, code: _Ranges) -> str:
    """Return a text of the same length without `%%` in code, so that no such mark is the partner of one behind the code."""
    return re.sub("%%", lambda mark: "xx" if code.contains(mark.start()) else "%%", text)


def _percent_comments(text: str) -> Iterator[Range]:
    """Yield comments up to the first mark without a partner: behind it, marks have no clear partners."""
    end = 0
    for match in _PERCENT.finditer(text):
        if _PERCENT_LINE.search(text, end, match.start()) or text.count("%%", end, match.start()) % 2:
            return
        end = match.end()
        yield match.span(match.lastgroup or 0)


def _code(text: str) -> list[Range]:
    """Return ranges that may be shown as text: fenced blocks, and elements and template blocks that contain code."""
    blocks, at = [], 0
    while fence := _FENCE.search(text, at):
        run = fence["run"]
        closing = re.compile(rf"^[ \t>]*{run[0]}{{{len(run)},}}[ \t]*$", re.M).search(text, fence.end())
        at = closing.end() if closing else len(text)
        blocks.append((fence.start(), at))
    return [*blocks, *(match.span() for match in _CODE.finditer(text))]


class _Ranges:
    """Tests whether a position in a text is in one of some ranges."""

    def __init__(self, ranges: Iterable[Range]) -> None:
        disjoint: list[list[int]] = []
        for start, end in sorted(ranges):
            if disjoint and start <= disjoint[-1][1]:
                disjoint[-1][1] = max(disjoint[-1][1], end)
            else:
                disjoint.append([start, end])
        self._starts, self._ends = [start for start, _ in disjoint], [end for _, end in disjoint]

    def contains(self, position: int) -> bool:
        number = bisect_right(self._starts, position) - 1
        return number >= 0 and position < self._ends[number]


def _mask(text: str, ranges: Iterable[Range], keep: Keep) -> str:
    """Replace letters and digits in ordered ranges; punctuation and tags stay."""
    out, at, line = [], 0, 0
    for start, end in ranges:
        words = text[start:end]
        line += text.count("\n", at, start)
        keep(line, words)
        line += words.count("\n")
        parts = [words if number % 2 else _mask_words(words) for number, words in enumerate(_MARKUP.split(words))]
        # The target of a link becomes a name without a page.
        out += [text[at:start], *([re.sub(r"\w", _MASK_LETTER, words)] if text.endswith("[[", 0, start) else parts)]
        at = end
    return "".join((*out, text[at:]))


def _mask_words(words: str) -> str:
    return re.sub(r"[^\W\d_]", "x", re.sub(r"\d", "0", words))


def masked_claims(text: str, keep: Keep, mask: str = "00000000") -> str:
    """Return a text with masked ids of claims."""
    at = line = 0
    for claim in _CLAIM.finditer(text):
        line += text.count("\n", at, claim.start())
        at = claim.start()
        keep(line, f"claim-{claim['id']}")
    return _CLAIM.sub(lambda claim: f"{claim['mark']}{mask}", text)
