"""Names of pages for suggestions: deflated JSON, which a page's own script reads as well.

On a small site, one file, the root, has all names. On a larger site the root tells which file has the names with a prefix: a
head has the best names of a prefix with too many names, a run has all names of several consecutive prefixes.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple

from ranvier.errors import FormatError
from ranvier.store.fetch import Steps, fetch
from ranvier.text.keys import keys
from ranvier.types import NameKind

KINDS: tuple[NameKind, ...] = ("title", "alias", "heading", "tag")
TITLE, ALIAS, HEADING, TAG = range(4)
_CACHED = 8  # unpacked files


class Name(NamedTuple):
    """A title, alias, heading or tag. `page` is a row of the same file."""

    kind: int
    page: int
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class TitleNames:
    """A file of names. `keys` are in the same order; the first ones are of the pages' titles."""

    numbers: tuple[int, ...]  # of each page, in the order of the site
    urls: tuple[str, ...]
    names: tuple[Name, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """The root of a larger site: prefixes sorted by UTF-16, and the digests of the files of both kinds."""

    heads: tuple[str, ...]
    runs: tuple[str, ...]
    files: tuple[str, ...]

    def is_head(self, beginning: str) -> bool:
        """Tell whether more names have a prefix than one file holds."""
        at = bisect_left(self.heads, utf16(beginning), key=utf16)
        return at < len(self.heads) and self.heads[at].startswith(beginning)

    def file_of(self, beginning: str) -> str:
        """Return the digest of the file with the names that have a word with this beginning; empty if no name can have it."""
        if self.is_head(beginning):
            return self.files[bisect_left(self.heads, utf16(beginning), key=utf16)]
        at = bisect_right(self.runs, utf16(beginning), key=utf16) - 1
        return self.files[len(self.heads) + at] if at >= 0 else ""


def utf16(text: str) -> bytes:
    """Return the sort key of JavaScript's string comparison."""
    return text.encode("utf-16-be", "surrogatepass")


def slug(text: str) -> str:
    """Return the usual anchor of a heading; files store only other anchors."""
    ascii_only = "".join(character if character.isascii() and character.isalnum() else "-" for character in text.lower())
    return "-".join(part for part in ascii_only.split("-") if part)


class TitleFiles:
    """A cache of files by digest, in hexadecimal. A file that failed is fetched again."""

    def __init__(self) -> None:
        self._cache: OrderedDict[str, TitleNames | Guide] = OrderedDict()

    def get(self, hex_digest: str) -> Steps[TitleNames | Guide]:
        """Return a file; fetch it if it is missing.

        Raises:
            FetchError: it was not received.
            IntegrityError: it does not match its digest.

        """
        names = self._cache.get(hex_digest)
        if names is None:
            name = f"titles/{hex_digest}.bin"
            names = read_titles(name, (yield from fetch({name: bytes.fromhex(hex_digest)}))[name])
        self._cache[hex_digest] = names
        self._cache.move_to_end(hex_digest)
        while len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return names


def read_titles(name: str, data: bytes) -> TitleNames | Guide:
    """Decode an inflated file of names or a root; raise `FormatError` for other data."""
    try:
        raw: Any = json.loads(data)
        if "files" in raw:
            return Guide(tuple(raw["heads"]), tuple(raw["runs"]), tuple(raw["files"]))
        return _names(raw)
    except (ValueError, LookupError, TypeError) as error:
        raise FormatError(f"{name} does not contain names: {error!r}") from None


def _names(raw: Any) -> TitleNames:
    titles, headings, tags = raw["titles"], raw["headings"], raw["tags"]
    rows = [page for page, count in enumerate(raw["heading_counts"]) for _ in range(count)]
    anchors = (slug(text) if anchor == 0 else anchor for text, anchor in zip(headings, raw["anchors"], strict=True))
    names = (
        *(Name(TITLE, page, title) for page, title in enumerate(titles)),
        *(Name(ALIAS, page, text) for page, text in zip(raw["alias_pages"], raw["aliases"], strict=True)),
        *(Name(HEADING, *heading) for heading in zip(rows, headings, anchors, strict=True)),
        *(Name(TAG, page, tag) for tag, pages in zip(tags, raw["tag_pages"], strict=True) for page in pages),
    )
    numbers = tuple(raw.get("numbers", range(len(titles))))
    return TitleNames(numbers, tuple(raw["urls"]), names, tuple(keys([name.text for name in names])))
