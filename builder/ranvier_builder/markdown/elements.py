"""Decides which tags in Markdown are HTML: `<int>` in prose and a `<script>` without an end are shown as text.

The sanitiser removes disallowed tags, but an unclosed tag would remove the text after it too. So each tag is checked before.
The result is not trusted: it is still sanitised.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.dialects.containers import PROBLEMS

TRUSTED = "trusted"  # in the environment of a parse: every tag is left unchanged
# Their contents are not markup, or are not shown.
RAW = frozenset("script style iframe title textarea noscript xmp noembed noframes".split())
HIDDEN = frozenset("script style template iframe object".split())
_NESTED = frozenset("object template svg math".split())
_FOREIGN = frozenset(("svg", "math"))
# The elements of the HTML Living Standard, and obsolete elements.
HTML_ELEMENTS = frozenset(
    """a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
    button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i img input ins kbd label
    legend li link main map mark marquee menu meta meter nav nobr ol optgroup option output p param picture pre progress q rb rp
    rt rtc ruby s samp search section select slot small source span strike strong sub summary sup table tbody td tfoot th thead
    time tr track tt u ul var video wbr""".split()
)
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*>?"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][^\s/<>]*)[^\"'<>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\"'<>]*+)*>?",
    re.DOTALL,
)
_OPENING = re.compile(r"<([A-Za-z][^\s/<>]*)")
_CLOSING = re.compile(r"</([A-Za-z][^\s/<>]*)")
_NEEDS_END = re.compile(r"<(script|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_MAX_QUOTED = 40  # characters of a tag that a warning quotes

_Name = tuple[str, bool]  # a tag's name, and whether it closes


def plugin(md: MarkdownIt) -> None:
    """Add the rule that shows tags that are not HTML; it runs after all other rules, because they can produce HTML."""
    md.core.ruler.push("elements", _rule)
    md.block.ruler.at("html_block", _block, {"alt": ["paragraph", "reference", "blockquote"]})


def name_of(tag: str) -> _Name:
    """Read a tag: `</Script >` → `("script", True)`; the name of a comment is empty."""
    match = _TAG.match(tag)
    return ((match["name"] or "").lower(), bool(match["close"])) if match else ("", False)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Open an HTML block, except for a `<script>` without an end: its block would be the rest of the page."""
    at = state.bMarks[start] + state.tShift[start]
    opener = _NEEDS_END.match(state.src, at, state.eMarks[start])
    if opener and not state.env.get(TRUSTED) and _last_end(state.src, opener[1].lower()) < at:
        return False
    return html_block(state, start, end, silent)


@lru_cache(maxsize=3)  # each opening tag of a page asks for it
def _last_end(text: str, name: str) -> int:
    return max((tag.start() for tag in re.finditer(f"</{name}>", text, re.IGNORECASE | re.ASCII)), default=-1)


def _rule(state: StateCore) -> None:
    if not state.env.get(TRUSTED):
        _Page(state).show()


