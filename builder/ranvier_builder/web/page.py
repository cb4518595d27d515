"""One HTML file → its text and its metadata, without regard to other pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from urllib.parse import quote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.model import Section, Warn
from ranvier_builder.read.language import Language, language_of
from ranvier_builder.render.html import attribute_of, one_line, outermost, parse, with_ancestors
from ranvier_builder.web.charset import decode
from ranvier_builder.web.listings import is_listing
from ranvier_builder.web.marks import read_marks
from ranvier_builder.web.outline import MAX_LENGTH, outline, plain, shorten
from ranvier_builder.web.visibility import Visibility

_INDEX = ("index.html", "index.htm")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
# In an address: `2024/05/01/title.html`, `2024-05-01-title.html`.
_ADDRESS_DATE = re.compile(
    r"(?:.*/)?(?P<year>(?:19|20)\d\d)(?P<sign>[/-])(?P<month>0[1-9]|1[0-2])(?P=sign)(?P<day>0[1-9]|[12]\d|3[01])[/.-].*"
)
_REFRESH = re.compile(r"\s*+[.\d]*+\s*+[;,]\s*+(?:url\s*+=)?+\s*+['\"]?+\s*+(\S.*)", re.IGNORECASE)
_SIGNATURE = re.compile(r" (?:::|->) |^(?:val|type|module) .+ (?:[:=]|with) ")
_MAX_DISTANCE = 5  # elements around a date that are searched for a header
_HOME = "https://site.invalid/"  # placeholder for the root of the site: only paths matter


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page according to its file. `site` applies the changes that depend on other pages."""

    path: str  # relative to the site's folder, with slashes
    url: str  # on a static host, relative to the root: "guide/" for guide/index.html
    declared_title: str  # set by its author in an attribute
    heading: str  # its first h1
    head_title: str  # its <title>
    site_name: str
    sections: tuple[Section, ...]
    marked: bool  # its author marked the main content
    noindex: bool
    redirect: bool
    listing: bool  # a generated list of pages: of a tag, a year, an author
    canonical: str  # path of its canonical address, from the root of the host, or ""
    lang: str
    lang_guessed: bool  # derived only from the function words of its text
    summary: str
    filters: tuple[str, ...]  # "author/Ada Lovelace"
    keywords: tuple[str, ...]
    created: str
    updated: str
    weight: float
    kind: str
    extra: tuple[tuple[str, str], ...]
    meta: tuple[tuple[str, str], ...]  # all `meta` attributes, as their author wrote them
    image: str  # address of its first picture, as written, or ""
    warnings: tuple[Warn, ...]


def address(path: str) -> str:
    """Return the address of a file on a static host, relative to the site's root, percent-encoded."""
    folder, _, name = path.rpartition("/")
    if name.lower() in _INDEX:
        return f"{quote(folder)}/" if folder else ""
    return quote(path)


def read_page(path: str, data: bytes) -> WebPage:
    """Read an HTML file of a site. Problems become warnings, never errors."""
    html, problem = decode(data)
    warnings = [Warn(path, "encoding", problem)] if problem else []
    tree = parse(html)
    visibility = Visibility(tree)
    marks = read_marks(tree, lambda node: plain(node, visibility.skips), visibility.is_ignored)
    head = _Head(tree, path)
    sections = outline(tree, visibility)
    warnings += [Warn(path, "markup", line) for line in marks.problems]
    created, updated = head.dates(visibility)
    meta = dict(marks.meta)
    fields = {
        key: meta.pop(key, "") for key in ("title", "kind", "summary", "description", "lang", "date", "created", "updated")
    }
    declared_lang = fields["lang"] or head.lang
    language = Language(declared_lang) if declared_lang else language_of(path, _text(head.title, sections))
    return WebPage(
        path=path,
        url=address(path),
        declared_title=shorten(fields["title"], MAX_LENGTH),
        heading=_heading(tree, visibility, sections),
        head_title=head.title,
        site_name=head.meta("og:site_name"),
        sections=sections,
        marked=visibility.marked,
        noindex=head.noindex,
        redirect=head.redirect,
        listing=is_listing(path, tree, visibility, head.meta("generator").lower()),
        canonical=head.canonical,
        lang=language.tag,
        lang_guessed=language.is_guessed,
        summary=fields["summary"] or fields["description"] or head.description,
        filters=tuple(shorten(f"{key}/{value}", MAX_LENGTH) for key, value in marks.filters),
        keywords=head.keywords(visibility),
        created=_date(fields["created"]) or _date(fields["date"]) or created,
        updated=_date(fields["updated"]) or updated,
        weight=marks.weight,
        kind=fields["kind"],
        extra=tuple(sorted({**meta, **{f"sort.{key}": value for key, value in marks.sorts.items()}}.items())),
        meta=tuple(sorted(marks.meta.items())),
        image=_image(visibility),
        warnings=tuple(warnings),
    )


