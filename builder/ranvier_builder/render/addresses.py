"""Resolve the targets of a page's links and pictures: all addresses that an author wrote, in any markup."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from ranvier_builder.composed import composed
from ranvier_builder.config import Config
from ranvier_builder.markdown.wikilink import REDACTED, Wikilink, replace_wikilinks
from ranvier_builder.model import Link, Page, Warn
from ranvier_builder.paths import CANVAS, MEDIA, suffix
from ranvier_builder.render.links import LinkLookup, Links, LinkTarget, is_external
from ranvier_builder.render.slugs import shorten

VIEWS = frozenset((".base", CANVAS))  # of Obsidian: a link to an unpublished view is not reported
MEDIA_FOLDER = "_media"  # no page address begins with an underscore
_WHOLE = re.compile(r"\s*(?:https?:[/\\]*|[/\\]{2,})(?P<rest>.*)", re.IGNORECASE | re.DOTALL)  # an address with a host
_CONTROLS = re.compile(r"[\t\n\r]")  # browsers remove them
_DATA = re.compile(r"\s*data:([^;,]{0,40})", re.IGNORECASE)  # a file within the text
_CODE = re.compile(r"`[^`]+`")  # of ExDoc: a function, which is documented elsewhere
_NOT_IN_ANCHOR = re.compile(r"[^\w\s-]+")


@dataclass(slots=True)
class Html:
    """A rendered page: safe HTML, its media, warnings and links, and its lookups of other pages with their results."""

    html: str
    media: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lookups: dict[LinkLookup, LinkTarget] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Address:
    """An address in the page. `file` is its local target file; `outer` is true if it leaves the site."""

    href: str
    file: str = ""
    outer: bool = False
    page: str | None = None  # slug of its target page
    size: str = ""  # of a picture of this site: `640x480`
    words: str = ""  # of the target, for a link without words


class Addresses:
    """Resolves a page's links and pictures. Unpublished targets have no address, and their paths are not written."""

    def __init__(self, page: Page, links: Links, root: str, out: Html, config: Config) -> None:
        self.line = 0  # current line of the file
        self.page = page
        self._links = links
        self._root = root
        self._out = out
        self._redacts, self._trusts = config.redact_private_links, config.trusted_html
        self._site = urlsplit(config.url) if config.url else None
        self._final: set[str] = set()  # addresses in the page that are final
        self._dead: set[str] = set()  # addresses without a target
        self._embedded_media: set[str] = set()

    def attribute(self, tag: str, name: str, value: str) -> str | None:
        """Return the new value of an attribute of the sanitised page; `None` removes it."""
        value = self.redact(value)
        if name == "href":
            return self._resolve_late(value)
        if name in ("src", "poster"):
            return self._resolve_late(value, embedded=True)
        return None if name in ("cite", "longdesc", "data", "action", "background", "srcset", "ping") else value

    def _resolve_late(self, value: str, embedded: bool = False) -> str | None:
        """Resolve addresses that the rewriting of tokens missed, for example in invalid HTML."""
        if value in self._final:
            return value
        if value in self._dead:
            return None
        if len(value) > 1 and value[0] == "#" and not embedded:
            return self._final_address(self._same_page(value)).href
        address = self.path(value, embedded=embedded)
        return address.href if address else None

    def path(self, href: str, *, embedded: bool = False) -> Address | None:
        """Return the address for a Markdown link or an attribute; `embedded`: the target is embedded in the page."""
        if not href.strip():
            self._report_missing("a link without an address", "", media=embedded)
            return None
        inner = self._inner(href)
        if embedded and not self._trusts and (data := _DATA.match(href)):
            self._dead.add(href)
            self._warn("media", f"a file within the text is not published, save it beside the page: {data[1]}")
            return None
        if is_external(inner):
            # A label of MyST may look like an address with a scheme: `howto:install`.
            if not embedded and "//" not in inner and (label := self.label(unquote(inner))):
                return label
            self._add_link(href, None, external=True)
            return self._final_address(Address(href, outer=True))
        path, _, fragment = inner.removeprefix("#" if inner.startswith("#/") else "").partition("#")
        if "?id=" in path:  # of docsify, as `#/path`
            path, _, fragment = path.partition("?id=")
        if not path and not embedded:
            self._add_link(href, self.page.slug)
            return self._final_address(self._same_page(f"#{fragment}" if fragment else ""))
        link_target = self._look_up("path", path)
        if link_target is None or link_target[0] == "refused" or (embedded and link_target[0] != "media"):
            self._dead.add(href)
            is_media = embedded or suffix(unquote(path)) in MEDIA
            if not _CODE.fullmatch(unquote(href)):
                self._report_missing(
                    "a link leads to no published page", unquote(href), media=is_media, link_target=link_target
                )
            return None
        if link_target[0] == "label":
            return self._at_label(link_target, href)
        return self._address(link_target, href, f"#{fragment}" if fragment else "")

    def label(self, name: str) -> Address | None:
        """Return the address of a label of MyST; `None` for a label of another site, which is not known here."""
        link_target = self._look_up("label", name)
        return self._at_label(link_target, name) if link_target else None

    def page_of_label(self, name: str) -> str | None:
        """Return the slug of the page with a label; `None` if no page has it."""
        link_target = self._look_up("label", name)
        return link_target[1] if link_target else None

    def _at_label(self, link_target: tuple[str, ...], source: str) -> Address:
        return replace(self._address(link_target, source, f"#{link_target[2]}"), words=link_target[3])

    def title(self, address: Address) -> str:
        """Return the words for a link without words: those of its target, if it is another page, its heading, or a label."""
        if address.words or address.page is None or address.page == self.page.slug:
            return address.words
        fragment = address.href.partition("#")[2]
        return (self._look_up("title", f"{address.page}#{fragment}") or ("", ""))[1]

    def _inner(self, href: str) -> str:
        """Reduce an absolute URL of this site to a path, so that the same rules apply to both."""
        match = _WHOLE.match(_CONTROLS.sub("", href).replace("%5C", "\\"))
        if self._site is None or match is None:
            return href
        try:
            url = urlsplit(f"https://{match['rest']}".replace("\\", "/"))
            hosts = [(parts.hostname or "").rstrip(".") for parts in (url, self._site)]
        except ValueError:
            return href
        base = self._site.path.strip("/")
        base, path = f"/{base}/" if base else "/", posixpath.normpath("/" + unquote(url.path).lstrip("/"))
        if hosts[0] != hosts[1] or not f"{path}/".casefold().startswith(base.casefold()):
            return href
        if f"{path}/" == base and not url.path.endswith("/"):
            return href  # the home page, which is always public
        slash = "/" if url.path.endswith("/") else ""
        return quote(f"/{path[len(base) :]}{slash}".replace("//", "/")) + (f"#{url.fragment}" if url.fragment else "")

    def name(self, label: str) -> str:
        """Return the words for a link to a label that no published page has, which can be the name of a withheld one."""
        return REDACTED if label and self._redacts else label

    def redact(self, html: str) -> str:
        """Redact the names of withheld pages in wikilinks of raw HTML, if the config requires it."""
        return replace_wikilinks(html, self._redact) if self._redacts and "[[" in html else html

    def _redact(self, link: Wikilink) -> str:
        return link.source if link.label or not link.target or self._look_up("name", link.target) else REDACTED

    def resolve(self, link: Wikilink) -> tuple[Address, Wikilink] | None:
        """Return the address of a wikilink, and the wikilink, with label and target swapped if they were written so."""
        if link.target.startswith(("https://", "http://")):
            inner = self._inner(link.reference)
            if is_external(inner):
                self._add_link(link.reference, None, external=True)
                return self._final_address(Address(link.reference, outer=True)), link
            link_target = self._look_up("path", inner.partition("#")[0])
            return (
                (self._address(link_target, link.reference, ""), link) if link_target and link_target[0] != "refused" else None
            )
        if not link.target:
            self._add_link(link.reference, self.page.slug)
            return self._final_address(self._same_page(fragment_of(link.heading))), link
        for reading in (link.reversed, link) if self._is_reversed(link) else (link,):
            if (link_target := self._look_up("name", reading.target)) is not None and link_target[0] != "refused":
                anchor = (
                    f"#{quote(reading.heading, safe='=,&')}"
                    if link_target[0] == "media" and reading.heading
                    else fragment_of(reading.heading)
                )
                return self._address(link_target, reading.reference, anchor), reading
        return None

    def words(self, link: Wikilink) -> str:
        """Report a wikilink without a target, and return its replacement. Withheld and missing pages give the same text."""
        if (self._redacts and not link.label) or self._is_card(link):
            self._miss_wikilink(link)
            return REDACTED
        if not link.is_name:
            return link.source
        if suffix(link.target) in VIEWS:
            return link.label or PurePosixPath(link.target).stem
        self._miss_wikilink(link)
        return link.target if self._is_reversed(link) else link.words

    def _miss_wikilink(self, link: Wikilink) -> None:
        target = link.reversed.reference if self._is_reversed(link) else link.reference
        link_target = self._look_up("name", link.target) if link.is_name else None
        self._report_missing(
            "a wikilink leads to no published page", target, media=suffix(link.target) in MEDIA, link_target=link_target
        )

    def _is_card(self, link: Wikilink) -> bool:
        """Return whether a link stands for a card with a file: its label is not the author's, but the name of the file."""
        return suffix(self.page.neuron.path) == CANVAS and link.label == PurePosixPath(link.target).stem

    @property
    def is_wiki(self) -> bool:
        """Whether the site is a wiki of GitHub, or a Dendron vault."""
        return self._look_up("dendron", "") is not None

    def _is_reversed(self, link: Wikilink) -> bool:
        """Return whether the label may come first: the label of an embed is the size of a picture, or its words."""
        return bool(link.label) and not link.embed and self.is_wiki

    def _look_up(self, kind: str, target: str) -> LinkTarget:
        lookup = (kind, self.page.neuron.path, target)
        if lookup not in self._out.lookups:
            self._out.lookups[lookup] = self._links.look_up(lookup)
        return self._out.lookups[lookup]

    def _address(self, link_target: tuple[str, ...], source: str, anchor: str) -> Address:
        if link_target[0] == "media":
            _, path, name, size = link_target
            self._add_link(source, None, file=True)
            if path not in self._embedded_media:
                self._embedded_media.add(path)
                self._out.media.append(path)
            return self._final_address(Address(f"{self._root}{MEDIA_FOLDER}/{quote(name)}{anchor}", path, size=size))
        slug = link_target[1]
        self._add_link(source, slug)
        return self._final_address(
            self._same_page(anchor) if anchor and slug == self.page.slug else self.page_address(slug, anchor)
        )

    def page_address(self, slug: str, anchor: str) -> Address:
        """Return the address of a page or of an anchor in it."""
        return Address((self._root + (f"{quote(slug)}/" if slug else "") or "./") + anchor, page=slug)

    def _same_page(self, anchor: str) -> Address:
        """Return the address of an anchor in this page, or of the page itself."""
        return Address(anchor or "./", page=self.page.slug)

    def merge(self, part: Addresses) -> None:
        """Add the addresses, media and lookups of a text that this page embeds."""
        self._final |= part._final
        self._out.lookups |= part._out.lookups
        self._out.media += [path for path in part._out.media if path not in self._embedded_media]
        self._embedded_media |= part._embedded_media

    def _final_address(self, address: Address) -> Address:
        self._final.add(address.href)
        return address

    def _add_link(self, source: str, to: str | None, *, external: bool = False, file: bool = False) -> None:
        self._out.links.append(Link(source, to, self.line, external, file))

    def _report_missing(self, problem: str, target: str, *, media: bool, link_target: LinkTarget = None) -> None:
        self._add_link(target, None)
        file = "there is no such file" if target else "an image without an address"
        kind, message = ("media", file) if media else ("link", problem)
        if link_target and link_target[0] == "refused":
            kind, message = "media", f"this file is not published, {link_target[1]}"
        self._warn(kind, f"{message}: {target}" if target else message)

    def _warn(self, kind: str, message: str) -> None:
        line = 0 if suffix(self.page.neuron.path) == CANVAS else self.line  # its Markdown is not the author's
        self._out.warnings.append(Warn(self.page.neuron.path, kind, message, line))


def anchor_of(heading: str) -> str:
    """Return a heading's anchor. The rules are GitHub's, because authors use them: `What's new in 2.0?` → `whats-new-in-20`."""
    letters = _NOT_IN_ANCHOR.sub("", composed(heading).strip().lower())
    return shorten("".join("-" if character.isspace() else character for character in letters)) or "section"


def last_heading(headings: str) -> str:
    """Return the last of a wikilink's headings: `Tools#C#` → `C`."""
    return headings.rstrip("# ").rpartition("#")[2].strip()


def fragment_of(heading: str) -> str:
    """Return the fragment for a wikilink's block or the last of its headings, which `Fragments` resolves."""
    if heading.startswith("^"):
        return f"#block-{quote(heading[1:].strip())}"
    text = last_heading(heading)
    return f"#{quote(text)}" if text else ""
