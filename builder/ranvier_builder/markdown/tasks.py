"""Task lists: `- [ ] to do`, `- [x] done`, and Obsidian's other marks, `- [/] half done`. In one pass."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_MARK = re.compile(r"\[(?P<mark>[ xX/\-<>!?*\"])\][ \t\n]+")


def plugin(md: MarkdownIt) -> None:
    """Add the rule; a checkbox shows its author's mark, and is disabled."""
    md.core.ruler.after("inline", "tasks", _rule)


def _rule(state: StateCore) -> None:
    lists: list[Token] = []
    for at, token in enumerate(state.tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and _is_task(state.tokens, at):
            token.attrSet("class", "task-list-item")
            lists[-1].attrSet("class", "contains-task-list")
            _check(state.tokens[at + 2])


def _is_task(tokens: list[Token], item: int) -> bool:
    if len(tokens) <= item + 2 or tokens[item + 1].type != "paragraph_open":
        return False
    line = tokens[item + 2]
    mark = _MARK.match(line.content)
    if mark is None or not line.children:
        return False
    return line.children[0].type == "text" and line.children[0].content.startswith(mark.group()[:3])


def _check(line: Token) -> None:
    mark, children = line.content[1], line.children or []
    line.content = line.content[3:]
    children[0].content = children[0].content[3:]
    checked, label = ('checked="checked" ', "Done") if mark in "xX" else ("", "Not done")
    box = f'<input class="task-list-item-checkbox" aria-label="{label}" {checked}disabled="disabled" type="checkbox">'
    parts = [("html_inline", box)]
    if mark not in " xX":
        parts += [("text", " "), ("html_inline", '<span class="task-other">'), ("text", mark), ("html_inline", "</span>")]
    line.children = [*(Token(kind, "", 0, content=content) for kind, content in parts), *children]
