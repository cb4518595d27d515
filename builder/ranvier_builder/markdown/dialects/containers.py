"""Blocks between fences of colons or slashes: `:::tip Title` … `:::`, `/// tip | Title` … `///`; also tabs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.code import Inside, blocks
from ranvier_builder.markdown.dialects.callouts import frame, title_tokens
from ranvier_builder.markdown.dialects.kinds import FOLDED, NAMES, STEPS, TABS, title_of
from ranvier_builder.markdown.dialects.tabs import tab_tokens

PROBLEMS = "problems"  # key in the environment of a parse: a list of (line of the body, counted from 0, message)
_PAIRS = "containers"
_LINE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>:{3,}|/{3,})(?P<rest>[^\n]*)\Z")
# A whole block on one line, which the component `<Note>words</Note>` becomes: the lines of a text keep their numbers.
_ON_ONE_LINE = re.compile(r":::[ \t]+(?P<info>[^\n]*?) :::(?P<text>[^\n]*) :::[ \t]*\Z")
_INFO = re.compile(r"[ \t]*(?P<brace>\{\s*(?:#[^\s{}]+\s+(?=\.))?[.#]?)?(?P<name>[A-Za-z][\w-]*)(?:#[\w-]+)?(?P<rest>.*)\Z")
_TITLE_ATTRIBUTE = re.compile(r"\btitle\s*=\s*\"([^\"]*)\"")
_TITLE = re.compile(r"(?<!\[)\[(?P<bracket>[^\[\]]*)\](?!\])|\|\s*(?P<bar>.*)|(?<!=)\"(?P<quoted>[^\"]*)\"")
_COLLAPSE = re.compile(r"\bcollapse=[\"']?(?P<value>\w+)")  # of Quarto
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(?P<title>[^\n]*)\n?\Z")
_ATTRIBUTES = re.compile(r"\{[^{}]*\}\s*\Z")
_BARE = frozenset("caption figure-caption html table-caption".split())  # blocks of pymdownx whose argument is not a title
_OPTION = re.compile(r"[ \t]{4,}(?P<name>[\w-]+):[ \t]*(?P<value>.*)\Z")
_UNCLOSED = "a block that begins here is not closed; shown as it is"
_MAX_DEPTH = 30  # levels of blocks; deeper ones are not parsed


@dataclass(frozen=True, slots=True)
class Info:
    """The type and the title of a block, from its fence."""

    name: str
    title: str
    kind: str = ""  # of a collapsible block, which sets its colour
    opens: bool = False

    @property
    def folds(self) -> bool:
        """Whether the block is collapsible."""
        return self.name in FOLDED


def plugin(md: MarkdownIt) -> None:
    """Parse such fences and their contents as blocks; unmatched fences stay unchanged, and are reported."""
    md.core.ruler.before("block", "container_pairs", _match_fences)
    md.block.ruler.before("fence", "container", _rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    md.block.ruler.before("container", "container_line", _line_rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def block_tokens(info: Info) -> tuple[list[Token], Token]:
    """Return the tokens that open a block, and the token that closes it."""
    if info.name in TABS:
        return tab_tokens(info.title)
    if info.name in STEPS:
        opening = Token("step_open", "section", 1, attrs={"class": "step"}, block=True)
        title = title_tokens(info.title, folds=False, line=0, css="step-title") if info.title else []
        return [opening, *title], Token("step_close", "section", -1, block=True)
    if info.folds or info.name in NAMES:
        kind = info.kind or info.name
        opening, closing = frame(kind, folds=info.folds, opens=info.opens)
        return [opening, *title_tokens(info.title or title_of(kind), folds=info.folds, line=0)], closing
    opening, closing = Token("box_open", "div", 1, block=True), Token("box_close", "div", -1, block=True)
    opening.meta["name"] = info.name
    return [opening, *(title_tokens(info.title, folds=False, line=0, css="box-title") if info.title else [])], closing


def _match_fences(state: StateCore) -> None:
    state.env[_PAIRS], problems = matching_fences(state.src)
    state.env.setdefault(PROBLEMS, []).extend(problems)


def matching_fences(text: str) -> tuple[dict[int, int], list[tuple[int, str]]]:
    """Match closing fences with opening fences, by equal length if possible, in one pass.

    Return the lines of closing fences by those of opening fences, and problems: lines and messages.
    """
    pairs: dict[int, int] = {}
    problems: list[tuple[int, str]] = []
    if ":::" not in text and "///" not in text:
        return pairs, problems
    in_code = Inside(blocks(text))
    stacks: dict[str, list[tuple[int, int]]] = {":": [], "/": []}
    at = 0
    for number, line in enumerate(text.split("\n")):
        fence = _LINE.match(line) if ":::" in line or "///" in line else None
        if fence and not in_code(at) and not _ON_ONE_LINE.search(line):
            _match_fence(fence, number, stacks[fence["fence"][0]], pairs, problems)
        at += len(line) + 1
    unclosed = [number for stack in stacks.values() for number, _ in stack]
    return pairs, problems + [(number, _UNCLOSED) for number in unclosed]


def _match_fence(
    fence: re.Match[str],
    number: int,
    stack: list[tuple[int, int]],
    pairs: dict[int, int],
    problems: list[tuple[int, str]],
) -> None:
    length = len(fence["fence"])
    if fence["rest"].strip():
        if _info(fence["fence"], fence["rest"]) is not None:
            stack.append((number, length))
    elif any(size == length for _, size in stack[-_MAX_DEPTH:]):
        while stack[-1][1] != length:
            problems.append((stack.pop()[0], _UNCLOSED))
        pairs[stack.pop()[0]] = number
    elif stack and stack[-1][1] <= length:
        pairs[stack.pop()[0]] = number
    else:
        problems.append((number, "this closes a block that was not opened; shown as it is"))


def _info(fence: str, text: str) -> Info | None:
    info = _INFO.match(text)
    if info is None or (fence[0] == "/" and not text[:1].isspace()):
        return None
    plain = _ATTRIBUTES.sub("", info["rest"].partition("}")[2] if info["brace"] else info["rest"])
    title_match = _TITLE_ATTRIBUTE.search(info["rest"]) or _TITLE.search(plain)
    title = plain.strip() if fence[0] == ":" else ""
    if title_match:
        title = next((group for group in title_match.groups() if group is not None), "")
    name = info["name"].lower().removeprefix("callout-")
    if info["brace"] and (collapse := _COLLAPSE.search(info["rest"])):
        return Info("details", title, name, opens=collapse["value"] == "false")
    return Info(name, "" if fence[0] == "/" and name in _BARE else _ATTRIBUTES.sub("", title).strip())


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    closer = state.env.get(_PAIRS, {}).get(start)
    at = state.bMarks[start] + state.tShift[start]
    if closer is None or state.src[at] not in ":/" or state.is_code_block(start) or state.level > _MAX_DEPTH:
        return False
    fence = _LINE.match(state.src[at : state.eMarks[start]])
    info = _info(fence["fence"], fence["rest"]) if fence else None
    if fence is None or info is None:
        return False
    if silent:
        return True
    last = min(closer, end)
    for line in range(start + 1, last):
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            last = line
            break
    first, info = _options(state, start + 1, last, info) if fence["fence"][0] == "/" else (start + 1, info)
    if ".callout-" in fence["rest"] and not info.title and first < last:  # the title can be a heading below the fence
        heading = _HEADING.match(state.getLines(first, first + 1, state.blkIndent, False))
        first, info = (first + 1, replace(info, title=heading["title"].rstrip(" \t#"))) if heading else (first, info)
    opening, closing = block_tokens(info)
    contents(state, opening, closing, (start, first, last))
    state.line = last + (last == closer)
    return True


def _line_rule(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    line = _ON_ONE_LINE.match(state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]])
    info = _info(":::", line["info"]) if line else None
    if line is None or info is None or state.is_code_block(start):
        return False
    if not silent:
        opening, closing = block_tokens(info)
        words = Token("inline", "", 0, content=line["text"].strip(), children=[], block=True)
        paragraph = Token("paragraph_open", "p", 1, block=True), words, Token("paragraph_close", "p", -1, block=True)
        contents(state, [*opening, *paragraph], closing, (start, start + 1, start + 1))
        state.line = start + 1
    return True


def contents(state: StateBlock, opening: Sequence[Token], closing: Token | None, lines: tuple[int, int, int]) -> None:
    """Parse the lines of a block between its opening and closing tokens, if any."""
    start, first, last = lines
    for token in opening:
        token.map = [start, first] if token.type != "inline" else [start, start + 1]
    state.tokens.extend(opening)
    outer_state = state.parentType, state.lineMax
    state.parentType, state.lineMax = "container", last
    state.level += 1
    state.md.block.tokenize(state, first, last)
    state.level -= 1
    state.parentType, state.lineMax = outer_state
    if closing is not None:
        state.tokens.append(closing)


def _options(state: StateBlock, first: int, last: int, info: Info) -> tuple[int, Info]:
    """Read the indented `key: value` lines directly below an opening fence of slashes."""
    options: dict[str, str] = {}
    while first < last and (option := _OPTION.match(state.getLines(first, first + 1, state.blkIndent, False))):
        options[option["name"]] = option["value"].strip()
        first += 1
    kind, opens = options.get("type", ""), options.get("open", "").lower() == "true"
    if info.name == "admonition":
        return first, Info(kind or "note", info.title)
    return first, Info(info.name, info.title, kind if info.folds else "", opens)
