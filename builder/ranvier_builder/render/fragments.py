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

# A link of sanitised HTML to a page of the site: the addresses of pages end with a slash.
_LINK = re.compile(r'(?P<start><a(?: [\w-]+="[^"]*")*? href="(?P<path>(?:[^"#:?]*/)?)#)(?P<fragment>[^"]+)')
_NOT_IN_FRAGMENT = re.compile(r"[^\w-]")


class Fragments:
    """Resolves fragments: an anchor of the target page is kept; any other fragment is the text of a heading."""

    def __init__(self, rendered: Mapping[str, Rendered]) -> None:
        self._rendered = rendered
        self._anchors: dict[str, set[str]] = {}

    def resolve(self, slug: str, html: str) -> str:
        """Return the HTML of the page `slug` with resolved fragments."""
        return _LINK.sub(lambda link: link["start"] + self._fragment(slug, link["path"], link["fragment"]), html)

    def _fragment(self, slug: str, path: str, source: str) -> str:
        fragment = unquote(unescape(source))
        if fragment == fragment.lower() and not _NOT_IN_FRAGMENT.search(fragment):
            return source
        target = posixpath.normpath(posixpath.join("/", slug, unquote(unescape(path)))).strip("/")
        return source if fragment in self._anchors_of(target) else escape(_heading_or_block_anchor(fragment))

    def _anchors_of(self, slug: str) -> set[str]:
        if slug not in self._anchors:
            page = self._rendered.get(slug)
            self._anchors[slug] = anchors_of(LexborHTMLParser(page.html)) if page else set()
        return self._anchors[slug]


def _heading_or_block_anchor(fragment: str) -> str:
    """Return the anchor of a block, or of a heading. Some editors write its text: `Getting started`, `Node.js`."""
    return fragment_of(fragment)[1:] if fragment.startswith("^") else anchor_of(fragment)
