"""Indentation in MDX, which means nothing there: in Markdown, indented lines are code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ranvier_builder.markdown.code import Inside, code_without_indented, fences
from ranvier_builder.markdown.dialects.comments import EMPTY
from ranvier_builder.markdown.dialects.jsx import tags
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_DEEP_FENCE = re.compile(
    r"^(?P<indent>[ \t]{4,})(?P<run>`{3,}|~{3,})[^`\n]*\n(?:(?!(?P=indent)(?P=run))[^\n]*\n)*?(?P=indent)(?P=run)[ \t]*$",
    re.MULTILINE,
)
_TAG_LINE = re.compile(r"([ \t]*)<(/?)([A-Z][\w.]*|div|section|center|main|details)\b([^\n]*)\Z")
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]+(?=\S)")


def outdent_fences(source: MarkdownSource) -> None:
    """Outdent the fenced code that would be indented code, outside of lists."""
    if _DEEP_FENCE.search(source.text):
        source.apply(_deep_fences(source))


def comments(source: MarkdownSource) -> Iterator[tuple[int, int]]:
    """Yield the comments outside of code; they can be indented, because indented lines are code only between fences."""
    fenced = Inside(fences(source.text))
    deep = [fence.span() for fence in _DEEP_FENCE.finditer(source.text) if not fenced(fence.start())]
    in_code = Inside(code_without_indented(source.text, deep))
    for signs in (("{/*", "*/}"), ("{ /*", "*/ }"), ("<!--", "-->")):
        for start, end in source.spans(*signs, anywhere=True, quiet=True) if signs[0] in source else ():
            if not in_code(start) and source.text[start:end] != EMPTY:
                yield start, end


def _deep_fences(source: MarkdownSource) -> Iterator[Edit]:
    fenced = Inside(fences(source.text))
    above, at = "", 0
    for fence in _DEEP_FENCE.finditer(source.text):
        begin = fence.start("indent")
        above = (source.text[at:begin].rstrip() or above).rpartition("\n")[2]
        if not (fenced(begin) or above[:1].isspace() or _ITEM.match(above)):
            lines = fence.group().split("\n")
            yield begin, fence.end(), "\n".join(line.removeprefix(fence["indent"]) for line in lines)
        above, at = fence.group(), fence.end()


@dataclass(slots=True)
class _Component:
    """A component on lines of its own: the columns of its tag and of its contents, and the new column of the contents."""

    indent: int
    column: int
    contents: int | None = None


def outdent(source: MarkdownSource) -> None:
    """Remove the indentation of contents that comes from their component; in a list item they keep that of the item."""
    out, stack, items, fence = [], list[_Component](), list[int](), ""
    inner_lines, self_closing = _lines_of_tags(source)
    for number, line in enumerate(source.text.split("\n")):
        if number in inner_lines:
            out.append(line)
            continue
        tag = _TAG_LINE.match(line) if not fence and number not in self_closing else None
        text = line.lstrip(" \t")
        indent = len(line) - len(text)
        if tag and tag[2] and stack:
            out.append(" " * stack.pop().column + text)
            continue
        if stack and stack[-1].contents is None and text:
            stack[-1].contents = indent if indent >= stack[-1].indent else 0
        column = stack[-1].column + max(0, indent - (stack[-1].contents or 0)) if stack else indent
        if not fence and text:
            items = [item for item in items if item <= column]
        inner = items[-1] if items else 0
        if text.startswith(("```", "~~~")):
            fence = "" if fence and text.startswith(fence) else fence or text[:3]
        elif not fence and (item := _ITEM.match(text)):
            items.append(column + len(item.group()))
        if tag and not tag[2] and not tag[4].rstrip().endswith("/>") and f"</{tag[3]}>" not in tag[4] and len(stack) < 60:
            column = min(column, inner)
            stack.append(_Component(indent, column))
        out.append((" " * column + text if stack else line) if text else "")
    source.apply([(0, len(source.text), "\n".join(out))])


def _lines_of_tags(source: MarkdownSource) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines inside a tag, without its first; and those of first lines of tags without contents."""
    inner_lines, self_closing, number, at = set[int](), set[int](), 0, 0
    for tag in tags(source, quiet=True):
        number += source.text.count("\n", at, tag.start)
        at = tag.start
        if height := source.text.count("\n", tag.start, tag.end):
            inner_lines.update(range(number + 1, number + height + 1))
            self_closing.update([number] if tag.is_self_closing else ())
    return inner_lines, self_closing
