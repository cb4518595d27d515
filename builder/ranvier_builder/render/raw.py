"""Rewrite the addresses in raw HTML before it is sanitised, so that a link without a target can be replaced by its text."""

from __future__ import annotations

import re
from html import escape, unescape

from ranvier_builder.render.addresses import Addresses

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<lively>script|style|template|textarea)\b.*?(?:</(?P=lively)|\Z)"
    r"""|<(?P<tag>a|img|audio|video|source|track)(?=[\s/])(?P<attributes>[^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*)>"""
    r"|\n",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?P<name>[^\s=/"'<>]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_ADDRESSES = ("href", "src", "poster")
_SIZE = re.compile(r"\s(?:width|height|style)\s*=", re.IGNORECASE)


def rewrite_html(html: str, addresses: Addresses) -> str:
    """Resolve links and pictures. Without a target, a link loses its tag, and a picture is replaced by its alternative text."""

    def rewrite(match: re.Match[str]) -> str:
        rewritten = _tag(match, addresses) if match["tag"] else match.group()
        addresses.line += match.group().count("\n")
        return rewritten

    return _TAG.sub(rewrite, html)


def _tag(match: re.Match[str], addresses: Addresses) -> str:
    tag, at, out, size = match["tag"].lower(), 0, list[str](), ""
    attributes = [*_ATTRIBUTE.finditer(match["attributes"])]
    values = {attribute["name"].lower(): _value(attribute) for attribute in reversed(attributes)}
    for attribute in attributes:
        name = attribute["name"].lower()
        if name == "name" and tag == "a" and "id" not in values:  # an anchor in old HTML
            out += [match["attributes"][at : attribute.start("name")], "id"]
            at = attribute.end("name")
        if name not in _ADDRESSES or not attribute["value"]:
            continue
        address = addresses.path(_value(attribute).strip(), embedded=name != "href")
        size = address.size if address is not None and name == "src" else size
        if address is None and name == "poster":
            out.append(match["attributes"][at : attribute.start()])
            at = attribute.end()
            continue
        if address is None:
            return escape(values.get("alt", "")) if tag == "img" else ""
        out += [match["attributes"][at : attribute.start("value")], f'"{escape(address.href)}"']
        at = attribute.end("value")
    if tag == "img" and size and not _SIZE.search(match["attributes"]):
        out.insert(0, ' width="{}" height="{}"'.format(*size.split("x")))
    return f"<{match['tag']}{''.join(out)}{match['attributes'][at:]}>"


def _value(attribute: re.Match[str]) -> str:
    return unescape((attribute["value"] or "").strip("\"'"))
