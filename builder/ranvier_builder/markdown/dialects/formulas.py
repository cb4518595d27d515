"""Formulas: TeX between dollar signs, in ```` ```math ```` blocks and in environments such as `align` is shown as MathML; wrong
TeX is shown as its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from ranvier_builder.markdown.dialects.containers import PROBLEMS
from ranvier_builder.markdown.mathml import TexError, mathml

DISPLAY = "display"  # key in the `meta` of a `math` token: it is on a line of its own
_MATHML = "mathml"
_MAX_QUOTED = 40  # characters of a formula that a warning quotes


def plugin(md: MarkdownIt) -> None:
    """Convert the formulas of the tokens `math` and `math_block`, and of fences."""
    md.core.ruler.push("formulas", _rule)
    md.add_render_rule("math", _render)
    md.add_render_rule("math_block", _render)


def _rule(state: StateCore) -> None:
    line = 0
    for token in state.tokens:
        line = token.map[0] if token.map else line
        if token.type == "fence" and token.info.strip() == "math":
            token.type, token.content = "math_block", token.content.strip("\n")
        if token.type == "math_block":
            _convert(token, line, state, display=True)
        breaks = 0
        for child in token.children or ():
            if child.type == "math":
                _convert(child, line + breaks, state, display=DISPLAY in child.meta)
            breaks += child.type in ("softbreak", "hardbreak") or child.content.count("\n")


def _convert(token: Token, line: int, state: StateCore, *, display: bool) -> None:
    try:
        token.meta[_MATHML] = mathml(token.content, display=display)
    except TexError as error:
        tex = " ".join(token.content.split())
        tex = tex if len(tex) <= _MAX_QUOTED else f"{tex[:_MAX_QUOTED]}…"
        problems = state.env.setdefault(PROBLEMS, [])
        problems.append((line, f"the formula `{tex}` is shown as its source: {error}"))


def _render(_: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: dict[str, Any]) -> str:
    token = tokens[index]
    if _MATHML in token.meta:
        html = str(token.meta[_MATHML])
        return f'<div class="math">{html}</div>\n' if token.block else html
    source = escape(token.content)
    return f'<pre class="math">{source}</pre>\n' if token.block else f'<code class="math">{source}</code>'
