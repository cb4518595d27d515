"""One HTML file → what it says, and what it says about itself. Nothing here looks at another page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.model import Section, Warn
from ranvier_builder.render.html import one_line, parse
from ranvier_builder.web.charset import decode
from ranvier_builder.web.marks import Marks, read_marks
from ranvier_builder.web.outline import LONGEST, outline, plain, shortened
from ranvier_builder.web.seen import Seen

_INDEX = ("index.html", "index.htm")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_REFRESH = re.compile(r"\s*+[.\d]*+\s*+[;,]\s*+(?:url\s*+=)?+\s*+['\"]?+\s*+(\S.*)", re.IGNORECASE)
_NEAR = 5  # elements around a date that may be a page's header
_HOME = "https://site.invalid/"  # stands for the site's root, where only paths matter


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as its file shows it. What a site's other pages change about it is decided in `site`."""

    path: str  # relative to the site's folder, with slashes
    url: str  # as a static host serves it, relative to the root: "guide/" for guide/index.html
    said_title: str  # by its author, in an attribute
    heading: str  # its first h1
    head_title: str  # its <title>
    site_name: str
    sections: tuple[Section, ...]
    marked: bool  # its author marked the main content
    noindex: bool
    redirect: bool
    canonical: str  # path of the address that it names as its own, from the host's root; empty where it names none
    lang: str
    summary: str
    filters: tuple[str, ...]  # "author/Ada Lovelace"
    keywords: tuple[str, ...]
    created: str
    updated: str
    weight: float
    kind: str
    extra: tuple[tuple[str, str], ...]
    warnings: tuple[Warn, ...]


def address(path: str) -> str:
    """Say where a static host serves a file, relative to the site's root, percent-encoded."""
    folder, _, name = path.rpartition("/")
    if name.lower() in _INDEX:
        return f"{quote(folder)}/" if folder else ""
    return quote(path)


def read_page(path: str, data: bytes) -> WebPage:
    """Read an HTML file of a site. Nothing in it is an error."""
    html, odd = decode(data)
    warnings = [Warn(path, "encoding", odd)] if odd else []
    tree = parse(html)
    seen = Seen(tree)
    marks = read_marks(tree, lambda node: plain(node, seen), seen.ignored)
    head = _Head(tree, path)
    sections = outline(tree, seen)
    warnings += [Warn(path, "markup", line) for line in marks.odd]
    created, updated = head.dates(seen)
    meta = dict(marks.meta)
    fields = {
        key: meta.pop(key, "") for key in ("title", "kind", "summary", "description", "lang", "date", "created", "updated")
    }
    return WebPage(
        path=path,
        url=address(path),
        said_title=shortened(fields["title"], LONGEST),
        heading=_heading(tree, seen, sections),
        head_title=head.title,
        site_name=head.named("og:site_name"),
        sections=sections,
        marked=seen.marked,
        noindex=head.noindex,
        redirect=head.redirect,
        canonical=head.canonical,
        lang=fields["lang"] or head.lang,
        summary=fields["summary"] or fields["description"] or head.named("description") or head.named("og:description"),
        filters=tuple(shortened(f"{key}/{value}", LONGEST) for key, value in marks.filters),
        keywords=head.keywords,
        created=fields["created"] or fields["date"] or created,
        updated=fields["updated"] or updated,
        weight=marks.weight,
        kind=fields["kind"],
        extra=_extra(meta, marks),
        warnings=tuple(warnings),
    )


def _extra(meta: dict[str, str], marks: Marks) -> tuple[tuple[str, str], ...]:
    return tuple(sorted({**meta, **{f"sort.{key}": value for key, value in marks.sorts.items()}}.items()))


def _heading(tree: LexborHTMLParser, seen: Seen, sections: tuple[Section, ...]) -> str:
    """Return the page's first h1: of its main content, or where that is marked and has none, of the page."""
    inside = next((section.headings[-1] for section in sections if section.levels[-1:] == (1,)), "")
    if inside or not seen.marked:
        return inside
    shown = (one_line(plain(node, seen)) for node in tree.css("h1") if not seen.hidden(node))
    return shortened(next(filter(None, shown), ""), LONGEST)


