"""What a reader sees of a Markdown text, and what its author hid in it. Read by itself, with markdown-it's tokens alone.

It gives more than one reading of the same text: what is allowed must hold whatever a renderer may rightly make of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import accumulate
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ranvier_builder.check.leaks.words import is_absolute

# A comment's `%%` begins a line, or stands after a blank or a bracket and before no blank: `100%% sure` is none.
_MARK = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n`]*$|(?P<ticks>`+)|(?P<html><!--)"
    r"|^[ \t]*(?P<begun>%%)|(?<![^\s(\[{])(?P<percent>%%)(?=\S)",
    re.MULTILINE,
)
_COMMENTS = ("html", "begun", "percent")
_CODE = ("code_block", "fence")
_INDENTS = re.compile(r"[ \t]*(?:!!!|\?\?\?|===)")  # what is indented below it is no code
_TICKS = re.compile(r"`+")
_WIKILINK = re.compile(r"(?<!\\)!?\[\[(?P<first>[^\[\]|\n]*)(?:\|(?P<second>[^\[\]\n]*))?\]\]")
_TARGET = re.compile(
    r"""\]\(\s*+(?P<to><[^<>\n]*>|[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*)(?P<title>\s++(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*+\)"""
)
_DEFINITION = re.compile(r"^ {0,3}(\[[^\]\n]+\]):[ \t]*+\n?[ \t]*+(?P<to>\S+)", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ADDRESSED = re.compile(
    r"""\b(?:href|src|to|url|link|poster|srcset|data|action)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)""", re.IGNORECASE
)
_INSIDE = re.compile(r"\w</?[a-zA-Z][^<>]{0,99}>\w")  # a tag in the middle of what may be one word
_INFO = re.compile(r"^[ \t>]*+(?:`{3,}+|~{3,}+)[^\n]*+\n", re.MULTILINE)  # a fence and what it says of the language
_SHORTCODE = re.compile(r"\{\{[<%]([^{}]{0,4000})[%>]\}\}")
_REFERENCE = re.compile(r"[\s/]*(?:rel)?ref\b")
_SAID = re.compile(
    r"""\b(?:title|alt|label|caption|summary|name|heading|placeholder|aria-label)\s*=\s*\{?("[^"]*"|'[^']*'|[^"'{}\s]*)""",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\A[^=]*=\s*[\"']?|[\"']\Z")
_ABSOLUTE = re.compile(
    r"(?:\b(?:mailto:|tel:|[a-z]{3,12}://)|(?<![\w:/])//)(?:[^\s<>\"()\[\]]++|\([^\s<>\"()\[\]]*+\)|\[[^\s<>\"()\[\]]*+\])+",
    re.IGNORECASE,
)
_VIDEO = re.compile(r"\s*(youtube|vimeo)\s+(?:id\s*=\s*)?[\"'`]?([\w-]+)")
_VIDEOS = {"youtube": "YouTube video https://www.youtube.com/watch?v=", "vimeo": "Vimeo video https://vimeo.com/"}
_STYLED = re.compile(r"==|~~|\+\+|\^\^|(?<=\w)[~^]|[~^](?=\w)")  # marks that some renderers take away inside of words
# Where links are not read, and so are shown as they are written: formulas, titles of boxes, escaped brackets.
_LITERAL = re.compile(
    r"\$\$[^$]+\$\$|\$[^$\n]+\$|^[ \t>]*(?::::|!!!|\?\?\?|===)[^\n]*|\\\[\[?[^\]\n]*\]\]?(?:\([^()\n]*\))?", re.MULTILINE
)
_HEADING = re.compile(r"^[ \t>]*#{1,6}[ \t]+([^\n]+)|^([^\n]+)\n[=-]+[ \t]*$", re.MULTILINE)
_SIGNS = re.compile(r"[^\w\s-]+")
REDACTED = "private note"  # what a redacted link says
_TOKEN = re.compile(r"[^\s()<>\[\]\"'|]+")


@dataclass(frozen=True, slots=True)
class Prose:
    """A body, read: what is seen, in several readings, and each comment that is plainly one."""

    seen: tuple[str, ...]
    comments: tuple[str, ...]
    markdown: str  # for `rendered`
    body: tuple[str, ...]  # of what is seen: the text, and the code
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    kind: str  # prose, code, or one of `_COMMENTS`


def _never(target: str) -> bool:
    return False


def read(body: str, hides: Callable[[str], bool] = _never, redact: bool = False, ours: Callable[[str], bool] = _never) -> Prose:
    """Read a body.

    `hides` tells whether a link's target is a withheld file: its name is then not said by the link. `ours` tells whether an
    absolute address is the site's own.
    """
    parts = list(_parts(body))
    kept = [part for part in parts if part.kind in ("prose", "code")]
    markdown = "".join(_linked(part.text, hides, redact) if part.kind == "prose" else part.text for part in kept)
    bare = _SHORTCODE.sub(" ", markdown)
    untargeted = _DEFINITION.sub(r"\1", _TARGET.sub(_title, bare))
    prose = "".join(part.text for part in kept if part.kind == "prose")
    said = [line.strip(" \t>`~\n") for line in _INFO.findall(markdown)]
    said += [match[1] for match in _SAID.finditer(prose)]
    said += [_ADDRESSED.sub(" ", tag) for tag in _TAG.findall(prose)]
    codes = _SHORTCODE.findall(prose)
    said += [code for code in codes if not _refers(code, hides)]
    said += _elsewhere(prose, ours)
    said += [f"{_VIDEOS[video[1]]}{video[2]}" for code in codes if (video := _VIDEO.match(code))]
    said += _fragments(prose, hides)
    headings = tuple(match[1] or match[2] for match in _HEADING.finditer(untargeted))
    said += map(anchored, headings)
    code = "\n\n".join(part.text for part in kept if part.kind == "code")
    joined = (unescape(_TAG.sub("", untargeted)),) if _INSIDE.search(untargeted) else ()
    text = (unescape(_TAG.sub(" ", _INFO.sub("\n", untargeted))), *joined, code)
    seen = dict.fromkeys(one for one in (*text, *said) if one)
    comments = tuple(part.text for part in parts if part.kind in _COMMENTS)
    return Prose(tuple(seen), comments, bare, tuple(filter(None, text)), headings)


def _elsewhere(prose: str, ours: Callable[[str], bool]) -> Iterator[str]:
    """Yield addresses of other sites, as written and decoded: a link keeps them whoever is withheld here."""
    found = [match["to"].strip("<>") for pattern in (_TARGET, _DEFINITION) for match in pattern.finditer(prose)]
    found += [_VALUE.sub("", match[0]) for match in _ADDRESSED.finditer(prose)]
    for url in (*found, *_ABSOLUTE.findall(prose)):
        plain = unescape(url)
        if is_absolute(plain) and not ours(plain):
            yield from {plain: 0, unquote(plain): 0}


def _refers(code: str, hides: Callable[[str], bool]) -> bool:
    """Tell whether a shortcode is a link to a withheld file: its argument is no word of the author's."""
    reference = _REFERENCE.match(code)
    return reference is not None and hides(code[reference.end() :].strip(" \t\"'`"))


def _fragments(prose: str, hides: Callable[[str], bool]) -> list[str]:
    """Return what stands after `#` in links: it stays in a link that leads somewhere."""
    if "#" not in prose:
        return []
    parted = (token.partition("#") for token in _TOKEN.findall(prose) if "#" in token)
    kept = [fragment for path, _, fragment in parted if fragment and not (path and hides(path))]
    return [*kept, *(anchored(unquote(fragment)) for fragment in kept)]


def anchored(heading: str) -> str:
    """Return the words of a heading's anchor: signs are taken out and part nothing, `Node.js` → `nodejs`."""
    return _SIGNS.sub("", _TAG.sub("", heading))


def html_comments(body: str) -> frozenset[str]:
    """Return the HTML comments alone: a site that trusts its authors' HTML sends them."""
    return frozenset(part.text for part in _parts(body) if part.kind == "html")


def _parts(body: str) -> Iterator[_Part]:
    """Cut a text where code and comments begin and end, in linear time. What is not closed is no comment."""
    at, here, paragraph, never = 0, 0, -1, set[str]()
    shown = _code_blocks(body) if "<!--" in body or "%%" in body else []
    while (mark := _MARK.search(body, here)) is not None:
        kind = mark.lastgroup or ""
        if kind in _COMMENTS and _inside(shown, mark.start(kind)):
            here = mark.end()
            continue
        if kind in ("ticks", "percent") and paragraph < mark.end():
            paragraph = body.find("\n\n", mark.end())
            paragraph = len(body) if paragraph < 0 else paragraph
        end = -1 if kind in never else _end(body, mark, kind, paragraph)
        if end < 0:
            never |= {kind} & {"html", "begun"}
            here = mark.end()
            continue
        start = mark.start(kind) if kind in _COMMENTS else mark.start()
        if at < start:
            yield _Part(body[at:start], "prose")
        yield _Part(body[start:end], kind if kind in _COMMENTS else "code")
        at = here = end
    yield _Part(body[at:], "prose")


def _end(body: str, mark: re.Match[str], kind: str, paragraph: int) -> int:
    """Return where what begins at a mark ends; -1 where it does not. What begins within a line ends in its paragraph."""
    if kind in _COMMENTS:
        closing = "-->" if kind == "html" else "%%"
        found = body.find(closing, mark.end(), paragraph if kind == "percent" else len(body))
        return found + len(closing) if found >= 0 else -1
    run = mark[kind]
    if kind == "fence":
        close = re.compile(rf"^[ \t>]*{run[0]}{{{len(run)},}}[ \t]*$", re.MULTILINE).search(body, mark.end())
        return close.end() if close else len(body)
    return next((tick.end() for tick in _TICKS.finditer(body, mark.end(), paragraph) if len(tick[0]) == len(run)), -1)


def _code_blocks(body: str) -> list[tuple[int, int]]:
    """Return where blocks of code begin and end that a parser sees; in them, a comment is shown."""
    lines = body.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found = []
    for token in _parser().parse(body):
        if token.type in _CODE and token.map:
            first, last = token.map
            above = next((lines[at] for at in range(first - 1, -1, -1) if lines[at].strip()), "")
            if token.type == "fence" or not _INDENTS.match(above):
                found.append((starts[first], starts[min(last, len(lines))]))
    return sorted(found)


def _inside(ranges: list[tuple[int, int]], at: int) -> bool:
    number = bisect_right(ranges, (at, len(ranges) and ranges[-1][1])) - 1
    return number >= 0 and ranges[number][0] <= at < ranges[number][1]


def _linked(text: str, hides: Callable[[str], bool], redact: bool) -> str:
    def words_of(match: re.Match[str]) -> str:
        first, second = match["first"], match["second"]
        if second is None:
            return REDACTED if redact and hides(first) else first.replace("#", " ")
        # `[[target|label]]`, or in some vaults `[[label|target]]`: what names a withheld file is the target.
        shown = [second] if hides(first) else [first] if hides(second) else [first, second]
        return " \n\n ".join(shown)

    return _WIKILINK.sub(words_of, text)


def _title(match: re.Match[str]) -> str:
    return f"] {match['title'] or ''}"


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def rendered(markdown: str) -> str:
    """Return the words that a renderer would show: inline text as it joins, code, alternative texts; no address."""
    out = []
    for token in _parser().parse(markdown):
        if token.type == "inline":
            out.append(_inline(token.children or []))
        elif token.type in ("fence", "code_block"):
            out.append(token.content)
        elif token.type == "html_block":
            out.append(unescape(_TAG.sub("", token.content)))
    whole = "\n\n".join(out)
    return f"{whole}\n\n{bare}" if (bare := _STYLED.sub("", whole)) != whole else whole


def literal(body: str) -> str:
    """Return what is shown as it is written, links too: HTML blocks, formulas, titles of boxes, escaped brackets."""
    text = "".join(part.text for part in _parts(body) if part.kind not in _COMMENTS)
    blocks = [unescape(_TAG.sub(" ", token.content)) for token in _parser().parse(text) if token.type == "html_block"]
    return "\n\n".join((*blocks, *_LITERAL.findall(text)))


def _inline(children: list[Token]) -> str:
    out = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            out.append("\n")
        elif child.type != "html_inline":
            out.append(child.content)
        if title := child.attrs.get("title"):
            out.append(f" {title} ")
    return "".join(out)
