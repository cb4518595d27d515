"""MDC, the components of Nuxt Content: `::note` … `::` as blocks, `:badge[words]` in lines → containers, links and words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from ranvier_builder.markdown.dialects.components import container, title_of_tag
from ranvier_builder.markdown.dialects.jsx import Tag
from ranvier_builder.markdown.dialects.kinds import CLOSING
from ranvier_builder.markdown.dialects.parameters import LINE_BREAK, escaped, field_label, link
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.javascript import Value

_FIRST = re.compile(r"^::[a-z][\w-]*(?:\{[^\n]*\})?[ \t]*\n", re.MULTILINE)
_LAST = re.compile(r"^::[ \t]*$", re.MULTILINE)
_OPEN = re.compile(r"[ \t]*(?P<colons>:{2,})(?P<name>[a-z][\w-]*)(?:\[(?P<words>[^\[\]]*)\])?(?:\{(?P<attributes>.*)\})?[ \t]*")
_CLOSE = re.compile(r"[ \t]*(?P<colons>:{2,})[ \t]*")
_SLOT = re.compile(r"#[a-z][\w-]*")
_INLINE = re.compile(
    r"(?<![^\s(\[*_}\]]):(?P<name>[a-z][\w-]*)(?:\[(?P<words>[^\[\]\n]*)\](?:\{[^{}\n]*\})?|\{(?P<attributes>[^{}\n]*)\})"
)
_MAX_DEPTH, _MAX_FIELDS, _MAX_YAML = 30, 100, 4000  # levels; lines and characters of fields


def mdc(source: MarkdownSource) -> None:
    """Replace components, if a block of two colons is in the text."""
    if "::" not in source or not _LAST.search(source.text) or not any(source.matches(_FIRST)):
        return
    source.apply([(0, len(source.text), "\n".join(_Reader(source.text.split("\n")).lines()))])
    source.replace(_INLINE, _inline, tex=True)


@dataclass(slots=True)
class _Block:
    number: int  # of its line
    length: int  # of its fence
    indent: int
    height: int  # lines of its fields
    end: int = 0
    closer: str = ""


class _Reader:
    """Converts the lines of a text; contents of components lose the indentation of their component."""

    def __init__(self, lines: list[str]) -> None:
        self._lines, self._out = lines, list[str]()
        self._fence = ""  # of a code block

    def lines(self) -> list[str]:
        blocks = self._blocks()
        stack: list[_Block] = []
        while len(self._out) < len(self._lines):
            number = len(self._out)
            line = self._lines[number]
            outer = stack[0].indent if stack else 0
            is_code = self._is_code(line.strip())
            if block := blocks.get(number):
                stack.append(block)
                self._open(block, stack[0].indent)
            elif stack and stack[-1].end == number:
                self._out.append(stack.pop().closer)
            elif not stack:
                self._out.append(line)
            else:
                is_slot = not is_code and _SLOT.fullmatch(line.strip())
                self._out.append("" if is_slot else _outdented(line, stack[-1].indent, outer))
        return self._out

    def _blocks(self) -> dict[int, _Block]:
        """Return the closed components by the numbers of their first lines."""
        blocks, stack, after_fields = dict[int, _Block](), list[_Block](), 0
        for number, line in enumerate(self._lines):
            if number < after_fields or self._is_code(line.strip()):
                continue
            indent = len(line) - len(line.lstrip(" \t"))
            is_text = indent < 4 + (stack[-1].indent if stack else 0)
            if (start := _OPEN.fullmatch(line)) and is_text and len(stack) < _MAX_DEPTH:
                height = self._fields_height(number + 1)
                stack.append(_Block(number, len(start["colons"]), indent, height))
                after_fields = number + 1 + height
            elif (end := _CLOSE.fullmatch(line)) and any(block.length == len(end["colons"]) for block in stack):
                while (block := stack.pop()).length != len(end["colons"]):
                    pass
                block.end = number
                blocks[block.number] = block
        self._fence = ""
        return blocks

    def _is_code(self, text: str) -> bool:
        if self._fence:
            if text.startswith(self._fence) and not text.strip(self._fence[0]):
                self._fence = ""
            return True
        if text.startswith(("```", "~~~")):
            self._fence = text[: len(text) - len(text.lstrip(text[0]))]
        return bool(self._fence)

    def _open(self, block: _Block, indent: int) -> None:
        start = _OPEN.fullmatch(self._lines[block.number])
        assert start
        tag = _tag(start, self._fields(block))
        title = start["words"] or title_of_tag(tag)
        fence = "" if tag.name == "accordion" and not title else container(tag, tag.name, title)
        self._out.append(" " * indent + (fence or field_label(tag, tag.name) or _title(tag, title)))
        self._out += [""] * block.height
        block.closer = " " * indent + CLOSING if fence else ""

    def _fields_height(self, number: int) -> int:
        """Return the number of lines of the YAML between lines of dashes below a component."""
        if self._lines[number : number + 1] == [] or self._lines[number].strip() != "---":
            return 0
        for height, line in enumerate(self._lines[number + 1 : number + _MAX_FIELDS], 2):
            if line.strip() == "---":
                return height
            if _CLOSE.fullmatch(line):
                break
        return 0

    def _fields(self, block: _Block) -> dict[str, Value]:
        text = "\n".join(self._lines[block.number + 2 : block.number + block.height])
        try:
            fields = yaml.safe_load(text) if len(text) <= _MAX_YAML else None
        except (yaml.YAMLError, ValueError):
            fields = None
        return {str(name).lower(): value for name, value in fields.items()} if isinstance(fields, dict) else {}


def _outdented(line: str, inner: int, outer: int) -> str:
    text = line.lstrip(" \t")
    return " " * (max(0, len(line) - len(text) - inner) + outer) + text if text else ""


def _tag(component: re.Match[str], fields: dict[str, Value]) -> Tag:
    return Tag(0, 0, component["name"], False, False, True, component["attributes"] or "", fields)


def _title(tag: Tag, title: str) -> str:
    href, text = tag.text("to", "href"), escaped(tag.text("description"))
    title = title or href * (tag.name == "read-more")
    head = link(title, href) if title else ""
    return (": ".join(filter(None, [head, text])) + LINE_BREAK) if head or text else ""


def _inline(match: re.Match[str]) -> str:
    if match["name"] == "icon":
        return ""
    tag = _tag(match, {})
    words, href = match["words"] or title_of_tag(tag) or escaped(tag.text("value")), tag.text("to", "href")
    return (link(words or href, href) if href else words) or match.group()
