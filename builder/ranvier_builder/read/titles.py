"""A body's first heading, in the words that its reader sees: a page without a title is called by it."""

from __future__ import annotations

import re
from typing import Any

from ranvier_builder.markdown.code import Inside, fences, merged, without
from ranvier_builder.markdown.parser import html_words, parser, words

_ATX = re.compile(r"#[ \t]+[^\s#]|#[ \t]+#+[^\s#]")
_UNDERLINE = re.compile(r"=+[ \t]*\Z")
_HTML = re.compile(r"^[ \t]*(?:<(?!h1\b)[^<>\n]*+>[ \t]*+)*<h1(?=[\s>])[^<>]*>", re.MULTILINE | re.IGNORECASE)
_CLOSED = re.compile(r"</h1\s*>", re.IGNORECASE)
_PRE = re.compile(r"^[ \t]*<(?P<name>pre|script|style|textarea)(?=[\s>])", re.MULTILINE | re.IGNORECASE)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$", re.MULTILINE)
_LONGEST = 20  # lines of a heading that is underlined


def first_h1(body: str) -> str:
    """Find the first `# Heading`, lines underlined by `===`, or `<h1>`, outside of code; empty where there is none."""
    shown = _without_code(body)
    html_at, html = _html(shown)
    paragraph: list[str] = []
    at, dead = 0, False  # whether the lines down to the next blank one are found to be no Markdown
    for line in shown.split("\n"):
        if html and at >= html_at:
            return html
        at += len(line) + 1
        if not line.strip():
            paragraph, dead = [], False
            continue
        heading = None
        if not dead and _ATX.match(line):
            heading = _heading([*paragraph[:1], line], shown)
            dead = heading is None
        elif not dead and paragraph and _UNDERLINE.match(line) and len(paragraph) <= _LONGEST:
            heading = _heading([*paragraph, line], shown)
        if heading:
            return heading
        paragraph.append(line)
    return html


def _without_code(body: str) -> str:
    fenced = fences(body)
    if "<" not in body:
        return without(body, fenced)
    inside, raw, after = Inside(fenced), [], 0
    endless = set[str]()
    for tag in _PRE.finditer(body):
        name = tag["name"].lower()
        if tag.start() < after or inside(tag.start()) or name in endless:
            continue
        closed = re.compile(f"</{name}", re.IGNORECASE).search(body, tag.end())
        if closed is None:
            endless.add(name)
            continue
        after = closed.start()
        raw.append((tag.start(), after))
    return without(body, merged(fenced, raw))


def _html(shown: str) -> tuple[int, str]:
    """Find the first `<h1>` that says something, and where it begins."""
    for opener in _HTML.finditer(shown):
        closed = _CLOSED.search(shown, opener.end())
        if closed is None:
            break
        if said := html_words(shown[opener.end() : closed.start()]):
            return opener.start(), said
    return len(shown), ""


def _heading(lines: list[str], shown: str) -> str | None:
    """Read lines of Markdown that end in a heading; `None` where they do not."""
    env: dict[str, Any] = {}
    if "[" in "".join(lines):
        parser().parse("\n".join(_DEFINITION.findall(shown)), env)
    tokens = parser().parse("\n".join(lines), env)
    headings = [at for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"]
    if not headings or (tokens[headings[-1]].map or [0, 0])[1] != len(lines):
        return None
    return words(tokens[headings[-1] + 1].children or [])
