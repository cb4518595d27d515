"""Resolve the targets of a page's links and pictures: all addresses that an author wrote, in any markup."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from ranvier_builder.composed import composed
from ranvier_builder.config import Config
from ranvier_builder.markdown.wikilink import REDACTED, Wikilink, replaced
from ranvier_builder.model import Link, Page, Warn
from ranvier_builder.paths import CANVAS, MEDIA, suffix
from ranvier_builder.render.links import Answer, Links, Question, is_external
from ranvier_builder.render.slugs import shortened

VIEWS = frozenset((".base", CANVAS))  # of Obsidian: a link to one that is not published is no mistake
MEDIA_FOLDER = "_media"  # no page address begins with an underscore
_WHOLE = re.compile(r"\s*(?:https?:[/\\]*|[/\\]{2,})(?P<rest>.*)", re.IGNORECASE | re.DOTALL)  # an address with a host
_CONTROLS = re.compile(r"[\t\n\r]")  # browsers remove them
_NOT_IN_ANCHOR = re.compile(r"[^\w\s-]+")


@dataclass(slots=True)
class Html:
    """A rendered page: safe HTML, its media, warnings and links, and its questions about other pages with their answers."""

    html: str
    media: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    questions: dict[Question, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Address:
    """An address in the page. `file` is its local target file; `outer` is true if it leaves the site."""

    href: str
    file: str = ""
    outer: bool = False
    page: str | None = None  # slug of its target page
    size: str = ""  # of a picture of this site: `640x480`


class Addresses:
    """Resolves a page's links and pictures. Unpublished targets have no address, and their paths are not written."""

    def __init__(self, page: Page, links: Links, root: str, out: Html, config: Config | None = None) -> None:
        self.line = 0  # current line of the file
        self._page = page
        self._links = links
        self._root = root
        self._out = out
        self._redacts = bool(config and config.redact_private_links)
        self._site = urlsplit(config.url) if config and config.url else None
        self._final: set[str] = set()  # addresses in the page that are final
        self._dead: set[str] = set()  # addresses without a target
        self._embedded_media: set[str] = set()

    @property
    def first_line(self) -> int:
        """The line of the file where the page's Markdown begins."""
        return self._page.neuron.line

    def attribute(self, tag: str, name: str, value: str) -> str | None:
        """Return the new value of an attribute of the sanitised page; `None` removes it."""
        value = self.redacted(value)
        if name == "href":
            return self._last(value)
        if name in ("src", "poster"):
            return self._last(value, embedded=True)
        return None if name in ("cite", "longdesc", "data", "action", "background", "srcset", "ping") else value

    def _last(self, value: str, embedded: bool = False) -> str | None:
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
            self._miss("a link without an address", "", media=embedded)
            return None
        inner = self._inner(href)
        if is_external(inner):
            self._note(href, None, external=True)
            return self._final_address(Address(href, outer=True))
        path, _, fragment = inner.partition("#")
        if not path and not embedded:
            self._note(href, self._page.slug)
            return self._final_address(self._same_page(f"#{fragment}" if fragment else ""))
        answer = self._ask("path", path)
        if answer is None or answer[0] == "refused" or (embedded and answer[0] != "media"):
            self._dead.add(href)
            is_media = embedded or suffix(unquote(path)) in MEDIA
            self._miss("a link leads to no published page", unquote(href), media=is_media, answer=answer)
            return None
        return self._address(answer, href, f"#{fragment}" if fragment else "")

    def _inner(self, href: str) -> str:
        """Reduce an absolute URL of this site to a path, so that the same rules apply to both."""
        whole = _WHOLE.match(_CONTROLS.sub("", href).replace("%5C", "\\"))
        if self._site is None or whole is None:
            return href
        try:
            there = urlsplit(f"https://{whole['rest']}".replace("\\", "/"))
            hosts = [(parts.hostname or "").rstrip(".") for parts in (there, self._site)]
        except ValueError:
            return href
        base = self._site.path.strip("/")
        base, path = f"/{base}/" if base else "/", posixpath.normpath("/" + unquote(there.path).lstrip("/"))
        if hosts[0] != hosts[1] or not f"{path}/".casefold().startswith(base.casefold()):
            return href
        if f"{path}/" == base and not there.path.endswith("/"):
            return href  # the home page, which is always public
        slash = "/" if there.path.endswith("/") else ""
        return quote(f"/{path[len(base) :]}{slash}".replace("//", "/")) + (f"#{there.fragment}" if there.fragment else "")

    def redacted(self, html: str) -> str:
        """Redact names of withheld pages in wikilinks of raw HTML, if the config requires it."""
        return replaced(html, self._redact) if self._redacts and "[[" in html else html

    def _redact(self, link: Wikilink) -> str:
        return link.source if link.label or not link.target or self._ask("name", link.target) else REDACTED

    def resolve(self, link: Wikilink) -> tuple[Address, Wikilink] | None:
        """Return the address of a wikilink, and the wikilink, with label and target swapped if they were written so."""
        if link.target.startswith(("https://", "http://")):
            inner = self._inner(link.reference)
            if is_external(inner):
                self._note(link.reference, None, external=True)
                return self._final_address(Address(link.reference, outer=True)), link
            answer = self._ask("path", inner.partition("#")[0])
            return (self._address(answer, link.reference, ""), link) if answer and answer[0] != "refused" else None
        if not link.target:
            self._note(link.reference, self._page.slug)
            return self._final_address(self._same_page(fragment_of(link.heading))), link
        for reading in (link, link.turned) if self._is_turned(link) else (link,):
            if (answer := self._ask("name", reading.target)) is not None and answer[0] != "refused":
                anchor = (
                    f"#{quote(reading.heading, safe='=,&')}"
                    if answer[0] == "media" and reading.heading
                    else fragment_of(reading.heading)
                )
                return self._address(answer, reading.reference, anchor), reading
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
        return link.target if self._is_turned(link) else link.words

    def _miss_wikilink(self, link: Wikilink) -> None:
        target = link.turned.reference if self._is_turned(link) else link.reference
        answer = self._ask("name", link.target) if link.is_name else None
        self._miss("a wikilink leads to no published page", target, media=suffix(link.target) in MEDIA, answer=answer)

    def _is_card(self, link: Wikilink) -> bool:
        """Return whether a link stands for a card with a file: its label is not the author's, but the name of the file."""
        return suffix(self._page.neuron.path) == CANVAS and link.label == PurePosixPath(link.target).stem

    def _is_turned(self, link: Wikilink) -> bool:
        """Return whether the label may come first: only in a Dendron vault. Elsewhere the first half is never shown."""
        return bool(link.label) and self._ask("dendron", "") is not None

    def _ask(self, kind: str, target: str) -> Answer:
        question = (kind, self._page.neuron.path, target)
        if question not in self._out.questions:
            self._out.questions[question] = self._links.answer(question)
        return self._out.questions[question]

    def _address(self, answer: tuple[str, ...], source: str, anchor: str) -> Address:
        if answer[0] == "media":
            _, path, name, size = answer
            self._note(source, None, file=True)
            if path not in self._embedded_media:
                self._embedded_media.add(path)
                self._out.media.append(path)
            return self._final_address(Address(f"{self._root}{MEDIA_FOLDER}/{quote(name)}{anchor}", path, size=size))
        slug = answer[1]
        self._note(source, slug)
        return self._final_address(
            self._same_page(anchor) if anchor and slug == self._page.slug else self.page_address(slug, anchor)
        )

    def page_address(self, slug: str, anchor: str) -> Address:
        """Return the address of a page or of an anchor in it."""
        return Address((self._root + (f"{quote(slug)}/" if slug else "") or "./") + anchor, page=slug)

    def _same_page(self, anchor: str) -> Address:
        """Return the address of an anchor in this page, or of the page itself."""
        return Address(anchor or "./", page=self._page.slug)

    def take(self, part: Addresses) -> None:
        """Take over the addresses, media and questions of a text that this page embeds."""
        self._final |= part._final
        self._out.questions |= part._out.questions
        self._out.media += [path for path in part._out.media if path not in self._embedded_media]
        self._embedded_media |= part._embedded_media

    def _final_address(self, address: Address) -> Address:
        self._final.add(address.href)
        return address

    def _note(self, source: str, to: str | None, *, external: bool = False, file: bool = False) -> None:
        self._out.links.append(Link(source, to, self.line, external, file))

    def _miss(self, what: str, target: str, *, media: bool, answer: Answer = None) -> None:
        self._note(target, None)
        file = "there is no such file" if target else "an image without an address"
        kind, message = ("media", file) if media else ("link", what)
        if answer and answer[0] == "refused":
            kind, message = "media", f"this file is not published, {answer[1]}"
        line = 0 if suffix(self._page.neuron.path) == CANVAS else self.line  # its Markdown is not the author's
        self._out.warnings.append(Warn(self._page.neuron.path, kind, f"{message}: {target}" if target else message, line))


def anchor_of(heading: str) -> str:
    """Return a heading's anchor. The rules are GitHub's, because authors use them: `What's new in 2.0?` → `whats-new-in-20`."""
    letters = _NOT_IN_ANCHOR.sub("", composed(heading).lower()).strip()
    return shortened("".join("-" if sign.isspace() else sign for sign in letters)) or "section"


def last_anchor(headings: str) -> str:
    """Return the anchor of the last of a wikilink's headings: `Tools#C#` → `c`."""
    return anchor_of(headings.rstrip("# ").rpartition("#")[2])


def fragment_of(heading: str) -> str:
    """Return the fragment for a wikilink's heading (the last of its headings) or block."""
    if heading.startswith("^"):
        return f"#block-{quote(heading[1:].strip())}"
    return f"#{last_anchor(heading)}" if heading.strip("# ") else ""
