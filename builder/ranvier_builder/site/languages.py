"""The translations of a page, as links with the names of the languages in these languages themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ranvier_builder.language_names import language_name
from ranvier_builder.model import Page
from ranvier_builder.render.translations import translations
from ranvier_builder.site.titles import language


class Languages:
    """The links between the translations on a site."""

    def __init__(self, pages: Iterable[Page], site_lang: str) -> None:
        """Group the pages; in the lists, the site's language comes first."""
        self._groups: dict[str, dict[str, Page]] = {}
        for group in translations(pages, site_lang):
            in_order = dict(sorted(group.items(), key=lambda pair: (pair[0] != site_lang, pair[0])))
            self._groups |= {page.slug: in_order for page in group.values()}

    def of(self, slug: str) -> dict[str, Page]:
        """Return language → page of a page with translations, itself included; empty if it has none."""
        return self._groups.get(slug, {})

    def links(self, slug: str, page_lang: str) -> list[dict[str, Any]]:
        """Return the links to the other translations, for the page."""
        others = ((lang, page) for lang, page in self.of(slug).items() if page.slug != slug)
        return [
            {"title": language_name(lang), "url": page.url, "tag": lang, **language(lang, page_lang)} for lang, page in others
        ]
