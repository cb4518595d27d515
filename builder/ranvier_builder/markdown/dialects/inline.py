"""Inline syntax: `==marked==`, `$mathematics$`, and Obsidian's block ids, `^like-this` at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image, link

from ranvier_builder.markdown.code import outside, spans
from ranvier_builder.markdown.dialects import formulas
from ranvier_builder.markdown.dialects.extensions import ARITHMATEX, is_on
from ranvier_builder.markdown.dialects.math import BRACKETS, DISPLAY, INLINE, is_tex

_HIGHLIGHT = re.compile(r"==(?=[^\s=])(?P<text>[^=\n]+(?:=[^=\n]+)*)(?<=[^\s=])==(?!=)")
_BLOCK_ID = re.compile(r"(?:^|(?<=[ \t]))\^(?P<id>[A-Za-z0-9-]+)[ \t]*\Z", re.MULTILINE)
_VERBATIM = re.compile(r"<(?P<close>/?)(?P<name>code|kbd|pre|samp|tt)(?=[\s>])", re.IGNORECASE)
# Scripts without blanks between words: a delimiter beside their letters can open or close, whatever is on its other side.
_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]")
_RULES_OUTSIDE_CODE = "wikilink math mark footnote_inline footnote_ref role keys superscript_link sub sup".split()
_IN_CODE = "in code"
_DISPLAYS = {"$$": "$$", "\\[": "\\]"}
_ENVIRONMENT = re.compile(r"\\begin(\{(?:equation|align|alignat|flalign|eqnarray|gather|multline)\*?\})")
_UNCLOSED = "no more display mathematics"


def plugin(md: MarkdownIt) -> None:
    """Add the three rules, and disable them and similar rules in `<code>`; `formulas` shows the mathematics."""
    md.inline.ruler.before("escape", "math", _math)
    md.inline.ruler.before("emphasis", "mark", _mark)
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "math_block", _math_block, alternatives)
    md.block.ruler.before("fence", "math_environment", _math_environment, alternatives)
    md.core.ruler.after("block", "block_ids", _block_ids)
    for name, rule in (("link", link), ("image", image)):
        md.inline.ruler.at(name, partial(_with_bracket_ahead, rule))
    rules = {rule.name: rule.fn for rule in md.inline.ruler.__rules__}
    for name in _RULES_OUTSIDE_CODE:
        md.inline.ruler.at(name, partial(_outside_of_code, rules[name]))
    note = partial(_with_bracket_ahead, partial(_after_word, rules["footnote_inline"]))
    md.inline.ruler.at("footnote_inline", partial(_outside_of_code, note))
    md.inline.ruler.at("html_inline", partial(_track_code, rules["html_inline"]))
    md.inline.ruler.at("emphasis", partial(_beside_letters, rules["emphasis"]))


def _track_code(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Track where `<code>` begins and ends: in it, no syntax is interpreted. A `<code>` without an end is ignored."""
    at = state.pos
    if not rule(state, silent):
        return False
    tag = None if silent else _VERBATIM.match(state.src, at, state.pos)
    if tag and tag["close"]:
        vars(state)[_IN_CODE] = max(0, vars(state).get(_IN_CODE, 0) - 1)
    elif tag and state.html_terminator_last(f"</{tag['name']}") > at:
        vars(state)[_IN_CODE] = vars(state).get(_IN_CODE, 0) + 1
    return True


