"""The tree and the rendered Neurons → files, through a theme's templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from ranvier_builder.assets import Assets
from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Page, Rendered
from ranvier_builder.paths import IMAGES, PAGES, fold, suffix
from ranvier_builder.render.addresses import MEDIA_FOLDER, anchor_of
from ranvier_builder.render.dates import day_of
from ranvier_builder.render.fragments import Fragments
from ranvier_builder.render.media import Media
from ranvier_builder.render.menu import menu
from ranvier_builder.render.node import Node
from ranvier_builder.render.tree import Tree
from ranvier_builder.site import agents
from ranvier_builder.site.days import calendar_of, feed_of, newest
from ranvier_builder.site.languages import Languages
from ranvier_builder.site.root import Root
from ranvier_builder.site.tags import Tag, free_folder, tags_of
from ranvier_builder.site.theme import EXTRA, MERMAID, load_theme
from ranvier_builder.site.titles import Titles, direction_of, language

_TITLE = re.compile(r"\s*+(?:<(?!h1[\s>])[^<>]*+>\s*+)*+<h1[\s>]")  # at the start of a text; pictures may be above it
_SIGNS = re.compile(r"\W")
_PREVIEWS = IMAGES - {".svg", ".ico", ".bmp"}  # kinds of pictures that previews of links show


class Frames(Protocol):
    """Caches the output of templates by their inputs."""

    def frame(self, file: str, inputs: bytes) -> str | None:
        """Return a file's cached HTML, if its inputs are the same."""

    def keep_frame(self, file: str, inputs: bytes, html: str) -> None:
        """Cache the output of a template."""

    def forget_frames(self, current: Iterable[str]) -> None:
        """Remove cached files that are no longer written."""