class _Page:
    """Walks through the HTML of a page, and turns tags that are not HTML into text."""

    def __init__(self, state: StateCore) -> None:
        self._tokens = state.tokens
        self._problems = state.env.setdefault(PROBLEMS, [])
        self._at = 0
        self._line = 0
        self._foreign = False  # in a drawing or a formula that spans several blocks
        self._last = {name: self._last_closing(f"</{name}") for name in _FOREIGN}
        opening, closing = (set(map(str.lower, pattern.findall(state.src))) for pattern in (_OPENING, _CLOSING))
        self._ended = opening & closing
        self._reported: set[str] = set()

    def _is_component(self, tag: str) -> bool:
        """Return whether an unknown tag looks like another system's component: it is closed, or has attributes."""
        return name_of(tag)[0] in self._ended or tag.endswith("/>") or "=" in tag

    def _last_closing(self, tag: str) -> int:
        pages = ((at, token) for at, token in enumerate(self._tokens) if token.type in ("html_block", "inline"))
        return max((at for at, token in pages if tag in token.content), default=-1)

    def show(self) -> None:
        """Process all tokens once."""
        for at, token in enumerate(self._tokens):
            self._at = at
            self._line = token.map[0] if token.map else self._line
            if token.type == "html_block":
                token.content = self._escape_tags(token.content)
            elif token.children and any(child.type == "html_inline" for child in token.children):
                self._process_children(token.children)

    def _escape_tags(self, html: str) -> str:
        tags = list(_tags(html))
        as_text = self._tags_as_text([tag.group() for tag in tags])
        out, at = [], 0
        for number in sorted(as_text):
            tag, reason = tags[number], as_text[number]
            if reason:
                self._report(reason, tag.group(), html.count("\n", 0, tag.start()) if reason not in self._reported else 0)
            out += [html[at : tag.start()], escape(tag.group(), quote=False) if reason else ""]
            at = tag.end()
        return "".join((*out, html[at:]))

    def _process_children(self, children: list[Token]) -> None:
        tags = [child for child in children if child.type == "html_inline"]
        as_text = self._tags_as_text([tag.content for tag in tags])
        if not as_text:
            return
        reasons = {id(tags[number]): reason for number, reason in as_text.items()}
        breaks = 0
        for child in children:
            lines = child.type in ("softbreak", "hardbreak") or child.content.count("\n")
            if (reason := reasons.get(id(child))) is not None:
                if reason:
                    self._report(reason, child.content, breaks)
                child.type, child.content = "text", child.content if reason else ""
            breaks += lines

    def _report(self, reason: str, tag: str, breaks: int) -> None:
        if reason not in self._reported:
            self._reported.add(reason)
            begin = tag if len(tag) <= _MAX_QUOTED else f"{tag[:_MAX_QUOTED]}…"
            self._problems.append((self._line + breaks, f"`{' '.join(begin.split())}` {reason}: shown as text"))

    def _tags_as_text(self, tags: list[str]) -> dict[int, str]:
        """Return the tags to show as text, with reasons; a tag with an empty reason is removed: that of a component.

        The sanitiser would remove it too, but with its contents if it is not closed in its own paragraph.
        """
        names = [name_of(tag) for tag in tags]
        ends = _matching_ends(names)
        as_text, end_of_foreign, at = {}, -1, 0
        while at < len(names):
            name, closes = names[at]
            if at in ends:
                if name in _FOREIGN:
                    end_of_foreign = max(end_of_foreign, ends[at])
                else:  # the sanitiser handles the whole element
                    at = ends[at]
            elif name in _FOREIGN:
                self._foreign = not closes and self._last[name] > self._at
                if not closes and not self._foreign:
                    as_text[at] = _unclosed(tags[at])
            elif name in RAW or name in _NESTED or name == "plaintext":
                as_text[at] = "closes nothing" if closes else _unclosed(tags[at])
            elif name and name not in HTML_ELEMENTS and at > end_of_foreign and not self._foreign:
                as_text[at] = "" if self._is_component(tags[at]) else "is not HTML"
            at += 1
        return as_text


def _unclosed(tag: str) -> str:
    """Return why a tag without an end is shown as text; empty for `<iframe … />`, a whole element for its author."""
    return "" if tag.endswith("/>") else "is not closed"


def _matching_ends(names: list[_Name]) -> dict[int, int]:
    """Find the closing tags of elements whose contents are lost without one."""
    closing = defaultdict(list)
    for at, (name, closes) in enumerate(names):
        if closes and name in RAW:
            closing[name].append(at)
    pairs, stack, at = {}, list[int](), 0
    while at < len(names):
        name, closes = names[at]
        if name in RAW and not closes and (number := bisect_right(closing[name], at)) < len(closing[name]):
            pairs[at] = at = closing[name][number]
        elif name in _NESTED and not closes:
            stack.append(at)
        elif name in _NESTED and any(names[opener][0] == name for opener in stack[-_MAX_QUOTED:]):
            while names[stack[-1]][0] != name:
                stack.pop()
            pairs[stack.pop()] = at
        at += 1
    return pairs


def _tags(html: str) -> Iterator[re.Match[str]]:
    """Yield the tags of a block, without those in a closed `<script>` and the like."""
    at, unclosed = 0, set[str]()
    while tag := _TAG.search(html, at):
        yield tag
        at = tag.end()
        name = (tag["name"] or "").lower()
        if name in RAW and not tag["close"] and name not in unclosed:
            closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, at)
            if closing is None:
                unclosed.add(name)
            else:
                at = closing.start()
