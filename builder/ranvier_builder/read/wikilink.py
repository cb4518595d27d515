"""`[[target#heading|label]]` and `![[embed]]` as a markdown-it rule. Where they lead is decided later, by `markdown`."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_WIKILINK = re.compile(r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#\n]*)(?P<heading>#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]")


def wikilink_plugin(md: MarkdownIt) -> None:
    """Parse wikilinks outside of code into `wikilink` tokens."""
    md.inline.ruler.before("link", "wikilink", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    match = _WIKILINK.match(state.src, state.pos)
    if match is None or not (match["target"].strip() or match["heading"]):
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        heading = (match["heading"] or "").lstrip("#").strip()
        target = match["target"].strip()
        token.content = (match["label"] or "").strip() or (f"{target} > {heading}" if target and heading else target or heading)
        token.meta = {"target": target, "heading": heading, "embed": bool(match["embed"])}
    state.pos = match.end()
    return True
