"""Resolve links: the text that an author wrote → a page, a folder or a file of the site (N4).

Only pages that passed the audience gate are known here. Withheld and missing pages give the same result: `None`.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ranvier_builder.audience import readers_see
from ranvier_builder.config import Config
from ranvier_builder.markdown.dialects.references import fragments, label_of, references, targets
from ranvier_builder.markdown.dialects.roles import key, labels
from ranvier_builder.model import Page, Rendered
from ranvier_builder.paths import HTML, MEDIA, fold, suffix
from ranvier_builder.render.base_paths import absolute_links, base_paths
from ranvier_builder.render.media import Media
from ranvier_builder.render.names import HOST, PageNames
from ranvier_builder.render.translations import Counterparts

# Kind, path of the page with the link, target. Kinds: "path" (a Markdown link or an address in HTML), "name" (a wikilink),
# "dendron" (do wikilinks have the label first?), "label" (of MyST), "title" (the target is a slug).
LinkLookup = tuple[str, str, str]
# ("page", slug), ("section", slug) of a folder without a page, ("label", slug, anchor, words), ("title", words), ("media",
# path, published name, size of a picture), ("refused", reason) for a file that exists and is not published, or `None`.
LinkTarget = tuple[str, ...] | None

_SEARCH = "search"  # a page that every site has
_STATIC = ("static", "public")  # folders whose files Docusaurus, Hugo, VitePress and Astro publish at the root of the site
# Folders below which other systems publish documents, with or without a language as prefix.
_DOCS_FOLDER = re.compile(r"(?P<lang>/[a-z]{2,3}(?:-[a-z0-9]{2,4})?)?/(?:docs?|documentation|wiki)(?:/|\Z)", re.IGNORECASE)
_PELICAN = re.compile(r"(?:\{(?:filename|attach|static)\}|\|(?:filename|attach|static)\|)(?=.)")  # a file of the content folder
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


class Links:
    """Resolves links for all pages of a site. Small enough to be sent to other processes: it stores no texts."""

    def __init__(
        self,
        root: Path,
        pages: Iterable[Page],
        files: Iterable[str] = (),  # of the content folder, at the time of the gate
        config: Config | None = None,
        refused: frozenset[str] = frozenset(),
        levels: Mapping[str, int] | None = None,  # the smallest audience that may see each page, by path
    ) -> None:
        config = config or Config()
        # The base path of the site, and those that it has in other systems.
        self._bases = tuple(base for base in (urlsplit(config.url).path.strip("/"), *config.base_paths) if base.strip("/"))
        pages_list, files = list(pages), tuple(files)
        self._names = PageNames(pages_list)
        self._address_folders = {page.neuron.path: folder for page in pages_list if (folder := _address_folder(page))}
        self._counterparts = Counterparts(pages_list, config.lang)
        roots = {path.lower() for path in files}
        self._is_wiki = "home.md" in roots and not roots.isdisjoint(("_sidebar.md", "_footer.md"))  # of GitHub
        self._folders: dict[str, str] = {}
        for page in pages_list:
            self._add_folders(page)
        self._levels = levels or {}
        self._titles = {page.slug: (page.neuron.title, page.neuron.path) for page in pages_list}
        self._labels: dict[str, tuple[str, ...]] = {}
        self._headings: dict[tuple[str, str], str] = {}  # words by page and label
        names, paths = set[str](), Counter[str]()
        for page in pages_list:
            names |= references(body := page.neuron.body) | fragments(body)
            paths.update(absolute_links(body))
            for name, anchor, words in labels(body):
                self._labels.setdefault(name, ("label", page.slug, anchor, words or page.neuron.title))
        for page in pages_list if names else ():
            for name, anchor, words in targets(page.neuron.body, names):
                self._labels.setdefault(name, ("label", page.slug, anchor, ""))
                self._headings.setdefault((page.slug, name), words)
        self._html = frozenset(path for path in files if suffix(path) in HTML)
        self.media = Media(root.resolve(), files, refused, strip_metadata=config.strip_metadata)
        self._bases += base_paths(
            paths,
            lambda path: self._by_path("", path) is not None,
            lambda path: self._names.at(path) is not None,
        )

    def look_up(self, lookup: LinkLookup) -> LinkTarget:
        """Return the target of a link and the data that a page shows of it; `None` without a published target."""
        kind, source, target = lookup
        if kind == "dendron":
            return ("dendron",) if self._names.is_dotted or self._is_wiki else None
        if kind == "title":
            slug, _, fragment = target.partition("#")
            title, path = self._titles.get(slug, ("", ""))
            title = self._headings.get((slug, label_of(unquote(fragment)))) or title
            return "title", title if readers_see(self._levels, source, path) else ""
        if kind == "label":
            return self._label(source, target)
        return self._by_name(source, target) if kind == "name" else self._by_path(source, target)

    def _by_path(self, source: str, target: str) -> LinkTarget:
        written_path = target.partition("#")[0].partition("?")[0].replace("\\", "/")
        path = unquote(written_path)
        if "\0" in path:
            return None
        path = path[prefix.end() :] if (prefix := _PELICAN.match(path)) else path
        path = path.removeprefix("@") if path.startswith("@/") else path  # of Zola, from the content's root
        paths = [path, *_without_base(path, self._bases), *({written_path} - {path})]  # the last of Azure DevOps: `%2D.md`
        if path.startswith("/") and suffix(path) in MEDIA:
            paths += [f"/{folder}{variant}" for folder in _STATIC for variant in paths]
        own = self._address_folders.get(source)
        candidates = [candidate for variant in paths for candidate in _candidate_paths(source, variant, own)]
        is_root = False  # a site without a page for its root has a list there, which no list of another folder precedes
        for candidate in candidates:
            answer = self._at(candidate)
            if answer is not None and not (is_root and answer[0] == "section"):
                return self._in_same_language(source, candidate, answer)
            is_root = is_root or not candidate
        if is_root:
            return "section", ""
        if (slug := self._counterparts.other(source, candidates, paths if path.startswith("/") else [])) is not None:
            return "page", slug
        if label := self._label(source, path):
            return label
        if suffix(path) in HTML and any(candidate in self._html for candidate in _candidate_paths(source, path)):
            return "refused", "because `ranvier build` reads no HTML"
        return ("section", _SEARCH) if path.strip("/") == _SEARCH else None

    def _in_same_language(self, source: str, link: str, target: tuple[str, ...]) -> LinkTarget:
        if target[0] != "page":
            return target
        slug = target[1]
        return "page", self._counterparts.same_language(source, link, self._titles[slug][1], slug)

    def _label(self, source: str, name: str) -> LinkTarget:
        """Return a label, with its words if all readers of the page with the link may see them."""
        target = self._labels.get(key(name))
        if target is None or readers_see(self._levels, source, self._titles[target[1]][1]):
            return target
        return (*target[:-1], "")

    def _by_name(self, source: str, target: str) -> LinkTarget:
        target = target.strip()
        if suffix(target) in MEDIA:
            target_file = self._by_path(source, target) or self._file(self.media.find(source, target))
            if target_file is not None:
                return target_file
        return self._page(self._names.find(source, target), target)

    def _at(self, path: str) -> LinkTarget:
        if suffix(path) in MEDIA and (file := self._file(self.media.at(path))) is not None:
            return file
        return self._page(self._names.at(path), path)

    def _page(self, number: int | None, path: str) -> LinkTarget:
        if number is not None:
            return "page", self._names.slug(number)
        folder = self._folders.get(fold(path).strip("/"))
        return ("section", folder) if folder is not None else None

    def _file(self, path: str | None) -> LinkTarget:
        if path is None:
            return None
        name, reason = self.media.name(path)
        return ("media", path, name, self.media.size(path)) if name else ("refused", reason)

    def _add_folders(self, page: Page) -> None:
        """Record the folders above a page, by path and by address; pages have priority over folders."""
        if page.neuron.parent:
            return  # the page is listed below its parent, so its folder may have no list
        folders, slugs = fold(page.neuron.path).split("/")[:-1], page.slug.split("/")
        for count in range(1, min(len(folders), len(slugs)) + 1):
            slug = "/".join(slugs[:count])
            self._folders.setdefault("/".join(folders[:count]), slug)
            self._folders.setdefault(slug, slug)


def _address_folder(page: Page) -> str:
    """Return the folder of a page's address in another system: `docs/cmd` of `permalink: /docs/cmd/watch.html`."""
    address = next(iter(page.neuron.addresses), "")
    return posixpath.dirname(HOST.sub("", address)).strip("/")


