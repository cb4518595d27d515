"""What a reader sees of a Markdown text, and what its author hid in it. Read by itself, with markdown-it's tokens alone.

It gives more than one reading of the same text: what is allowed must hold whatever a renderer may rightly make of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARK = re.compile(r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n`]*$|(?P<ticks>`+)|(?P<html><!--)|(?P<percent>%%)", re.MULTILINE)
_TICKS = re.compile(r"`+")
_WIKILINK = re.compile(r"!?\[\[(?P<first>[^\[\]|\n]*)(?:\|(?P<second>[^\[\]\n]*))?\]\]")
_TARGET = re.compile(
    r"""\]\(\s*+(?:<[^<>\n]*>|[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*+)(?P<title>\s++(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*+\)"""
)
_DEFINITION = re.compile(r"^ {0,3}(\[[^\]\n]+\]):[ \t]*+\n?[ \t]*+\S+", re.MULTILINE)
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
_ABSOLUTE = re.compile(r"\b(?:https?://|ftp://|mailto:|tel:|[a-z]{3,12}://)[^\s<>\"')\]]+", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s()<>\[\]\"'|]+")


@dataclass(frozen=True, slots=True)
class Prose:
    """A body, read: what is seen, in several readings, and each comment that is plainly one."""

    seen: tuple[str, ...]
    comments: tuple[str, ...]
    markdown: str  # for `rendered`


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    kind: str  # prose, code, html (a comment), percent (a comment)


def read(body: str, hides: Callable[[str], bool] = lambda target: False, redact: bool = False) -> Prose:
    """Read a body. `hides` tells whether a link's target is a withheld file: its name is then not said by the link."""
    parts = list(_parts(body))
    kept = [part for part in parts if part.kind in ("prose", "code")]
    markdown = "".join(_linked(part.text, hides, redact) if part.kind == "prose" else part.text for part in kept)
    bare = _SHORTCODE.sub(" ", markdown)
    untargeted = _DEFINITION.sub(r"\1", _TARGET.sub(_title, bare))
    prose = "".join(part.text for part in kept if part.kind == "prose")
    said = [line.strip(" \t>`~\n") for line in _INFO.findall(markdown)]
    said += [match[1] for match in _SAID.finditer(prose)]
    said += [_ADDRESSED.sub(" ", tag) for tag in _TAG.findall(prose)]
    said += [code for code in _SHORTCODE.findall(prose) if not _refers(code, hides)]
    said += _ABSOLUTE.findall(prose)
    said += _fragments(prose, hides)
    code = "\n\n".join(part.text for part in kept if part.kind == "code")
    joined = (unescape(_TAG.sub("", untargeted)),) if _INSIDE.search(untargeted) else ()
    seen = (unescape(_TAG.sub(" ", _INFO.sub("\n", untargeted))), *joined, code, *said)
    comments = tuple(part.text for part in parts if part.kind in ("html", "percent"))
    return Prose(tuple(text for text in dict.fromkeys(seen) if text), comments, bare)


def _refers(code: str, hides: Callable[[str], bool]) -> bool:
    """Tell whether a shortcode is a link to a withheld file: its argument is no word of the author's."""
    reference = _REFERENCE.match(code)
    return reference is not None and hides(code[reference.end() :].strip(" \t\"'`"))


def _fragments(prose: str, hides: Callable[[str], bool]) -> list[str]:
    """Return what stands after `#` in links: it stays in a link that leads somewhere."""
    if "#" not in prose:
        return []
    parted = (token.partition("#") for token in _TOKEN.findall(prose) if "#" in token)
    return [fragment for path, _, fragment in parted if fragment and not (path and hides(path))]


def html_comments(body: str) -> frozenset[str]:
    """Return the HTML comments alone: a site that trusts its authors' HTML sends them."""
    return frozenset(part.text for part in _parts(body) if part.kind == "html")


def _parts(body: str) -> Iterator[_Part]:
    """Cut a text where code and comments begin and end, in linear time. What is not closed is no comment."""
    at, here, paragraph, never = 0, 0, -1, set[str]()
    while (mark := _MARK.search(body, here)) is not None:
        kind = mark.lastgroup or ""
        if kind == "ticks" and paragraph < mark.end():
            paragraph = body.find("\n\n", mark.end())
            paragraph = len(body) if paragraph < 0 else paragraph
        end = -1 if kind in never else _end(body, mark, kind, paragraph)
        if end < 0:
            never |= {kind} & {"html", "percent"}
            here = mark.end()
            continue
        if at < mark.start():
            yield _Part(body[at : mark.start()], "prose")
        yield _Part(body[mark.start() : end], kind if kind in ("html", "percent") else "code")
        at = here = end
    yield _Part(body[at:], "prose")


def _end(body: str, mark: re.Match[str], kind: str, paragraph: int) -> int:
    """Return where what begins at a mark ends; -1 where it does not. A code span ends in its paragraph."""
    if kind in ("html", "percent"):
        closing = "-->" if kind == "html" else "%%"
        found = body.find(closing, mark.end())
        return found + len(closing) if found >= 0 else -1
    run = mark[kind]
    if kind == "fence":
        close = re.compile(rf"^[ \t>]*{run[0]}{{{len(run)},}}[ \t]*$", re.MULTILINE).search(body, mark.end())
        return close.end() if close else len(body)
    return next((tick.end() for tick in _TICKS.finditer(body, mark.end(), paragraph) if len(tick[0]) == len(run)), -1)


def _linked(text: str, hides: Callable[[str], bool], redact: bool) -> str:
    def words_of(match: re.Match[str]) -> str:
        first, second = match["first"], match["second"]
        if second is None:
            return "" if redact and hides(first) else first.replace("#", " ")
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
    return "\n\n".join(out)


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
