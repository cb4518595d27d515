"""A page's HTML → its sections: what a reader would see, and nothing else.

Sections are read from the HTML that is published, not from Markdown: what cannot be seen cannot be found, and the pages of
any other site generator can be read the same way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.model import Block, Section

_HEADING = re.compile(r"h[1-6]\Z")
_BLANKS = re.compile(r"\s+")
_UNSEEN = frozenset("script style template noscript head nav form button svg math".split())
_BLOCKS = frozenset(
    """address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer header hr html body
    li main ol p section summary table tbody tfoot thead ul""".split()
)


class _Reader:
    """Collects blocks under headings; `path` is the chain of headings that leads to the current one."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self._path: list[tuple[int, str]] = []
        self._anchor = ""
        self._blocks: list[Block] = []
        self._words: list[str] = []

    def text(self, plain: str) -> None:
        self._words.append(plain)

    def flush(self) -> None:
        plain = _BLANKS.sub(" ", "".join(self._words)).strip(" |")
        self._words.clear()
        if plain:
            self._blocks.append(Block(unicodedata.normalize("NFC", plain)))

    def lines(self, plain: str) -> None:
        self.flush()
        if plain.strip():
            self._blocks.append(Block(unicodedata.normalize("NFC", plain.strip("\n")), lines=True))

    def heading(self, level: int, plain: str, anchor: str) -> None:
        self.end()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, unicodedata.normalize("NFC", _BLANKS.sub(" ", plain).strip())))
        self._anchor = anchor

    def end(self) -> None:
        self.flush()
        if self._blocks or self._path:
            levels, names = tuple(level for level, _ in self._path), tuple(name for _, name in self._path)
            self.sections.append(Section(self._anchor, names, levels, tuple(self._blocks)))
        self._blocks = []


def sections(html: str) -> tuple[Section, ...]:
    """Read the sections of a page's main content, in order; the first may have no heading."""
    reader = _Reader()
    body = LexborHTMLParser(html).body
    for node, leaving in _walk(body) if body is not None else ():
        _visit(reader, node, leaving)
    reader.end()
    return tuple(reader.sections)


def _visit(reader: _Reader, node: LexborNode, leaving: bool) -> None:
    tag = node.tag or ""
    if tag == "-text":
        reader.text(node.text_content or "")
    elif _HEADING.match(tag):
        reader.heading(int(tag[1]), node.text(), str(node.attributes.get("id") or ""))
    elif tag == "pre":
        reader.lines(node.text())
    elif tag == "img" and not leaving:
        reader.text(f" {node.attributes.get('alt') or ''} ")
    elif tag == "br":
        reader.text(" ")
    elif tag in ("td", "th") and leaving:
        reader.text(" | ")
    elif tag in _BLOCKS or tag == "tr":
        reader.flush()


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node on entering and on leaving, without recursion: a page may nest deeper than Python's stack."""
    stack = [(root, False)]
    while stack:
        node, leaving = stack.pop()
        tag = node.tag or ""
        if tag in _UNSEEN:
            continue
        yield node, leaving
        if leaving or tag in ("-text", "pre") or _HEADING.match(tag):
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(list(node.iter(include_text=True))))