def _candidate_paths(source: str, path: str, address_folder: str | None = None) -> Iterator[str]:
    """Yield possible paths of a link from the content's root, the most likely first.

    `/a/b` is relative to the root of the site, which is the content folder or a folder in it: `en/`. Any other path is
    relative to the page's folder, to the page's address (if authors treat pages as folders), to a parent folder, or to the
    folder of its address in another system.
    """
    folders = source.split("/")[:-1]
    slash = "/" if path.endswith("/") else ""
    starts = ["/".join(folders[:count]) for count in range(len(folders) + 1)]
    if not path.startswith("/"):
        above = starts[-2::-1] if not path.startswith(".") else []
        starts = [starts[-1], posixpath.splitext(source)[0], *above, *([address_folder] if address_folder else [])]
    for start in starts:
        candidate = posixpath.normpath(posixpath.join(start, path.strip("/") or "."))
        if candidate != ".." and not candidate.startswith("../"):
            yield "" if candidate == "." else candidate + slash


def _without_base(path: str, bases: Iterable[str]) -> Iterator[str]:
    """Remove the site's base path or `docs` from an absolute path: `/de/docs/a` → `/de/a`, `/a`."""
    for base in bases:
        start = f"/{base.strip('/')}/"
        if f"{path}/".startswith(start):
            yield f"/{path[len(start) :]}"
    if match := _DOCS_FOLDER.match(path):
        yield f"{match['lang'] or ''}/{path[match.end() :]}"
        if match["lang"]:
            yield f"/{path[match.end() :]}"


def is_external(href: str) -> bool:
    """Return whether a link leaves the site: it has a scheme or a host."""
    return bool(_EXTERNAL.match(href))


def backlinks(rendered: Sequence[Rendered]) -> dict[str, tuple[Page, ...]]:
    """Return for each slug the pages that link to it, sorted by title.

    A page is never a backlink of itself, and a page with `noindex` or `unlisted` is not a backlink.
    """
    sources: dict[str, dict[str, Page]] = {}
    for rendered_page in rendered:
        if rendered_page.page.neuron.noindex or rendered_page.page.neuron.unlisted:
            continue
        for link in rendered_page.links:
            if link.to is not None and link.to != rendered_page.page.slug:
                sources.setdefault(link.to, {})[rendered_page.page.slug] = rendered_page.page
    return {
        slug: tuple(sorted(pages.values(), key=lambda page: (page.neuron.title.casefold(), page.slug)))
        for slug, pages in sorted(sources.items())
    }
