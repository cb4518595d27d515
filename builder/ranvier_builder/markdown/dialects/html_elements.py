"""HTML elements whose contents are Markdown: `<div markdown>`, `<figure markdown="span">`, as Python-Markdown reads them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.code import Inside, code
from ranvier_builder.markdown.dialects.containers import PROBLEMS, contents

_ELEMENTS = "elements with Markdown"  # key in the environment of a parse: offset → element
_ANY = re.compile(r"<[a-z][^<>]*\smarkdown[\s=>]", re.IGNORECASE)
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[a-z][a-z0-9]*+)(?P<rest>(?:\s[^\"'<>]*+(?:(?:\"[^\"]{0,1000}+\"|'[^']{0,1000}+')[^\"'<>]*+)*+)?)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""\s+(?P<name>[^\s"'<>/=]+)(?:\s*=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s"'<>=]+)))?""")
# Their contents are inline by default; those of the other elements are blocks.
_SPANS = frozenset("address dd dt h1 h2 h3 h4 h5 h6 legend li p summary td th".split())
_BLOCKS = _SPANS | frozenset(
    """article aside blockquote caption center details div dl fieldset figcaption figure footer form header hgroup main menu nav
    ol section table tbody tfoot thead tr ul""".split()
)
_MAX_DEPTH = 30  # levels of blocks; deeper ones are not parsed
_MAX_INDENT = 3  # columns by which contents may be indented without being code


@dataclass(slots=True)
class _Element:
    """Offsets of an element: of its tags, and of its contents. `mode` is "block", "span" or, without the attribute, ""."""

    name: str
    mode: str
    opener: str  # the opening tag, without the attribute
    parent: _Element | None
    start: int
    inside: int
    inside_end: int = -1
    end: int = -1


def plugin(md: MarkdownIt) -> None:
    """Parse the contents of such elements; one that is not closed is HTML, and is reported."""
    md.core.ruler.before("block", "html_elements", _find)
    md.block.ruler.before("html_block", "html_element", _rule, {"alt": ["paragraph", "reference", "blockquote"]})


def _find(state: StateCore) -> None:
    elements: list[_Element] = []
    if _ANY.search(state.src):
        in_code = Inside(code(state.src))
        tags = [tag for tag in _TAG.finditer(state.src) if tag["name"].lower() in _BLOCKS and not in_code(tag.start())]
        elements, unclosed = _pairs(tags)
        if unclosed:
            first = min(unclosed, key=lambda element: element.start)
            message = f"<{first.name}> is not closed by </{first.name}>; its contents are not read as Markdown"
            state.env.setdefault(PROBLEMS, []).append((state.src.count("\n", 0, first.start), message))
    state.env[_ELEMENTS] = {element.start: element for element in elements}


def _pairs(tags: list[re.Match[str]]) -> tuple[list[_Element], list[_Element]]:
    """Return the elements with Markdown and the elements directly in them, and those with Markdown that are not closed."""
    closed_elements, unclosed, stack, names = list[_Element](), list[_Element](), list[_Element](), Counter[str]()
    for tag in tags:
        name = tag["name"].lower()
        if not tag["close"]:
            stack.append(_new_element(name, tag, stack[-1] if stack else None))
            names[name] += 1
        elif names[name]:
            while stack[-1].name != name:
                names[stack[-1].name] -= 1
                unclosed.append(stack.pop())
            names[name] -= 1
            element = stack.pop()
            element.inside_end, element.end = tag.span()
            closed_elements.append(element)
    elements = [element for element in closed_elements if element.mode or (element.parent and element.parent.mode == "block")]
    return elements, [element for element in (*unclosed, *stack) if element.mode]


