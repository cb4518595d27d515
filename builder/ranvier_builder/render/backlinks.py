"""Backlinks: the reversed link table (N4)."""

from __future__ import annotations

from collections.abc import Sequence

from ranvier_builder.model import Page, Rendered


def backlinks(rendered: Sequence[Rendered]) -> dict[str, tuple[Page, ...]]:
    """Return for each slug the pages that link to it, sorted by title.

    A page is never a backlink of itself, and a page with `noindex` or `unlisted` is not a backlink.
    """
    sources: dict[str, dict[str, Page]] = {}
    for rendered_page in rendered:
        if rendered_page.page.neuron.noindex or rendered_page.page.neuron.unlisted:
            continue
        for link in rendered_page.links:
            if link.to is not None and link.to != rendered_page.page.slug:
                sources.setdefault(link.to, {})[rendered_page.page.slug] = rendered_page.page
    return {slug: tuple(sorted(pages.values(), key=_order)) for slug, pages in sorted(sources.items())}


def _order(page: Page) -> tuple[str, str]:
    return page.neuron.title.casefold(), page.slug
