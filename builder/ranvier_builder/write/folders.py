"""The titles of folders → a small JSON file, from which the search box shows where a page is: `Guide › Hosting`.

Only folders above searched pages are in it. Their titles come from the tree of published pages: a folder whose own page is
withheld is named after its address, or by a label in the site's settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from ranvier_builder.model import Rendered
from ranvier_builder.render.node import Node
from ranvier_builder.render.tree import Tree
from ranvier_builder.write.titles import shown_name

NO_FOLDER = -1  # number of the folder of a page that is in none


def folder_columns(tree: Tree, rendered: Iterable[Rendered], has_folder_pages: bool) -> Mapping[str, Any]:
    """Return the folders in the order of the site as columns, or nothing if there are none.

    `urls` are their addresses; `titles` and `parents` (a number of the same list, or -1) are in the same order. `pageless` are
    the numbers of folders whose address has no page: none if `has_folder_pages`. A page is in the folder with the longest
    address that its own begins with; `page_folders` has the other pages: address → number. A single folder that contains all
    others has no use, and is left out.
    """
    indexed = [page.page for page in rendered if not page.page.neuron.noindex]
    used = {above.slug for page in indexed for above in tree.above(page.slug) if above.slug}
    nodes = [node for node in tree if node.slug in used and not (node.page and node.page.neuron.noindex)]
    while len(nodes) > 1 and len(tops := _top_folders(nodes)) == 1:
        nodes.remove(tops[0])
    if not nodes:
        return {}
    numbers = {node.slug: number for number, node in enumerate(nodes)}
    addresses = {_address(node): number for number, node in enumerate(nodes)}
    actual = {page.url: _parent(tree.at(page.slug), numbers) for page in indexed}
    return {
        "urls": [*addresses],
        "titles": [shown_name(node.title) for node in nodes],
        "parents": [_parent(node, numbers) for node in nodes],
        "pageless": [number for number, node in enumerate(nodes) if not has_folder_pages and node.page is None],
        "page_folders": {url: number for url, number in sorted(actual.items()) if number != _by_address(url, addresses)},
    }


def _top_folders(nodes: list[Node]) -> list[Node]:
    """Return the nodes below none of the others."""
    slugs = {node.slug: number for number, node in enumerate(nodes)}
    return [node for node in nodes if _parent(node, slugs) == NO_FOLDER]


def _address(node: Node) -> str:
    return f"{quote(node.slug)}/"


def _parent(node: Node | None, numbers: Mapping[str, int]) -> int:
    """Return the number of the nearest folder above a node."""
    folder = node.parent if node is not None else None
    while folder is not None and folder.slug not in numbers:
        folder = folder.parent
    return NO_FOLDER if folder is None else numbers[folder.slug]


def _by_address(url: str, addresses: Mapping[str, int]) -> int:
    """Return the folder with the longest address that another address begins with."""
    parts = url.rstrip("/").split("/")[:-1]
    starts = ("/".join(parts[:count]) + "/" for count in range(len(parts), 0, -1))
    return next((addresses[start] for start in starts if start in addresses), NO_FOLDER)