def _text(title: str, sections: tuple[Section, ...]) -> str:
    """Return the prose of a page, without code. Types of Haskell and OCaml, `m a -> t`, look like words of other languages."""
    blocks = (block for section in sections for block in section.blocks)
    return "\n".join((title, *(block.text for block in blocks if not block.lines and not _SIGNATURE.search(block.text))))


def _image(visibility: Visibility) -> str:
    """Return the address of the first visible picture of the main content; a data address is not an address."""
    pictures = (node for root in visibility.roots for node in root.css("img[src]") if not visibility.is_hidden(node))
    addresses = (one_line(attribute_of(node, "src")) for node in pictures)
    return next((address for address in addresses if address and not address.lower().startswith("data:")), "")


def _heading(tree: LexborHTMLParser, visibility: Visibility, sections: tuple[Section, ...]) -> str:
    """Return the first h1 of the main content, or of the whole page if the marked main content has none.

    Doxygen writes its heading into a `div`; an h1 below is that of a section.
    """
    doxygen = tree.css_first("div.headertitle > div.title")
    if doxygen is not None and (title := one_line(plain(doxygen, visibility.skips))):
        return shorten(title, MAX_LENGTH)
    main_heading = next((section.headings[-1] for section in sections if section.levels[-1:] == (1,)), "")
    if main_heading or not visibility.marked:
        return main_heading
    titles = (one_line(plain(node, visibility.skips)) for node in tree.css("h1") if not visibility.is_hidden(node))
    return shorten(next(filter(None, titles), ""), MAX_LENGTH)


