"""Markdown → safe HTML. The Markdown is untrusted, and the result is sanitised."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any

import nh3
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.composed import composed
from ranvier_builder.config import Config
from ranvier_builder.markdown import elements
from ranvier_builder.markdown.dialects.containers import PROBLEMS
from ranvier_builder.markdown.parser import html_words, parser, words
from ranvier_builder.model import Page, Warn
from ranvier_builder.render.addresses import Addresses, Html
from ranvier_builder.render.html import shallow
from ranvier_builder.render.links import Links
from ranvier_builder.render.rewrite import Rewriter

_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir", "role", "aria-label", "aria-hidden"},
    "input": {"type", "checked", "disabled"},
    "video": {"src", "controls", "poster", "width", "height"},
    "audio": {"src", "controls"},
    "source": {"src", "type"},
    "details": {"open", "name"},
}
_EXTRA_TAGS = {"input", "section", "figure", "figcaption", "main", "header", "footer", "nav", "video", "audio", "source"}
_SHOWS = re.compile(r"<(?:img|picture|video|audio|svg|object)\b", re.IGNORECASE)
HTML_H1 = re.compile(r"\s*<h1(?=[\s>])[^<>]*>(?P<said>[^<]*+(?:<(?!/h1)[^<]*+)*)</h1\s*>", re.IGNORECASE)
_ADDRESSED = ("href", "src", "poster", "srcset", "cite", "longdesc", "data", "background")


def render(page: Page, links: Links, root: str, config: Config = Config()) -> Html:  # noqa: B008 (it is frozen)
    """Render a page's Markdown; `root` is the relative path from the page to the site's root: `"../../"`."""
    out = Html("")
    md = parser()
    env: dict[str, Any] = {elements.TRUSTED: config.trusted_html}
    tokens = _without_title(md.parse(page.neuron.body, env), page.neuron.title)
    out.warnings += [
        Warn(page.neuron.path, "markup", message, page.neuron.line + line) for line, message in sorted(env.get(PROBLEMS, []))
    ]
    addresses = Addresses(page, links, root, out, config)
    Rewriter(addresses).rewrite(tokens)
    html = md.renderer.render(tokens, md.options, env)
    out.html = _addressed(html, addresses) if config.trusted_html else _clean(html, addresses)
    return out


def _clean(html: str, addresses: Addresses) -> str:
    """Sanitise, and resolve every link and picture, from Markdown or from raw HTML."""
    cleaner = nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS | _EXTRA_TAGS,
        clean_content_tags=set(elements.UNSEEN),
        attributes=_attributes(),
        attribute_filter=addresses.attribute,
        link_rel="noopener noreferrer",
        # A checkbox of a task list is the only form control that a page may hold, and it cannot be used.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
    )
    return cleaner.clean(shallow(html))


def _addressed(html: str, addresses: Addresses) -> str:
    """Keep a trusted page's HTML, except its links and pictures: they lead to published targets or are removed."""
    body = LexborHTMLParser(f"<body>{html}</body>").body
    if body is None:
        return ""
    for node in body.traverse():
        for name in [name for name in _ADDRESSED if name in node.attributes]:
            value = addresses.attribute(node.tag or "", name, node.attributes[name] or "")
            if value is None:
                del node.attrs[name]
            else:
                node.attrs[name] = value
    return (body.html or "").removeprefix("<body>").removesuffix("</body>")


@cache
def _attributes() -> dict[str, set[str]]:
    attributes = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
    for tag, names in _ATTRIBUTES.items():
        attributes.setdefault(tag, set()).update(names)
    return attributes


def _is_picture(token: Token) -> bool:
    if token.type == "wikilink":
        return bool(token.meta["link"].embed)
    return token.type == "image" or (token.type == "html_inline" and _SHOWS.match(token.content) is not None)


def _without_title(tokens: list[Token], title: str) -> list[Token]:
    """Remove a first heading that repeats the title, which the theme shows. Headings with a picture or an explicit id stay."""
    title = " ".join(title.split())
    if len(tokens) > 2 and tokens[0].type == "heading_open":
        line = tokens[1].children or []
        shows = any(_is_picture(token) for token in line)
        if not shows and composed(words(line)) == title:
            own = tokens[0].attrGet("id")
            target = [Token("html_block", "", 0, content=f'<div id="{escape(str(own))}"></div>\n')] if own else []
            return target + tokens[3:]
    elif tokens and tokens[0].type == "html_block" and (heading := HTML_H1.match(tokens[0].content)):
        end = heading.end()
        heading_text = tokens[0].content[heading.start("said") : heading.end("said")]
        if not _SHOWS.search(heading_text) and composed(html_words(heading_text)) == title:
            tokens[0].content = "\n" * tokens[0].content.count("\n", 0, end) + tokens[0].content[end:]
    return tokens
