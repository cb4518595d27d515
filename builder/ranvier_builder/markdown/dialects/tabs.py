"""Tabs without a script: adjacent tabs become a group of `<details>` with one name; a browser opens one of them at a time.

A browser without support shows them one below the other. A group of listings, VitePress's `::: code-group`, becomes tabs too,
and so do the headings in Quarto's `::: {.panel-tabset}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.code import escaped_signs
from ranvier_builder.markdown.dialects.callouts import title_tokens

FIRST = "first"  # key in the `meta` of a token: the tab begins a new group, `===! "Name"`
CODE_GROUPS = frozenset({"code-group", "codegroup"})
_TABSET = "panel-tabset"
_TAB_BOXES = frozenset({"tabs", "code-tabs"})  # of VuePress: a line `@tab Label` begins a tab
_TAB_LINE = re.compile(r"@tab(?::active)?[ \t]+(?P<label>[^\n]*?)(?:#\w[^\n]*)?[ \t]*(?:\n|\Z)")
_BETWEEN_TABS = re.compile(r"\n(?=@tab(?::active)?[ \t])")
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}]*\}\Z")
_LABEL = re.compile(r"\[(?P<bracket>[^\[\]]+)\]|(?:title|filename|file|label|name)\s*=\s*[\"'](?P<value>[^\"']+)[\"']")
_LANGUAGE = re.compile(r"[\w+#.-]+")


def plugin(md: MarkdownIt) -> None:
    """Group adjacent tabs."""
    md.core.ruler.after("block", "tabs", _rule)


def tab_tokens(title: str, line: int = 0) -> tuple[list[Token], Token]:
    """Return the tokens that open a tab, including its label, and the token that closes it."""
    opening = Token("tab_open", "details", 1, attrs={"class": "tab"}, block=True)
    title_part = title_tokens(title or "Tab", folds=True, line=line, css="tab-title")
    return [opening, *title_part], Token("tab_close", "details", -1, block=True)


def _rule(state: StateCore) -> None:
    if any(token.type in ("tab_open", "box_open") for token in state.tokens):
        state.tokens = [*_grouped([*_listings_as_tabs(_headings_as_tabs([*_split(state.tokens)]))])]


def _split(tokens: Iterable[Token]) -> Iterator[Token]:
    """Begin a paragraph at each line `@tab Label`, which may be right below a text."""
    for token, box in in_boxes(tokens):
        line = (token.map or [0])[0]
        for number, part in enumerate(
            _BETWEEN_TABS.split(token.content) if box in _TAB_BOXES and token.type == "inline" else ()
        ):
            lines = [line, line := line + part.count("\n") + 1]
            if number:
                yield Token("paragraph_close", "p", -1, block=True)
                yield Token("paragraph_open", "p", 1, map=lines, block=True)
            yield token.copy(content=part, map=lines, children=[])
        if box not in _TAB_BOXES or token.type != "inline":
            yield token


def _headings_as_tabs(tokens: list[Token]) -> list[Token]:
    """Turn each heading in a set of tabs, of the rank of the first one, and each line `@tab Label`, into a tab."""
    out: list[Token] = []
    boxes: list[_Box] = []
    end_of_heading = -1
    for at, token in enumerate(tokens):
        if at <= end_of_heading:
            continue
        if token.type == "box_open":
            boxes.append(_Box(str(token.meta.get("name"))))
        elif token.type == "box_close":
            out += boxes.pop().closing
        elif token.type == "heading_open" and boxes and boxes[-1].begins_tab(token):
            opening, closing = tab_tokens(_ATTRIBUTES.sub("", tokens[at + 1].content), (token.map or [0])[0])
            out += [*boxes[-1].closing, *opening]
            boxes[-1].closing, end_of_heading = [closing], at + 2
            continue
        elif token.type == "paragraph_open" and boxes and (tab := boxes[-1].tab_line(tokens[at + 1])):
            opening, closing = tab_tokens(tab["label"], (token.map or [0])[0])
            out += [*boxes[-1].closing, *opening]
            boxes[-1].closing, tokens[at + 1].content = [closing], tokens[at + 1].content[tab.end() :]
            if not tokens[at + 1].content:
                end_of_heading = at + 2
                continue
            boxes[-1].depth += 1
        elif boxes:
            boxes[-1].depth += token.nesting
        out.append(token)
    return out


@dataclass(slots=True)
class _Box:
    """An open box: the headings that are tabs, as `h2`; the open blocks in it; and the token that closes the tab, if any."""

    name: str
    tag: str = ""
    depth: int = 0
    closing: list[Token] = field(default_factory=list)

    def begins_tab(self, heading: Token) -> bool:
        """Return whether a heading is a tab: it is in no other block of the box; the first one decides about the rank."""
        if self.name != _TABSET or self.depth:
            return False
        self.tag = self.tag or heading.tag
        return heading.tag == self.tag

    def tab_line(self, paragraph: Token) -> re.Match[str] | None:
        """Return the line that begins a tab, if a paragraph of the box begins with one."""
        return _TAB_LINE.match(paragraph.content) if self.name in _TAB_BOXES and not self.depth else None


def in_boxes(tokens: Iterable[Token]) -> Iterator[tuple[Token, str]]:
    """Yield tokens, each with the name of the innermost box in which it is; empty outside of boxes, and in a tab."""
    names = [""]
    for token in tokens:
        if token.type in ("box_open", "tab_open"):
            names.append(str(token.meta.get("name", "")))
        elif token.type in ("box_close", "tab_close"):
            names.pop()
        yield token, names[-1]


def _listings_as_tabs(tokens: list[Token]) -> Iterator[Token]:
    """Turn each listing in a group of listings into a tab."""
    for token, box in in_boxes(tokens):
        if token.type != "fence" or box not in CODE_GROUPS:
            yield token
            continue
        label = escaped_signs(_label(token.info))  # a label is not Markdown: `__init__.py`
        opening, closing = tab_tokens(label, (token.map or [0])[0])
        token.info = _LABEL.sub("", token.info)
        yield from (*opening, token, closing)


def _label(info: str) -> str:
    """Read the label of a listing from its info string: `js [config.js]`, `js title="config.js"`, `js`, `js Name`."""
    label = _LABEL.search(info)
    if label:
        return label["bracket"] or label["value"]
    language, _, tail = info.strip().partition(" ")
    if tail and re.fullmatch(r"[\w .#+/-]+", tail):
        return tail.strip()
    name = _LANGUAGE.match(language)
    return name.group() if name else "Code"


def _grouped(tokens: list[Token]) -> Iterator[Token]:
    """Group adjacent tabs, also nested ones. The groups of a page are numbered."""
    numbers, open_groups = count(1), list[str]()
    for at, token in enumerate(tokens):
        if token.type == "tab_open":
            is_first = not _continues(tokens, at)
            if is_first:
                open_groups.append(f"tabs-{next(numbers)}")
                yield Token("tabs_open", "div", 1, attrs={"class": "tabs"}, block=True)
            token.attrSet("name", open_groups[-1])
            if is_first:
                token.attrSet("open", "")
        yield token
        if token.type == "tab_close" and not _continues(tokens, at + 1):
            open_groups.pop()
            yield Token("tabs_close", "div", -1, block=True)


def _continues(tokens: list[Token], at: int) -> bool:
    """Return whether a token is a tab of the same group as the tab before it."""
    before, token = tokens[at - 1 : at], tokens[at : at + 1]
    return [part.type for part in before + token] == ["tab_close", "tab_open"] and not token[0].meta.get(FIRST)
