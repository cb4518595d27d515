"""A node of the site's tree: a page, a folder, or a page that is the index of its folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from ranvier_builder.model import Page
from ranvier_builder.render.order import NO_PLACE, Place


@dataclass(slots=True)
class Node:
    """A page, a folder, or a page that is the index of its folder. `slug` is its address, empty for the root.

    `url` is the address relative to the site's root. It is quoted once: menus contain it many times.
    """

    slug: str
    title: str
    page: Page | None = None
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    index: int = 0  # in its parent's children
    order: Place = NO_PLACE
    url: str = field(init=False)

    def __post_init__(self) -> None:
        """Quote the address."""
        self.url = quote(self.slug) + "/" if self.slug else ""

    @property
    def is_section(self) -> bool:
        """Whether the node has children, and so a section page."""
        return bool(self.children) or self.page is None
