"""Rendered HTML → HTML that is safe to send: its elements, attributes and addresses."""

from __future__ import annotations

import re
from functools import cache

import nh3
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.markdown import elements
from ranvier_builder.render.addresses import Addresses
from ranvier_builder.render.html import HIDDEN_BY_AUTHORS, outermost, shallow

_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir", "role", "aria-label", "aria-hidden"},
    "input": {"type", "checked", "disabled"},
    "video": {"src", "controls", "poster", "width", "height"},
    "audio": {"src", "controls"},
    "source": {"src", "type"},
    "track": {"src", "kind", "srclang", "label", "default"},
    "details": {"open", "name"},
}
_EXTRA_TAGS = set("input section figure figcaption main header footer nav video audio source track".split())
# Presentation MathML of formulas: without links, actions, and the elements that embed HTML.
_MATHML = frozenset(
    """annotation math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable
    mtd mtext mtr munder munderover semantics""".split()
)
_MATHML_ATTRIBUTES = frozenset(
    """accent accentunder columnalign columnlines columnspacing columnspan depth display displaystyle encoding fence form height
    largeop linethickness lspace mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing
    rowspan rspace scriptlevel separator stretchy symmetric voffset width""".split()
)
_MAY_HIDE = re.compile("hidden|display", re.IGNORECASE)
_ADDRESS_ATTRIBUTES = ("href", "src", "poster", "srcset", "cite", "longdesc", "data", "background", "id", "name")


def sanitise(html: str, addresses: Addresses, *, trusted: bool) -> str:
    """Sanitise the HTML of a page, and resolve every link and picture, from Markdown or from raw HTML.

    With `trusted`, all elements and attributes stay, but links and pictures without a published target lose their address.
    """
    if trusted:
        return _resolve_trusted(html, addresses)
    cleaner = nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS | _EXTRA_TAGS | _MATHML,
        clean_content_tags=set(elements.HIDDEN),
        attributes=_attributes(),
        attribute_filter=addresses.attribute,
        link_rel="noopener noreferrer",
        # The only form control that a page may contain is the disabled checkbox of a task list.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
    )
    return cleaner.clean(_without_hidden(shallow(html)))


def _without_hidden(html: str) -> str:
    """Remove the elements that their author hides: the cleaner removes only the attribute, so they would be shown."""
    body = LexborHTMLParser(f"<body>{html}</body>").body if _MAY_HIDE.search(html) else None
    if body is None:
        return html
    for node in body.css("[style]"):  # the cleaner removes the styles of all elements
        node.attrs["style"] = "".join((node.attributes["style"] or "").split())
    hidden = outermost(body.css(HIDDEN_BY_AUTHORS))
    for node in hidden:
        node.decompose()
    return _inner(body) if hidden else html


def _resolve_trusted(html: str, addresses: Addresses) -> str:
    """Keep a trusted page's HTML, but remove the addresses of links and pictures that have no published target."""
    body = LexborHTMLParser(f"<body>{html}</body>").body
    if body is None:
        return ""
    for node in body.traverse():
        for name in [name for name in _ADDRESS_ATTRIBUTES if name in node.attributes]:
            value = addresses.attribute(node.tag or "", name, node.attributes[name] or "")
            if value is None:
                del node.attrs[name]
            else:
                node.attrs[name] = value
    return _inner(body)


def _inner(body: LexborNode) -> str:
    return (body.html or "").removeprefix("<body>").removesuffix("</body>")


@cache
def _attributes() -> dict[str, set[str]]:
    attributes = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
    for tag, names in (*_ATTRIBUTES.items(), *((tag, _MATHML_ATTRIBUTES) for tag in sorted(_MATHML))):
        attributes.setdefault(tag, set()).update(names)
    return attributes
