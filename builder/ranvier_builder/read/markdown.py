"""Markdown → HTML that is safe to send. Untrusted all through: what a page's author wrote is sanitised, not believed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any
from unicodedata import normalize

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound
from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.config import Config
from ranvier_builder.model import Page, Warn
from ranvier_builder.read import dialects, elements, tasks
from ranvier_builder.read.addresses import Addresses, Html
from ranvier_builder.read.dialects.containers import PROBLEMS
from ranvier_builder.read.html import shallow
from ranvier_builder.read.links import Links
from ranvier_builder.read.rewrite import Rewriter
from ranvier_builder.read.wikilink import wikilink_plugin

_FORMATTER = HtmlFormatter(nowrap=True)
HIGHLIGHT_MAX = 100_000  # characters; a listing longer than this is shown plain
_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir", "role", "aria-label", "aria-hidden"},
    "input": {"type", "checked", "disabled"},
    "video": {"src", "controls", "poster", "width", "height"},
    "audio": {"src", "controls"},
    "source": {"src", "type"},
    "details": {"open"},
}
_EXTRA_TAGS = {"input", "section", "figure", "figcaption", "main", "header", "footer", "nav", "video", "audio", "source"}
_DEEPEST = 40  # blocks within blocks; what lies deeper is not shown, as the parser has it
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_SHOWS = re.compile(r"<(?:img|picture|video|audio|svg|object)\b", re.IGNORECASE)
HTML_H1 = re.compile(r"\s*<h1(?=[\s>])[^<>]*>(?P<said>[^<]*+(?:<(?!/h1)[^<]*+)*)</h1\s*>", re.IGNORECASE)
_ADDRESSED = ("href", "src", "poster", "srcset", "cite", "longdesc", "data", "background")


def render(page: Page, links: Links, root: str, config: Config = Config()) -> Html:  # noqa: B008 (it is frozen)
    """Render a page's Markdown; `root` is the relative way from the page to the site's root: `"../../"`."""
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


@cache
def parser() -> MarkdownIt:
    """Make the parser that understands all that a page may hold."""
    md = MarkdownIt("commonmark", {"html": True, "highlight": _highlight, "maxNesting": _DEEPEST})
    md.enable(["table", "strikethrough"])
    # A link that no page may hold is a link all the same: its words stay, and its target is not shown as text.
    setattr(md, "validateLink", lambda _: True)  # noqa: B010 (a method, for the type checker)
    md.use(footnote_plugin).use(tasks.plugin).use(deflist_plugin).use(wikilink_plugin).use(dialects.use).use(elements.plugin)
    md.add_render_rule("wikilink", _plain_wikilink)
    return md


def _plain_wikilink(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    return escape(tokens[index].content)


def _highlight(code: str, language: str, _: str) -> str:
    if not language or len(code) > HIGHLIGHT_MAX:
        return escape(code)
    lexer = _lexer(language)
    return highlight(code, lexer(stripnl=False, ensurenl=False), _FORMATTER) if lexer is not None else escape(code)


@lru_cache(maxsize=256)  # an unknown name is looked for among all plug-ins, and authors write the same ones again and again
def _lexer(language: str) -> type[Lexer] | None:
    try:
        return find_lexer_class_by_name(language)
    except ClassNotFound:
        return None


def _clean(html: str, addresses: Addresses) -> str:
    """Sanitise, and give every link and picture its address on the site, whether Markdown or raw HTML wrote it."""
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
    """Leave a trusted page's HTML as it is, but for its links and pictures: those lead to what is published, or nowhere."""
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


def words(line: Sequence[Token]) -> str:
    """Say what a reader sees of a line, without its pictures; where there is nothing else, their descriptions."""
    out, pictures, hidden = list[str](), list[str](), ""
    for token in line:
        if token.type == "html_inline":
            name, closes = elements.name_of(token.content)
            if hidden or (name in elements.UNSEEN and not closes):
                hidden = "" if closes and name == hidden else hidden or name
            elif name == "br":
                out.append(" ")
        elif token.type == "image":
            pictures.append(token.content)
        elif not hidden:
            out.append(" " if token.type in ("softbreak", "hardbreak") else token.content)
    return " ".join("".join(out).split()) or " ".join(pictures)


def html_words(html: str) -> str:
    """Say what a reader sees of a heading that is HTML."""
    body = LexborHTMLParser(_BREAK.sub(" ", html)).body
    return " ".join(body.text().split()) if body is not None else ""


def _is_picture(token: Token) -> bool:
    if token.type == "wikilink":
        return bool(token.meta["link"].embed)
    return token.type == "image" or (token.type == "html_inline" and _SHOWS.match(token.content) is not None)


def _without_title(tokens: list[Token], title: str) -> list[Token]:
    """Drop a first heading that says the title again: the theme shows the title. One with a picture stays."""
    title = " ".join(title.split())
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        line = tokens[1].children or []
        shows = any(_is_picture(token) for token in line)
        if not shows and normalize("NFC", words(line)) == title:
            return tokens[3:]
    elif tokens and tokens[0].type == "html_block" and (heading := HTML_H1.match(tokens[0].content)):
        end = heading.end()
        said = tokens[0].content[heading.start("said") : heading.end("said")]
        if not _SHOWS.search(said) and normalize("NFC", html_words(said)) == title:
            tokens[0].content = "\n" * tokens[0].content.count("\n", 0, end) + tokens[0].content[end:]
    return tokens
