"""The titles of the pages of a site: words common to most `<title>`s are the name of the site, not part of a page's title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from ranvier_builder.numbering import without_number
from ranvier_builder.web.page import WebPage, stem

_SEPARATOR = re.compile(r"\s+(?:[|·•»«›‹:/~-]|[–—]|::|--)\s+|\s*\|\s*|:\s+|\s*[—»«]\s*|\s+(?=\()")
_NUMBER = re.compile(r"(?:Section|Chapter|Appendix) ([\w.]+)")
_MANUAL = re.compile(r" \((?:[^()]|\([^()]*\))*\)\Z")
_MAX_PARTS = 6  # of a title, from either end, that are compared
_PLACEHOLDERS = frozenset(("<no title>", "no title", "untitled", "untitled document", "document"))  # placeholders of generators
_MIN_PAGES = 3  # pages; on fewer pages, equal words may be chance
_MIN_NAMED = 0.1  # share of the pages of a reference whose title is a kind and a name
_COLONS = re.compile(r"[.:]+")
_KINDS = (
    "annotation|class|delegate|enum|enumeration|exception|function|interface|module|namespace|object|protocol|record|struct|trait|"
    "type alias|typeclass|union|variable"
)
# Titles of pages about one name: `Class Map<K,V>`, `Module: Net::HTTP`, `Vec in alloc::vec`, `Json::Value Class Reference`.
_NAMED = re.compile(
    rf"(?:(?:abstract|final) )?(?:{_KINDS}):? `?(?P<after>[A-Za-z_$][\w.:$]*)`?(?:[<\[].*)?|"
    rf"(?P<member>\w+) in \w+(?:::\w+)+|(?P<before>[A-Za-z_][\w.:]*)(?: ?<.*>)? (?:{_KINDS})(?: template)? reference",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Affix:
    """The common suffixes or prefixes of most titles, with their separators; longer ones first."""

    texts: tuple[str, ...] = ()
    at_end: bool = True

    @property
    def name(self) -> str:
        """The name of the site: the shortest one, without the separator."""
        name = self.texts[-1].strip(" |·•»«›‹:/~–—-") if self.texts else ""
        return name[1:-1] if name.startswith("(") and name.endswith(")") else name

    def strip(self, title: str) -> str:
        """Remove the affix from a title."""
        for text in self.texts:
            stripped = title.removesuffix(text) if self.at_end else title.removeprefix(text)
            if stripped != title:
                return stripped.strip()
        return title


def affix(titles: Iterable[str]) -> Affix:
    """Find the suffixes, or else the prefixes, of more than half of the titles."""
    non_empty = [title for title in titles if title]
    ends, starts = Counter[str](), Counter[str]()
    for title in non_empty:
        separators = list(_SEPARATOR.finditer(title))
        suffixes = {title[separator.start() :] for separator in separators[-_MAX_PARTS:] if separator.start()}
        ends.update(suffix for suffix in suffixes if suffix.count("(") == suffix.count(")"))
        starts.update({title[: separator.end()] for separator in separators[:_MAX_PARTS] if separator.end() < len(title)})
    for counter, at_end in ((ends, True), (starts, False)):
        common = [text for text, count in counter.items() if count >= 2 and count > len(non_empty) * _min_share(text)]
        if common:
            return Affix(tuple(sorted(common, key=lambda text: (-len(text), text))), at_end)
    return Affix()


def _min_share(text: str) -> float:
    """Return the share of titles above which their common text is the site's name: "(Linux)" may be the topic of many pages."""
    return 0.9 if text.startswith(" (") else 0.5


def titles(pages: Sequence[WebPage], common_affix: Affix) -> list[str]:
    """Return the title of each page: its author's, its heading, its `<title>`, or from the name of its file."""
    site_titles = _common(page.head_title for page in pages)
    headings = _own_headings(pages, site_titles)
    # The `<title>` of most pages is no title, and neither is the name of the site alone.
    stripped = ["" if page.head_title in site_titles else common_affix.strip(page.head_title) for page in pages]
    head_titles = ["" if title.lower() in _PLACEHOLDERS or title == common_affix.name else title for title in stripped]
    head_counts, subheadings = Counter(head_titles), Counter(map(_subheading, pages))
    page_titles = [
        _title(page, heading, head_title, is_unique=head_counts[head_title] == 1) or _fallback(page, heading, subheadings)
        for page, heading, head_title in zip(pages, headings, head_titles, strict=True)
    ]
    counts = Counter(page_titles)
    site_names = {"", common_affix.name}
    return [
        # Several pages may have the heading "Overview", or the site's name; then the `<title>` is used if it is unique.
        head_title
        if counts[title] > 1 and head_counts[head_title] == 1 and head_title not in site_names and not page.declared_title
        else title
        for page, title, head_title in zip(pages, page_titles, head_titles, strict=True)
    ]


