"""All pages of a site → the indexed text: each page with its title, without text that most pages have."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from ranvier.text import primary

from ranvier_builder.config import Config
from ranvier_builder.model import Block, Neuron, Page, Rendered, Section, Warn
from ranvier_builder.numbering import without_number
from ranvier_builder.read.language import rare_languages
from ranvier_builder.read.values import is_named
from ranvier_builder.render.chunk import chunks
from ranvier_builder.render.html import one_line
from ranvier_builder.render.slugs import seq_id
from ranvier_builder.web.canonical import duplicates
from ranvier_builder.web.listings import continuations
from ranvier_builder.web.page import WebPage
from ranvier_builder.web.titles import affix, is_common, short_names, titles
from ranvier_builder.withheld import Reason

_MIN_PAGES = 6  # pages; on fewer pages, repeated text may still be their topic


@dataclass(slots=True)
class SiteText:
    """The indexed text of a site, the numbers of withheld pages by reason, and warnings."""

    title: str
    lang: str
    rendered: list[Rendered] = field(default_factory=list)
    pages: list[WebPage] = field(default_factory=list)  # parallel to `rendered`
    withheld: Counter[str] = field(default_factory=Counter)
    warnings: list[Warn] = field(default_factory=list)


def site_text(all_pages: Sequence[WebPage], config: Config) -> SiteText:
    """Return the pages to index, with titles and without repeated text. Input and output are in the order of paths."""
    out = SiteText("", config.lang)
    out.warnings += [warning for page in all_pages for warning in page.warnings]
    pages = _without_rare_guesses(_indexable(all_pages, config, out))
    common_affix = affix(page.head_title for page in pages)
    page_titles = titles(pages, common_affix)
    names = short_names(page_titles)
    common = _Common(pages)
    texts = [(title, tuple(common.clean(page, title))) for page, title in zip(pages, page_titles, strict=True)]
    unique_pages = _without_copies([(page, *text) for page, text in zip(pages, texts, strict=True)], out, config.lang)
    summaries = Counter(page.summary for page, _, _ in unique_pages)
    for seq, (page, title, sections) in enumerate(unique_pages, 1):
        neuron = _neuron(page, title, config, common, _summary(page, summaries, sections))
        neuron = replace(neuron, aliases=names.get(title, ()))
        if not any(section.blocks for section in sections):
            out.warnings.append(Warn(page.path, "empty", "has no readable text: only its title can be found"))
        out.pages.append(page)
        out.rendered.append(_rendered(neuron, page, seq, config.name, sections))
    out.title = config.title or _site_name(pages, common_affix.name, page_titles)
    out.lang = _language(pages, config.lang)
    return out


def _indexable(all_pages: Sequence[WebPage], config: Config, out: SiteText) -> list[WebPage]:
    has_marks = any(page.marked for page in all_pages)
    later_pages = set() if config.listings else continuations({page.path for page in all_pages})
    pages = []
    for page in all_pages:
        if reason := _reason(page, has_marks, listing=not config.listings and (page.listing or page.path in later_pages)):
            out.withheld[reason] += 1
        else:
            pages.append(page)
    others, implausible = duplicates(pages, config.url)
    if implausible:
        message = "most pages name this one as their canonical address; they are indexed nevertheless"
        out.warnings.append(Warn(implausible, "duplicate", message))
    if others:
        out.withheld[Reason.CANONICAL] += len(others)
    return [page for page in pages if page.path not in others]


def _without_rare_guesses(pages: Sequence[WebPage]) -> list[WebPage]:
    rare_langs = rare_languages([page.lang for page in pages])
    return [replace(page, lang="") if page.lang_guessed and primary(page.lang) in rare_langs else page for page in pages]


def _reason(page: WebPage, has_marks: bool, *, listing: bool) -> Reason | None:
    """Return why a page is not indexed; `None` if it is. A list is indexed if its author marked its main content."""
    if page.noindex:
        return Reason.NOINDEX
    if page.redirect:
        return Reason.REDIRECT
    if has_marks and not page.marked:
        return Reason.NOT_MARKED
    return Reason.LISTING if listing and not page.marked else None


_Text = tuple[WebPage, str, tuple[Section, ...]]


def _without_copies(texts: Sequence[_Text], out: SiteText, site_lang: str) -> list[_Text]:
    """Keep one of the pages with the same text and title.

    In order: in the fewest folders, in that of its language, in the site's language (a page that is not translated yet may have
    the language of its folder), with the shortest address.
    """

    def rank(text: _Text) -> tuple[int, bool, bool, int, str]:
        page = text[0]
        folders, lang = page.url.lower().split("/")[:-1], page.lang or site_lang
        return len(folders), lang.lower() not in folders, primary(lang) != primary(site_lang), len(page.url), page.path

    first: dict[str, WebPage] = {}
    copies = set()
    for page, title, sections in sorted(texts, key=rank):
        if not any(section.blocks for section in sections):
            continue
        digest = hashlib.sha256(repr((title, sections)).encode("utf-8", "surrogatepass")).hexdigest()
        if first.setdefault(digest, page) is not page:
            copies.add(page.path)
            message = f"has the same text as {first[digest].path}; only that page is indexed"
            out.warnings.append(Warn(page.path, "duplicate", message))
    if copies:
        out.withheld[Reason.DUPLICATE] += len(copies)
    return [text for text in texts if text[0].path not in copies]


class _Counts:
    """On how many pages each text is: on all pages, and on those of each language, which a translated site has few of."""

    def __init__(self, pages: Sequence[WebPage], texts: Callable[[WebPage], Iterable[str]], min_pages: int) -> None:
        self._min_pages = min_pages
        has_languages = len({page.lang for page in pages}) > 1
        groups = {page.lang: ("", page.lang) if has_languages and page.lang else ("",) for page in pages}
        self._pages = Counter(group for page in pages for group in groups[page.lang])
        self._texts = Counter((group, text) for page in pages for text in {*texts(page)} for group in groups[page.lang])

    def is_common(self, text: str, lang: str) -> bool:
        """Return whether a text of a page belongs to the site, or to its pages in one language."""
        counts = ((self._texts[group, text], self._pages[group]) for group in ("", lang))
        return any(times >= self._min_pages and is_common(times, pages) for times, pages in counts)


class _Common:
    """The text that most pages of a site, or most of its pages in one language, have."""

    def __init__(self, pages: Sequence[WebPage]) -> None:
        self._titles = _Counts(pages, lambda page: [page.heading], 0)
        self._blocks = _Counts(pages, lambda page: [] if page.marked else _prose(page.sections), _MIN_PAGES)
        self._headings = _Counts(pages, lambda page: [part.headings[-1] for part in page.sections if part.levels], _MIN_PAGES)
        self._keywords = _Counts(pages, lambda page: page.keywords, _MIN_PAGES)

    def keywords(self, page: WebPage) -> tuple[str, ...]:
        """Return the keywords of a page that are not common to the site."""
        return tuple(word for word in page.keywords if not self._keywords.is_common(word, page.lang))

    def clean(self, page: WebPage, title: str) -> Iterator[Section]:
        """Yield the sections of a page below its title, without blocks that most pages have."""
        site_wide = self._titles.is_common(page.heading, page.lang)
        distinct = map(_without_doubles, _without_labels(page.sections))
        sections = [_below_main_heading(section, page, title, site_wide) for section in distinct]
        has_title = bool(page.heading) and page.heading in title
        title_heading = None if has_title else self._title_heading(sections, title, page.lang)
        for section in sections:
            blocks = section.blocks if page.marked else self._distinct(section.blocks, page.lang)
            levels, names = section.levels, section.headings
            if (levels[:1], names[:1]) == title_heading:
                levels, names = levels[1:], names[1:]
            if not blocks and (not names or self._headings.is_common(names[-1], page.lang)):
                continue
            yield Section(section.anchor if names else "", names, levels, blocks)

    def _title_heading(
        self, sections: Sequence[Section], title: str, lang: str
    ) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        """Return the level and the words of the first heading, if it is the page's title, with or without a chapter's number.

        DocBook writes it as an h2. Headings before it without text of their own, such as the name of the site, do not count.
        """
        for section in sections:
            name = section.headings[0] if section.headings else ""
            if name and title in (name, without_number(name), name.lstrip("0123456789 ")):
                return section.levels[:1], section.headings[:1]
            if section.levels and self._distinct(section.blocks, lang):
                break
        return None

    def _distinct(self, blocks: Iterable[Block], lang: str) -> tuple[Block, ...]:
        """Return the blocks that most pages do not have; code always stays."""
        return tuple(block for block in blocks if block.lines or not self._blocks.is_common(block.text, lang))


def _without_labels(sections: Sequence[Section]) -> Sequence[Section]:
    """Return the sections without a first heading that only labels the h1, such as the kind of an object in GI-DocGen."""
    is_label = len(sections) > 1 and sections[0].levels[:1] != (1,) == sections[1].levels and not sections[0].blocks
    return sections[is_label:]


def _without_doubles(section: Section) -> Section:
    """Return a section without a heading right below the same one: Sphinx describes a class below a heading with its name."""
    names = section.headings
    distinct = [at for at, name in enumerate(names) if names[at - 1 : at] != (name,)]
    return replace(section, levels=tuple(section.levels[at] for at in distinct), headings=tuple(names[at] for at in distinct))


def _below_main_heading(section: Section, page: WebPage, title: str, site_wide: bool) -> Section:
    """Return a section without the page's main heading, if that is in the title, or on most pages."""
    is_main = section.levels[:1] == (1,) and section.headings[0] == page.heading
    if not is_main or not (site_wide or page.heading in title):
        return section
    return replace(section, levels=section.levels[1:], headings=section.headings[1:])


