"""HTML as strings: what is read, what stands in attributes, comments, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.check.leaks.needles import How

_ADDRESSES = frozenset(
    "href src poster srcset action data cite longdesc background formaction base page ping xlink:href".split()
)
_TECHNICAL = frozenset(
    """class rel type charset width height role lang dir style media sizes loading decoding target method autocomplete tabindex
    integrity crossorigin viewbox d fill stroke transform xmlns""".split()
)
_UNREAD = frozenset(("script", "style", "template", "noscript"))
_BLOCKS = frozenset(
    """address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 head header hr html legend li main nav ol option p pre section summary table tbody tfoot thead title tr ul
    td th""".split()
)
_STYLE_OF = re.compile(r"\A(?:language|callout|level|align)-")
_TEMPLATE = re.compile(r"</?template(?![\w-])[^<>]*>?", re.IGNORECASE)
_JOINTS = {"br": "\n", "td": " | ", "th": " | "}

Row = tuple[str, str, How, bool]


def strings_of_html(text: str, where: str = "") -> Iterator[Row]:
    """Yield the strings of a page with where they stand, how they are searched, and whether they are addresses.

    The words of an `article` are one string, in which blocks are parted: a phrase may run over an inline element. Elsewhere,
    each text stands alone: a menu's titles next to each other are nobody's sentence.
    """
    yield from ((comment, f"{where}comment", How.TEXT, False) for comment in _comments(text))
    if _TEMPLATE.search(text):  # a parser keeps what is in one apart from the page
        yield from strings_of_html(_TEMPLATE.sub("", text), where)
        return
    root = LexborHTMLParser(text).root
    if root is None:
        return
    for node in root.traverse():
        yield from _attributes(node, where)
        if node.tag in _UNREAD:
            yield node.text(deep=True), f"{where}{node.tag}", How.RAW, False
    yield from ((plain, f"{where}text", How.TEXT, False) for plain in _texts(root) if plain.strip())


def _attributes(node: LexborNode, where: str) -> Iterator[Row]:
    for name, value in node.attributes.items():
        if not value:
            continue
        lower = name.lower()
        if lower == "class":  # names of styles, side by side; what they say of a language or a heading is no name's part
            value = " | ".join(_STYLE_OF.sub("", one) for one in value.split())
        if lower in _ADDRESSES:
            parts = [part.split()[0] for part in value.split(",") if part.split()] if lower == "srcset" else [value]
            yield from ((part, f"{where}attribute {name}", How.RAW, True) for part in parts)
        else:
            how = How.RAW if lower in _TECHNICAL else How.TEXT
            yield value, f"{where}attribute {name}", how, False


def _comments(text: str) -> Iterator[str]:
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 4)
        yield text[at + 4 : end if end >= 0 else len(text)]
        at = text.find("<!--", end) if end >= 0 else -1


def _texts(root: LexborNode) -> Iterator[str]:
    """Yield an article's words as one string, and every other text by itself."""
    stack: list[tuple[LexborNode, bool, bool]] = [(root, False, False)]  # node, leaving it, inside of an article
    words: list[str] = []
    while stack:
        node, leaving, inside = stack.pop()
        tag = node.tag or ""
        if tag == "-text" and inside:
            words.append(node.text_content or "")
        elif tag == "-text":
            yield node.text_content or ""
        if tag == "-text" or tag in _UNREAD:
            continue
        if tag in _BLOCKS:
            words.append(_JOINTS.get(tag, "\n\n") if inside else "")
        if leaving and tag == "article":
            yield "".join(words)
            words = []
        if leaving:
            continue
        now = inside or tag == "article"
        if tag in _BLOCKS:
            stack.append((node, True, now))
        stack.extend((child, False, now) for child in reversed(list(node.iter(include_text=True))))
    if words:
        yield "".join(words)
