"""Vue's blocks for one of its two APIs, the title of a page in the text, and Svelte's marks of changes in listings."""

from __future__ import annotations

import re

from ranvier_builder.markdown.code import escaped_signs, fences
from ranvier_builder.markdown.dialects.kinds import CLOSING, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, PairedTag, pair

_DIV = re.compile(r"^[ \t]*<(?P<close>/?)div\b[^<>\n]*>[ \t]*$", re.MULTILINE)
_PREFERENCE = re.compile(r"""\bclass\s*=\s*["'](?P<name>options|composition)-api["']""")
_LABELS = {"options": "Options API", "composition": "Composition API"}
_TITLE = re.compile(r"\{\{[ \t]*\$frontmatter\.title[ \t]*\}\}")
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


def titles(source: MarkdownSource, title: str) -> None:
    """Write the title of the front matter in place of VitePress's `{{ $frontmatter.title }}`; its signs are no Markdown."""
    if title and "$frontmatter" in source:
        words = escaped_signs(" ".join(title.split()))
        source.replace(_TITLE, lambda _: words)


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
