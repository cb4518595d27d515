"""Vue's blocks for one of its two APIs, the title of a page in the text, and Svelte's marks of changes in listings."""

from __future__ import annotations

import re

from ranvier_builder.markdown.code import fences
from ranvier_builder.markdown.dialects.kinds import CLOSING, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_DIV = re.compile(r"^[ \t]*<(?P<close>/?)div\b(?P<rest>[^<>\n]*)>[ \t]*$", re.MULTILINE)
_PREFERENCE = re.compile(r"""\bclass\s*=\s*["'](?P<name>options|composition)-api["']""")
_LABELS = {"options": "Options API", "composition": "Composition API"}
_TITLE = re.compile(r"\{\{[ \t]*\$frontmatter\.title[ \t]*\}\}")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_ADDED = re.compile(r"\+\+\+(?=[^\s+])(?P<new>(?:(?!\+\+\+|```)[^\0]){1,4000}?)(?<=[^\s+])\+\+\+(?!\+)")
_REMOVED = re.compile(r"---(?=[^\s-])(?:(?!---)[^\n]){1,400}?(?<=[^\s-])---(?!-)")
_LANGUAGES = re.compile(r"[`~]{3,}[ \t]*(?:svelte|js|ts|javascript|typescript|html|css|jsx|tsx|json|dotenv|sh|bash)\b")


def preferences(source: MarkdownSource) -> None:
    """Turn the blocks for one of Vue's two APIs into labelled tabs."""
    if "-api" not in source:
        return
    edits, stack = list[Edit](), list[tuple[re.Match[str], str]]()
    for div in source.matches(_DIV):
        if not div["close"]:
            preference = _PREFERENCE.search(div["rest"])
            stack.append((div, preference["name"] if preference else ""))
        elif stack:
            begin, name = stack.pop()
            if name:
                edits.append((begin.start(), begin.end(), opening("tab", _LABELS[name])))
                edits.append((div.start(), div.end(), CLOSING))
    source.apply(edits)


def titles(source: MarkdownSource, title: str) -> None:
    """Write the title of the front matter in place of VitePress's `{{ $frontmatter.title }}`; its signs are no Markdown."""
    if title and "$frontmatter" in source:
        words = _PUNCTUATION.sub(r"\\\g<0>", " ".join(title.split()))
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
