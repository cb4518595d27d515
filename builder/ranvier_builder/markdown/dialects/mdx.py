"""MDX: imports, components and expressions → their visible words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from ranvier_builder.markdown.code import Inside, fences
from ranvier_builder.markdown.dialects.includes import ROUTER_TAGS, mark, mark_of_router
from ranvier_builder.markdown.dialects.jsx import Tag, tags
from ranvier_builder.markdown.dialects.kinds import CLOSING, FOLDED, NAMES, STEPS, TAB_GROUPS, TABS, opening
from ranvier_builder.markdown.dialects.parameters import LINE_BREAK, code, escaped, field_label, link, listing
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, pair
from ranvier_builder.markdown.elements import HTML_ELEMENTS
from ranvier_builder.markdown.javascript import first_text

_IMPORT = re.compile(
    r"""^import\s+(?:(?P<names>[\w*{][^;'"\n]{0,1000}(?:\n[^;'"\n]{1,1000}){0,40}?)\sfrom\s+)?"""
    r"""["'][^"'\n]+["'][ \t]*;?[ \t]*$""",
    re.MULTILINE,
)
# Another file of Markdown as a component; `@site` is the folder of the whole site.
_PART = re.compile(r"""import\s+(?P<name>[A-Z]\w*)\s+from\s+["'](?:@site(?=/))?(?P<path>[./][^"'\s{}]*\.mdx?)["']""")
_EXPORT = re.compile(r"^export\s+(?:const|let|var|function|default|class|async|type|interface|\{|\*)", re.MULTILINE)
_BRACKETS = re.compile(r""""[^"\n]*"|'[^'\n]*'|`[^`]*`|/(?:\\[^\n]|[^/\n\\*<>\s])+/|//[^\n]*|[(){}\[\]]|\n""")
_NAME = re.compile(r"[A-Z]\w*")
_LITERAL = re.compile(r"""\{\s*(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|`(?P<template>[^`$]*)`)\s*\}""")
_BRACES = re.compile(rf"(?<!\\)(?:{_LITERAL.pattern}|[{{}}])")
_ATTRIBUTE = re.compile(r"\{\s*(?:[#.:][\w-]|/\*\s*#[\w.:-]+\s*\*/\s*\})")  # attribute lists
_TITLES = ("label", "title", "header", "heading", "summary", "name", "text")
_COMMANDS = ("snippet", "command", "terminal")  # components that show a text as code
_SIGNS = {"check": "✓", "cross": "✗"}
_JSX = re.compile(r"<(?:[A-Z][\w.]*\s[^<>]*?=\{|[a-z]\w*\s[^<>]*?\bstyle=\{\{\s*\w+:)")
# The opening tag of a component alone on its line, in a Markdown file.
_LONE = re.compile(r"^[ \t]*<(?P<name>[A-Z]\w*)(?:[ \t][^<>\n]*)?(?<!/)>[ \t]*$", re.MULTILINE)
_LONE_CLOSING = re.compile(r"^[ \t]*</([A-Z]\w*)>[ \t]*$", re.MULTILINE)
_LONE_BRACKET = re.compile(r"(\n[ \t]*)>\Z")
# A line of HTML, which is Markdown only in MDX.
_LINE = re.compile(
    r"^[ \t]*(?:<details[^<>]*>[ \t]*)?<(?P<tag>p|summary)(?:\s[^<>]*)?>"
    r"(?P<text>(?:[^<`\n]|\n(?![ \t]*\n)|`[^`\n]*`)*)</(?P=tag)>",
    re.MULTILINE,
)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_BREAK = re.compile(r"^[ \t]*<br[ \t]*/?>[ \t]*$", re.MULTILINE)
_DEEP_FENCE = re.compile(
    r"^(?P<indent>[ \t]{4,})(?P<run>`{3,}|~{3,})[^`\n]*\n(?:(?!(?P=indent)(?P=run))[^\n]*\n)*?(?P=indent)(?P=run)[ \t]*$",
    re.MULTILINE,
)
_LINKS = frozenset("link linkbutton navlink anchor button".split())
_LINK_SIGN = re.compile(r"[\[\]<\n]")
_CALLOUTS = {"admonition", "callout", "aside", "alert", "banner", "check", *NAMES}
_CALLOUT_KINDS = {"check": "tip", "aside": "note", "callout": "note", "admonition": "note", "alert": "note", "banner": "note"}


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
    if _DEEP_FENCE.search(source.text):
        source.apply(_deep_fences(source))
    remarks = source.spans("{/*", "*/}", quiet=True) if "{/*" in source else ()
    source.apply((start, end, "") for start, end in remarks if not _ATTRIBUTE.match(source.text, start, end))
    source.drop(_BREAK)  # in Markdown, the lines behind it would be HTML
    elements, edits = _components(source, _drop_statements(source))
    spans = [(tag.start, tag.end) for tag in elements]
    source.apply([*edits, *_expressions(source, Inside(spans))])
    source.apply(_code_in_html(source))


def _deep_fences(source: MarkdownSource) -> Iterator[Edit]:
    """Outdent the fenced code that would be indented code, outside of lists: MDX has no indented code."""
    fenced = Inside(fences(source.text))
    above, at = "", 0
    for fence in _DEEP_FENCE.finditer(source.text):
        begin = fence.start("indent")
        above = (source.text[at:begin].rstrip() or above).rpartition("\n")[2]
        if not (fenced(begin) or above[:1].isspace() or _ITEM.match(above)):
            lines = fence.group().split("\n")
            yield begin, fence.end(), "\n".join(line.removeprefix(fence["indent"]) for line in lines)
        above, at = fence.group(), fence.end()


def _code_in_html(source: MarkdownSource) -> Iterator[Edit]:
    for line in source.matches(_LINE):
        for span in _CODE_SPAN.finditer(source.text, *line.span("text")):
            yield span.start(), span.end(), f"<code>{escape(span[1])}</code>"


def jsx(source: MarkdownSource) -> None:
    """Replace the components of a Markdown file; its braces and its exports are text, and words in angle brackets in a line."""
    elements, edits = _components(source, {})
    source.apply(
        edit
        for tag, edit in zip(elements, edits, strict=True)
        if tag.is_self_closing or tag.partner or source.is_alone(tag.start, tag.end)
    )


def _components(source: MarkdownSource, parts: dict[str, str]) -> tuple[list[Tag], list[Edit]]:
    if "<" in source:
        _outdent(source)
    elements = list(tags(source))
    pair(elements)
    _label_tabs(elements)
    return elements, [(tag.start, tag.end, _replacement(source, tag, parts)) for tag in elements]


def _label_tabs(elements: list[Tag]) -> None:
    """Set the labels of tabs without a title from the list of labels that their group has."""
    groups: list[dict[str, str]] = []  # value or number of a tab → label
    for tag in elements:
        name = tag.kind
        if name in TAB_GROUPS and tag.partner:
            if tag.closes:
                groups.pop()
            else:
                groups.append(_tab_labels(tag))
        elif name in TABS and not tag.closes and groups:
            first = next(iter(groups[-1]), "")
            key = value if (value := tag.text("value")) in groups[-1] else first
            tag.label = groups[-1].pop(key, "")


def _tab_labels(group: Tag) -> dict[str, str]:
    labels = dict[str, str]()
    for items in (group.attributes.get("items"), group.attributes.get("values")):
        for item in items if isinstance(items, list) else ():
            fields = item if isinstance(item, dict) else {"label": item}
            label = first_text(fields, "label", "name", "title")
            labels.setdefault(value if isinstance(value := fields.get("value"), str) else label, label)
    return labels


def _drop_statements(source: MarkdownSource) -> dict[str, str]:
    """Remove imports and exports; return the path of each component that is a file of Markdown."""
    text, edits, parts = source.text, [], dict[str, str]()
    for line in source.matches(_IMPORT):
        edits.append((line.start(), line.end(), ""))
        if part := _PART.match(line.group()):
            parts[part["name"]] = part["path"]
    end_of_last, finds_ends = 0, True
    for line in source.matches(_EXPORT):
        if line.start() >= end_of_last:
            end = _statement_end(text, line.start()) if finds_ends else -1
            if end < 0:
                finds_ends, end = False, _paragraph_end(text, line.start())
            edits.append((line.start(), end, ""))
            end_of_last = end
    source.apply(edits)
    return parts


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


def _replacement(source: MarkdownSource, tag: Tag, parts: dict[str, str]) -> str:
    """Return the replacement of a tag: an included file, the fence of a callout or a tab, the title of a card, or nothing."""
    first = tag.partner if tag.closes else tag
    if first is None:
        return ""
    if first.name in parts:
        return "" if tag.closes else mark(f"{{{{#include {parts[first.name]}}}}}")
    name, other = first.kind, first.partner
    if name in ROUTER_TAGS:
        return mark_of_router(name, closes=tag.closes) + _gap(source, tag)
    title = title_of_tag(first)
    is_alone = source.is_alone(first.start, first.end)
    is_block = other is not None and is_alone and source.is_alone(other.start, other.end)
    if is_block and (fence := container(first, name, title)):
        return CLOSING if tag.closes else fence
    if not tag.component:
        return "" if is_block and first.holds_markdown else _html(source.text[tag.start : tag.end], tag)
    if label := field_label(tag, name):
        return label
    if other is not None and name in _LINKS and not title and (address := first.text("href", "to")):
        if not _LINK_SIGN.search(source.text, first.end, other.start):
            return f"](<{re.sub('[<>]', '', address)}>)" if tag.closes else "["
    if _is_line(source, first):  # its title, its words
        label = title or escaped(first.label)
        return LINE_BREAK if tag.closes else f"{link(label, tag.text('href', 'to'))} " if label else ""
    return _gap(source, tag) if tag.closes else _text(source, tag, name, title, is_alone=is_alone)


def _gap(source: MarkdownSource, tag: Tag) -> str:
    """Return a blank between `</A><B>`, so that two words, or two pieces of code, do not become one."""
    return " " if tag.closes and re.match(r"<[A-Za-z]", source.text[tag.end : tag.end + 2]) else ""


def _is_line(source: MarkdownSource, tag: Tag) -> bool:
    """Return whether a component with contents is on one line, and alone there."""
    end = tag.partner.end if tag.partner else -1
    return source.text.find("\n", tag.start, max(end, tag.start)) < 0 < end and source.is_alone(tag.start, end)


def _html(text: str, tag: Tag) -> str:
    """Return a tag of HTML without the attributes that are expressions. A `>` that begins a line would begin a quote."""
    if "{" not in text:
        return _LONE_BRACKET.sub(r">\1", text)
    values = ((name, value) for name, value in tag.attributes.items() if isinstance(value, str))
    attributes = "".join(f' {name}="{escape(" ".join(value.split()))}"' for name, value in values)
    return f"<{tag.name}{attributes}{' hidden' * tag.is_hidden}{' /' * tag.is_self_closing}>"


def title_of_tag(tag: Tag) -> str:
    """Return the title of a component, as Markdown."""
    return escaped(tag.text(*_TITLES))


def container(tag: Tag, name: str, title: str) -> str:
    """Return the line that opens the container of a component; empty if its contents stay as they are."""
    if name in _CALLOUTS:
        kind = tag.text("type").lower() or _CALLOUT_KINDS.get(name, name)
        return opening(kind if kind in NAMES else "note", title)
    if not tag.component:
        return ""
    if name in FOLDED:
        return opening("details", title)
    if name in TABS and (label := title or escaped(tag.label or tag.text("value"))):
        return opening("tab", label)
    if name in STEPS and title:
        return opening("step", title)
    return opening("code-group" if "code" in name else "tabs") if name in TAB_GROUPS else ""


def _text(source: MarkdownSource, tag: Tag, name: str, title: str, *, is_alone: bool) -> str:
    """Return the visible words of a component: its title, its sign, or the parameters or cards in its attributes."""
    if tag.is_self_closing and name in _SIGNS:
        return _SIGNS[name]
    if not is_alone:
        return ""
    if name in _COMMANDS and (command := tag.text("text", "command", "code")):
        return code(command)
    indent = tag.start - source.text.rfind("\n", 0, tag.start) - 1
    items = listing(tag, source.text.count("\n", tag.start, tag.end) + 1).replace("\n", "\n" + " " * indent)
    heading = link(title, tag.text("href", "to")) if title and name != "icon" else ""
    words = ": ".join(filter(None, [heading, escaped(tag.text("description"))]))
    return items or (words and f"{words}{LINE_BREAK}")


@dataclass(slots=True)
class _Component:
    """A component on lines of its own: the columns of its tag and of its contents, and the new column of the contents."""

    indent: int
    column: int
    contents: int | None = None


_TAG_LINE = re.compile(r"([ \t]*)<(/?)([A-Z][\w.]*|div|section|center|main|details)\b([^\n]*)\Z")
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]+(?=\S)")


def _outdent(source: MarkdownSource) -> None:
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
