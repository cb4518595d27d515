"""MDX: imports, components and expressions → their visible words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from ranvier_builder.markdown.code import Inside, blocks
from ranvier_builder.markdown.dialects.comments import replacement
from ranvier_builder.markdown.dialects.components import replacements
from ranvier_builder.markdown.dialects.jsx import tags
from ranvier_builder.markdown.dialects.mdx_indent import comments, outdent_fences
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource
from ranvier_builder.markdown.elements import HTML_ELEMENTS

_IMPORT = re.compile(
    r"""^import\s+(?:(?P<names>[\w*{][^;'"\n]{0,1000}(?:\n[^;'"\n]{1,1000}){0,40}?)\sfrom\s+)?"""
    r"""["'][^"'\n]+["'][ \t]*;?[ \t]*(?=/[/*]|$)""",
    re.MULTILINE,
)
# Comments behind an import or an export, and on the lines below: they are of JavaScript, up to an empty line.
_REMARKS = re.compile(r"(?:[ \t]*\n?[ \t]*(?:/\*(?:[^*]|\*(?!/)){0,2000}+\*/|/[/*][^\n]*))*+")
# Another file of Markdown as a component, perhaps with other names from it; `@site` is the folder of the whole site, and
# `@en` is often a folder in it.
_PART = re.compile(
    r"""import\s+(?P<name>[A-Z]\w*)(?:\s*,\s*\{[^{}\n]*\})?\s+from\s+"""
    r"""["'](?:(?:@site|[@~])?(?=[./])|@(?=\w))(?P<path>[./\w][^"'\s{}]*\.mdx?)["']"""
)
_EXPORT = re.compile(r"^export\s+(?:const|let|var|function|default|class|async|type|interface|\{|\*)", re.MULTILINE)
_BRACKETS = re.compile(r""""[^"\n]*"|'[^'\n]*'|`[^`]*`|/(?:\\[^\n]|[^/\n\\*<>\s])+/|//[^\n]*|[(){}\[\]]|\n""")
_NAME = re.compile(r"[A-Z]\w*")
_LITERAL = re.compile(r"""\{\s*(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|`(?P<template>[^`$]*)`)\s*\}""")
_BRACES = re.compile(rf"(?<!\\)(?:{_LITERAL.pattern}|[{{}}])")
_ATTRIBUTE = re.compile(r"\{\s*(?:[#.:][\w-]|/\*\s*#[\w.:-]+\s*\*/\s*\})")  # attribute lists
_JSX = re.compile(r"<(?:[A-Z][\w.]*\s[^<>]*?=\{|[a-z]\w*\s[^<>]*?\bstyle=\{\{\s*\w+:)")
# The opening tag of a component alone on its line, in a Markdown file.
_LONE = re.compile(r"^[ \t]*<(?P<name>[A-Z]\w*)(?:[ \t][^<>\n]*)?(?<!/)>[ \t]*$", re.MULTILINE)
_LONE_CLOSING = re.compile(r"^[ \t]*</([A-Z]\w*)>[ \t]*$", re.MULTILINE)
# A line of HTML, which is Markdown only in MDX.
_LINE = re.compile(
    r"^[ \t]*(?:<details[^<>]*>[ \t]*)?<(?P<tag>p|summary)(?:\s[^<>]*)?>"
    r"(?P<text>(?:[^<`\n]|\n(?![ \t]*\n)|`[^`\n]*`)*)</(?P=tag)>",
    re.MULTILINE,
)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
# The language of a code span, of rehype-pretty-code in Nextra: `"x"{:js}`.
_LANGUAGE = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)[^`\n]*[^`\n #](?P<language>\{:\.?[a-z][\w.#+-]*\})(?P=ticks)(?!`)")
_BREAK = re.compile(r"^[ \t]*<br[ \t]*/?>[ \t]*$", re.MULTILINE)


def is_mdx(source: MarkdownSource, path: str) -> bool:
    """Return whether a file is MDX, by its name, or by a component that it imports and uses."""
    if path.lower().endswith(".mdx"):
        return True
    if "import " not in source or "<" not in source:
        return False
    imported = (name for line in source.matches(_IMPORT) for name in _NAME.findall(line["names"] or ""))
    return any(f"<{name}" in source.text for name in imported)


def has_jsx(source: MarkdownSource) -> bool:
    """Return whether a Markdown file has a component whose tags are alone on their lines, or a tag of JSX with an attribute in
    braces, alone on its line or closed by `/>`.
    """
    names = {*_LONE_CLOSING.findall(source.text)} if "</" in source else set()
    components = {name for name in names if not name.isupper() and name.lower() not in HTML_ELEMENTS}
    if components and any(tag["name"] in components for tag in source.matches(_LONE)):
        return True
    if not _JSX.search(source.text):
        return False
    jsx_tags = (tag for tag in tags(source, quiet=True) if _JSX.match(source.text, tag.start, tag.end))
    return any(tag.is_self_closing or source.is_alone(tag.start, tag.end) for tag in jsx_tags)


def mdx(source: MarkdownSource) -> None:
    """Remove code and keep text. Indented text in components does not become a code block, and no fence is in one."""
    outdent_fences(source)
    remarks = (span for span in comments(source) if not _ATTRIBUTE.match(source.text, *span))
    source.apply((*span, replacement(source, *span)) for span in remarks)
    in_block = Inside(blocks(source.text))
    languages = (span for span in _LANGUAGE.finditer(source.text) if not in_block(span.start()))
    source.apply((*span.span("language"), "") for span in languages)
    source.drop(_BREAK)  # in Markdown, the lines behind it would be HTML
    elements, edits = replacements(source, _drop_statements(source))
    spans = [(tag.start, tag.end) for tag in elements]
    source.apply([*edits, *_expressions(source, Inside(spans))])
    source.apply(_code_in_html(source))


def _code_in_html(source: MarkdownSource) -> Iterator[Edit]:
    for line in source.matches(_LINE):
        for span in _CODE_SPAN.finditer(source.text, *line.span("text")):
            yield span.start(), span.end(), f"<code>{escape(span[1])}</code>"


def jsx(source: MarkdownSource) -> None:
    """Replace the components of a Markdown file; its braces and its exports are text, and words in angle brackets in a line."""
    elements, edits = replacements(source, {})
    source.apply(
        edit
        for tag, edit in zip(elements, edits, strict=True)
        if tag.is_self_closing or tag.partner or source.is_alone(tag.start, tag.end)
    )


def _drop_statements(source: MarkdownSource) -> dict[str, str]:
    """Remove imports and exports; return the path of each component that is a file of Markdown."""
    text, edits, parts = source.text, [], dict[str, str]()
    for line in source.matches(_IMPORT):
        edits.append((line.start(), _remarks_end(text, line.end()), ""))
        if part := _PART.match(line.group()):
            parts[part["name"]] = part["path"]
    end_of_last, finds_ends = 0, True
    for line in source.matches(_EXPORT):
        if line.start() >= end_of_last:
            end = _statement_end(text, line.start()) if finds_ends else -1
            if end < 0:
                finds_ends, end = False, _paragraph_end(text, line.start())
            end_of_last = _remarks_end(text, end)
            edits.append((line.start(), end_of_last, ""))
    source.apply(edits)
    return parts


def _remarks_end(text: str, at: int) -> int:
    remarks = _REMARKS.match(text, at)
    return remarks.end() if remarks else at


def _statement_end(text: str, at: int) -> int:
    """Find the end of the line on which all brackets are closed; -1 if there is none."""
    depth = 0
    for match in _BRACKETS.finditer(text, at):
        if match.group() == "\n":
            if depth <= 0:
                return match.start()
        elif len(match.group()) == 1:
            depth += 1 if match.group() in "({[" else -1
    return -1 if depth > 0 else len(text)


def _paragraph_end(text: str, at: int) -> int:
    end = text.find("\n\n", at)
    return len(text) if end < 0 else end


def _expressions(source: MarkdownSource, in_tag: Inside) -> list[Edit]:
    """Remove outermost `{expressions}`; the words of a `{"string"}` stay. Another dialect handles attribute lists."""
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    for brace in _BRACES.finditer(source.text):
        at = brace.start()
        if source.in_tex(at) or in_tag(at):
            continue
        if len(brace.group()) > 1:
            if not stack:
                pairs.append((at, brace.end()))
        elif brace.group() == "{":
            stack.append(at)
        elif stack:
            start = stack.pop()
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, at + 1))
    if stack:
        source.report(stack[0], "an expression { is not closed by }; shown as it is")
    return [
        (start, end, _value(source.text, start, end)) for start, end in pairs if not _ATTRIBUTE.match(source.text, start, end)
    ]


def _value(text: str, start: int, end: int) -> str:
    literal = _LITERAL.fullmatch(text, start, end)
    return literal[literal.lastindex or 0].replace("<", r"\<") if literal else ""
