"""Finds pages with another page of the site as their canonical address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from ranvier_builder.web.page import WebPage
from ranvier_builder.web.titles import is_common


def duplicates(pages: Sequence[WebPage], site_url: str) -> tuple[set[str], str]:
    """Return the paths of pages with another canonical page in `pages`; and an implausible canonical path, or "".

    A canonical path that most pages name is implausible: it is ignored.
    `site_url` is optional: without it, the canonical addresses of most pages determine the address of the site.
    """
    by_address = {_key(page.url): page for page in pages}
    base = _key(urlsplit(site_url).path) if site_url else _base(pages)
    originals: dict[str, WebPage] = {}
    for page in pages:
        canonical = _key(page.canonical) if page.canonical else ""
        is_within = not base or f"{canonical}/".startswith(f"{base}/")
        target = by_address.get(canonical[len(base) :].strip("/")) if page.canonical and is_within else None
        if target is not None and target.path != page.path:
            originals[page.path] = target
    # A duplicate is not a canonical page: otherwise two pages that name each other would both be removed.
    canonical_of = {path: target for path, target in originals.items() if target.path not in originals}
    for common_path, count in Counter(target.path for target in canonical_of.values()).most_common(1):
        if is_common(count, len(pages)):
            return {path for path, target in canonical_of.items() if target.path != common_path}, common_path
    return set(canonical_of), ""


def _key(path: str) -> str:
    """Normalise an address for comparison: `/guide/index.html`, `/guide/` and `/guide` are equal."""
    address = unquote(path).strip("/")
    for ending in (".html", ".htm"):
        address = address.removesuffix(ending)
    return address.removesuffix("/index") if address != "index" else ""


def _base(pages: Sequence[WebPage]) -> str:
    votes = Counter[str]()
    for page in pages:
        canonical, address = _key(page.canonical), _key(page.url)
        if page.canonical and (canonical == address or not address or canonical.endswith(f"/{address}")):
            votes[canonical[: len(canonical) - len(address)].strip("/")] += 1
    return min(votes, key=lambda base: (-votes[base], base), default="")
