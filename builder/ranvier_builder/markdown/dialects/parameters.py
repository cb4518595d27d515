"""MDX: descriptions of parameters, each in a component of its own or all as data of one component → Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ranvier_builder.markdown.dialects.jsx import Tag
from ranvier_builder.markdown.javascript import Value, first_text, objects

LINE_BREAK = "  "  # at the end of a line: the lines of a text keep their numbers
_FIELDS = ("paramfield", "responsefield", "property", "field")
_FIELD_NAMES = ("path", "query", "body", "header", "name")
_TITLES = ("title", "label", "heading")
_NAMES = ("name", "prop", "property", "option", "parameter", "param", "key")
_TEXTS = ("description", "desc")
_ADDRESSES = ("href", "to", "link", "url")
_DEFAULTS = ("default", "defaultValue", "defaultvalue")  # the attributes of a tag are in lower case
_OPTIONAL = ("optional", "isOptional", "isoptional")
_BRACKETS = re.compile(r"(?P<code>`[^`]*`)|[\[\]]")
_ANGLE = re.compile(r"`[^`]*`|<")


def field_label(tag: Tag, kind: str) -> str:
    """Return the name of a parameter, with its type and its default; empty for a component of another kind."""
    if tag.closes or not tag.component or kind not in _FIELDS:
        return ""
    name = tag.text(*_FIELD_NAMES)
    return f"**{code(name)}**{_notes(tag.attributes, tag.text('type'))}{LINE_BREAK}" if name else ""


def listing(tag: Tag, lines: int) -> str:
    """Return a list of the parameters or cards that the data of a component describe, on so many lines; empty: it has none."""
    described = (item for value in tag.attributes.values() for item in objects(value) if first_text(item, *_TEXTS))
    if not any(described):
        return ""
    items = [item for value in tag.attributes.values() for item in _items(value, 0)]
    return "\n".join(items) if len(items) <= lines else "; ".join(item.strip().removeprefix("+ ") for item in items)


def link(title: str, href: str) -> str:
    """Return a title in bold; as a link if it has an address."""
    words = _BRACKETS.sub(lambda match: match.group() if match["code"] else f"\\{match.group()}", " ".join(title.split()))
    return f"[{words}](<{href}>)" if href and "\n" not in href else f"**{words}**"


def code(text: str) -> str:
    """Return a text as a code span."""
    text = " ".join(text.split())
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def escaped(text: str) -> str:
    """Return a text on one line, in which nothing is a tag in Markdown."""
    return _ANGLE.sub(lambda match: r"\<" if match.group() == "<" else match.group(), " ".join(text.split()))


def _notes(values: dict[str, Value], kind: str) -> str:
    default = first_text(values, *_DEFAULTS)
    is_optional = any(values.get(name) is True for name in _OPTIONAL)
    flag = "required" if values.get("required") is True else "optional" if is_optional else ""
    text = ", ".join(filter(None, [code(kind) if kind else "", flag, f"default {code(default)}" if default else ""]))
    return f" ({text})" if text else ""


def _items(value: Value, depth: int) -> Iterator[str]:
    """Yield a list item for each object; the name of an object in another one is its key. `+` starts a list of its own."""
    named = [("", item) for item in value] if isinstance(value, list) else [*value.items()] if isinstance(value, dict) else []
    for key, item in named:
        if isinstance(item, dict) and (not key or first_text(item, *_TEXTS, "type")):
            yield from _item(item, key, depth)


def _item(item: dict[str, Value], key: str, depth: int) -> Iterator[str]:
    title, name, kind = first_text(item, *_TITLES), first_text(item, *_NAMES) or key, first_text(item, "type")
    if title:
        head = link(escaped(title), first_text(item, *_ADDRESSES))
    else:
        head = f"**{code(name or kind)}**" if name or kind else ""
    if head:
        text = escaped(first_text(item, *_TEXTS))
        yield f"{'  ' * depth}+ {head}{_notes(item, kind if name else '')}{f': {text}' if text else ''}"
    for value in item.values():
        yield from _items(value, depth + bool(head))
