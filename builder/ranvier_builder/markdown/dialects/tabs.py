"""Tabs without a script: neighbouring ones become a group of `<details>` of one name, of which a browser opens one at a time.

What a browser does not know it shows one below the other. A group of listings, VitePress's `::: code-group`, is tabs as well.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.dialects.callouts import title_tokens

FIRST = "first"  # in a token's `meta`: a tab that begins another group, `===! "Name"`
CODE_GROUPS = frozenset({"code-group", "codegroup"})
_LABEL = re.compile(r"\[(?P<bracket>[^\[\]]+)\]|(?:title|filename|label|name)\s*=\s*[\"'](?P<said>[^\"']+)[\"']")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_LANGUAGE = re.compile(r"[\w+#.-]+")


def plugin(md: MarkdownIt) -> None:
    """Put tabs that follow each other into a group."""
    md.core.ruler.after("block", "tabs", _rule)


def tab_tokens(title: str, line: int = 0) -> tuple[list[Token], Token]:
    """Make the tokens that open a tab, its label among them, and the one that closes it."""
    opened = Token("tab_open", "details", 1, attrs={"class": "tab"}, block=True)
    title_part = title_tokens(title or "Tab", folds=True, line=line, css="tab-title")
    return [opened, *title_part], Token("tab_close", "details", -1, block=True)


def _rule(state: StateCore) -> None:
    if any(token.type in ("tab_open", "box_open") for token in state.tokens):
        state.tokens = _Groups().grouped(_with_listings(state.tokens))


def _with_listings(tokens: list[Token]) -> list[Token]:
    """Make a tab of each listing that stands in a group of them."""
    out: list[Token] = []
    boxes: list[bool] = []
    for token in tokens:
        if token.type == "box_open":
            boxes.append(token.meta.get("name") in CODE_GROUPS)
        elif token.type == "box_close":
            boxes.pop()
        if token.type == "fence" and boxes and boxes[-1]:
            label = _PUNCTUATION.sub(r"\\\g<0>", _label(token.info))  # it is no Markdown: `__init__.py`
            opened, closed = tab_tokens(label, (token.map or [0])[0])
            out += [*opened, token, closed]
        else:
            out.append(token)
    return out


def _label(info: str) -> str:
    """Read a listing's label from what stands behind its fence: `js [config.js]`, `js title="config.js"`, `js`, `js Name`."""
    label = _LABEL.search(info)
    if label:
        return label["bracket"] or label["said"]
    language, _, rest = info.strip().partition(" ")
    if rest and re.fullmatch(r"[\w .#+/-]+", rest):
        return rest.strip()
    name = _LANGUAGE.match(language)
    return name.group() if name else "Code"


class _Groups:
    """Groups tabs, in tabs too; `_count` numbers the groups of a page."""

    def __init__(self) -> None:
        self._count = 0

    def grouped(self, tokens: list[Token]) -> list[Token]:
        out: list[Token] = []
        at = 0
        while at < len(tokens):
            if tokens[at].type == "tab_open":
                at = self._group(tokens, at, out)
            else:
                out.append(tokens[at])
                at += 1
        return out

    def _group(self, tokens: list[Token], at: int, out: list[Token]) -> int:
        """Put the tabs from a place on into a group; return the place behind them."""
        self._count += 1
        name = f"tabs-{self._count}"
        out.append(Token("tabs_open", "div", 1, attrs={"class": "tabs"}, block=True))
        is_first = True
        while at < len(tokens) and tokens[at].type == "tab_open" and (is_first or not tokens[at].meta.get(FIRST)):
            end = _end(tokens, at)
            tokens[at].attrSet("name", name)
            if is_first:
                tokens[at].attrSet("open", "")
            out += [tokens[at], *self.grouped(tokens[at + 1 : end]), tokens[end]]
            at, is_first = end + 1, False
        out.append(Token("tabs_close", "div", -1, block=True))
        return at


def _end(tokens: list[Token], at: int) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].type == "tab_open") - (tokens[place].type == "tab_close")
        if not depth:
            return place
    return len(tokens) - 1
