"""Claim anchors on a curator's page: a superscript `#` that links to itself (A6). The id of the claim is not on the page."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from ranvier_builder.markdown.claims import SIGN

SHOWN = "claims are shown"  # key in the environment of a parse
CSS = "claim"  # class of the `<sup>`, which the search does not read
_COUNT = "claims"


def plugin(md: MarkdownIt) -> None:
    """Add the rule."""
    md.inline.add_terminator_char(SIGN)
    md.inline.ruler.before("escape", "claim", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != SIGN or not state.env.get(SHOWN):
        return False
    state.pos += 1
    if not (silent or state.linkLevel):  # a link cannot be in a link
        state.env[_COUNT] = number = state.env.get(_COUNT, 0) + 1
        element = state.push("claim_open", "sup", 1)
        element.attrs = {"class": CSS, "id": f"{CSS}-{number}"}
        link = state.push("link_open", "a", 1)
        link.attrs = {"href": f"#{CSS}-{number}", "aria-label": f"Claim {number}"}
        text = state.push("html_inline", "", 0)
        text.content = "#"
        state.push("link_close", "a", -1)
        state.push("claim_close", "sup", -1)
    return True
