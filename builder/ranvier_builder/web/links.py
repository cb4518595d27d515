"""Finds navigation by its links: no generator has to be known.

Two kinds of elements consist of links: tables of contents, which lead to parts of the same page, and the menus, breadcrumbs and
lists of a manual's pages at the top of a page. Their words are those of headings and of other pages' titles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

from ranvier_builder.render.html import attribute_of, one_line, with_ancestors

_NO_LETTERS = re.compile(r"[\W\d_]+")
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_LINES = frozenset("div p span ul ol".split())  # elements of breadcrumbs
_STEP = re.compile(r"\s*[»›>→|]\s*|\s/\s")  # between the steps of breadcrumbs
_MAX_PATH = 200  # characters of breadcrumbs
_LISTS = "ul, ol, table"
_AROUND_LISTS = frozenset("ul ol table li div section details aside".split())
_TEXT = frozenset("-text a pre code dl dt dd".split())  # signatures consist of links, too
_LINKS = "a[href]:not([href*='//'])"  # to other sites: often the topic of a page
_MAX_SHARE = 0.4  # of the letters of a menu that are outside of its links
_MAX_SHARE_IN_CONTENTS = 0.15
_MIN_LINKS = 4  # of a menu that is a list
_MIN_STEPS = 2  # links of breadcrumbs
_MIN_ENTRIES = 3  # of a table of contents
_MIN_LETTERS = 30  # of text outside of links: after so many, the text of a page has begun
_MAX_LETTERS = 100  # of such text in a menu
_MAX_DEPTH = 30


def navigation(root: LexborNode, skips: Callable[[LexborNode], bool]) -> Iterator[int]:
    """Yield the elements of the main content that are navigation."""
    yield from _contents(root)
    menus = _Menus(root, skips)
    menus.read(root, 0)
    # Without other text, a page is a list of pages: the last of its menus.
    yield from menus.nodes if menus.rest >= _MIN_LETTERS else menus.nodes[:-1]


def count_letters(text: str) -> int:
    """Return the number of letters in a text, without digits and punctuation."""
    return len(_NO_LETTERS.sub("", text))


def _count(node: LexborNode, links: list[LexborNode]) -> tuple[int, int]:
    """Return the numbers of letters in the links of an element, and outside of them."""
    linked = sum(count_letters(link.text()) for link in links)
    return linked, count_letters(node.text()) - linked


def _contents(root: LexborNode) -> Iterator[int]:
    """Yield the lists of links to parts of the same page, with the elements around them that have no more text."""
    seen = {root.mem_id}
    for start in root.css(_LISTS):
        for node in with_ancestors(start):
            if node.mem_id in seen or node.tag not in _AROUND_LISTS:
                break
            seen.add(node.mem_id)
            if not _is_contents(node):
                break
            yield node.mem_id


def _is_contents(node: LexborNode) -> bool:
    links = node.css("a[href]")
    if len(links) < _MIN_ENTRIES or not all(attribute_of(link, "href").startswith("#") for link in links):
        return False
    linked, other = _count(node, links)
    return node.css_first("dt, pre") is None and other <= (linked + other) * _MAX_SHARE_IN_CONTENTS


class _Menus:
    """The elements with links before the text of a page."""

    def __init__(self, root: LexborNode, skips: Callable[[LexborNode], bool]) -> None:
        self.nodes: list[int] = []
        self._skips = skips
        self._main_headings = {node.mem_id for node in root.css("h1")}
        *_, document = with_ancestors(root)
        self._names = [one_line(node.text()) for node in document.css("head > title, h1")]
        self._letters = 0  # outside of links, without menus and headings
        self.rest = 0  # the same, with those in links

    def read(self, parent: LexborNode, depth: int) -> bool:
        """Collect the menus in an element; return whether the text of the page begins in it."""
        for node in parent.iter(include_text=True):
            if self._skips(node) or node.tag == "h1":
                continue
            if node.tag in _HEADINGS:  # a list below it is its text
                self.rest = _MIN_LETTERS
                return True
            if node.tag in _TEXT:
                letters = count_letters(node.text())
                self.rest += letters
                self._letters += letters if node.tag != "a" else 0
            elif self._is_menu(node):
                self.nodes.append(node.mem_id)
            elif depth < _MAX_DEPTH and self.read(node, depth + 1):
                return True
            if self._letters >= _MIN_LETTERS:
                return True
        return False

    def _is_menu(self, node: LexborNode) -> bool:
        links = node.css(_LINKS)
        is_list = len(links) >= _MIN_LINKS and (node.tag in ("ul", "ol", "table") or node.css_first(_LISTS) is not None)
        is_line = len(links) >= _MIN_STEPS and node.tag in _LINES
        is_path = node.tag in _LINES and self._is_path(node)
        if not (is_list or is_line or is_path) or node.css_first("dt, pre, th") is not None:
            return False
        linked, other = _count(node, links)
        if not is_path and other > (min((linked + other) * _MAX_SHARE, _MAX_LETTERS) if is_list else 0):
            return False
        headings = {heading.mem_id for heading in node.css("h1")}
        return not headings or headings < self._main_headings

    def _is_path(self, node: LexborNode) -> bool:
        """Return whether an element is the path to a page: links, and perhaps the page's name: `Index » Knots » Splice`."""
        words = one_line(node.text())
        *steps, last = _STEP.split(words) if len(words) <= _MAX_PATH else [""]
        links = {one_line(link.text()) for link in node.css("a[href]")}
        if not steps or links.isdisjoint(steps):
            return False
        is_name = re.compile(rf"(?:\A|[^\w\s]\s*){re.escape(last)}(?!\w)").search  # not "2024" of "Posts of 2024"
        return links.issuperset((*steps, last)) or (bool(last) and any(map(is_name, self._names)))
