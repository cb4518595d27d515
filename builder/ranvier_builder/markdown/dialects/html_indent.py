"""Lines in lists and tables of HTML, behind a blank line and indented by four columns or more: they are no code.

In CommonMark they would be: a blank line ends HTML. In Python-Markdown, kramdown and MDX, an element ends with its tag.
A tag of Liquid alone on a line leaves such a blank line, too.
"""

from __future__ import annotations

import re

from ranvier_builder.markdown.code import Inside, fences
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_AROUND = re.compile(r"<(?P<close>/?)(?:table|[ou]l|dl)(?=[\s>])", re.IGNORECASE)
_BLOCK = re.compile(r"(?:[^\S\n]*\S[^\n]*(?:\n|\Z))+")  # lines up to a blank one
_INDENT = re.compile(r"(?: {4}| {0,3}\t)[ \t]*")  # of code
_HTML = re.compile(r"[ \t]*</?[a-z]", re.IGNORECASE)
_PART = re.compile(
    r"[ \t]*</?(?:caption|colgroup|dd|div|dl|dt|h[1-6]|li|[ou]l|p|table|tbody|td|tfoot|th|thead|tr)(?=[\s>])", re.IGNORECASE
)


def html_indent(source: MarkdownSource) -> None:
    """Remove the indentation of such lines: of tags, and of words directly below a tag that is indented itself."""
    if not _AROUND.search(source.text):
        return
    text, in_fence, edits = source.text, Inside(fences(source.text)), list[Edit]()
    depth, is_nested = 0, False
    for block in _BLOCK.finditer(text):
        start, end = block.span()
        if in_fence(start):
            continue
        indent = _INDENT.match(text, start)
        if indent and depth and (is_nested or _PART.match(text, start)):
            edits.append((*indent.span(), ""))
        elif indent or not _HTML.match(text, start):
            depth = 0  # below Markdown, code is code
            continue
        for tag in _AROUND.finditer(text, start, end):
            depth = max(0, depth + (-1 if tag["close"] else 1))
        last = max(start, text.rfind("\n", start, end - 1) + 1)
        if _HTML.match(text, last):
            is_nested = _INDENT.match(text, last) is not None
    source.apply(edits)
