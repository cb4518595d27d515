"""Blocks of mkdocs whose contents are indented by four: `!!! note "Title"`, `??? note`, and tabs, `=== "Name"`."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from ranvier_builder.markdown.dialects.callouts import frame, title_tokens
from ranvier_builder.markdown.dialects.containers import Info, block_tokens, contents
from ranvier_builder.markdown.dialects.kinds import title_of
from ranvier_builder.markdown.dialects.tabs import FIRST

_OPENER = re.compile(
    r"""(?:(?P<mark>!!!|\?\?\?\+?)[ \t]*(?P<kind>[\w-]+)(?:[ \t]+[\w-]+)*|(?P<tab>===[!+]{0,2}))"""
    r"""[ \t]*(?:"(?P<title>[^\n]*)")?[ \t]*\Z"""
)
_INDENT, _MAX_LEVEL, _MAX_OPENER = 4, 30, 1000


def plugin(md: MarkdownIt) -> None:
    """Parse such blocks as callouts and tabs."""
    md.block.ruler.before("fence", "admonition", _rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 3] not in ("!!!", "???", "===") or state.is_code_block(start) or state.level > _MAX_LEVEL:
        return False
    opener = _OPENER.match(state.src[at : min(state.eMarks[start], at + _MAX_OPENER)])
    last = _last_line(state, start, end) if opener and (opener["kind"] or opener["title"]) else start
    if opener is None or (last == start and not opener["title"]):  # a title is enough, as in Python-Markdown
        return False
    if silent:
        return True
    if opener["tab"]:
        opening, closing = block_tokens(Info("tab", opener["title"]))
        opening[0].meta[FIRST] = "!" in opener["tab"]
    else:
        folds = opener["mark"].startswith("?")
        box, closing = frame(opener["kind"], folds=folds, opens=opener["mark"].endswith("+"))
        title = opener["title"] if opener["title"] is not None else title_of(opener["kind"])
        opening = [box, *(title_tokens(title, folds=folds, line=start) if title or folds else [])]
    outer_indent, state.blkIndent = state.blkIndent, state.sCount[start] + _INDENT
    contents(state, opening, closing, (start, start + 1, last + 1))
    state.blkIndent = outer_indent
    state.line = last + 1
    return True


def _last_line(state: StateBlock, start: int, end: int) -> int:
    """Find the last indented line below an opening line."""
    last, line = start, start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.sCount[start] + _INDENT):
        last = last if state.isEmpty(line) else line
        line += 1
    return last
