"""Components in MDX, in Markdown and in MDC → containers, links and words."""

from __future__ import annotations

import re
from html import escape

from ranvier_builder.markdown.dialects.includes import ROUTER_TAGS, mark, mark_of_router
from ranvier_builder.markdown.dialects.jsx import Tag, tags
from ranvier_builder.markdown.dialects.kinds import CLOSING, FOLDED, NAMES, STEPS, TAB_GROUPS, TABS, opening
from ranvier_builder.markdown.dialects.mdx_indent import outdent
from ranvier_builder.markdown.dialects.parameters import LINE_BREAK, code, escaped, field_label, link, listing
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, pair
from ranvier_builder.markdown.javascript import first_text

_TITLES = ("label", "title", "header", "heading", "summary", "name", "text")
_LISTINGS = ("code", "codeblock")
_COMMANDS = ("snippet", "command", "terminal", *_LISTINGS)  # components that show a text as code
# Of the component for all package managers in Starlight, the words of the command for npm.
_NPM = {"": "npm i", "add": "npm i", "dlx": "npx", "exec": "npx", "remove": "npm uninstall"}
_NOT_INFO = re.compile(r"[`\n]|title=\"\"")
_LISTING = re.compile(r"\s*+(?:\{\s*+`\n?(?P<template>[^`$]+)`\s*+\}\s*+|(?P<words>[^{}<>`]++))")
_SIGNS = {"check": "✓", "cross": "✗"}
_LONE_BRACKET = re.compile(r"(\n[ \t]*)>\Z")
_LINKS = frozenset("link linkbutton navlink anchor button".split())
_LINK_SIGN = re.compile(r"[\[\]<\n]")
_CALLOUTS = {"admonition", "callout", "aside", "alert", "banner", "check", *NAMES}
_CALLOUT_KINDS = {"check": "tip", "aside": "note", "callout": "note", "admonition": "note", "alert": "note", "banner": "note"}


def replacements(source: MarkdownSource, parts: dict[str, str]) -> tuple[list[Tag], list[Edit]]:
    """Return the tags of a text and the edits that replace them; `parts` are the files of Markdown among the components."""
    if "<" in source:
        outdent(source)
    elements = list(tags(source))
    pair(elements)
    _label_tabs(elements)
    return elements, [_listing(source, tag) or (tag.start, tag.end, _replacement(source, tag, parts)) for tag in elements]


def _listing(source: MarkdownSource, tag: Tag) -> Edit | None:
    """Return the edit that makes code of a component around a text, as `<CodeBlock>npm start</CodeBlock>`."""
    other = tag.partner if tag.component and tag.kind in _LISTINGS and not tag.closes else None
    text = _LISTING.fullmatch(source.text, tag.end, other.start) if other else None
    if text is None or other is None:
        return None
    words = (text["template"] or text["words"]).rstrip()
    indent = source.text[source.text.rfind("\n", 0, tag.start) + 1 : tag.start]
    lines = [line.removeprefix(indent) for line in words.strip("\n").split("\n")]
    if not source.is_alone(tag.start, other.end) or source.text.count("\n", tag.end, other.start) <= len(lines):
        return tag.start, other.end, code(words)
    language = tag.text("language", "lang") or tag.text("classname").removeprefix("language-")
    info = _NOT_INFO.sub("", f'{language} title="{tag.text("title")}"').strip()
    return tag.start, other.end, f"\n{indent}".join([f"```{info}", *lines, "```"])


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
    if _is_line(source, first):
        return _line(tag, first, title)
    return _gap(source, tag) if tag.closes else _text(source, tag, name, title, is_alone=is_alone)


def _line(tag: Tag, first: Tag, title: str) -> str:
    """Return the replacement of a tag of a component on one line: a container on this line, or its title before its words."""
    if first.kind not in TAB_GROUPS and (fence := container(first, first.kind, title)):
        return f" {CLOSING}" if tag.closes else f"{fence} {CLOSING} "
    label = title or escaped(first.label)
    return LINE_BREAK if tag.closes else f"{link(label, tag.text('href', 'to'))} " if label else ""


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
        return _LONE_BRACKET.sub(r"\1    >", text)
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
    if command := _command(tag, name):
        return code(command)
    indent = tag.start - source.text.rfind("\n", 0, tag.start) - 1
    items = listing(tag, source.text.count("\n", tag.start, tag.end) + 1).replace("\n", "\n" + " " * indent)
    heading = link(title, tag.text("href", "to")) if title and name != "icon" else ""
    words = ": ".join(filter(None, [heading, escaped(tag.text("description"))]))
    return items or (words and f"{words}{LINE_BREAK}")


def _command(tag: Tag, name: str) -> str:
    """Return the command that a component shows; of those for several package managers, the one for npm."""
    if name == "packagemanagertabs":  # of Rspress
        commands = tag.attributes.get("command")
        return first_text(commands, "npm", *commands) if isinstance(commands, dict) else f"npm {tag.text('command')}".strip()
    if name == "packagemanagers":
        kind, is_dev = tag.text("type"), tag.attributes.get("dev") is True
        return " ".join(filter(None, [_NPM.get(kind, f"npm {kind}"), "-D" * is_dev, tag.text("pkg"), tag.text("args")]))
    return tag.text("text", "command", "code") if name in _COMMANDS else ""
