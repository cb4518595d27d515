"""Callouts in quotes: `> [!note]- Title`, as Obsidian and GitHub write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.dialects.kinds import css_class, title_of

_MARK = re.compile(r"\[!(?P<kind>[^\[\]|\n]{1,60})(?P<options>\|[^\[\]\n]*)?\](?P<fold>[+-]?)(?P<title>[^\n]*)(?:\n|\Z)")
_LABEL = re.compile(r"\|label:(?P<label>[^|]*)")  # of docsify-plugin-flexible-alerts
_NOT_NAME = re.compile(r"[^\w-]+")


def plugin(md: MarkdownIt) -> None:
    """Turn quotes that begin with `[!kind]` into callouts."""
    md.core.ruler.after("block", "callouts", _rule)


def frame(kind: str, *, folds: bool, opens: bool = True) -> tuple[Token, Token]:
    """Return the tokens around the contents of a callout; a folding callout is a `<details>`."""
    tag = "details" if folds else "aside"
    opening, closing = Token("callout_open", tag, 1, block=True), Token("callout_close", tag, -1, block=True)
    opening.attrSet("class", css_class(kind))
    if folds and opens:
        opening.attrSet("open", "")
    return opening, closing


def title_tokens(title: str, *, folds: bool, line: int, css: str = "callout-title") -> list[Token]:
    """Return the tokens of a callout's title, which may contain Markdown."""
    tag = "summary" if folds else "p"
    opening = Token("callout_title_open", tag, 1, attrs={"class": css}, block=True)
    inline = Token("inline", "", 0, content=title, children=[], map=[line, line + 1], block=True, level=1)
    return [opening, inline, Token("callout_title_close", tag, -1, block=True)]


def _rule(state: StateCore) -> None:
    changed: dict[int, Sequence[Token]] = {}  # index of a token → the tokens in its place
    closings: list[Token | None] = []  # of the open quotes that are callouts
    for at, token in enumerate(state.tokens):
        if token.type == "blockquote_open":
            mark = _mark_of(state.tokens, at)
            closings.append(_open(state.tokens, at, mark, changed) if mark else None)
        elif token.type == "blockquote_close" and (closing := closings.pop()):
            changed[at] = [closing]
    state.tokens = [part for at, token in enumerate(state.tokens) for part in changed.get(at, (token,))]


def _mark_of(tokens: list[Token], at: int) -> re.Match[str] | None:
    if at + 2 < len(tokens) and tokens[at + 1].type == "paragraph_open":
        mark = _MARK.match(tokens[at + 2].content)
        return mark if mark and mark["kind"].strip() else None
    return None


def _open(tokens: list[Token], at: int, mark: re.Match[str], changed: dict[int, Sequence[Token]]) -> Token:
    """Replace the opening of a quote by that of a callout; return the token that closes it."""
    kind = _NOT_NAME.sub("-", mark["kind"].strip().lower())
    folds, inline = bool(mark["fold"]), tokens[at + 2]
    opening, closing = frame(kind, folds=folds, opens=mark["fold"] == "+")
    label = _LABEL.search(mark["options"] or "")
    title = mark["title"].strip() or (label["label"].strip() if label else "") or title_of(mark["kind"].strip())
    changed[at] = [opening, *title_tokens(title, folds=folds, line=(inline.map or [0])[0])]
    inline.content = inline.content[mark.end() :]
    if inline.map:
        inline.map = [inline.map[0] + 1, inline.map[1]]
    if not inline.content.strip():
        changed |= dict.fromkeys((at + 1, at + 2, at + 3), ())
    return closing
