"""The parser for all syntax of a page, and the visible words of its tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import render_footnote_anchor
from pygments import highlight
from pygments.formatters import HtmlFormatter
from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.config import Config
from ranvier_builder.markdown import dialects, elements, tasks
from ranvier_builder.markdown.dialects import bare_addresses, claim_signs, extensions
from ranvier_builder.markdown.lexers import lexer_of
from ranvier_builder.markdown.wikilink import REDACTS, wikilink_plugin

_FORMATTER = HtmlFormatter(nowrap=True)
# Characters; a longer listing is shown without highlighting. For some texts nearly every lexer takes quadratic time, a few take
# cubic time: at this length the slowest of 24,000 texts takes 3 s. Of 7,443 listings of four real sites, 2 are longer. A time
# limit instead would give different pages on different machines.
HIGHLIGHT_MAX = 5_000
_MAX_NESTING = 40  # nested blocks; the parser does not show deeper ones
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)


@cache
def parser() -> MarkdownIt:
    """Return the parser for all syntax of a page."""
    md = MarkdownIt("commonmark", {"html": True, "highlight": _highlight, "maxNesting": _MAX_NESTING})
    md.enable(["table", "strikethrough"])
    # A forbidden link is still parsed as a link: its words stay, and its target is not shown as text.
    setattr(md, "validateLink", lambda _: True)  # noqa: B010 (a method, for the type checker)
    md.use(footnote_plugin).use(tasks.plugin).use(deflist_plugin)
    md.use(wikilink_plugin).use(dialects.use).use(elements.plugin)
    md.add_render_rule("wikilink", _plain_wikilink)
    md.add_render_rule("footnote_anchor", _footnote_anchor)
    return md


def _footnote_anchor(*rendering: Any) -> str:
    """Render the link back with its class first: themes add its name, in the language of the page, behind `<a class="…"`."""
    before, link = render_footnote_anchor(*rendering).split("<a ")
    name = ' class="footnote-backref"'
    return f"{before}<a{name} {link.replace(name, '')}"


def environment(config: Config, path: str) -> dict[str, Any]:
    """Return the environment for parsing a published page: the settings that the rules of the parser read."""
    return {
        elements.TRUSTED: config.trusted_html,
        claim_signs.SHOWN: config.publish_for == "curator",
        REDACTS: config.redact_private_links,
        bare_addresses.OWN: config.url,
        extensions.EXTENSIONS: config.syntax.of(path).extensions,
    }


def html_of(tokens: Sequence[Token], env: dict[str, Any], config: Config) -> str:
    """Return the HTML of tokens."""
    md = parser()
    options: Any = {**md.options, "breaks": config.line_breaks}
    return str(md.renderer.render(tokens, OptionsDict(options), env))


def _plain_wikilink(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    return escape(tokens[index].content)


def _highlight(code: str, language: str, _: str) -> str:
    if not language or len(code) > HIGHLIGHT_MAX:
        return escape(code)
    lexer = lexer_of(language.partition("{")[0])  # ```js{1,3}
    return highlight(code, lexer(stripnl=False, ensurenl=False), _FORMATTER) if lexer is not None else escape(code)


def words(line: Sequence[Token]) -> str:
    """Return the visible words of a line, without its pictures; if there are none, the descriptions of the pictures."""
    out, pictures, hidden_tag = list[str](), list[str](), ""
    for token in line:
        if token.type == "html_inline":
            name, closes = elements.name_of(token.content)
            if hidden_tag or (name in elements.HIDDEN and not closes):
                hidden_tag = "" if closes and name == hidden_tag else hidden_tag or name
            elif name == "br":
                out.append(" ")
        elif token.type == "image":
            pictures.append(token.content)
        elif not hidden_tag:
            out.append(" " if token.type in ("softbreak", "hardbreak") else token.content)
    return " ".join("".join(out).split()) or " ".join(pictures)


def html_words(html: str) -> str:
    """Return the visible words of a heading in HTML."""
    body = LexborHTMLParser(_BREAK.sub(" ", html)).body
    return " ".join(body.text().split()) if body is not None else ""
