"""Where a page's links and pictures lead: the one door for every address that a page's author wrote, in whatever markup."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from ranvier_builder.model import Page, Warn
from ranvier_builder.read.links import Links, is_external
from ranvier_builder.read.slugs import slugify

MEDIA_FOLDER = "_media"  # no page's address begins with an underscore


@dataclass(slots=True)
class Html:
    """A rendered page: safe HTML, the media it shows, what was odd."""

    html: str
    media: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)


class Addresses:
    """Where a page's links and pictures lead. What is not published has no address, and its path is not written."""

    def __init__(self, page: Page, links: Links, root: str, out: Html) -> None:
        self._page = page
        self._links = links
        self._root = root
        self._out = out
        self._known: set[str] = set()  # addresses that are final already: wikilinks' own

    def attribute(self, tag: str, name: str, value: str) -> str | None:
        """Say what an attribute of the sanitised page becomes; `None` removes it."""
        if (tag, name) == ("a", "href"):
            return self._href(value)
        if name in ("src", "poster"):
            return self._src(value)
        return None if name in ("cite", "longdesc", "data", "action", "background", "srcset") else value

    def _href(self, href: str) -> str | None:
        if is_external(href) or href.startswith("#") or href in self._known:
            return href
        path, _, fragment = href.partition("#")
        address = self._address(path.partition("?")[0], fragment)
        if address is None:
            self._warn(f"a link leads to no published page: {href}")
        return address

    def _src(self, src: str) -> str | None:
        if is_external(src) or src in self._known:
            return src
        media = self._links.media(self._page, src)
        if media is None:
            self._warn(f"there is no such image: {src}")
            return None
        return self.media(media)

    def _address(self, path: str, fragment: str) -> str | None:
        anchor = f"#{fragment}" if fragment else ""
        page = self._links.page(self._page, path)
        section = page.url if page is not None else self._links.section(self._page, path)
        if section is not None:
            return (self._root + section or "./") + anchor
        media = self._links.media(self._page, path)
        return self.media(media) if media is not None else None

    def wikilink(self, target: str, heading: str) -> str | None:
        """Find the address of `[[target#heading]]`; `None` where no such page is published."""
        page = self._links.named(self._page, target) if target else self._page
        if page is None:
            return None
        anchor = f"#{anchor_of(heading)}" if heading and not heading.startswith("^") else ""
        address = anchor if page is self._page and anchor else (self._root + page.url or "./") + anchor
        self._known.add(address)
        return address

    def embedded(self, target: str) -> str | None:
        """Find the address of a local file that a wikilink names."""
        media = self._links.media(self._page, target)
        return self.media(media) if media is not None else None

    def media(self, path: str) -> str:
        """Note a local file for copying, and return its address."""
        self._out.media.append(path)
        address = f"{self._root}{MEDIA_FOLDER}/{quote(self._links.published_name(path))}"
        self._known.add(address)
        return address

    def unresolved(self, target: str) -> None:
        """Report a wikilink that leads nowhere."""
        self._warn(f"a wikilink leads to no published page: {target}")

    def _warn(self, message: str) -> None:
        self._out.warnings.append(Warn(self._page.neuron.path, message))


def anchor_of(heading: str) -> str:
    """Make a heading's anchor: `Getting started` → `getting-started`."""
    return slugify(heading).replace("+", "") or "section"
