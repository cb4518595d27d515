"""Resolve the fragments of links to pages, after all pages are rendered: only then all anchors are known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.model import Rendered
from ranvier_builder.render.addresses import anchor_of, fragment_of
from ranvier_builder.render.html import anchors_of

# A link of rendered HTML to a page of the site: the addresses of pages end with a slash. Trusted HTML may have the others.
_LINK = re.compile(
    r"<(?P<raw>script|style|template)\b.*?</(?P=raw)>|<!--.*?-->"
    r'|(?P<start><(?:a|area)(?: [^\s"=<>]+="[^"]*")*? href="(?P<path>(?!//)(?:[^"#:?]*/)?)#)(?P<fragment>[^"]+)',
    re.DOTALL,
)
_NOT_IN_FRAGMENT = re.compile(r"[^\w-]")


class Fragments:
    """Resolves fragments: an anchor of the target page is kept; any other fragment is the text of a heading."""

    def __init__(self, rendered: Mapping[str, Rendered]) -> None:
        self._rendered = rendered
        self._anchors: dict[str, set[str]] = {}
        self._by_heading: dict[str, dict[str, str]] = {}  # anchors by the anchors that headings have if they name none

    def resolve(self, slug: str, html: str) -> str:
        """Return the HTML of the page `slug` with resolved fragments."""
        return _LINK.sub(lambda link: self._link(slug, link), html)

    def _link(self, slug: str, link: re.Match[str]) -> str:
        if not link["start"]:
            return link[0]
        return f"{link['start']}{self._fragment(slug, link['path'], link['fragment'])}"

    def _fragment(self, slug: str, path: str, source: str) -> str:
        fragment = unquote(unescape(source))
        if fragment == fragment.lower() and not _NOT_IN_FRAGMENT.search(fragment):
            return source
        target = posixpath.normpath(posixpath.join("/", slug, unquote(unescape(path)))).strip("/")
        if fragment in self._anchors_of(target):
            return source
        anchor = _heading_or_block_anchor(fragment)
        return escape(anchor if anchor in self._anchors[target] else self._by_heading[target].get(anchor, anchor))

    def _anchors_of(self, slug: str) -> set[str]:
        if slug not in self._anchors:
            page = self._rendered.get(slug)
            sections = [section for section in page.sections if section.headings and section.anchor] if page else []
            self._anchors[slug] = anchors_of(LexborHTMLParser(page.html)) if page else set()
            self._by_heading[slug] = {anchor_of(part.headings[-1]): part.anchor for part in reversed(sections)}
        return self._anchors[slug]


def _heading_or_block_anchor(fragment: str) -> str:
    """Return the anchor of a block, or of a heading. Some editors write its text: `Getting started`, `Node.js`."""
    return fragment_of(fragment)[1:] if fragment.startswith("^") else anchor_of(fragment)