@dataclass
class Site:
    """Writes the pages of one site."""

    _out: Path
    _config: Config
    _tree: Tree
    _assets: Assets
    _rendered: dict[str, Rendered]
    _backlinks: dict[str, tuple[Page, ...]]
    _media: Media
    _frames: Frames
    _identity: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Collect the lists of the site."""
        self._written_files: list[str] = []
        self._fragments = Fragments(self._rendered)
        self._order = [node for node in self._tree if node.page is not None or node.is_section]
        pages = [node for node in self._order if node.page is not None and not node.page.neuron.unlisted]
        self._tags = tags_of(pages)
        self._languages = Languages((node.page for node in pages if node.page is not None), self._config.lang)
        self._months = calendar_of(pages, self._titles(self._config.lang).link)
        self._feed = newest(pages) if self._config.url else []
        self._tag_folder, self._calendar = (free_folder(name, self._rendered) for name in ("tags", "calendar"))
        self._site = self._site_variables()
        self._theme = load_theme(self._config)

    def write(self) -> None:
        """Write every page, the lists of tags and days, the search page, the 404 page, and the files for programs."""
        full_text = agents.FullText(self._out, self._site["title"]) if self._config.agents else None
        listed_count = len(self._order) - len(self._tree.unlisted)  # what no menu lists comes last
        for index, node in enumerate(self._order):
            previous = self._order[index - 1] if 0 < index < listed_count else None
            following = self._order[index + 1] if index + 1 < listed_count else None
            self._node(node, previous, following, full_text)
        self._lists()
        self._write("search/index.html", "search.html", "search")
        self._write("404.html", "404.html", "404", root=Root.absolute(self._base_path()))
        if self._config.url:
            self._sitemap()
        if self._feed:
            self._write("feed.xml", "feed.xml", "", feed=feed_of(self._feed, self._site["title"], self._config.description))
        if full_text is not None:
            pages = [(node, node.page.neuron) for node in self._order if node.page]
            nodes = [node for node, neuron in pages if not (neuron.noindex or (neuron.unlisted and node.slug))]
            text = agents.listing(self._tree.root, nodes, self._config, full_text.files)
            (self._out / "llms.txt").write_text(text, "utf-8", newline="\n")
        self._frames.forget_frames(self._written_files)

    def _node(self, node: Node, previous: Node | None, following: Node | None, full_text: agents.FullText | None) -> None:
        page = self._page(node)
        titles = self._titles(page["lang"])
        page |= {"prev": previous and titles.link(previous), "next": following and titles.link(following)}
        file = f"{node.slug}/index.html" if node.slug else "index.html"
        if node.is_section:
            children = [self._child(child, titles) for child in node.children]
            section = page | {"children": children}
            self._write(file, "section.html", node.slug, page=page, section=section)
        else:
            self._write(file, "page.html", node.slug, page=page)
        if full_text is not None and page["markdown"]:
            full_text.add(self._markdown(file, page), agents.absolute(self._config, node.url))

    def _markdown(self, file: str, page: dict[str, Any]) -> str:
        """Write a page as Markdown beside its HTML; return it."""
        file = str(Path(file).with_name(agents.MARKDOWN).as_posix())
        inputs = {name: page[name] for name in agents.FIELDS}
        text = self._cached(file, (self._config.url, inputs), lambda: agents.markdown_page(inputs, self._config))
        (self._out / file).write_text(text, "utf-8", newline="\n")
        return text

    def _lists(self) -> None:
        """Write a page for each tag, the list of tags, and the calendar."""
        if self._tags:
            tags = [self._tag(tag) | {"count": len(tag.nodes)} for tag in self._tags.values()]
            self._write(f"{self._tag_folder}/index.html", "tags.html", self._tag_folder, tags=tags)
        titles = self._titles(self._config.lang)
        for tag in self._tags.values():
            children = [self._child(node, titles) for node in tag.nodes]
            folder = f"{self._tag_folder}/{tag.slug}"
            self._write(f"{folder}/index.html", "tag.html", folder, tag=self._tag(tag), children=children)
        if self._months:
            self._write(f"{self._calendar}/index.html", "calendar.html", self._calendar, months=self._months)

    def _tag(self, tag: Tag) -> dict[str, Any]:
        return {"name": tag.name, "url": f"{self._tag_folder}/{quote(tag.slug)}/"}

    def _page(self, node: Node) -> dict[str, Any]:
        rendered = self._rendered.get(node.slug)
        neuron = rendered.page.neuron if rendered else Neuron("", node.title, "", kind="section")
        lang = neuron.lang or self._config.lang
        titles = self._titles(lang)
        return {
            "title": neuron.title,
            "anchor": _title_anchor(rendered) if rendered else "",
            "shows_title": rendered is None or not _has_title(rendered),
            "summary": neuron.summary,
            "lang": lang,
            "html": Markup(self._fragments.resolve(node.slug, rendered.html) if rendered else ""),  # sanitised when rendered
            "url": node.url,
            "tags": list(neuron.tags),
            "tag_links": [
                self._tag(self._tags[fold(name)]) | {"name": name} for name in neuron.tags if fold(name) in self._tags
            ],
            "image": self._image(rendered) if rendered else "",
            "edit": self._edit(neuron.path),
            "markdown": agents.MARKDOWN if self._config.agents and rendered and not neuron.noindex else "",
            "created": neuron.created,
            "updated": neuron.updated,
            "extra": [{"name": name, "value": value} for name, value in neuron.extra],
            "kind": neuron.kind,
            "breadcrumb": [titles.link(ancestor) for ancestor in self._tree.above(node.slug)],
            "toc": _toc(rendered) if rendered else [],
            "backlinks": [titles.link_to_page(page) for page in self._backlinks.get(node.slug, ())],
            "translations": self._languages.links(node.slug, lang),
            "noindex": neuron.noindex,
        }

    def _image(self, rendered: Rendered) -> str:
        """Return the address of the first picture of a page that previews of links can show; empty if there is none."""
        names = (self._media.name(path)[0] for path in rendered.media if suffix(path) in _PREVIEWS)
        name = next((name for name in names if name), "")
        return f"{MEDIA_FOLDER}/{quote(name)}" if name else ""

    def _edit(self, path: str) -> str:
        """Return the address of a page's source; empty if it is not a page, or no address is configured."""
        if not self._config.edit_url or suffix(path) not in PAGES:
            return ""
        return self._config.edit_url.replace("{path}", quote(path))

    def _titles(self, lang: str) -> Titles:
        return Titles(lang, self._config.lang)

    def _child(self, node: Node, titles: Titles) -> dict[str, Any]:
        summary = node.page.neuron.summary if node.page else ""
        date = day_of(node.page) if node.page else ""
        return {**titles.link(node), "summary": summary, "date": date, "is_section": node.is_section}

    def _write(self, file: str, template: str, slug: str, *, root: Root | None = None, **context: Any) -> None:
        if root is None:
            root = Root.of(quote(file[: file.rfind("/") + 1]))
        lang = context["page"]["lang"] if "page" in context else self._config.lang
        target = self._out / file
        target.parent.mkdir(parents=True, exist_ok=True)
        variables = {
            "site": self._site,
            "dir": direction_of(lang),
            "site_language": language(self._config.lang, lang),
            "root": root,
            "base": f"{root}_ranvier/",
            "web": f"{root}_ranvier/{self._assets.web}/",
            "theme": f"{root}_ranvier/{self._assets.theme}/",
            "extra_style": EXTRA in self._theme.static,
            "mermaid": MERMAID in self._theme.static,
            "nav": menu(self._tree, slug, self._titles(lang).link),
            **context,
        }
        inputs = (template, variables, self._theme.digest)
        text = self._cached(file, inputs, lambda: self._theme.render(template, variables, lang, self._config.lang))
        target.write_text(text, "utf-8", newline="\n")

    def _cached(self, file: str, inputs: Any, make: Callable[[], str]) -> str:
        """Return the cached text of a file that was made from the same inputs, or make it."""
        key = sha256(repr(inputs).encode("utf-8", "surrogatepass")).digest()
        text = self._frames.frame(file, key)
        if text is None:
            text = make()
            self._frames.keep_frame(file, key, text)
        self._written_files.append(file)
        return text

    def _site_variables(self) -> dict[str, Any]:
        config = self._config
        return {
            "title": self._tree.root.title,
            "lang": config.lang,
            "description": config.description,
            "url": config.url,
            "search_placeholder": config.search_placeholder,
            "recent": config.recent,
            "sites": " ".join(config.sites),
            "feed": "feed.xml" if self._feed else "",
            "tags": f"{self._tag_folder}/" if self._tags else "",
            "calendar": f"{self._calendar}/" if self._months else "",
            **self._identity,
        }

    def _base_path(self) -> str:
        """Return the site's base path for the 404 page: browsers show it at any depth, so relative addresses fail."""
        path = urlsplit(self._config.url).path
        return path if path.endswith("/") else f"{path}/"

    def _sitemap(self) -> None:
        urls = [
            {
                "loc": agents.absolute(self._config, node.url),
                "lastmod": node.page.neuron.updated if node.page else "",
                "translations": {
                    lang: agents.absolute(self._config, page.url)
                    for lang, page in self._languages.of(node.slug).items()
                    if not page.neuron.noindex
                },
            }
            for node in self._order
            if (not node.page.neuron.noindex if node.page else node.children or not node.slug)  # not an empty list
        ]
        self._write("sitemap.xml", "sitemap.xml", "", urls=urls)


