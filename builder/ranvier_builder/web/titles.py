"""What a site's pages are called: the words that most `<title>`s share are the site's name, not the page's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ranvier_builder.web.page import WebPage, stem

_BETWEEN = re.compile(r"\s+(?:[|·•»«›‹:/~-]|[–—]|::|--)\s+|\s*\|\s*|:\s+|\s*[—»«]\s*")
_PARTS = 6  # of a title, from either end, that are looked at
_NO_TITLES = frozenset(("<no title>", "no title", "untitled", "untitled document", "document"))  # what generators write instead
_FEW = 3  # pages; fewer that say the same may do so by chance


@dataclass(frozen=True, slots=True)
class Affix:
    """What most titles end or begin with, the sign before or after it included; longer ones first."""

    texts: tuple[str, ...] = ()
    at_end: bool = True

    @property
    def name(self) -> str:
        """The shortest without the sign: the site's name."""
        return self.texts[-1].strip(" |·•»«›‹:/~–—-") if self.texts else ""

    def strip(self, title: str) -> str:
        """Take it off a title; one that is nothing else stays."""
        for text in self.texts:
            bare = title.removesuffix(text) if self.at_end else title.removeprefix(text)
            if bare != title and bare.strip():
                return bare.strip()
        return title


def affix(titles: Iterable[str]) -> Affix:
    """Find what more than half of the titles end with, or else begin with."""
    titled = [title for title in titles if title]
    ends, starts = Counter[str](), Counter[str]()
    for title in titled:
        signs = list(_BETWEEN.finditer(title))
        ends.update({title[sign.start() :] for sign in signs[-_PARTS:] if sign.start()})
        starts.update({title[: sign.end()] for sign in signs[:_PARTS] if sign.end() < len(title)})
    for counted, at_end in ((ends, True), (starts, False)):
        common = [text for text, count in counted.items() if count >= 2 and count * 2 > len(titled)]
        if common:
            return Affix(tuple(sorted(common, key=lambda text: (-len(text), text))), at_end)
    return Affix()


def titles(pages: Sequence[WebPage], shared: Affix) -> list[str]:
    """Name each page: as its author says, by its heading, by its `<title>`, or by its file."""
    headings = Counter(page.heading for page in pages)
    named = [_title(page, shared, headings, len(pages)) for page in pages]
    counted = Counter(named)
    other = [shared.strip(page.head_title) for page in pages]
    others = Counter(other)
    return [
        # "Overview" four times over tells nobody which is which; a `<title>` may.
        there if counted[here] > 1 and others[there] == 1 and here in there and not page.said_title else here
        for page, here, there in zip(pages, named, other, strict=True)
    ]


def _title(page: WebPage, shared: Affix, headings: Counter[str], count: int) -> str:
    if page.said_title:
        return page.said_title
    if page.heading and not is_common(headings[page.heading], count):
        return page.heading
    head = shared.strip(page.head_title)
    return (head if head.lower() not in _NO_TITLES else "") or page.heading or stem(page.path)


def is_common(times: int, pages: int) -> bool:
    """Tell whether what so many pages say is the site's saying, not a page's."""
    return times >= _FEW and times * 2 > pages
