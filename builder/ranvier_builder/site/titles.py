"""Titles in menus and lists: a screen reader and a browser must know a title in another language than the page around it."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier_builder.model import Page
from ranvier_builder.render.node import Node

_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ks ps sd ug ur yi".split())


def direction_of(lang: str) -> str:
    """Return the direction in which a language is written."""
    return "rtl" if lang.lower().partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def language(lang: str, page_lang: str) -> dict[str, str]:
    """Return what a text in this language needs on a page: nothing in the same language, else `lang`, and perhaps `dir`."""
    if lang == page_lang:
        return {}
    direction = direction_of(lang)
    return {"lang": lang} if direction == direction_of(page_lang) else {"lang": lang, "dir": direction}


@dataclass(frozen=True, slots=True)
class Titles:
    """Makes links for a page in a language."""

    page_lang: str
    site_lang: str

    def link(self, node: Node) -> dict[str, str]:
        """Return the title and the address of a node. The language of a folder without a page is unknown."""
        if node.page is None:
            return {"title": node.title, "url": node.url}
        return self.link_to_page(node.page) | {"title": node.title}

    def link_to_page(self, page: Page) -> dict[str, str]:
        """Return the title and the address of a page, and the language of the title if it is another one."""
        lang = page.neuron.lang or self.site_lang
        return {"title": page.neuron.title, "url": page.url, **language(lang, self.page_lang)}
