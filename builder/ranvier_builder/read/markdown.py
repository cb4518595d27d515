"""Markdown → HTML that is safe to send. Untrusted all through: what a page's author wrote is sanitised, not believed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote

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

from ranvier_builder.model import Page, Warn
from ranvier_builder.read.links import Links, is_external
from ranvier_builder.read.slugs import slugify
from ranvier_builder.read.wikilink import wikilink_plugin

HIGHLIGHT_MAX = 100_000  # characters; a listing longer than this is shown plain
_ATTRIBUTES = {"*": {"id", "class", "title", "lang", "dir", "role", "aria-label", "aria-hidden"}}
_EXTRA_TAGS = {"input", "section", "figure", "figcaption", "main", "header", "footer", "nav", "video", "audio", "source"}


@dataclass(slots=True)
class Html:
    """A rendered page: safe HTML, the media it shows, what was odd."""

    html: str
    media: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)


def render(page: Page, links: Links, root: str) -> Html:
    """Render a page's Markdown; `root` is the relative way from the page to the site's root: `"../../"`."""
    out = Html("")
    md = _parser()
    env: dict[str, Any] = {}
    tokens = _without_title(md.parse(page.neuron.body, env), page.neuron.title)
    _Rewriter(page, links, root, out).rewrite(tokens)
    out.html = _clean(md.renderer.render(tokens, md.options, env))
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


@cache
def _cleaner() -> nh3.Cleaner:
    attributes = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
    for tag, names in _ATTRIBUTES.items():
        attributes.setdefault(tag, set()).update(names)
    attributes.setdefault("input", set()).update({"type", "checked", "disabled"})
    attributes.setdefault("video", set()).update({"src", "controls", "poster", "width", "height"})
    attributes.setdefault("audio", set()).update({"src", "controls"})
    attributes.setdefault("source", set()).update({"src", "type"})
    attributes.setdefault("details", set()).add("open")
    return nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS | _EXTRA_TAGS,
        clean_content_tags={"script", "style", "template", "iframe", "object"},
        attributes=attributes,
        link_rel="noopener noreferrer",
        # A checkbox of a task list is the only form control that a page may hold, and it cannot be used.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
    )


def _clean(html: str) -> str:
    return _cleaner().clean(html)


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
    """Gives headings their anchors and links their addresses, in place."""

    def __init__(self, page: Page, links: Links, root: str, out: Html) -> None:
        self._page = page
        self._links = links
        self._root = root
        self._out = out
        self._anchors: dict[str, int] = {}

    def rewrite(self, tokens: list[Token]) -> None:
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", self._anchor("".join(child.content for child in tokens[at + 1].children or [])))
            if token.type in ("th_open", "td_open"):
                _align(token)
            if token.children:
                token.children = [new for child in token.children for new in self._inline(child)]

    def _anchor(self, heading: str) -> str:
        """Make an anchor that no heading of this page has: `usage`, `usage-1`, `usage-2`."""
        slug = re.sub(r"[.+]", "", slugify(heading)) or "section"
        count = self._anchors.get(slug, -1) + 1
        self._anchors[slug] = count
        if not count:
            return slug
        numbered = f"{slug}-{count}"
        return numbered if numbered not in self._anchors else self._anchor(numbered)

    def _inline(self, token: Token) -> list[Token]:
        if token.type == "wikilink":
            return self._wikilink(token)
        if token.type == "link_open":
            self._link(token)
        elif token.type == "image":
            self._image(token)
        return [token]

    def _link(self, token: Token) -> None:
        href = str(token.attrGet("href") or "")
        if is_external(href) or href.startswith("#"):
            return
        path, _, fragment = href.partition("#")
        path = path.partition("?")[0]
        address = self._address(path, fragment)
        if address is None:
            token.attrs.pop("href", None)
            self._out.warnings.append(Warn(self._page.neuron.path, f"a link leads to no published page: {href}"))
        else:
            token.attrSet("href", address)

    def _address(self, path: str, fragment: str) -> str | None:
        anchor = f"#{fragment}" if fragment else ""
        page = self._links.page(self._page, path)
        section = page.url if page is not None else self._links.section(self._page, path)
        if section is not None:
            return (self._root + section or "./") + anchor
        media = self._links.media(self._page, path)
        return self._media(media) if media is not None else None

    def _image(self, token: Token) -> None:
        src = str(token.attrGet("src") or "")
        if is_external(src):
            return
        media = self._links.media(self._page, src)
        if media is None:
            self._out.warnings.append(Warn(self._page.neuron.path, f"there is no such image: {src}"))
            token.attrs.pop("src", None)
        else:
            token.attrSet("src", self._media(media))

    def _media(self, path: str) -> str:
        self._out.media.append(path)
        return f"{self._root}media/{quote(path)}"

    def _wikilink(self, token: Token) -> list[Token]:
        target, heading = token.meta["target"], token.meta["heading"]
        page = self._links.named(self._page, target) if target else self._page
        if page is None:
            media = self._links.media(self._page, target)
            if media is not None:
                return self._embedded(token, media)
            self._out.warnings.append(Warn(self._page.neuron.path, f"a wikilink leads to no published page: {target}"))
            return [token]
        anchor = f"#{slugify(heading)}" if heading and not heading.startswith("^") else ""
        address = anchor if page is self._page and anchor else (self._root + page.url or "./") + anchor
        return self._anchor_tokens(address, token.content)

    def _embedded(self, token: Token, media: str) -> list[Token]:
        if not token.meta["embed"]:
            return self._anchor_tokens(self._media(media), token.content)
        # `![[map.png|300]]`: a width, not a description.
        label = token.meta["target"] if re.fullmatch(r"\d+(x\d+)?", token.content) else token.content
        image = Token("image", "img", 0, attrs={"src": self._media(media), "alt": ""}, content=label)
        image.children = [Token("text", "", 0, content=label)]
        return [image]

    @staticmethod
    def _anchor_tokens(href: str, label: str) -> list[Token]:
        opened = Token("link_open", "a", 1, attrs={"href": href})
        return [opened, Token("text", "", 0, content=label), Token("link_close", "a", -1)]
