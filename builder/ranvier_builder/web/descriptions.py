"""What a reference describes below its headings: functions, settings, options, terms. Readers search for their names.

Each generator has its own element for the name: most of them a `dt` with an anchor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.render.html import attribute_of, one_line

LISTS = frozenset("dl div section article details".split())  # elements around descriptions
TERMS = frozenset("dt p div td header summary".split())  # elements with a name; ocamldoc has a `pre`
# Sphinx, DocBook, Haddock; RDoc, Crystal; odoc, ocamldoc; pdoc, pydoctor; Nim; Documenter.
_DEFINITIONS = """dt.sig[id], dt[id]:has(> span.term), p.src:has(> a.def[id]),
    .method-detail[id] > .method-heading, .method-detail[id] > .method-header, .entry-detail[id] > .signature,
    .odoc-spec > .spec[id], pre:has(> span[id]:not([id^="MODULE"], [id^="CLASS"]) > .keyword:first-child),
    [id] > .attr:has(> .name), .functionHeader:has(> .py-defname), div[id] > dt:has(> pre .Identifier),
    .docstring > :is(header, summary):has(> .docstring-binding)"""
_TERMS = "dt[id]:not(.label, dt + dt), dt:not(dt + dt):has(> a[id], > a[name])"
_MAX_LINKS = 20  # links of a term that are compared with its name
_TEXINFO_CATEGORY = ":is(.category, .category-def)"
_TEXINFO_NAME = f"{_TEXINFO_CATEGORY} + span strong"
_NAME = f"""{_TEXINFO_NAME}, .method-name, .method-callseq, .signature > strong, pre > span[id], .attr > .name, .py-defname,
    dt > pre .Identifier, dt > .name .ident, dt > a > strong, dt > strong:has(+ em),
    .docstring-binding"""


def descriptions(tree: LexborHTMLParser, skips: Callable[[LexborNode], bool]) -> Iterator[LexborNode]:
    """Yield the elements with the names of what a page describes."""
    yield from tree.css(_DEFINITIONS)
    yield from _texinfo_definitions(tree)
    yield from _self_linked(tree, skips)
    for term in tree.css(_TERMS):
        if term.css_first(f"{_TEXINFO_CATEGORY}, dl") is None and not _is_entry(term, skips):
            yield term


def name_of(node: LexborNode, text: Callable[[LexborNode], str]) -> str:
    """Return the name in a signature, `httpx.get(url, *, …)` → `httpx.get`, or all names of an option: `-o, --out`.

    `text` returns the visible text of an element.
    """
    classes = attribute_of(node, "class").split()
    if "spec" in classes:  # of odoc: `val-map`
        return attribute_of(node, "id").partition("-")[2]
    is_option = "std" in classes  # its arguments are marked as the name of a class is
    parts = node.css(".sig-name" if is_option else ".sig-prename, .sig-name")
    if node.tag in ("p", "td") and (name := _self_linked_name(node, text)):
        return name
    parts = parts or node.css("p > a.def") or node.css(_NAME)[:1]
    name = one_line((", " if is_option or node.tag == "p" else "").join(map(text, parts)))
    if node.tag == "pre":  # of ocamldoc: `type 'a t`
        return name.rpartition(" ")[2]
    return name or one_line(text(node).partition("(")[0]) or attribute_of(node, "id")


def is_member(node: LexborNode) -> bool:
    """Return whether a name below another one does not identify its object alone: `convert` of a class, not `-o` of a tool."""
    return node.tag != "dt" or "sig" in attribute_of(node, "class").split()


def _self_linked(tree: LexborHTMLParser, skips: Callable[[LexborNode], bool]) -> Iterator[LexborNode]:
    """Yield the elements of names with an anchor and a link to it: the signatures of Scribble, the members of Compodoc."""
    targets = tree.css("p > a[name]:empty, td > a[name]:empty")
    nodes = {node.mem_id: node for target in targets if (node := target.parent) is not None}
    for node in nodes.values():
        if _self_linked_name(node, lambda item: "" if skips(item) else item.text()):
            yield node


def _self_linked_name(node: LexborNode, text: Callable[[LexborNode], str]) -> str:
    """Return the text of a link in an element to its first anchor, or of the element, if the link is an icon beside a word."""
    anchor = attribute_of(node.css_first("a[name]:empty"), "name")
    links = node.css("a[href^='#']") if anchor else []
    link = next((link for link in links if unquote(attribute_of(link, "href")[1:]) == anchor), None)
    if link is None:
        return ""
    words = one_line(text(node))
    return one_line(text(link)) or (words if " " not in words else "")


def _texinfo_definitions(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """Yield the definitions of Texinfo, `Function: foo (x)`; of several forms of one function, the first."""
    last = ""
    for kind in tree.css(f"dt[id^=index-] > {_TEXINFO_CATEGORY}"):
        definition = kind.parent
        name = definition.css_first(_TEXINFO_NAME) if definition is not None else None
        words = name.text() if name is not None else ""
        if definition is not None and words and words != last:
            yield definition
        last = words


def _is_entry(term: LexborNode, skips: Callable[[LexborNode], bool]) -> bool:
    """Return whether a name is a link to a page of its own, as those of dartdoc; there may be links to types behind it."""
    links = [link for link in term.css("a[href]:not([href^='#'])")[:_MAX_LINKS] if not skips(link)]
    name = term.text().partition("(")[0] if links else ""
    return any(link.text() in name for link in links)
