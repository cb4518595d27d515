"""Where a link leads: content paths, names and titles → addresses on the site (N4, in its first form).

Only pages that passed the audience gate are known here. A link to anything else that lives in the content folder loses its
address and keeps the words that its author wrote.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from ranvier.store.format import digest

from ranvier_builder.model import Page
from ranvier_builder.read.files import MARKDOWN

MEDIA = frozenset(".png .jpg .jpeg .gif .svg .webp .avif .bmp .ico .mp3 .ogg .wav .mp4 .webm .pdf .txt .csv .zip".split())
_LIVELY = re.compile(
    r"<[\w.-]*:?(?:script|foreignobject|iframe|handler|listener|set|animate)|\bon[a-z]+\s*=|javascript:|<!entity|<\?xml-stylesheet"
    r"""|href\s*=\s*["']?\s*(?!["']?#|data:image/(?:png|jpe?g|gif|webp)[;,])[^\s"'#]|\0""",
    re.IGNORECASE,
)
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


class Links:
    """Resolves links for all pages of a site."""

    def __init__(self, root: Path, pages: Iterable[Page]) -> None:
        self._root = root.resolve()
        self._by_path: dict[str, Page] = {}
        self._by_name: dict[str, list[Page]] = {}
        self._folders: dict[str, str] = {}
        self._names: dict[str, str] = {}  # a picture may be on every page: it is digested once
        for page in pages:
            self._keep_folders(page)
            self._by_path[page.neuron.path.lower()] = page
            self._by_path.setdefault(_bare(page.neuron.path), page)
            self._by_path.setdefault(f"{page.slug}", page)
            names = {
                PurePosixPath(_bare(page.neuron.path)).name,
                page.neuron.title.lower(),
                *map(str.lower, page.neuron.aliases),
            }
            for name in sorted(names):
                self._by_name.setdefault(name, []).append(page)

    def page(self, here: Page, target: str) -> Page | None:
        """Find the page that a Markdown link's path means, seen from a page: relative, or from the content's root."""
        wanted = self._wanted(here, unquote(target))
        return self._by_path.get(wanted.lower()) or self._by_path.get(_bare(wanted))

    def section(self, here: Page, target: str) -> str | None:
        """Find the address of the section page that a link to a folder means; `None` where nothing in it is published."""
        return self._folders.get(self._wanted(here, unquote(target)).lower())

    def named(self, here: Page, target: str) -> Page | None:
        """Find the page that a wikilink means: by path, by the end of its path, name, title or alias; the nearest one first."""
        wanted = _bare(target.strip())
        exact = self._by_path.get(target.strip().lower()) or self._by_path.get(wanted)
        if exact is not None or not wanted:
            return exact
        found = self._by_name.get(wanted.rpartition("/")[2], [])
        if "/" in wanted:
            found = [page for page in found if f"/{_bare(page.neuron.path)}".endswith(f"/{wanted}")]
        return min(found, key=lambda page: (_distance(here.neuron.path, page.neuron.path), page.neuron.path), default=None)

    def media(self, here: Page, target: str) -> str | None:
        """Find the local file that an image or a link means, as a path in the content folder; `None` where there is none."""
        wanted = self._wanted(here, unquote(target.partition("#")[0].partition("?")[0]))
        parts = PurePosixPath(wanted).parts
        if not parts or any(part.startswith(".") for part in parts) or PurePosixPath(wanted).suffix.lower() not in MEDIA:
            return None
        file = self._root / wanted
        try:
            # A link is refused: it may lead to what is withheld, or was never meant to be content.
            good = file.is_file() and file.resolve() == file and (file.suffix.lower() != ".svg" or is_still(file.read_bytes()))
            return wanted if good else None
        except (OSError, ValueError):  # no file has such a name
            return None

    def published_name(self, path: str) -> str:
        """Name a file as it is published: by its content, and without its folders, which may be nobody's business."""
        if path not in self._names:
            seal = digest((self._root / path).read_bytes())[:6].hex()
            self._names[path] = f"{seal}-{PurePosixPath(path).name}"
        return self._names[path]

    def _keep_folders(self, page: Page) -> None:
        """Note the folders above a page, by path and by address; a page that has such an address is found before them."""
        folders, slugs = page.neuron.path.lower().split("/")[:-1], page.slug.split("/")
        for count in range(1, min(len(folders), len(slugs)) + 1):
            address = quote("/".join(slugs[:count])) + "/"
            self._folders.setdefault("/".join(folders[:count]), address)
            self._folders.setdefault("/".join(slugs[:count]), address)

    @staticmethod
    def _wanted(here: Page, path: str) -> str:
        """Read a link's path as one from the content's root."""
        if path.startswith("/"):
            return path.strip("/")
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(here.neuron.path), path)).strip("/")
        return "" if wanted == "." else wanted


def is_still(svg: bytes) -> bool:
    """Tell whether an SVG is a picture and nothing more. Opened by itself it would run as a page of the site."""
    try:
        text = svg.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return _LIVELY.search(text) is None


def is_external(href: str) -> bool:
    """Tell whether a link leaves the site, by a scheme or a host."""
    return bool(_EXTERNAL.match(href))


def _bare(path: str) -> str:
    lower = path.lower().strip("/")
    for ending in MARKDOWN:
        lower = lower.removesuffix(ending)
    for index in ("/index", "/_index", "/readme"):
        lower = lower.removesuffix(index)
    return lower


def _distance(here: str, there: str) -> int:
    """Count the steps between two files' folders."""
    a, b = here.split("/")[:-1], there.split("/")[:-1]
    shared = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return len(a) + len(b) - 2 * shared
