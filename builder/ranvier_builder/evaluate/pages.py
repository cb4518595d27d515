"""What the pages of a built site are called, by those who judge them: path, address, id, title."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from urllib.parse import unquote, urlsplit

from ranvier import text

from ranvier_builder.evaluate.site import Site
from ranvier_builder.paths import MARKDOWN

_LONGEST = 200  # characters of a name that is compared with all others
_INDEX = "index.html"

Row = tuple[int, str, str, str, str, str]  # number, id, path, slug, address, title


class Pages:
    """Finds pages by what they are called. An id comes first, then a path or address, then a title, alias or file name.

    A file's path means that file, and no other of its name: as with pins.
    """

    def __init__(self, rows: Iterable[Row], names: Iterable[tuple[str, int]]) -> None:
        self._paths: dict[int, str] = {}
        self._titles: dict[str, int] = {}
        self._exact: tuple[dict[str, int], ...] = ({}, {}, {})
        for number, id_, path, slug, url, title in rows:
            self._paths[number] = path
            self._titles.setdefault(title, number)
            for known, name in zip(self._exact, (id_, path, _bare(url)), strict=True):
                known.setdefault(name, number)
            self._exact[2].setdefault(slug, number)
        self._names: dict[str, list[int]] = {}
        for name, number in names:
            self._names.setdefault(name, []).append(number)

    @classmethod
    def of(cls, site: Site) -> Pages:
        """Read what the pages of a site are called."""
        rows = site.facts("SELECT n, id, path, slug, url, title FROM neuron ORDER BY n")
        return cls(rows, site.facts("SELECT name, n FROM name ORDER BY name, n"))

    def __contains__(self, path: str) -> bool:
        return path in self._exact[1]

    def find(self, said: str) -> tuple[str, ...]:
        """Return the paths of the pages that may be meant: none, one, or several of the same title."""
        said = said.strip()
        for known, name in zip(self._exact, (said, said.lstrip("/"), _bare(_address(said))), strict=True):
            if said and (number := known.get(name)) is not None:
                return (self._paths[number],)
        if said.lower().endswith(MARKDOWN) or not said:
            return ()
        return tuple(self._paths[number] for number in self._names.get(text.name(said, text.AS_WRITTEN), ()))

    def nearest(self, said: str) -> str | None:
        """Return the name most like one that no page has."""
        names = [*self._exact[1], *self._exact[2], *self._titles]
        near = get_close_matches(said.strip()[:_LONGEST], [name for name in names if len(name) <= _LONGEST], 1)
        return near[0] if near else None


def _address(said: str) -> str:
    """`https://example.org/guide/install/?q=a#b` → `/guide/install/`."""
    try:
        parts = urlsplit(said)
    except ValueError:
        return said
    return unquote(parts.path) if parts.scheme in ("http", "https") else unquote(said)


def _bare(url: str) -> str:
    """`/guide/install/index.html` → `guide/install`."""
    return unquote(url).removesuffix(_INDEX).strip("/")
