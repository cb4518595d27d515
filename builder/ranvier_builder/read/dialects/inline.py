"""Signs inside a line: `==marked==`, `$mathematics$`, and Obsidian's block ids, `^like-this` at a line's end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image, link
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from ranvier_builder.read.code import outside, spans
from ranvier_builder.read.dialects.math import INLINE, WIDE, is_tex

_MARKED = re.compile(r"==(?=[^\s=])(?P<said>[^=\n]+(?:=[^=\n]+)*)(?<=[^\s=])==(?!=)")
_BLOCK_ID = re.compile(r"(?:^|(?<=[ \t]))\^(?P<id>[A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_LAST_BRACKET = "last bracket"
_DISPLAYS = {"$$": "$$", "\\[": "\\]"}
_NO_MORE = "no more display mathematics"


def plugin(md: MarkdownIt) -> None:
    """Add the three; mathematics stays the TeX that its author wrote."""
    md.inline.ruler.before("escape", "math", _math)
    md.inline.ruler.before("emphasis", "mark", _mark)
    md.block.ruler.before("fence", "math_block", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    md.core.ruler.after("block", "block_ids", _block_ids)
    for name, rule in (("link", link), ("image", image)):
        md.inline.ruler.at(name, partial(_closing_ahead, rule))
    md.add_render_rule("math", _render_math)
    md.add_render_rule("math_block", _render_block)


def _closing_ahead(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Try a rule for what ends with a bracket only where there is one to come: a page of nothing but `[` would take minutes."""
    known, last = state.env.get(_LAST_BRACKET, ("", -1))
    if known is not state.src:
        last = state.src.rfind("]")
        state.env[_LAST_BRACKET] = state.src, last
    return state.pos < last and rule(state, silent)


def _mark(state: StateInline, silent: bool) -> bool:
    found = _MARKED.match(state.src, state.pos, state.posMax) if state.src.startswith("==", state.pos) else None
    if found is None or (state.pos and state.src[state.pos - 1] == "="):
        return False
    if not silent:
        end, last = found.end(), state.posMax
        state.push("mark_open", "mark", 1)
        state.pos, state.posMax = found.start("said"), found.end("said")
        state.md.inline.tokenize(state)
        state.push("mark_close", "mark", -1)
        state.posMax = last
        state.pos = end
        return True
    state.pos = found.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:
    at = state.pos
    if state.src[at] != "$" or (at and (state.src[at - 1].isalnum() or state.src[at - 1] in "$\\")):
        return False
    found = WIDE.match(state.src, at, state.posMax) or INLINE.match(state.src, at, state.posMax)
    if found is None or not is_tex(found["tex"], wide=found.re is WIDE):
        return False
    if not silent:
        token = state.push("math", "code", 0)
        token.content = found["tex"].strip()
    state.pos = found.end()
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    opener = state.src[at : at + 2]
    if opener not in _DISPLAYS or state.is_code_block(start) or opener in state.env.get(_NO_MORE, ""):
        return False
    if opener == "\\[" and state.src[at + 2 : state.eMarks[start]].strip():
        return False  # `\[optional\]` is text in brackets
    close = state.src.find(_DISPLAYS[opener], at + 2)
    if close < 0:
        state.env[_NO_MORE] = state.env.get(_NO_MORE, "") + opener
        return False
    after = state.src.find("\n", close)
    line = start + state.src.count("\n", at, close)
    if state.src[close + 2 : None if after < 0 else after].strip() or line >= end:
        return False
    tex = state.getLines(start, line + 1, state.blkIndent, False).strip()[2:-2].strip("\n")
    if not tex.strip():
        return False
    if not silent:
        token = state.push("math_block", "pre", 0)
        token.content, token.map, token.block = tex, [start, line + 1], True
        state.line = line + 1
    return True


def _block_ids(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and "^" in token.content and _BLOCK_ID.search(token.content):
            token.content = outside(token.content, spans(token.content), _BLOCK_ID, lambda found: _anchor(found["id"]))


def _anchor(name: str) -> str:
    """Make the place that `[[page#^name]]` leads to."""
    return f'<span id="block-{name}"></span>'


def _render_math(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    return f'<code class="math">{escape(tokens[index].content)}</code>'


def _render_block(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    return f'<pre class="math">{escape(tokens[index].content)}</pre>\n'