def _common(texts: Iterable[str]) -> set[str]:
    counts = Counter(texts)
    return {text for text, count in counts.items() if is_common(count, counts.total())}


def _own_headings(pages: Sequence[WebPage], site_titles: Set[str]) -> list[str]:
    """Return the heading of each page, or "" if it is the site's name: that of most pages, or a part of their `<title>`."""
    counts = Counter(page.heading for page in pages)
    site_headings = {
        page.heading
        for page in pages
        if is_common(counts[page.heading], len(pages))
        or (counts[page.heading] >= _MIN_PAGES and page.head_title in site_titles and page.heading in page.head_title)
    }
    return ["" if page.heading in site_headings else page.heading for page in pages]


def _title(page: WebPage, heading: str, head_title: str, *, is_unique: bool) -> str:
    if page.declared_title:
        return page.declared_title
    is_section = is_unique and (_has_main_sections(page) or _is_above_heading(page, head_title))
    if heading and not is_section:
        return head_title if _is_extended(heading, head_title) else heading
    return _below_main_heading(page, head_title)


def _fallback(page: WebPage, heading: str, subheadings: Counter[str]) -> str:
    """Return a title for a page without a `<title>` of its own; the home page may have that of all pages."""
    if heading or not page.url:
        return heading or page.head_title or page.heading or stem(page.path)
    subheading = _subheading(page)
    return subheading if subheading and subheadings[subheading] == 1 else stem(page.path)


def _subheading(page: WebPage) -> str:
    """Return the first h1 or h2 below the main heading."""
    names = (section.headings[-1] for section in page.sections if section.levels[-1:] in ((1,), (2,)))
    return next((name for name in names if name != page.heading), "")


def _is_extended(heading: str, head_title: str) -> bool:
    """Return whether a heading is only the end of a name, as Valadoc writes it: `query` of `Folks.SearchView.query`."""
    return " " not in head_title and head_title.endswith((f".{heading}", f"::{heading}"))


def _below_main_heading(page: WebPage, head_title: str) -> str:
    """Return a `<title>` without the manual's name, `Maps (GNU Manual)`; the heading for one that is only its number."""
    heading = next((section.headings[0] for section in page.sections if section.headings), "")
    if (number := _NUMBER.fullmatch(head_title)) and heading.startswith(f"{number[1]} "):
        return heading
    name = _MANUAL.sub("", head_title)
    return name if name and without_number(heading).startswith(name) else head_title


def _has_main_sections(page: WebPage) -> bool:
    """Return whether a page has several h1, of which the first is not a part of its `<title>`."""
    names = [section.headings[0] for section in page.sections if section.levels == (1,)]
    return bool(page.head_title) and len({*names}) > 1 and page.heading == names[0] and names[0] not in page.head_title


def _is_above_heading(page: WebPage, head_title: str) -> bool:
    """Return whether a page's `<title>` is a line above its headings, as Haddock writes the name of a module."""
    return any(block.text == head_title for section in page.sections[:1] if not section.levels for block in section.blocks)


def is_common(times: int, pages: int) -> bool:
    """Return whether text on this many pages belongs to the site, not to a page."""
    return times >= _MIN_PAGES and times * 2 > pages


def short_names(titles: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names in titles about one name: `Net::HTTP` and `HTTP` for `Class Net::HTTP`.

    Empty if few titles are: then *Object storage* is prose.
    """
    matches = {title: match for title in titles if (match := _NAMED.fullmatch(title))}
    if len(matches) < max(_MIN_PAGES, len(titles) * _MIN_NAMED):
        return {}
    names = {title: str(match["after"] or match["member"] or match["before"]).strip(".:") for title, match in matches.items()}
    return {title: tuple(dict.fromkeys((name, _COLONS.split(name)[-1]))) for title, name in names.items() if name}