def _new_element(name: str, tag: re.Match[str], parent: _Element | None) -> _Element:
    attribute = next((part for part in _ATTRIBUTE.finditer(tag["rest"]) if part["name"].lower() == "markdown"), None)
    if attribute is None:
        return _Element(name, "", tag.group(), parent, tag.start(), tag.end())
    value = (attribute["a"] or attribute["b"] or attribute["c"] or "1").lower()
    default = "span" if name in _SPANS else "block"
    mode = {"1": default, "markdown": default, "block": "block", "span": "span"}.get(value, "")
    opener = f"<{tag['name']}{tag['rest'][: attribute.start()]}{tag['rest'][attribute.end() :]}>"
    return _Element(name, mode, opener, parent, tag.start(), tag.end())


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    element = _element_at(state, at, start, end)
    if element is None or state.is_code_block(start):
        return False
    if silent:
        return True
    line = start
    while element is not None:  # others may follow on the same line
        line = _parse(state, element, line)
        at = _behind_blanks(state, element.end, line)
        element = _element_at(state, at, line, end)
    if at < state.eMarks[line]:
        with _only(state, line, line, at, state.eMarks[line]):
            contents(state, [], None, (line, line, line + 1))
    state.line = line + 1
    return True


def _element_at(state: StateBlock, at: int, line: int, end: int) -> _Element | None:
    """Return the element that begins at an offset and ends in the same list item or quote."""
    element = state.env.get(_ELEMENTS, {}).get(at)
    if element is None or state.level > _MAX_DEPTH:
        return None
    last = _line_of(state, element.end)
    lines = range(line + 1, last + 1)
    is_whole = last < end and all(state.isEmpty(number) or state.sCount[number] >= state.blkIndent for number in lines)
    return element if is_whole else None


def _behind_blanks(state: StateBlock, at: int, line: int) -> int:
    while at < state.eMarks[line] and state.src[at] in " \t":
        at += 1
    return at


def _line_of(state: StateBlock, offset: int) -> int:
    return bisect_left(state.eMarks, offset)


def _parse(state: StateBlock, element: _Element, line: int) -> int:
    """Add the tokens of an element that begins on a line; return the line on which it ends."""
    last = _line_of(state, element.end)
    if not element.mode:
        with _only(state, line, last, element.start, element.end):
            html = state.getLines(line, last + 1, state.blkIndent, keepLastLF=False)
        state.tokens.append(_html(f"{html}\n", line))
        return last
    first, column, outer_indent = _line_of(state, element.inside), state.sCount[line], state.blkIndent
    closer = f"</{element.name}>\n"
    with _only(state, first, last, element.inside, element.inside_end):
        state.sCount[first] = state.blkIndent = _indent(state, first, last, column)
        if element.mode == "block":
            contents(state, [_html(f"{element.opener}\n", line)], _html(closer, line), (line, first, last + 1))
        else:
            words = state.getLines(first, last + 1, state.blkIndent, keepLastLF=False)
            state.tokens += [_html(element.opener, line), *_inline(words, first, last + 1), _html(closer, line)]
    state.blkIndent = outer_indent
    return last


@contextmanager
def _only(state: StateBlock, first: int, last: int, start: int, end: int) -> Iterator[None]:
    """Narrow the lines of a block to the text between two offsets."""
    outer_state = state.bMarks[first], state.tShift[first], state.sCount[first], state.eMarks[last]
    state.bMarks[first], state.eMarks[last] = start, end
    state.tShift[first], state.sCount[first] = _behind_blanks(state, start, first) - start, state.blkIndent
    yield
    state.bMarks[first], state.tShift[first], state.sCount[first], state.eMarks[last] = outer_state


def _indent(state: StateBlock, first: int, last: int, column: int) -> int:
    """Return the indentation of the contents of an element, which is not shown. Above three columns it makes code."""
    indents = [state.sCount[line] for line in range(first + 1, last + 1) if not state.isEmpty(line)]
    indent = min(indents, default=0)
    return max(state.blkIndent, indent if indent <= column + _MAX_INDENT else column)


def _html(html: str, line: int) -> Token:
    return Token("html_block", "", 0, map=[line, line + 1], content=html, block=True)


def _inline(words: str, line: int, end: int) -> list[Token]:
    """Return the tokens of a paragraph without a `<p>`."""
    content = "\n".join(part.strip() for part in words.split("\n")).strip()
    opening = Token("paragraph_open", "p", 1, map=[line, end], block=True, hidden=True)
    inline = Token("inline", "", 0, map=[line, end], content=content, children=[], block=True, level=1)
    return [opening, inline, Token("paragraph_close", "p", -1, block=True, hidden=True)]
