"""Removes comments: those of HTML, Obsidian, Logseq, kramdown, Jinja, Liquid and Hugo. In code they stay, as examples."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from ranvier_builder.markdown.code import Inside, Range, code_without_indented, spans
from ranvier_builder.markdown.dialects import percent
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

# An unused link definition, written as a comment: `[//]: # (remark)`.
_HTML = re.compile(r"<!--"), re.compile(r"-->|(?<=<!--)-?>")  # `<!-->` is a complete comment
# Openers and closers of other comments, and exceptions: `{/* #id */}` is the id of a heading.
_OTHERS = tuple(
    (re.compile(opener), re.compile(closer))
    for opener, closer in (
        (r"\{/\*(?!\s*#[\w.:-]+\s*\*/\})", r"\*/\}"),
        (r"\{::comment\}", r"\{:/(?:comment)?\}"),
        (r"\{\{!--", r"--\}\}"),
        (r"<%--", r"--%>"),
        (r"\{>>", r"<<\}"),  # of CriticMarkup
        (r"#\+(?i:begin_comment)\b", r"#\+(?i:end_comment)\b"),  # of Logseq
    )
)
# Of Jinja, on any number of lines; braces in it are whole tags, so that `{# id }` is none.
_JINJA = re.compile(r"\{#-?(?=\s)(?:[^{}#]|#(?!\})|\{\{[^{}]*\}\}|\{%[^{}]*%\})*+#\}")
# Of Liquid and Hugo, which remove them before they read Markdown: indented lines are not code yet.
_TEMPLATES = (
    re.compile(r"\{%-?\s*(?P<closes>end|/)?comment\s*-?%\}"),
    re.compile(r"\{\{[<%]\s*(?P<closes>/)?\s*comment\s*[>%]\}\}"),
)
_LIQUID_LINE = re.compile(r"\{%-?\s*#\s(?:[^%]|%(?!\})){0,1000}+%\}")
_LIQUID_RAW = re.compile(r"\{%-?\s*(?P<closes>end)?raw\s*-?%\}")
EMPTY = "<!---->"
_CODE_BELOW = re.compile(r"[ \t]*\n(?: {4}| {0,3}\t)[ \t]*\S")
_LINK_COMMENT = re.compile(r"^ {0,3}\[(?://|comment|_)\]: *(?:#|<#?>) *[(\"'][^\n]*$", re.MULTILINE | re.IGNORECASE)


def drop_comments(source: MarkdownSource) -> None:
    """Remove comments. An unclosed comment at the start of a line hides the rest of the page, as in the author's system."""
    if "<!--" in source:
        source.apply(_comments_between(source, *_HTML))
    if "%%" in source:
        edits, mark = percent.comments(source.text, source.in_code)
        source.apply(edits + (_hide_rest(source, mark, "%%") if mark >= 0 else []))
    for opener, closer in _OTHERS:
        source.apply(_comments_between(source, opener, closer))
    if "#}" in source:
        source.drop(_JINJA)
    if "{%" in source or "{{<" in source:
        source.apply((*span, replacement(source, *span)) for span in _template_comments(source.text))
    if "]: " in source:
        source.drop(_LINK_COMMENT)


def without_comments(text: str) -> str:
    """Return a text without its comments; lines keep their numbers."""
    source = MarkdownSource(text)
    drop_comments(source)
    return source.text.replace(EMPTY, "")


def replacement(source: MarkdownSource, start: int, end: int) -> str:
    """Return what a comment leaves: an empty one where an empty line would end the HTML above it, so that the HTML is code."""
    text = source.text
    if not (_CODE_BELOW.match(text, end) and source.is_alone(start, end)):
        return ""
    line = text.rfind("\n", 0, start)
    if line < 0 or not text[text.rfind("\n", 0, line) + 1 : line].rstrip().endswith((">", "*/}")):
        return ""
    return f"\n{text[line + 1 : start]}".join([EMPTY] * (1 + text.count("\n", start, end)))


def plugin(md: MarkdownIt) -> None:
    """Keep comments from being shown as prose, even in text that was wrongly classified as code."""
    md.core.ruler.after("block", "comments", _rule)


def _rule(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("inline", "html_block") and "%%" in token.content:
            source = MarkdownSource(token.content)
            edits, opener = percent.comments(token.content, Inside(spans(token.content)))
            if opener >= 0 and "%%" in token.content[opener + 2 :]:
                edits.append((opener, len(token.content), ""))
            source.apply(edits)
            token.content = source.text


def _comments_between(source: MarkdownSource, opener: re.Pattern[str], closer: re.Pattern[str]) -> list[Edit]:
    edits: list[Edit] = []
    at = 0
    while (start := opener.search(source.text, at)) is not None:
        at = start.end()
        if source.in_code(start.start()):
            continue
        end = closer.search(source.text, at)
        if end is None:
            return edits + _hide_rest(source, start.start(), start.group())
        at = end.end()
        edits.append((start.start(), at, replacement(source, start.start(), at)))
    return edits


def _template_comments(text: str) -> list[Range]:
    code = code_without_indented(text, _pairs(_LIQUID_RAW, text, []))
    in_code = Inside(code)
    lines = [line.span() for line in _LIQUID_LINE.finditer(text) if not in_code(line.start())]
    return [*lines, *(span for tags in _TEMPLATES for span in _pairs(tags, text, code))]


def _pairs(tags: re.Pattern[str], text: str, code: list[Range]) -> list[Range]:
    """Return the ranges from each opening tag to the next closing one, outside of code."""
    ranges, start, in_code = list[Range](), -1, Inside(code)
    for tag in tags.finditer(text):
        if in_code(tag.start()):
            continue
        if not tag["closes"]:
            start = tag.start() if start < 0 else start
        elif start >= 0:
            ranges.append((start, tag.end()))
            start = -1
    return ranges


def _hide_rest(source: MarkdownSource, start: int, mark: str) -> list[Edit]:
    if mark == "{>>" or source.text[source.text.rfind("\n", 0, start) + 1 : start].strip(" \t>"):  # CriticMarkup shows it
        source.report(start, f"a comment {mark} is not closed; shown as it is")
        return []
    source.report(start, f"a comment {mark} is not closed: nothing after it is shown")
    return [(start, len(source.text), "")]