def copy_media(media: Media, out: Path, rendered: Iterable[Rendered], others: Iterable[str] = ()) -> None:
    """Publish only the local files that published pages show, and those that all pages do."""
    paths = sorted({path for page in rendered for path in page.media}.union(others))
    if paths:
        (out / MEDIA_FOLDER).mkdir(parents=True)
    for path in paths:
        media.write(path, out / MEDIA_FOLDER)


def _title_anchor(rendered: Rendered) -> str:
    """Return the title's anchor, `page#title`; empty if an element of the text has it."""
    anchor = anchor_of(rendered.page.neuron.title)
    return "" if f' id="{anchor}"' in rendered.html else anchor


def _has_title(rendered: Rendered) -> bool:
    """Return whether a text has a heading for its title: it begins with one of level 1, or the first of these is the title."""
    first = next((section.headings[-1] for section in rendered.sections if section.levels and section.levels[-1] == 1), "")
    words, title = (_SIGNS.sub("", text) for text in (first, rendered.page.neuron.title))
    return bool(words and words == title) or _TITLE.match(rendered.html) is not None


def _toc(rendered: Rendered) -> list[dict[str, Any]]:
    sections = (section for section in rendered.sections if section.anchor and section.levels and section.levels[-1] <= 3)
    return [{"level": section.levels[-1], "title": section.headings[-1], "anchor": section.anchor} for section in sections]
