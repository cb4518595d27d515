"""Vue's blocks for one of its two APIs, the fields of a page in the text, and Svelte's marks of changes in listings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ranvier_builder.markdown.code import escaped_signs, fences
from ranvier_builder.markdown.dialects.kinds import CLOSING, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, PairedTag, pair

_DIV = re.compile(r"^[ \t]*<(?P<close>/?)div\b[^<>\n]*>[ \t]*$", re.MULTILINE)
_PREFERENCE = re.compile(r"""\bclass\s*=\s*["'](?P<name>options|composition)-api["']""")
_LABELS = {"options": "Options API", "composition": "Composition API"}
_FIELD = re.compile(r"\{\{[ \t]*\$frontmatter\.(?P<name>\w+)[ \t]*\}\}")
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
    """Write fields of the front matter in place of VitePress's `{{ $frontmatter.title }}`; their signs are no Markdown.

    A field that is not published is removed.
    """
    if "$frontmatter" in source:
        words = {name: escaped_signs(" ".join(value.split())) for name, value in fields.items()}
        source.replace(_FIELD, lambda field: words.get(field["name"].lower(), ""))


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