def _prose(sections: Iterable[Section]) -> set[str]:
    return {block.text for section in sections for block in section.blocks if not block.lines}


def _summary(page: WebPage, summaries: Counter[str], sections: tuple[Section, ...]) -> str:
    """Return the description of a page, unless other pages have the same, or the page begins with it."""
    if not page.summary or summaries[page.summary] > 1:
        return ""
    start = one_line(" ".join(block.text for section in sections[:3] for block in section.blocks[:6]))
    return "" if page.summary.rstrip(" .…") in start else page.summary


def _neuron(page: WebPage, title: str, config: Config, common: _Common, summary: str) -> Neuron:
    return Neuron(
        page.path,
        title,
        "",
        id=page.path,
        kind=page.kind or "page",
        tags=tuple(dict.fromkeys((*page.filters, *common.keywords(page)))),
        audience=("public",),
        summary=summary,
        created=page.created,
        updated=page.updated,
        lang=page.lang or config.lang,
        weight=page.weight,
        extra=tuple(pair for pair in page.extra if is_named(pair[0], config.search_fields)),
    )


def _rendered(neuron: Neuron, page: WebPage, seq: int, site: str, sections: tuple[Section, ...]) -> Rendered:
    slug = unquote(page.url).strip("/")
    site_page = Page(neuron, seq, seq_id(site, neuron.id), slug, page.url, page.url.endswith("/") or not page.url)
    return Rendered(site_page, "", sections, chunks(sections, neuron.summary, neuron.extra))


def _site_name(pages: Sequence[WebPage], common_affix: str, page_titles: Sequence[str]) -> str:
    names = Counter(page.site_name for page in pages if page.site_name)
    if names:
        return min(names, key=lambda name: (-names[name], name))
    return common_affix or next((title for page, title in zip(pages, page_titles, strict=True) if not page.url), "")


def _language(pages: Sequence[WebPage], default: str) -> str:
    langs = Counter(page.lang or default for page in pages)
    return min(langs, key=lambda lang: (-langs[lang], lang != default, lang), default=default)
