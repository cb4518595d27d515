"""The titles of the pages of a site: words common to most `<title>`s are the name of the site, not part of a page's title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ranvier_builder.web.page import WebPage, stem

_BETWEEN = re.compile(r"\s+(?:[|·•»«›‹:/~-]|[–—]|::|--)\s+|\s*\|\s*|:\s+|\s*[—»«]\s*")
_PARTS = 6  # of a title, from either end, that are compared
_NO_TITLES = frozenset(("<no title>", "no title", "untitled", "untitled document", "document"))  # placeholders of generators
_MIN_PAGES = 3  # pages; on fewer pages, equal words may be chance


@dataclass(frozen=True, slots=True)
class Affix:
    """The common suffixes or prefixes of most titles, with their separators; longer ones first."""

    texts: tuple[str, ...] = ()
    at_end: bool = True

    @property
    def name(self) -> str:
        """The name of the site: the shortest one, without the separator."""
        return self.texts[-1].strip(" |·•»«›‹:/~–—-") if self.texts else ""

    def strip(self, title: str) -> str:
        """Remove the affix from a title; a title without other words stays."""
        for text in self.texts:
            bare = title.removesuffix(text) if self.at_end else title.removeprefix(text)
            if bare != title and bare.strip():
                return bare.strip()
        return title


def affix(titles: Iterable[str]) -> Affix:
    """Find the suffixes, or else the prefixes, of more than half of the titles."""
    titled = [title for title in titles if title]
    ends, starts = Counter[str](), Counter[str]()
    for title in titled:
        signs = list(_BETWEEN.finditer(title))
        ends.update({title[sign.start() :] for sign in signs[-_PARTS:] if sign.start()})
        starts.update({title[: sign.end()] for sign in signs[:_PARTS] if sign.end() < len(title)})
    for counter, at_end in ((ends, True), (starts, False)):
        common = [text for text, count in counter.items() if count >= 2 and count * 2 > len(titled)]
        if common:
            return Affix(tuple(sorted(common, key=lambda text: (-len(text), text))), at_end)
    return Affix()


def titles(pages: Sequence[WebPage], shared: Affix) -> list[str]:
    """Return the title of each page: its author's, its heading, its `<title>`, or from the name of its file."""
    headings = Counter(page.heading for page in pages)
    own_titles = [_title(page, shared, headings, len(pages)) for page in pages]
    counts = Counter(own_titles)
    other = [shared.strip(page.head_title) for page in pages]
    others = Counter(other)
    return [
        # Several pages with the title "Overview" are ambiguous; their `<title>`s may not be.
        there if counts[here] > 1 and others[there] == 1 and here in there and not page.declared_title else here
        for page, here, there in zip(pages, own_titles, other, strict=True)
    ]


def _title(page: WebPage, shared: Affix, headings: Counter[str], count: int) -> str:
    if page.declared_title:
        return page.declared_title
    if page.heading and not is_common(headings[page.heading], count):
        return page.heading
    head = shared.strip(page.head_title)
    return (head if head.lower() not in _NO_TITLES else "") or page.heading or stem(page.path)


def is_common(times: int, pages: int) -> bool:
    """Return whether text on this many pages belongs to the site, not to a page."""
    return times >= _MIN_PAGES and times * 2 > pages
