"""Rewrite Markdown tokens in place: anchors of headings, addresses of links and pictures, alignment of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from html import escape, unescape
from urllib.parse import unquote

from markdown_it.token import Token

from ranvier_builder.markdown.dialects.roles import LABEL, LISTS
from ranvier_builder.markdown.parser import html_words, words
from ranvier_builder.markdown.wikilink import Wikilink
from ranvier_builder.paths import AUDIO, IMAGES, VIDEO, suffix
from ranvier_builder.render.addresses import Address, Addresses, anchor_of
from ranvier_builder.render.raw import rewrite_html

_WITH_SIZE = re.compile(r"(?P<words>.*)\|\s*(?P<size>\d{1,4}(?:x\d{1,4})?)\s*\Z", re.DOTALL)
_ATTRIBUTE = re.compile(r"(\w+)\s*=([^|]*)")
_FORBIDDEN = re.compile(r"\s*(?:vbscript|javascript|file|data):", re.IGNORECASE)
_DATA_IMAGE = re.compile(r"\s*data:image/(?:gif|png|jpeg|webp);", re.IGNORECASE)
EMBED = "embed"  # key in the `meta` of the link to an embedded page: its slug, and a heading or a block
_HTML = ("html_block", "html_inline")
_ID = re.compile(r"""\sid=(["']?)(?P<id>[^"'\s>]+?)\1(?=[\s>/])""")
_OBJECT = re.compile(r"#[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PDF_PAGE = re.compile(r"page=(\d+)")


def _drop_id(tokens: list[Token], heading: int, anchor: str) -> None:
    """Remove an id from the anchors directly above a heading that has it: `<a id="usage"></a>` above `## Usage`."""
    for at in range(heading - 1, -1, -1):
        token, children = tokens[at], tokens[at].children or []
        is_empty = token.type == "inline" and not (words(children).strip() or any(child.type == "image" for child in children))
        if not (is_empty or token.type in ("paragraph_open", "paragraph_close") or _is_tags(token)):
            return
        for part in (token, *children):
            if part.attrs.get("id") == anchor:
                del part.attrs["id"]
            if part.type in _HTML and anchor in part.content:
                part.content = re.sub(rf"""\sid=(["']?){re.escape(anchor)}\1(?=[\s>/])""", "", part.content)


def _anchors(tokens: list[Token]) -> Iterator[str]:
    for at, token in enumerate(tokens):
        for part in (token, *(token.children or ())):
            yield str(part.attrs.get("id", ""))
            if part.type in _HTML:
                yield from (unescape(match["id"]) for match in _ID.finditer(part.content))
        if token.type == "heading_open":
            yield anchor_of(words(tokens[at + 1].children or []))


def _is_tags(token: Token) -> bool:
    return token.type == "html_block" and "<img" not in token.content and not html_words(token.content).strip()


def _align(token: Token) -> None:
    """Set a cell's alignment by a class: the sanitiser and strict content policies reject inline styles."""
    style = str(token.attrs.pop("style", ""))
    if style.startswith("text-align:"):
        token.attrSet("class", f"align-{style.partition(':')[2]}")


def _is_code(tokens: list[Token]) -> bool:
    """Whether a cell has code and signs between it alone: names, which a theme does not break after their hyphens."""
    return {token.type for token in tokens if token.type != "text" or re.search(r"\w", token.content)} == {"code_inline"}


class Rewriter:
    """Sets anchors of headings, and addresses of links and pictures, in place. A link without a target becomes its text."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._anchors = {"_content", "_linked-from"}  # of the theme's templates
        self._numbers: dict[str, int] = {}
        self._tokens: list[Token] = []

    def rewrite(self, tokens: list[Token]) -> None:
        """Rewrite a page's tokens in one pass."""
        self._tokens = tokens
        for at, token in enumerate(tokens):
            if token.map:
                self._addresses.line = self._addresses.page.neuron.line + token.map[0]
            if token.type in ("th_open", "td_open"):
                _align(token)
                if tokens[at - 1].type == "tr_open" and _is_code(tokens[at + 1].children or []):
                    token.attrJoin("class", "code-only")
            if token.type == "html_block":
                token.content = self._addresses.redact(rewrite_html(token.content, self._addresses))
            if token.children:
                if at and tokens[at - 1].type == "paragraph_open" and _is_embed(token.children):
                    tokens[at - 1].attrJoin("class", "embed")
                token.children = list(self._inline(token.children))
                if at and tokens[at - 1].type == "paragraph_open" and not tokens[at - 1].hidden:
                    _caption(*tokens[at - 1 : at + 2])
            if at and tokens[at - 1].type == "heading_open":  # from the visible text, not from the source
                anchor = self._anchor(token, str(tokens[at - 1].attrs.get("id", "")))
                tokens[at - 1].attrSet("id", anchor)
                _drop_id(tokens, at - 1, anchor)
        self._set_ids_of_terms()

    def _set_ids_of_terms(self) -> None:
        """Set the anchors of the terms of definition lists, after those of headings: a term takes no anchor from a heading."""
        terms = [at for at, token in enumerate(self._tokens) if token.type == "dt_open"]
        self._anchors.update(_anchors(self._tokens) if terms else ())
        for at in terms:
            self._tokens[at].attrSet("id", self._anchor(self._tokens[at + 1], ""))

    def _anchor(self, words: Token, explicit: str) -> str:
        """Return a unique anchor on this page: `usage`, `usage-1`, `usage-2`. An explicit anchor has priority."""
        first = anchor = explicit or anchor_of("".join(map(_visible_text, words.children or ())))
        while anchor in self._anchors:
            self._numbers[first] = number = self._numbers.get(first, 0) + 1
            anchor = f"{first}-{number}"
        self._anchors.add(anchor)
        return anchor

    def _inline(self, tokens: list[Token]) -> Iterator[Token]:
        link_stack: list[bool] = []  # for each open link: whether it has a target
        for at, token in enumerate(tokens):
            if token.type == "link_open":
                href = str(token.attrs.get("href", ""))
                address = self._link(token)
                link_stack.append(address is not None)
                if address:
                    token.attrSet("href", address.href)
                    yield token
                if tokens[at + 1].type == "link_close":
                    title = self._addresses.title(address) if address else ""
                    label = token.meta.get(LABEL, "")
                    yield _text(title or LISTS.get(label) or self._addresses.name(label or _object(href)))
            elif token.type == "link_close":
                if link_stack and link_stack.pop():
                    yield token
            elif token.type == "image":
                yield from self._picture(token, any(link_stack))
            elif token.type == "wikilink":
                yield from self._wikilink(token.meta["link"], any(link_stack))
            else:
                if token.type == "html_inline":
                    token.content = self._addresses.redact(rewrite_html(token.content, self._addresses))
                self._addresses.line += token.type in ("softbreak", "hardbreak") or token.content.count("\n")
                yield token

    def _link(self, token: Token) -> Address | None:
        if LABEL in token.meta:
            return self._addresses.label(token.meta[LABEL])
        href = str(token.attrs.get("href", ""))
        name = unquote(href[1:])
        if href.startswith("#") and (slug := self._addresses.page_of_label(name)) is not None:
            if slug == self._addresses.page.slug or name not in self._page_anchors:
                return self._addresses.label(name)
        return self._addresses.path(href) if _is_allowed(href) else None

    @cached_property
    def _page_anchors(self) -> frozenset[str]:
        """The anchors of this page: MyST looks for `#name` among them first, then among all labels."""
        return frozenset(_anchors(self._tokens))

    def _picture(self, token: Token, in_link: bool) -> Iterator[Token]:
        """`![words|300](map.png)`: yield a picture or a player, or the words if the file is missing."""
        token.children = [
            _text(self._words(child.meta["link"])) if child.type == "wikilink" else child for child in token.children or ()
        ]
        words, size = _size("".join(child.content for child in token.children))
        src = str(token.attrs.get("src", ""))
        address = self._addresses.path(src, embedded=True) if _is_allowed(src) else None
        if address is None:
            yield _text(words)
        elif address.outer or suffix(address.file) in IMAGES:
            token.attrSet("src", address.href)
            yield _image(token, words, size, address.size)
        else:
            yield from _player(address, words, in_link)

    def _words(self, link: Wikilink) -> str:
        target = self._addresses.resolve(link)
        return target[1].words if target else self._addresses.words(link)

    def _wikilink(self, link: Wikilink, in_link: bool) -> Iterator[Token]:
        size = ""
        if not link.embed and suffix(link.target) in IMAGES and self._addresses.is_wiki:
            link = _embedded(link)
        if link.embed:
            label, size = _size(f"|{link.label}")
            link = replace(link, label=label.lstrip("|"))
        target = self._addresses.resolve(link)
        if target is None:
            yield _text(self._addresses.words(link))
            return
        address, link = target
        if link.name and not link.label:
            link = replace(link, label=self._addresses.title(address) or link.name)
        if link.embed and suffix(address.file) in IMAGES:
            token = Token("image", "img", 0, attrs={"src": address.href, "alt": ""})
            yield _image(token, link.label or link.target, size, address.size)
        elif link.embed and address.file:
            page = _PDF_PAGE.match(link.heading)
            words = link.label or (f"{link.target}, page {page[1]}" if page else link.target)
            yield from _player(address, words, in_link)
        else:
            opening, *tokens_after = _link_tokens(address.href, link.words, in_link)
            if link.embed and address.page is not None and tokens_after:
                opening.meta = {EMBED: (address.page, link.heading)}
            yield from (opening, *tokens_after)


def _object(href: str) -> str:
    """Return the name of the object of Python in a link without words, `#Hub.db_url`; MyST shows it, too."""
    return href[1:] if _OBJECT.fullmatch(href) else ""


def _visible_text(child: Token) -> str:
    if child.type in ("softbreak", "hardbreak"):
        return " "
    return child.content if child.type != "html_inline" else " " if child.content[:3].lower() == "<br" else ""


def _is_allowed(href: str) -> bool:
    """Return whether an address is allowed: it is not a script, and not a file on the author's disk."""
    return not _FORBIDDEN.match(href) or _DATA_IMAGE.match(href) is not None


def _is_embed(children: list[Token]) -> bool:
    """Return whether a paragraph is only an embed, which is shown as a card."""
    visible = [child for child in children if child.type != "text" or child.content.strip()]
    return len(visible) == 1 and visible[0].type == "wikilink" and visible[0].meta["link"].embed


def _caption(opening: Token, line: Token, closing: Token) -> None:
    """Make a figure of a paragraph that is only a picture with a title: the title is shown as its caption."""
    children = [child for child in line.children or [] if child.type != "text" or child.content.strip()]
    if len(children) == 1 and children[0].type == "image" and children[0].attrs.get("title"):
        title = str(children[0].attrs.pop("title"))
        opening.tag = closing.tag = "figure"
        line.children = [*children, Token("html_inline", "", 0, content=f"<figcaption>{escape(title)}</figcaption>")]


def _player(address: Address, words: str, in_link: bool) -> Iterator[Token]:
    """Yield a player for audio or video, and a link for any other file that is not a picture."""
    kind = "video" if suffix(address.file) in VIDEO else "audio" if suffix(address.file) in AUDIO else ""
    if not kind:
        yield from _link_tokens(address.href, words or address.file.rpartition("/")[2], in_link)
        return
    label = f' title="{escape(words)}"' if words else ""
    yield Token("html_inline", "", 0, content=f'<{kind} controls src="{escape(address.href)}"{label}></{kind}>')


def _size(words: str) -> tuple[str, str]:
    """Split the size from a picture's words: `map|300x200` → `map`, `300x200`."""
    size = _WITH_SIZE.match(words)
    return (size["words"], size["size"]) if size else (words, "")


def _embedded(link: Wikilink) -> Wikilink:
    """Return the embed of a picture in a wiki of GitHub: `[[map.png|alt=Map|width=300px]]`."""
    values = {name: value.strip() for name, value in _ATTRIBUTE.findall(link.label)}
    width = re.match(r"\d{0,4}", values.get("width", ""))
    size = f"|{width[0]}" if width and width[0] else ""
    return replace(link, embed=True, label=values.get("alt", "" if values else link.label) + size)


def _image(token: Token, words: str, requested_size: str, actual_size: str) -> Token:
    """Set the size that the author wants, such as `300`, else the real size: then the page does not move when it loads."""
    size = _scaled(requested_size, actual_size) if requested_size else actual_size
    for name, value in zip(("width", "height"), size.split("x") if size else (), strict=False):
        token.attrSet(name, value)
    token.content, token.children = words, [_text(words)]
    return token


def _scaled(requested_size: str, actual_size: str) -> str:
    """Add the height to a wanted width: `300`, of `600x400` → `300x200`."""
    if "x" in requested_size or not actual_size:
        return requested_size
    width, height = map(int, actual_size.split("x"))
    return f"{requested_size}x{max(1, round(int(requested_size) * height / width))}"


def _link_tokens(href: str, words: str, in_link: bool) -> Iterator[Token]:
    if in_link:  # a link inside a link becomes text
        yield _text(words)
        return
    yield Token("link_open", "a", 1, attrs={"href": href})
    yield _text(words)
    yield Token("link_close", "a", -1)


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words)
