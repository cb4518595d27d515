"""A page's HTML → Markdown, for programs that read Markdown.

It is made from the published HTML, so it has only what the page shows: sanitised text and resolved links.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from ranvier_builder.render.html import BLOCKS, HEADING, one_line, parse, tex, walk

_BLANKS = re.compile(r"\s+")
# An underscore inside a word is not emphasis: `snake_case` is readable as it is.
_SPECIAL = re.compile(r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|&(?=#?\w+;)")
_BLOCK_START = re.compile(r"(?:[#>+=-]|\d{1,9}(?=[.)])|~~~)")  # at the start of a paragraph
_NOT_IN_ADDRESS = re.compile(r"[\s<>()\\]")
_RUNS = re.compile("`+")
_LANGUAGE = re.compile(r"(?:^|\s)language-([\w+#.-]+)")
_MARKER = re.compile(r"(?:- |\d+\. )")
_BREAK = "\\\n"
_MAX_INDENTS = 10  # levels of lists and quotes that are indented; the prefixes of more levels would be longer than the text
_HIDDEN = frozenset("script style template noscript form button svg".split())
_MARKS = {"em": "*", "i": "*", "strong": "**", "b": "**", "del": "~~", "s": "~~"}
_INDENTED = frozenset(("li", "blockquote", "aside"))


@dataclass(slots=True)
class _Content:
    """The content of an open element: finished blocks, and the inline text after them."""

    blocks: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    items: int = 0  # of a list, so far

    def flush(self) -> list[str]:
        """End the paragraph; return all blocks."""
        text = re.sub(" {2,}", " ", "".join(self.inline)).replace(f"{_BREAK} ", _BREAK).strip()
        self.inline.clear()
        if text:
            match = _BLOCK_START.match(text)
            at = match.end() if match and text[0].isdigit() else 0
            is_list = _MARKER.match(text) is not None or match is not None
            self.blocks.append(f"{text[:at]}\\{text[at:]}" if is_list else text)
        return self.blocks


def to_markdown(html: str, address: Callable[[str], str] = str) -> str:
    """Convert sanitised HTML to Markdown; `address` converts each address of a link or picture."""
    body = parse(html).body
    writer = _Writer(address)
    for node, is_end in walk(body, lambda child: child.tag in _HIDDEN) if body is not None else ():
        writer.visit(node, is_end)
    return "\n\n".join(writer.top.flush())


class _Writer:
    """Builds Markdown from the inside out, without recursion: HTML may nest deeper than Python's stack."""

    def __init__(self, address: Callable[[str], str]) -> None:
        self._address = address
        self._open = [_Content()]
        self._indents = 0

    @property
    def top(self) -> _Content:
        """The content of the innermost open element."""
        return self._open[-1]

    def visit(self, node: LexborNode, is_end: bool) -> None:
        tag = node.tag or ""
        if tag == "-text":
            self.top.inline.append(escape(_BLANKS.sub(" ", node.text_content or "")))
        elif HEADING.match(tag):
            for formula in node.css("math"):
                formula.replace_with(tex(formula).strip())
            title = one_line(node.text())
            self._block(f"{'#' * int(tag[1])} {escape(title)}" if title else "")
        elif tag == "pre":
            self._block(_fenced(node))
        elif tag == "math" and node.attributes.get("display") == "block":
            self._block(_fence_around(tex(node).strip(), "math"))
        elif tag == "math":
            self.top.inline.append(f"${_code(_BLANKS.sub(' ', tex(node).strip()))}$")
        elif tag.startswith("-"):  # a comment
            return
        elif not is_end:
            self._open.append(_Content())
            self._indents += tag in _INDENTED
        else:
            content = self._open.pop()
            if tag in BLOCKS:
                self._leave_block(tag, node, content)
            else:
                self._leave_inline(tag, node, content)
            self._indents -= tag in _INDENTED

    def _block(self, text: str) -> None:
        self.top.flush()
        if text:
            self.top.blocks.append(text)

    def _leave_block(self, tag: str, node: LexborNode, content: _Content) -> None:
        blocks = content.flush()
        self.top.flush()
        if tag == "hr":
            self._block("---")
        elif tag == "li":
            self._item(node, blocks)
        elif tag in ("ul", "ol"):
            self._block(_join(blocks))
        elif tag == "tr":
            self._block(f"| {' | '.join(blocks)} |" if blocks else "")
        elif tag == "table":
            self._table(blocks)
        elif tag in ("blockquote", "aside"):
            self._indented("> ", "> ", "\n\n".join(blocks))
        elif tag in ("dt", "summary", "caption") or "callout-title" in str(node.attributes.get("class")).split():
            self._block(f"**{' '.join(blocks)}**" if blocks else "")
        else:
            self.top.blocks += blocks

    def _item(self, node: LexborNode, blocks: list[str]) -> None:
        self.top.items += 1
        start = str(node.parent.attributes.get("start") or "") if node.parent is not None else ""
        number = self.top.items + (int(start) - 1 if re.fullmatch(r"\d{1,6}", start, re.ASCII) else 0)
        marker = f"{number}. " if node.parent is not None and node.parent.tag == "ol" else "- "
        self._indented(marker, " " * len(marker), _join(blocks))

    def _indented(self, marker: str, indent: str, text: str) -> None:
        if self._indents > _MAX_INDENTS or not text:
            self._block(text)
            return
        lines = text.split("\n")
        self._block("\n".join([marker + lines[0], *(f"{indent}{line}".rstrip() for line in lines[1:])]))

    def _table(self, blocks: list[str]) -> None:
        rows = [block for block in blocks if block.startswith("| ") and "\n" not in block]
        for block in blocks:
            if block not in rows[:1] and not block.startswith("| "):
                self._block(block)
        if rows:
            self._block("\n".join([rows[0], "|" + " --- |" * (len(re.findall(r"(?<!\\)\|", rows[0])) - 1), *rows[1:]]))

    def _leave_inline(self, tag: str, node: LexborNode, content: _Content) -> None:
        if tag in ("td", "th"):
            cell = " ".join(content.flush()).replace(_BREAK, " ").replace("\n", " ")
            self.top.blocks.append(re.sub(r"(?<!\\)\|", r"\\|", cell))
        elif content.blocks:  # a block in an inline element
            self.top.flush()
            self.top.blocks += content.flush()
        else:
            self.top.inline.append(self._inline(tag, node, "".join(content.inline)))

    def _inline(self, tag: str, node: LexborNode, text: str) -> str:
        attributes = node.attributes
        if tag == "a" and text.strip() and attributes.get("href"):
            return f"[{text.strip()}]({self._target(str(attributes['href']))})"
        if tag in _MARKS and text.strip():
            mark = _MARKS[tag]
            return f"{' ' * text.startswith(' ')}{mark}{text.strip()}{mark}{' ' * text.endswith(' ')}"
        if tag == "img":
            return self._link("!", attributes.get("alt") or "", attributes.get("src"))
        if tag in ("audio", "video"):
            return self._link("", attributes.get("title") or tag, attributes.get("src"))
        if tag == "input":
            return "[x] " if "checked" in attributes else "[ ] "
        if tag == "code":
            return _code(_BLANKS.sub(" ", node.text()))
        return _BREAK if tag == "br" else text

    def _link(self, mark: str, words: str, source: str | None) -> str:
        text = escape(_BLANKS.sub(" ", words).strip())
        return f"{mark}[{text}]({self._target(source)})" if source and not source.startswith("data:") else text

    def _target(self, href: str) -> str:
        return _NOT_IN_ADDRESS.sub(lambda match: quote(match[0]), self._address(href))


def escape(text: str) -> str:
    """Escape the signs of Markdown and HTML in plain text."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _join(blocks: list[str]) -> str:
    """Join the blocks of a list or of an item; short items and a list after its first line need no empty line."""
    is_tight = all("\n\n" not in block for block in blocks) and all(_MARKER.match(block) for block in blocks[1:])
    return ("\n" if is_tight else "\n\n").join(blocks)


def _fence(text: str, min_length: int) -> str:
    return "`" * max(min_length, 1 + max(map(len, _RUNS.findall(text)), default=0))


def _code(text: str) -> str:
    if not text.strip():
        return text
    fence, pad = _fence(text, 1), " " * (text.startswith("`") or text.endswith("`"))
    return f"{fence}{pad}{text}{pad}{fence}"


def _fenced(node: LexborNode) -> str:
    text = node.text().strip("\n")
    inner = node.css_first("code")
    language = _LANGUAGE.search(str((inner or node).attributes.get("class") or ""))
    return _fence_around(text, language[1] if language else "")


def _fence_around(text: str, language: str) -> str:
    fence = _fence(text, 3)
    return f"{fence}{language}\n{text}\n{fence}"