def _outside_of_code(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    return not vars(state).get(_IN_CODE) and rule(state, silent)


def _after_word(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Try an inline note, `word^[note]`, only after a word: `^[a-z]+$` is a pattern."""
    before = state.src[state.pos - 1] if state.pos else " "
    return not (before.isspace() or before in "([{/|'\"") and rule(state, silent)


def _beside_letters(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Let stars open and close beside Chinese, Japanese and Korean letters, whatever punctuation is on their other side."""
    at, count = state.pos, len(state.delimiters)
    if not rule(state, silent):
        return False
    if silent or state.src[at] != "*" or len(state.delimiters) == count:
        return True
    before, after = state.src[at - 1 : at] or " ", state.src[state.pos : state.pos + 1] or " "
    for delimiter in state.delimiters[count:]:
        delimiter.open = delimiter.open or bool(_CJK.match(before) and not after.isspace())
        delimiter.close = delimiter.close or bool(_CJK.match(after) and not before.isspace())
    return True


def _is_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and not _CJK.match(character))


def _with_bracket_ahead(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Try a rule whose match ends with `]` only if a `]` follows: otherwise a page of only `[` takes minutes."""
    return state.pos < state.html_terminator_last("]") and rule(state, silent)


def parse_part(state: StateInline, span: tuple[int, int]) -> None:
    """Parse a part of a line; the caller sets the position behind it."""
    last = state.posMax
    state.pos, state.posMax = span
    state.md.inline.tokenize(state)
    state.posMax = last


def _mark(state: StateInline, silent: bool) -> bool:
    match = _HIGHLIGHT.match(state.src, state.pos, state.posMax) if state.src.startswith("==", state.pos) else None
    if match is None or (state.pos and (state.src[state.pos - 1] == "=" or _is_word(state.src[state.pos - 1]))):
        return False  # `a==b && c==d` is a comparison
    if _is_word(state.src[match.end() : match.end() + 1]):
        return False
    if not silent:
        state.push("mark_open", "mark", 1)
        parse_part(state, match.span("text"))
        state.push("mark_close", "mark", -1)
    state.pos = match.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:
    at = state.pos
    if state.src.startswith("\\(", at) and is_on(ARITHMATEX, state.env):
        return _push_math(state, silent, BRACKETS.match(state.src, at, state.posMax))
    if state.src[at] != "$" or (at and (state.src[at - 1].isalnum() or state.src[at - 1] in "$\\")):
        return False
    match = DISPLAY.match(state.src, at, state.posMax) or INLINE.match(state.src, at, state.posMax)
    return _push_math(state, silent, match if match and is_tex(match["tex"], display=match.re is DISPLAY) else None)


def _push_math(state: StateInline, silent: bool, match: re.Match[str] | None) -> bool:
    if match is None:
        return False
    if not silent:
        token = state.push("math", "code", 0)
        token.content = match["tex"].strip().strip("`").strip()  # GitHub also has $`x`$
        if match.re is DISPLAY:
            token.meta[formulas.DISPLAY] = True
    state.pos = match.end()
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    opener = state.src[at : at + 2]
    if opener not in _DISPLAYS or state.is_code_block(start) or opener in state.env.get(_UNCLOSED, ""):
        return False
    if opener == "\\[" and state.src[at + 2 : state.eMarks[start]].strip() and not is_on(ARITHMATEX, state.env):
        return False  # `\[optional\]` is text in brackets
    close = state.src.find(_DISPLAYS[opener], at + 2)
    if close < 0:
        state.env[_UNCLOSED] = state.env.get(_UNCLOSED, "") + opener
        return False
    end_of_line = state.src.find("\n", close)
    line = start + state.src.count("\n", at, close)
    if state.src[close + 2 : None if end_of_line < 0 else end_of_line].strip() or line >= end:
        return False
    tex = state.getLines(start, line + 1, state.blkIndent, False).strip()[2:-2].strip("\n")
    if not tex.strip():
        return False
    if not silent:
        _push_formula(state, tex, start, line + 1)
    return True


def _math_environment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read lines from `\\begin{align}` to `\\end{align}`: without blank lines, and with at most punctuation behind them."""
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 1] != "\\" or state.is_code_block(start):
        return False
    opener = _ENVIRONMENT.match(state.src, at, state.eMarks[start])
    if opener is None:
        return False
    opening, closing = f"\\begin{opener[1]}", f"\\end{opener[1]}"
    for line in range(start, end):
        words = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
        if not words.strip() or state.sCount[line] < state.blkIndent or (line > start and opening in words):
            return False
        _, mark, tail = words.partition(closing)
        if mark and tail.strip(" \t.,;"):
            return False
        if mark:
            break
    else:
        return False
    if not silent:
        _push_formula(state, state.getLines(start, line + 1, state.blkIndent, False).strip(), start, line + 1)
    return True


def _push_formula(state: StateBlock, tex: str, start: int, end: int) -> None:
    token = state.push("math_block", "pre", 0)
    token.content, token.map, token.block = tex, [start, end], True
    state.line = end


def _block_ids(state: StateCore) -> None:
    """Replace block ids by elements that are the targets of `[[page#^name]]`."""
    for at, token in enumerate(state.tokens):
        if token.type != "inline" or "^" not in token.content or state.tokens[at - 1].type in ("th_open", "td_open"):
            continue
        if _BLOCK_ID.search(token.content):
            token.content = outside(token.content, spans(token.content), _BLOCK_ID, r'<span id="block-\g<id>"></span>')
