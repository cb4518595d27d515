"""MyST's `list-table`: a list with a list of cells for each row becomes a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.dialects.tabs import in_boxes

NAME = "list-table"  # of the container; `list-table-1` has one row of headers
_NAME = re.compile(rf"{NAME}(?:-(?P<headers>\d{{1,3}}))?")
_ROW, _CELL = (1, "list_item"), (3, "list_item")
_LEVELS = {(0, "bullet_list"), _ROW, (2, "bullet_list"), _CELL}


def plugin(md: MarkdownIt) -> None:
    """Turn such lists into tables; other lists in the container stay lists."""
    md.core.ruler.after("block", "list_tables", _rule)


def _rule(state: StateCore) -> None:
    out, end = list[Token](), -1
    for at, (token, box) in enumerate(in_boxes(state.tokens)):
        if at > end and token.type == "bullet_list_open" and (name := _NAME.fullmatch(box)):
            end = at
            while (state.tokens[end].type, state.tokens[end].level) != ("bullet_list_close", token.level):
                end += 1
            out += _table(state.tokens[at : end + 1], int(name["headers"] or 0))
        elif at > end:
            out.append(token)
    state.tokens = out


def _table(tokens: list[Token], headers: int) -> list[Token]:
    """Return the tokens of a table for those of a list; the same tokens if an item is no row of cells."""
    top = tokens[0].level
    blocks = {(token.level - top, token.type.removesuffix("_open")) for token in tokens if token.nesting >= 0}
    if {block for block in blocks if 0 <= block[0] <= _CELL[0] and block[1] != "inline"} != _LEVELS:
        return tokens
    return [_token("table", 1), *_rows(tokens, top, headers), _token("table", -1)]


def _rows(tokens: list[Token], top: int, headers: int) -> Iterator[Token]:
    row, part = 0, "thead" if headers else "tbody"
    yield _token(part, 1)
    for token in tokens:
        block = token.level - top, token.type.rpartition("_")[0]
        if block == _ROW:
            if token.nesting == 1 and row == headers > 0:
                yield from (_token(part, -1), _token(part := "tbody", 1))
            row += token.nesting == 1
            yield _token("tr", token.nesting)
        elif block == _CELL:
            yield _token("th" if row <= headers else "td", token.nesting)
        elif block not in _LEVELS and not token.hidden:  # the paragraphs of a list without blank lines are hidden
            yield token
    yield _token(part, -1)


def _token(tag: str, nesting: int) -> Token:
    return Token(f"{tag}_{'open' if nesting > 0 else 'close'}", tag, nesting, block=True)  # type: ignore[arg-type]