class _Head:
    """The metadata in the `<head>` of a page."""

    def __init__(self, tree: LexborHTMLParser, path: str) -> None:
        self._tree = tree
        self._path = path
        self._meta: dict[str, list[str]] = {}
        for node in tree.css("meta[name], meta[property]"):
            value = one_line(attribute_of(node, "content"))
            for name in {attribute_of(node, "name").lower(), attribute_of(node, "property").lower()} - {""}:
                self._meta.setdefault(name, []).append(value)

    def meta(self, name: str) -> str:
        """Return the first non-empty content of the `<meta>` elements with a name."""
        return next(filter(None, self._meta.get(name, ())), "")

    @property
    def description(self) -> str:
        """The description of the page, if it says more than its title, unlike `Reference for Adw.Toast` in GI-DocGen."""
        text = self.meta("description") or self.meta("og:description")
        return "" if self.title and f" for {text}".endswith(f" for {self.title}") else text

    @property
    def title(self) -> str:
        """The `<title>` in the `<head>`, not one in an SVG."""
        node = self._tree.head.css_first("title") if self._tree.head is not None else None
        return shorten(one_line(node.text() if node is not None else ""), MAX_LENGTH)

    @property
    def lang(self) -> str:
        """The language of `<html>`. Some generators write `zh_CN`."""
        html = self._tree.root
        return (attribute_of(html, "lang") or attribute_of(html, "xml:lang")).strip().replace("_", "-")

    @property
    def noindex(self) -> bool:
        """Whether the page excludes search engines."""
        directives = ",".join((*self._meta.get("robots", ()), *self._meta.get("ranvier", ()))).lower()
        # Some have a value, such as `max-image-preview:none`. Some authors separate them by blanks or semicolons.
        return not {"noindex", "none"}.isdisjoint(re.split(r"[,;\s]+", re.sub(r"[\w-]+:\s*\S+", " ", directives)))

    @property
    def redirect(self) -> bool:
        """Whether the page only redirects."""
        for node in self._tree.css("meta[http-equiv=refresh i]"):
            refresh = _REFRESH.match(attribute_of(node, "content"))
            target = refresh[1].strip("'\" ") if refresh else ""
            if target and not _is_reload(target, self._path) and not self._is_without_scripts(node, target):
                return True
        return False

    def _is_without_scripts(self, refresh: LexborNode, target: str) -> bool:
        """Return whether only browsers without JavaScript are sent away; a script of a redirect names the same address."""
        is_noscript = any(node.tag == "noscript" for node in with_ancestors(refresh))
        return is_noscript and not any(target in node.text() for node in self._tree.css("script"))

    @property
    def canonical(self) -> str:
        """The path of the page's canonical address, from its host's root."""
        href = attribute_of(self._tree.css_first("link[rel~=canonical i]"), "href").strip()
        if not href:
            return ""
        start = _join_url(_HOME + quote(self._path), attribute_of(self._tree.css_first("base[href]"), "href"))
        return _path(_join_url(start, href))

    def keywords(self, visibility: Visibility) -> tuple[str, ...]:
        """Return the words in `keywords` and `article:tag`, and the labels of links to tags, without duplicates."""
        lists = (*self._meta.get("keywords", ()), *self._meta.get("article:tag", ()))
        keywords = ",".join(words for words in lists if words != self.title).split(",")  # Texinfo repeats the title
        links = self._tree.css("a[rel~=tag i]")
        if links and len(outermost(self._tree.css("article"))) > 1:  # a list: its tags are those of the articles
            links = []
        visible = (link for link in links if not any(map(visibility.withholds, with_ancestors(link))))
        words = (word.strip().lstrip("#") for word in (*keywords, *(one_line(link.text()) for link in visible)))
        return tuple(dict.fromkeys(filter(None, words)))

    def dates(self, visibility: Visibility) -> tuple[str, str]:
        """Return the dates of creation, which may be in the address, and of the last change, as `YYYY-MM-DD` or ""."""
        created = _date(self.meta("article:published_time") or self.meta("date"))
        updated = _date(self.meta("article:modified_time") or self.meta("og:updated_time") or self.meta("last-modified"))
        times = [node for root in visibility.roots for node in root.css("time[datetime]")]
        for node in times:
            names = f"{attribute_of(node, 'itemprop')} {attribute_of(node, 'class')}".lower()
            date = _date(attribute_of(node, "datetime"))
            if "modif" in names or "update" in names:
                updated = updated or date
            elif "publish" in names or "pubdate" in node.attributes or len(times) == 1 or _is_in_header(node):
                created = created or date
        return created or _date_in(self._path), updated


def _is_in_header(node: LexborNode) -> bool:
    """Return whether a date is in a header or footer: a date in a sentence could be a birthday."""
    return any(ancestor.tag in ("header", "footer") for ancestor in islice(with_ancestors(node.parent), _MAX_DISTANCE))


def _is_reload(target: str, path: str) -> bool:
    """Return whether a refresh only reloads the page."""
    page_url = _HOME + address(path)
    return _join_url(page_url, target).partition("#")[0].partition("?")[0] == page_url


def _join_url(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:  # invalid: "http://["
        return base


def _path(url: str) -> str:
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return ""


def _date(text: str) -> str:
    match = _DATE.match(text.strip())
    return match[0] if match else ""


def _date_in(path: str) -> str:
    match = _ADDRESS_DATE.fullmatch(path)
    return f"{match['year']}-{match['month']}-{match['day']}" if match else ""


def stem(path: str) -> str:
    """Return a title from the name of a file, or of its folder: `guide/first-steps.html` → `first steps`."""
    name = PurePosixPath(path)
    words = name.parent.name if name.name.lower() in _INDEX and name.parent.name else name.stem
    return re.sub(r"[-_]+", " ", words).strip() or words
