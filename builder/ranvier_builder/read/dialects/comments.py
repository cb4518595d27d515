"""What an author keeps from readers: comments of HTML, Obsidian, kramdown, Jinja. In code they are examples of themselves."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from ranvier_builder.read.code import Inside, spans
from ranvier_builder.read.dialects.source import Edit, Source

# A definition that nothing refers to, used for a remark: `[//]: # (remark)`.
_LABELLED = re.compile(r"^ {0,3}\[(?://|comment|_)\]: *(?:#|<#?>) *[(\"'][^\n]*$", re.MULTILINE | re.IGNORECASE)


def drop_comments(source: Source) -> None:
    """Leave comments out. One that begins a line and is never closed hides the rest of the page, as it does for its author."""
    if "<!--" in source:
        source.apply(_html(source))
    if "%%" in source:
        source.apply(_percent(source))
    if "{::comment}" in source:
        source.apply((start, end, "") for start, end in source.spans("{::comment}", "{:/comment}"))
    if "{# " in source:
        found = source.spans("{# ", "#}", quiet=True)
        source.apply((start, end, "") for start, end in found if source.text.find("}", start, end - 1) < 0)
    if "]: " in source:
        source.apply((one.start(), one.end(), "") for one in _LABELLED.finditer(source.text) if not source.in_code(one.start()))


def plugin(md: MarkdownIt) -> None:
    """See to it that no comment is shown as prose, even where the text was thought to be code and is none."""
    md.core.ruler.after("block", "comments", _rule)


def _rule(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("inline", "html_block") and "%%" in token.content:
            source = Source(token.content)
            source.apply(_pairs(token.content, Inside(spans(token.content)))[0])
            token.content = source.text


def _html(source: Source) -> list[Edit]:
    text, at = source.text, 0
    edits: list[Edit] = []
    while (start := text.find("<!--", at)) >= 0:
        at = start + 4
        if source.in_code(start):
            continue
        end = text.find("-->", start + 2)  # `<!-->` is a whole comment
        if end < 0:
            return edits + _to_the_end(source, start, "<!--")
        at = end + 3
        edits.append((start, at, ""))
    return edits


def _percent(source: Source) -> list[Edit]:
    edits, opener = _pairs(source.text, source.in_code)
    return edits + (_to_the_end(source, opener, "%%") if opener >= 0 else [])


def _pairs(text: str, in_code: Inside) -> tuple[list[Edit], int]:
    """Find comments in pairs of signs, and the last sign where it has no partner."""
    at, opener = 0, -1
    edits: list[Edit] = []
    while (mark := text.find("%%", at)) >= 0:
        at = mark + 2
        if in_code(mark):
            continue
        if opener >= 0:
            edits.append((opener, at, ""))
            opener = -1
        else:
            opener = mark
    return edits, opener


def _to_the_end(source: Source, start: int, mark: str) -> list[Edit]:
    begins = not source.text[source.text.rfind("\n", 0, start) + 1 : start].strip()
    if not begins:
        if mark == "<!--":
            source.report(start, "a comment <!-- is not closed by -->; shown as it is")
        return []  # `100%%` is no comment
    source.report(start, f"a comment {mark} is not closed: nothing after it is shown")
    return [(start, len(source.text), "")]
