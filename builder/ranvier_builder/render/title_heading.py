"""Remove the first heading of a text if it repeats the page's title."""

from __future__ import annotations

import re
from html import escape

from markdown_it.token import Token

from ranvier_builder.composed import composed
from ranvier_builder.markdown.parser import html_words, words

_PICTURE = re.compile(r"<(?:img|picture|video|audio|svg|object)\b", re.IGNORECASE)
HTML_H1 = re.compile(r"\s*<h1(?=[\s>])[^<>]*>(?P<text>[^<]*+(?:<(?!/h1)[^<]*+)*)</h1\s*>", re.IGNORECASE)


def _is_picture(token: Token) -> bool:
    if token.type == "wikilink":
        return bool(token.meta["link"].embed)
    return token.type == "image" or (token.type == "html_inline" and _PICTURE.match(token.content) is not None)


def has_more_titles(tokens: list[Token]) -> bool:
    """Return whether a heading of level 1 follows after the first token. The theme shows no title above such a text."""
    return any(
        token.tag == "h1" if token.type == "heading_open" else token.type == "html_block" and "<h1" in token.content.lower()
        for token in tokens[1:]
    )


def without_title(tokens: list[Token], title: str) -> list[Token]:
    """Remove a first heading that repeats the title, which the theme shows. Headings with a picture or an explicit id stay."""
    title = " ".join(title.split())
    if len(tokens) > 2 and tokens[0].type == "heading_open":
        line = tokens[1].children or []
        has_picture = any(_is_picture(token) for token in line)
        if not has_picture and composed(words(line)) == title:
            anchor = tokens[0].attrGet("id")
            target = [Token("html_block", "", 0, content=f'<div id="{escape(str(anchor))}"></div>\n')] if anchor else []
            return target + tokens[3:]
    elif tokens and tokens[0].type == "html_block" and (heading := HTML_H1.match(tokens[0].content)):
        end = heading.end()
        heading_text = tokens[0].content[heading.start("text") : heading.end("text")]
        if not _PICTURE.search(heading_text) and composed(html_words(heading_text)) == title:
            tokens[0].content = "\n" * tokens[0].content.count("\n", 0, end) + tokens[0].content[end:]
    return tokens
