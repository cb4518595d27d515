"""The visible words of the first heading of a body: the title of a page without one."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ranvier_builder.markdown.code import Inside, fences, merge, raw_elements, without
from ranvier_builder.markdown.dialects.extensions import EXTENSIONS
from ranvier_builder.markdown.parser import html_words, parser, words

_ATX = re.compile(r"#{1,6}[ \t]+(?:#+)?[^\s#]")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*\Z")
_HTML = re.compile(r"^[ \t]*(?:<(?!h1\b)[^<>\n]*+>[ \t]*+)*<h1(?=[\s>])[^<>]*>", re.MULTILINE | re.IGNORECASE)
_CLOSED = re.compile(r"</h1\s*>", re.IGNORECASE)
_PRE = re.compile(r"^[ \t]*<(pre|script|style|textarea)(?=[\s>])", re.MULTILINE | re.IGNORECASE)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$", re.MULTILINE)
# Lines without visible words: tags alone, pictures, badges, rules, link definitions, labels.
_NO_WORDS = re.compile(
    r"[ \t]*(?:(?:<[^<>]*>|\[?!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])(?:\](?:\([^()]*\)|\[[^\[\]]*\]))?)[ \t]*)+"
    r"|[-*_ \t]{3,}|\[[^\]]+\]:.*|\[TOC\][ \t]*|\([^()]+\)=[ \t]*|(?:import|export)\b.*",
    re.IGNORECASE,
)
_MAX_LINES = 20  # lines of an underlined heading


class Title(NamedTuple):
    """The heading that is the title of a body, and the heading right below a title of level 1; empty if there is none."""

    words: str = ""
    is_h1: bool = False
    heading_below: str = ""


class _Heading(NamedTuple):
    words: str
    end: int  # offset
    is_h1: bool
    is_first: bool  # no text stands above it


def title_of(body: str, *, deep: bool = True, extensions: tuple[str, ...] = ()) -> Title:
    """Return the first heading of a body outside of code: `# Heading`, lines above `===`, or `<h1>`.

    A heading of a lower level, `## Heading`, counts only with `deep` and before any text. No heading after it counts.
    """
    visible = _without_code(body)
    heading = _first_heading(visible, extensions)
    if heading is None or not (heading.is_h1 or (deep and heading.is_first)):
        return Title()
    heading_below = _first_heading(visible[heading.end :], extensions, above_text=True) if heading.is_h1 else None
    return Title(heading.words, heading.is_h1, heading_below.words if heading_below and heading_below.is_first else "")


def _first_heading(visible: str, extensions: tuple[str, ...], *, above_text: bool = False) -> _Heading | None:
    """Find the first heading; `above_text`: it is not searched for below the first paragraph."""
    html_at, html = _html(visible)
    paragraph: list[str] = []
    at, is_html = 0, False  # is_html: the lines up to the next blank line are HTML
    is_text_above = is_text_here = False  # in an earlier paragraph, in this one
    for line in visible.split("\n"):
        if html and at >= html_at:
            return html._replace(is_first=not (is_text_above or is_text_here))
        at += len(line) + 1
        if not line.strip():
            paragraph, is_html = [], False
            is_text_above, is_text_here = is_text_above or is_text_here, False
            if above_text and is_text_above:
                return None
            continue
        heading = None
        if not is_html and _ATX.match(line):
            heading = _heading([*paragraph[:1], line], visible, extensions)
            is_html = heading is None
        elif not is_html and paragraph and _UNDERLINE.match(line) and len(paragraph) <= _MAX_LINES:
            heading = _heading([*paragraph, line], visible, extensions)
        if heading and heading[1]:
            is_first = not (is_text_above or (is_text_here and _ATX.match(line)))
            return _Heading(heading[1], at, heading[0] == "h1", is_first)
        is_text_here = is_text_here or not _NO_WORDS.fullmatch(line)
        paragraph.append(line)
    return html


def _without_code(body: str) -> str:
    fenced = fences(body)
    if "<" not in body:
        return without(body, fenced)
    return without(body, merge(fenced, raw_elements(body, _PRE, Inside(fenced))))


def _html(visible: str) -> tuple[int, _Heading | None]:
    """Find the first `<h1>` with words, and return its offset."""
    for opener in _HTML.finditer(visible):
        closing_tag = _CLOSED.search(visible, opener.end())
        if closing_tag is None:
            break
        if words := html_words(visible[opener.end() : closing_tag.start()]):
            return opener.start(), _Heading(words, closing_tag.end(), is_h1=True, is_first=False)
    return len(visible), None


def _heading(lines: list[str], visible: str, extensions: tuple[str, ...]) -> tuple[str, str] | None:
    """Parse lines of Markdown that end in a heading: return its tag and its words, or `None`."""
    env: dict[str, Any] = {EXTENSIONS: extensions}
    if "[" in "".join(lines):
        parser().parse("\n".join(_DEFINITION.findall(visible)), env)
    tokens = parser().parse("\n".join(lines), env)
    headings = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    if not headings or (tokens[headings[-1]].map or [0, 0])[1] != len(lines):
        return None
    return tokens[headings[-1]].tag, words(tokens[headings[-1] + 1].children or [])
