"""MDC, the components of Nuxt Content: `::note` … `::` as blocks, `:badge[words]` in lines → containers, links and words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ranvier_builder.markdown.dialects.jsx import Tag
from ranvier_builder.markdown.dialects.kinds import CLOSED
from ranvier_builder.markdown.dialects.mdx import container, title_of_tag
from ranvier_builder.markdown.dialects.parameters import LINE_BREAK, field_label, link
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.javascript import Value

_FIRST = re.compile(r"^::[a-z][\w-]*(?:\{[^\n]*\})?[ \t]*\n", re.MULTILINE)
_LAST = re.compile(r"^::[ \t]*$", re.MULTILINE)
_OPEN = re.compile(r"[ \t]*(?P<colons>:{2,})(?P<name>[a-z][\w-]*)(?:\[(?P<words>[^\[\]]*)\])?(?:\{(?P<attributes>.*)\})?[ \t]*")
_CLOSE = re.compile(r"[ \t]*(?P<colons>:{2,})[ \t]*")
_SLOT = re.compile(r"#[a-z][\w-]*")
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?P<name>[a-z][\w-]*)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')|(?P<flag>required)\b"""
)
_FIELD = re.compile(r"(?P<name>[A-Za-z][\w-]*):[ \t]+(?P<value>\S.*)")
_INLINE = re.compile(
    r"(?<![\w:])(?P<all>:(?P<name>[a-z][\w-]*)(?:\[(?P<words>[^\[\]\n]*)\](?:\{[^{}\n]*\})?|\{(?P<attributes>[^{}\n]*)\}))"
)
_MAX_DEPTH = 30


def mdc(source: MarkdownSource) -> None:
    """Replace components, if a block of two colons is in the text."""
    if "::" not in source or not _LAST.search(source.text):
        return
    if all(source.in_code(first.start()) for first in _FIRST.finditer(source.text)):
        return
    source.apply([(0, len(source.text), "\n".join(_Reader(source.text.split("\n")).lines()))])
    inline = (match for match in _INLINE.finditer(source.text) if not source.in_tex(match.start()))
    source.apply((match.start(), match.end(), _inline(match)) for match in inline)


@dataclass(slots=True)
class _Block:
    number: int  # of its line
    length: int  # of its fence
    indent: int
    closer: str


class _Reader:
    """Converts the lines of a text; contents of components lose the indentation of their component."""

    def __init__(self, lines: list[str]) -> None:
        self._lines, self._out = lines, list[str]()
        self._stack: list[_Block] = []
        self._fence = ""  # of a code block

    def lines(self) -> list[str]:
        while len(self._out) < len(self._lines):
            line = self._lines[len(self._out)]
            if self._is_code(line.strip()):
                self._add(line)
            elif (block := _OPEN.fullmatch(line)) and len(self._stack) < _MAX_DEPTH:
                self._open(block)
            elif end := _CLOSE.fullmatch(line):
                self._close(line, len(end["colons"]))
            else:
                self._add("" if self._stack and _SLOT.fullmatch(line.strip()) else line)
        for unclosed in self._stack:
            self._out[unclosed.number] = self._lines[unclosed.number]
        return self._out

    def _is_code(self, bare: str) -> bool:
        if self._fence:
            if bare.startswith(self._fence) and not bare.strip(self._fence[0]):
                self._fence = ""
            return True
        if bare.startswith(("```", "~~~")):
            self._fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        return bool(self._fence)

    def _add(self, line: str) -> None:
        if self._stack:
            bare = line.lstrip(" \t")
            indent = max(0, len(line) - len(bare) - self._stack[-1].indent) + self._stack[0].indent
            line = " " * indent + bare if bare else ""
        self._out.append(line)

    def _open(self, block: re.Match[str]) -> None:
        number, indent = len(self._out), block.end() - len(block.string[: block.end()].lstrip(" \t"))
        fields, height = self._fields(number + 1)
        tag = _tag(block, fields)
        title = block["words"] or title_of_tag(tag)
        fence = "" if tag.name == "accordion" and not title else container(tag, tag.name, title)
        outer = self._stack[0].indent if self._stack else indent
        self._out.append(" " * outer + (fence or field_label(tag, tag.name) or _title(tag, title)))
        self._out += [""] * height
        self._stack.append(_Block(number, len(block["colons"]), indent, " " * outer + CLOSED if fence else ""))

    def _close(self, line: str, length: int) -> None:
        if all(block.length != length for block in self._stack):
            self._add(line)
            return
        while (block := self._stack.pop()).length != length:
            self._out[block.number] = self._lines[block.number]
        self._out.append(block.closer)

    def _fields(self, number: int) -> tuple[dict[str, str], int]:
        """Return the fields between lines of dashes below a component, and the number of these lines."""
        if self._lines[number : number + 1] == [] or self._lines[number].strip() != "---":
            return {}, 0
        fields: dict[str, str] = {}
        for height, line in enumerate(self._lines[number + 1 :], 2):
            if line.strip() == "---":
                return fields, height
            if field := _FIELD.fullmatch(line.strip()):
                fields[field["name"].lower()] = field["value"].strip("\"'")
        return {}, 0


def _tag(component: re.Match[str], fields: dict[str, str]) -> Tag:
    attributes: dict[str, Value] = dict(fields)
    for match in _ATTRIBUTE.finditer(component["attributes"] or ""):
        attributes[match["name"] or match["flag"]] = True if match["flag"] else match["double"] or match["single"] or ""
    return Tag(0, 0, component["name"], False, False, True, attributes)


def _title(tag: Tag, title: str) -> str:
    href = tag.text("to", "href")
    return link(title or href, href) + LINE_BREAK if title or href else ""


def _inline(match: re.Match[str]) -> str:
    if match["name"] == "icon":
        return ""
    tag = _tag(match, {})
    words, href = match["words"] or title_of_tag(tag) or tag.text("value"), tag.text("to", "href")
    return link(words or href, href) if href else words
