"""Vue's blocks for one of its two APIs, badges, the fields of a page in the text, and Svelte's marks of changes in listings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from ranvier_builder.markdown.code import escaped_signs, fences
from ranvier_builder.markdown.dialects.kinds import CLOSING, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, PairedTag, pair

_DIV = re.compile(r"^[ \t]*<(?P<close>/?)div\b[^<>\n]*>[ \t]*$", re.MULTILINE)
_PREFERENCE = re.compile(r"""\bclass\s*=\s*["'](?P<name>options|composition)-api["']""")
_LABELS = {"options": "Options API", "composition": "Composition API"}
_FIELD = re.compile(
    r"\{[{%][ \t]*\$(?:markdoc\.)?frontmatter\.(?P<name>\w+)[ \t]*[}%]\}"
    r"|\{\{-?[ \t]*page\.(?P<field>title|description)[ \t]*(?:\|[^{}\n]*)?-?\}\}"
)
_BADGE = re.compile(
    r"""<Badge(?=\s)(?:(?!\stext=)[^<>\n])*+\stext=(?P<quote>["'])(?P<text>[^<>"'\n]+)(?P=quote)"""
    r"""[^<>\n]*+(?:(?<=/)>|>[ \t]*+</Badge>)"""
)
_ADDED = re.compile(r"\+\+\+(?=[^\s+])(?P<new>(?:(?!\+\+\+|```)[^\0]){1,4000}?)(?<=[^\s+])\+\+\+(?!\+)")
_REMOVED = re.compile(r"---(?=[^\s-])(?:(?!---)[^\n]){1,400}?(?<=[^\s-])---(?!-)")
_LANGUAGES = re.compile(r"[`~]{3,}[ \t]*(?:svelte|js|ts|javascript|typescript|html|css|jsx|tsx|json|dotenv|sh|bash)\b")


def preferences(source: MarkdownSource) -> None:
    """Turn the blocks for one of Vue's two APIs into labelled tabs."""
    if "-api" not in source:
        return
    tags = [PairedTag(*div.span(), "div", div["close"] == "/", False) for div in source.matches(_DIV)]
    pair(tags)
    edits = list[Edit]()
    for tag in tags:
        preference = _PREFERENCE.search(source.text, tag.start, tag.end)
        if preference and tag.partner and not tag.closes:
            edits.append((tag.start, tag.end, opening("tab", _LABELS[preference["name"]])))
            edits.append((tag.partner.start, tag.partner.end, CLOSING))
    source.apply(edits)


def page_fields(source: MarkdownSource, fields: Mapping[str, str]) -> None:
    """Write fields of the front matter in place of `{{ $frontmatter.title }}`, in Markdoc `{% … %}`; it is no Markdown.

    The same for `{{ page.title }}` of Jekyll, unless the page has raw text. A field that is not published is removed.
    """
    if "frontmatter" in source or ("page." in source and "endraw" not in source):
        words = {name: escaped_signs(" ".join(value.split())) for name, value in fields.items()}
        source.replace(_FIELD, lambda field: words.get((field["name"] or field["field"]).lower(), ""))


def badges(source: MarkdownSource) -> None:
    """Show the words of badges of VitePress and Starlight; not in headings, because their anchors do not have these words."""
    if "<Badge" in source:
        source.replace(_BADGE, _badge)


def _badge(badge: re.Match[str]) -> str:
    line = badge.string[badge.string.rfind("\n", 0, badge.start()) + 1 : badge.start()]
    return "" if line.lstrip(" \t>").startswith("#") else f"<strong>{escaped_signs(unescape(badge['text']))}</strong>"


def changes(source: MarkdownSource) -> None:
    """Remove Svelte's marks from listings: the text of `+++new+++` stays, and `---removed---` text is deleted."""
    if "+++" not in source:
        return
    edits = list[Edit]()
    for start, end in fences(source.text):
        listing = source.text[start:end]
        if _LANGUAGES.match(listing.lstrip()) and _ADDED.search(listing):
            edits.append((start, end, _ADDED.sub(r"\g<new>", _REMOVED.sub("", listing))))
    source.apply(edits)