class _Head:
    """What a page's `<head>` says."""

    def __init__(self, tree: LexborHTMLParser, path: str) -> None:
        self._tree = tree
        self._path = path
        self._meta: dict[str, list[str]] = {}
        for node in tree.css("meta[name], meta[property]"):
            attributes = node.attributes
            value = one_line(str(attributes.get("content") or ""))
            for name in {str(attributes.get("name") or "").lower(), str(attributes.get("property") or "").lower()} - {""}:
                self._meta.setdefault(name, []).append(value)

    def named(self, name: str) -> str:
        """Return what a `<meta>` says; the first that says anything."""
        return next(filter(None, self._meta.get(name, ())), "")

    @property
    def title(self) -> str:
        """The `<title>`, not one of a drawing in the page."""
        node = self._tree.head.css_first("title") if self._tree.head is not None else None
        return shortened(one_line(node.text() if node is not None else ""), LONGEST)

    @property
    def lang(self) -> str:
        """The language that `<html>` names."""
        root = self._tree.root
        return str(root.attributes.get("lang") or "").strip() if root is not None else ""

    @property
    def noindex(self) -> bool:
        """Whether search engines are asked to stay away."""
        directives = ",".join((*self._meta.get("robots", ()), *self._meta.get("ranvier", ()))).lower()
        return bool({"noindex", "none"} & {word.strip() for word in directives.split(",")})

    @property
    def redirect(self) -> bool:
        """Whether the page only sends its reader on."""
        for node in self._tree.css("meta[http-equiv=refresh i]"):
            refresh = _REFRESH.match(str(node.attributes.get("content") or ""))
            if refresh and not _own(refresh[1].strip("'\" "), self._path):
                return True
        return False

    @property
    def canonical(self) -> str:
        """The path of the page's canonical address, from its host's root."""
        node = self._tree.css_first("link[rel~=canonical i]")
        href = str(node.attributes.get("href") or "").strip() if node is not None else ""
        if not href:
            return ""
        base = self._tree.css_first("base[href]")
        start = _joined(_HOME + quote(self._path), str(base.attributes.get("href") or "") if base is not None else "")
        return _path(_joined(start, href))

    @property
    def keywords(self) -> tuple[str, ...]:
        """Words that `keywords` and `article:tag` name, each once."""
        keywords = ",".join((*self._meta.get("keywords", ()), *self._meta.get("article:tag", ())))
        return tuple(dict.fromkeys(word for part in keywords.split(",") if (word := part.strip().lstrip("#"))))

    def dates(self, seen: Seen) -> tuple[str, str]:
        """Return when the page was written and last changed, as `YYYY-MM-DD` each, or nothing."""
        created = _date(self.named("article:published_time") or self.named("date"))
        updated = _date(self.named("article:modified_time") or self.named("og:updated_time") or self.named("last-modified"))
        times = [node for root in seen.roots for node in root.css("time[datetime]")]
        for node in times:
            names = f"{node.attributes.get('itemprop') or ''} {node.attributes.get('class') or ''}".lower()
            date = _date(str(node.attributes.get("datetime") or ""))
            if "modif" in names or "update" in names:
                updated = updated or date
            elif "publish" in names or "pubdate" in node.attributes or len(times) == 1 or _framed(node):
                created = created or date
        return created, updated


def _framed(node: LexborNode) -> bool:
    """Tell whether a date stands over or under the text: one in a sentence is somebody's birthday."""
    above = node.parent
    for _ in range(_NEAR):
        if above is None:
            return False
        if above.tag in ("header", "footer"):
            return True
        above = above.parent
    return False


def _own(target: str, path: str) -> bool:
    """Tell whether a refresh only loads the page again."""
    own = _HOME + address(path)
    return _joined(own, target).partition("#")[0].partition("?")[0] == own


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:  # no address: "http://["
        return base


def _path(url: str) -> str:
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return ""


def _date(text: str) -> str:
    match = _DATE.match(text.strip())
    return match[0] if match else ""


def stem(path: str) -> str:
    """Name a page by its file, or by its folder: `guide/first-steps.html` → `first steps`."""
    name = PurePosixPath(path)
    words = name.parent.name if name.name.lower() in _INDEX and name.parent.name else name.stem
    return re.sub(r"[-_]+", " ", words).strip() or words
