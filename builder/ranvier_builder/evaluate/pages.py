"""The names of a built site's pages in judgments: path, address, id, title."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from urllib.parse import unquote, urlsplit

from ranvier import text

from ranvier_builder.evaluate.site import Site
from ranvier_builder.paths import PAGES

_MAX_NAME = 200  # characters of a name that is compared with all others
_INDEX = "index.html"

PageRow = tuple[int, str, str, str, str, str]  # number, id, path, slug, address, title


class Pages:
    """Finds pages by name: first by id, then by path or address, then by title, alias or file name.

    A file's path matches only that file, not others of its name: the same rule as for pins.
    """

    def __init__(self, rows: Iterable[PageRow], names: Iterable[tuple[str, int]]) -> None:
        self._paths: dict[int, str] = {}
        self._titles: dict[str, int] = {}
        self._exact: tuple[dict[str, int], ...] = ({}, {}, {})
        for number, id_, path, slug, url, title in rows:
            self._paths[number] = path
            self._titles.setdefault(title, number)
            for table, name in zip(self._exact, (id_, path, _bare(url)), strict=True):
                table.setdefault(name, number)
            self._exact[2].setdefault(slug, number)
        self._names: dict[str, list[int]] = {}
        for name, number in names:
            self._names.setdefault(name, []).append(number)

    @classmethod
    def of(cls, site: Site) -> Pages:
        """Read the names of a site's pages."""
        rows = site.facts("SELECT n, id, path, slug, url, title FROM neuron ORDER BY n")
        return cls(rows, site.facts("SELECT name, n FROM name ORDER BY name, n"))

    def find(self, name: str) -> tuple[str, ...]:
        """Return the paths of the matching pages: none, one, or several with the same title."""
        name = name.strip()
        for table, key in zip(self._exact, (name, name.lstrip("/"), _bare(_address(name))), strict=True):
            if name and (number := table.get(key)) is not None:
                return (self._paths[number],)
        if name.lower().endswith(PAGES) or not name:
            return ()
        return tuple(self._paths[number] for number in self._names.get(text.name(name, text.AS_WRITTEN), ()))

    def nearest(self, name: str) -> str | None:
        """Return the most similar existing name for an unknown name."""
        names = [*self._exact[1], *self._exact[2], *self._titles]
        matches = get_close_matches(name.strip()[:_MAX_NAME], [other for other in names if len(other) <= _MAX_NAME], 1)
        return matches[0] if matches else None


def _address(url: str) -> str:
    """Return the path of an address: `https://example.org/guide/install/?q=a#b` → `/guide/install/`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return unquote(parts.path) if parts.scheme in ("http", "https") else unquote(url)


def _bare(url: str) -> str:
    """Return a path without `index.html` and outer slashes: `/guide/install/index.html` → `guide/install`."""
    return unquote(url).removesuffix(_INDEX).strip("/")
