"""Published Neurons → pages with addresses: unique, stable, the same on every machine."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote

from ranvier_builder.model import Neuron, Page

_INDEX = {"index", "_index", "readme"}
_LONGEST = 200  # bytes; file systems take 255, and `-2` may follow
_RESERVED = {"search", "404"}  # pages that every site has
_SEPARATORS = re.compile(r"[^\w+]+|_+")  # a dot too: no page may take the place of `index.html` or `sitemap.xml`


def slugify(name: str) -> str:
    """Make one segment of an address: `Getting Started!` → `getting-started`; never empty, never with a dot."""
    folded = unicodedata.normalize("NFC", name).lower()
    slug = _SEPARATORS.sub("-", folded).strip("-") or "page"
    if len(slug.encode("utf-8", "replace")) <= _LONGEST:
        return slug
    return f"{slug[: _LONGEST // 4]}-{hashlib.sha256(slug.encode('utf-8', 'replace')).hexdigest()[:8]}"


def pages(neurons: Iterable[Neuron], site: str) -> list[Page]:
    """Give each Neuron its address and number, in the order of addresses."""
    taken = set[str]()
    placed = []
    for neuron in sorted(neurons, key=lambda one: (_rank(one), one.path)):
        slug, is_index = _slug(neuron)
        if slug in taken:
            slug, is_index = _free(slug or "home", taken), False
        taken.add(slug)
        placed.append((slug, is_index, neuron))
    placed.sort(key=lambda one: tuple(one[0].split("/")))
    return [_page(neuron, seq, slug, is_index, site) for seq, (slug, is_index, neuron) in enumerate(placed, 1)]


def _page(neuron: Neuron, seq: int, slug: str, is_index: bool, site: str) -> Page:
    key = hashlib.sha256(neuron.id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    url = quote(slug) + "/" if slug else ""
    return Page(neuron, seq, f"{site}_{key}", slug, url, is_index)


def _rank(neuron: Neuron) -> int:
    """`index.md` has a better claim to its folder's address than `README.md`, and any file than neither."""
    stem = PurePosixPath(neuron.path).stem.lower()
    return {"index": 0, "_index": 1, "readme": 2}.get(stem, 3)


def _slug(neuron: Neuron) -> tuple[str, bool]:
    path = PurePosixPath(neuron.path)
    names = path.parts[:-1] if path.stem.lower() in _INDEX else (*path.parts[:-1], path.stem)
    parts = [slugify(name) for name in names]
    if parts and parts[0] in _RESERVED:  # a folder too: its list would stand where the search page does
        parts[0] += "-2"
    return "/".join(parts), path.stem.lower() in _INDEX


def _free(slug: str, taken: set[str]) -> str:
    number = 2
    while f"{slug}-{number}" in taken:
        number += 1
    return f"{slug}-{number}"
