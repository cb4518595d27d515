"""Resolve the fragments of links to pages, after all pages are rendered: only then all anchors are known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.composed import composed
from ranvier_builder.model import Rendered
from ranvier_builder.render.addresses import anchor_of, fragment_of
from ranvier_builder.render.html import anchors_of

# A link of rendered HTML to a page of the site: the addresses of pages end with a slash. Trusted HTML may have the others.
_LINK = re.compile(
    r"<(?P<raw>script|style|template)\b.*?</(?P=raw)>|<!--.*?-->"
    r'|(?P<start><(?:a|area)(?: [^\s"=<>]+="[^"]*")*? href="(?P<path>(?!//)(?:[^"#:?]*/)?)#)(?P<fragment>[^"]+)',
    re.DOTALL,
)
_NOT_LETTERS = re.compile(r"[\W_]+")


class Fragments:
    """Resolves fragments: an anchor of the target page is kept; any other fragment is the text of a heading."""

    def __init__(self, rendered: Mapping[str, Rendered]) -> None:
        self._anchors = cache(lambda slug: _anchors(rendered[slug]) if slug in rendered else {})
        # Those of headings are known without the HTML of a page.
        self._section_anchors = cache(
            lambda slug: {part.anchor for part in rendered[slug].sections} if slug in rendered else set()
        )

    def resolve(self, slug: str, html: str) -> str:
        """Return the HTML of the page `slug` with resolved fragments."""
        return _LINK.sub(lambda link: self._link(slug, link), html)

    def anchor(self, slug: str, fragment: str) -> str:
        """Return the anchor of the page `slug` to which a decoded fragment leads; empty if the page has none for it."""
        anchors = self._anchors(slug)
        names = (fragment, _heading_or_block_anchor(fragment), _letters(fragment))
        return next((anchors[name] for name in names if name in anchors), "")

    def _link(self, slug: str, link: re.Match[str]) -> str:
        if not link["start"]:
            return link[0]
        fragment = unquote(unescape(link["fragment"]))
        target = posixpath.normpath(posixpath.join("/", slug, unquote(unescape(link["path"])))).strip("/")
        if fragment in self._section_anchors(target):
            return link[0]
        anchor = self.anchor(target, fragment)
        return link[0] if anchor == fragment else link["start"] + escape(anchor or _heading_or_block_anchor(fragment))


def _anchors(page: Rendered) -> dict[str, str]:
    """Return a page's anchors by themselves, by those that its headings would have without a name in braces, and by letters."""
    sections = [section for section in page.sections if section.headings and section.anchor]
    by_heading = {anchor_of(section.headings[-1]): section.anchor for section in reversed(sections)}
    by_name = by_heading | {anchor: anchor for anchor in anchors_of(LexborHTMLParser(page.html))}
    return {_letters(name): anchor for name, anchor in reversed(by_name.items())} | by_name


def _letters(anchor: str) -> str:
    """Return the letters and digits of an anchor: systems differ in other signs and in accents, `rails-5-2`, `rails_52`."""
    return _NOT_LETTERS.sub("", composed(anchor, "NFKD")).lower()


def _heading_or_block_anchor(fragment: str) -> str:
    """Return the anchor of a block, or of a heading. Some editors write its text: `Getting started`, `Node.js`."""
    return fragment_of(fragment)[1:] if fragment.startswith("^") else anchor_of(fragment)
