"""Logseq, Roam, Dendron, Dataview, Notion, docsify, mdBook: syntax that they do not show, or show in another way."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.kinds import CLOSING, NAMES, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
# A property that Logseq does not show.
SYSTEM_PROPERTY = (
    rf"(?:id:: *{_UUID}|(?:collapsed|heading):: *(?:true|false|\d)|[a-z-]+:: *\d{{13}}"
    r"|(?:ls-|hl-|card-|logseq\.|background-color|template|query-|exclude-from-graph-view)[\w.-]*::[^\n]*)[ \t]*$"
)
# A sign in the text, the pattern, and the replacement.
_RULES = tuple(
    (sign, re.compile(pattern, re.MULTILINE | re.IGNORECASE), replacement)
    for sign, pattern, replacement in (
        ("{{", rf"\{{\{{embed[ \t]+\(\({_UUID}\)\)\}}\}}|\{{\{{(?:query|renderer)[ \t][^{{}}\n]*\}}\}}", ""),
        ("{{", r"\{\{embed[ \t]+(\[\[[^\[\]\n]+\]\])\}\}", r"!\1"),
        ("{{", r"\{\{(?:cloze|video|youtube)[ \t]++([^{}\n]+)\}\}", r"\1"),
        ("((", rf"\[([^\[\]\n]+)\]\(\(\({_UUID}\)\)\)", r"\1"),
        ("((", rf"(?<![ \t])[ \t]*\(\({_UUID}\)\)", ""),
        ("]([[", r"\[([^\[\]\n|]+)\]\(\[\[([^\[\]\n|]+)\]\]\)", r"[[\2|\1]]"),
        ("::", rf"^(?:[ \t]*|([ \t]*[-*+][ \t]+)){SYSTEM_PROPERTY}", r"\1"),
        # of Roam: tasks, embedded pages, addresses, and what its components show
        ("{{[[", r"^([ \t]*[-*+][ \t]+)\{\{\[\[TODO\]\]\}\}[ \t]*", r"\1[ ] "),
        ("{{[[", r"^([ \t]*[-*+][ \t]+)\{\{\[\[DONE\]\]\}\}[ \t]*", r"\1[x] "),
        ("{{[[", r"\{\{\[\[embed\]\]:?[ \t]*(\[\[[^\[\]\n]+\]\])\}\}", r"!\1"),
        ("{{[[", r"\{\{\[\[[\w-]+\]\]:?[ \t]*(https?:[^\s{}]+)\}\}", r"\1"),
        ("{{[[", r"\{\{\[\[[^\s\[\]]+\]\](?::(?:[^{}\n]|\{[^{}\n]*\})*+)?\}\}", ""),
        # of Dendron: the name of a vault, and the end of an embedded part
        ("dendron://", r"(\[\[(?:[^\[\]|\n]*\|)?)dendron://[^/\[\]|\n]+/", r"\1"),
        ("![[", r"(!\[\[[^\[\]|#\n]*#\^?[\w-]+)(?:,\d+(?::#[\w*^-]+)?|:#[\w*^-]+)(?=\]\])", r"\1"),
        # of Dataview: a field in a line
        (":: ", r"(?<![\w\[\]!\\])\[([a-z][\w-]*(?: [\w-]+){0,3}):: +"
                r"([^\[\]\n]*(?:\[\[[^\[\]\n]+\]\][^\[\]\n]*){0,20})\](?![\[(:])", r"\1: \2"),
        (":LOGBOOK:", r"^[ \t]*:LOGBOOK:[ \t]*\n(?:[ \t]*CLOCK:[^\n]*\n)*[ \t]*:END:[ \t]*$", ""),
        ("#+BEGIN_QUERY", r"^([ \t]*(?:[-*+][ \t]+)?)#\+BEGIN_QUERY(?:(?!#\+(?:END|BEGIN))[^\0])*+#\+END_QUERY[ \t]*$", r"\1"),
        ("#+END_", r"^([ \t]*)#\+END_\w+[ \t]*$", rf"\1{CLOSING}"),
        (":height", r"(?<=\))\{:(?:height|width)[^{}\n]*\}", ""),
        ("<aside>", r"^<aside>(?=\n[^\w\s\0-\x7f])", "<aside markdown>"),  # of Notion: a box whose text begins with an emoji
        ("^^", r"\^\^(?=\S)([^\^\n]+)(?<=\S)\^\^", r"==\1=="),
        ("{{#title ", r"^\{\{#title [^{}\n]*\}\}[ \t]*$", ""),  # of mdBook
        # of Wiki.js and HackMD: the size of a picture
        (" =", r"(!\[[^\[\]\n]*\]\([^()\s]+)[ \t]+=(?:\d+%?x(?:\d+%?)?|x\d+%?)(?=\))", r"\1"),
        # of docsify: the size or the target of a link, the anchor and a mark of a heading, and notes
        ("](", r"""(\]\([^()\s]+)[ \t]+(["']):[a-z][^"'\n]*\2(?=[ \t]*\))""", r"\1"),
        (" :id=", r"^([ \t]*#{1,6} [^\n]*?)(?<![ \t])[ \t]+:id=([\w-]+)[ \t]*$", r"\1 {#\2}"),
        ("{docsify-", r"(?<![ \t])[ \t]*(?:<!--[ \t]*)?\{docsify-[\w-]+\}(?:[ \t]*-->)?", ""),
        ("!> ", r"^!> (?=\S)", "> [!important] "),
        ("?> ", r"^\?> (?=\S)", "> [!tip] "),
    )
)  # fmt: skip
_BEGIN = re.compile(r"^([ \t]*(?:[-*+][ \t]+)?)#\+BEGIN_(?P<name>[A-Z]+)[ \t]*$", re.MULTILINE)
# Of docsify-tabs: where tabs begin and end, and their labels, in comments or in bold headings.
_TABS = re.compile(
    r"^[ \t]*(?:<!--[ \t]*(?:tabs:(?P<place>start|end)|tab:(?P<label>(?:(?!-->)[^\n])*+))[ \t]*-->"
    r"|#{1,6}[ \t]+\*\*(?P<heading>[^*\n]+)\*\*)[ \t]*$",
    re.MULTILINE,
)


def docsify_tabs(source: MarkdownSource) -> None:
    """Write the tabs of docsify-tabs as those of VuePress, before the comments are removed."""
    edits, inner, start = list[Edit](), list[Edit](), None
    for line in source.matches(_TABS) if "tabs:start" in source else ():
        if source.text.rfind("<!--", 0, line.start()) > source.text.rfind("-->", 0, line.start()):
            start = None  # in a comment
        elif line["place"]:
            if line["place"] == "end" and start:
                edits += [(*start.span(), "::: tabs"), *inner, (*line.span(), CLOSING)]
            start, inner = line if line["place"] == "start" else None, []
        else:
            inner.append((*line.span(), f"@tab {(line['label'] or line['heading'] or '').strip()}"))
    source.apply(edits)


def logseq(source: MarkdownSource) -> None:
    """Replace the syntax outside of code. A reference to a block has no words here: those of a link stay."""
    for sign, pattern, replacement in _RULES:
        if sign in source:
            source.apply((*match.span(), match.expand(replacement)) for match in source.matches(pattern, tex=True))
    if "#+BEGIN_" in source:
        blocks = (match for match in source.matches(_BEGIN) if match["name"].lower() in NAMES)
        source.apply((*match.span(), match[1] + opening(match["name"])) for match in blocks)
