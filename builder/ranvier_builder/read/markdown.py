"""Markdown → HTML that is safe to send. Untrusted all through: what a page's author wrote is sanitised, not believed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from ranvier_builder.model import Page
from ranvier_builder.read.addresses import Addresses, Html, anchor_of
from ranvier_builder.read.links import Links
from ranvier_builder.read.wikilink import wikilink_plugin

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


def render(page: Page, links: Links, root: str) -> Html:
    """Render a page's Markdown; `root` is the relative way from the page to the site's root: `"../../"`."""
    out = Html("")
    md = _parser()
    env: dict[str, Any] = {}
    tokens = _without_title(md.parse(page.neuron.body, env), page.neuron.title)
    addresses = Addresses(page, links, root, out)
    _Rewriter(addresses).rewrite(tokens)
    out.html = _clean(md.renderer.render(tokens, md.options, env), addresses)
    return out


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": True, "highlight": _highlight}).enable(["table", "strikethrough"])
    md.use(footnote_plugin).use(tasklists_plugin).use(wikilink_plugin)
    md.add_render_rule("wikilink", _plain_wikilink)
    return md


def _plain_wikilink(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    return escape(tokens[index].content)


def _highlight(code: str, language: str, _: str) -> str:
    if not language or len(code) > HIGHLIGHT_MAX:
        return escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return escape(code)
    return highlight(code, lexer, HtmlFormatter(nowrap=True))


def _clean(html: str, addresses: Addresses) -> str:
    """Sanitise, and give every link and picture its address on the site, whether Markdown or raw HTML wrote it."""
    cleaner = nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS | _EXTRA_TAGS,
        clean_content_tags={"script", "style", "template", "iframe", "object"},
        attributes=_attributes(),
        attribute_filter=addresses.attribute,
        link_rel="noopener noreferrer",
        # A checkbox of a task list is the only form control that a page may hold, and it cannot be used.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
    )
    return cleaner.clean(html)


@cache
def _attributes() -> dict[str, set[str]]:
    attributes = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
    for tag, names in _ATTRIBUTES.items():
        attributes.setdefault(tag, set()).update(names)
    return attributes


def _without_title(tokens: list[Token], title: str) -> list[Token]:
    """Drop a first heading that says the title again: the theme shows the title."""
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        said = "".join(child.content for child in tokens[1].children or [])
        if said.strip() == title.strip():
            return tokens[3:]
    return tokens


def _align(token: Token) -> None:
    """Say a cell's alignment by class: an inline style would neither pass the sanitiser nor a strict policy."""
    style = str(token.attrs.pop("style", ""))
    if style.startswith("text-align:"):
        token.attrSet("class", f"align-{style.partition(':')[2]}")


class _Rewriter:
    """Gives headings their anchors and wikilinks their addresses, in place."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._anchors: set[str] = set()
        self._numbers: dict[str, int] = {}

    def rewrite(self, tokens: list[Token]) -> None:
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", self._anchor("".join(child.content for child in tokens[at + 1].children or [])))
            if token.type in ("th_open", "td_open"):
                _align(token)
            if token.children:
                token.children = [new for child in token.children for new in self._inline(child)]

    def _anchor(self, heading: str) -> str:
        """Make an anchor that no heading of this page has yet: `usage`, `usage-1`, `usage-2`."""
        first = anchor = anchor_of(heading)
        while anchor in self._anchors:
            self._numbers[first] = number = self._numbers.get(first, 0) + 1
            anchor = f"{first}-{number}"
        self._anchors.add(anchor)
        return anchor

    def _inline(self, token: Token) -> list[Token]:
        if token.type != "wikilink":
            return [token]
        target, heading = token.meta["target"], token.meta["heading"]
        address = self._addresses.wikilink(target, heading)
        if address is not None:
            return self._link(address, token.content)
        media = self._addresses.embedded(target)
        if media is None:
            self._addresses.unresolved(target)
            return [token]
        return [self._image(token, media)] if token.meta["embed"] else self._link(media, token.content)

    @staticmethod
    def _image(token: Token, src: str) -> Token:
        # `![[map.png|300]]`: a width, not a description.
        label = token.meta["target"] if re.fullmatch(r"\d+(x\d+)?", token.content) else token.content
        image = Token("image", "img", 0, attrs={"src": src, "alt": ""}, content=label)
        image.children = [Token("text", "", 0, content=label)]
        return image

    @staticmethod
    def _link(href: str, label: str) -> list[Token]:
        opened = Token("link_open", "a", 1, attrs={"href": href})
        return [opened, Token("text", "", 0, content=label), Token("link_close", "a", -1)]
