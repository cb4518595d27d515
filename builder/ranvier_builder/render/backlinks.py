"""Which pages link to which: the link table, turned round (N4)."""

from __future__ import annotations

from collections.abc import Sequence

from ranvier_builder.model import Page, Rendered


def backlinks(rendered: Sequence[Rendered]) -> dict[str, tuple[Page, ...]]:
    """Return, by slug, the pages that link to a page, in the order of their titles.

    A page is no backlink of itself, and one that asks not to be indexed is none of anything.
    """
    sources: dict[str, dict[str, Page]] = {}
    for rendered_page in rendered:
        if rendered_page.page.neuron.noindex:
            continue
        for link in rendered_page.links:
            if link.to is not None and link.to != rendered_page.page.slug:
                sources.setdefault(link.to, {})[rendered_page.page.slug] = rendered_page.page
    return {slug: tuple(sorted(pages.values(), key=_order)) for slug, pages in sorted(sources.items())}


def _order(page: Page) -> tuple[str, str]:
    return page.neuron.title.casefold(), page.slug
