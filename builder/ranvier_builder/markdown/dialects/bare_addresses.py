"""Addresses without brackets, `https://example.org`, are links.

Only finished text is searched, after all inline syntax, so an address contains no note, wikilink or code. An address that other
syntax or a placeholder continues, such as `https://example.org/<name>` or `http://localhost:{port}`, is no link: it is an
example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # of scripts with blanks between words; also digits and `_`
_ADDRESS = re.compile(
    rf"(?<![^\s(\"'“„«])https?://(?=[^\W_])(?:{_LETTER}|-)++(?:\.(?:{_LETTER}|-)++)*+(?::\d++)?+"
    rf"(?:[/?#](?:{_LETTER}|[-!#$%&'()*+,./:;=?@~]){{0,2000}}+)?+"
    r"(?![\w:@$%{}\\^`|<>\[-])(?!\.+[\w*/])(?![\"…][\w&/=])"
)
_PUNCTUATION = ".,:;!?'*~_"  # not the end of an address
# Tokens beside which an address needs no blank; a tag is a line break.
_STARTS = {"softbreak", "hardbreak", "html_inline"}
_ENDS = {*_STARTS, "footnote_ref", "link_open", "claim_open"}
OWN = "own address"  # key in the environment: the address of the site, whose pages authors link by names; "" if unknown


def plugin(md: MarkdownIt) -> None:
    """Add the rule behind all others."""
    md.core.ruler.push("bare_addresses", _bare_addresses)


def _bare_addresses(state: StateCore) -> None:
    """Search the lines without raw HTML, except titles that a click opens."""
    for before, token in pairwise(state.tokens):
        children = token.children if token.type == "inline" and "://" in token.content else None
        if children and before.tag != "summary" and not any(map(_is_tag, children)):
            token.children = [*_with_links(state, children)]


def _is_tag(token: Token) -> bool:
    return token.type == "html_inline" and not token.content.lower().startswith("<br")


def _with_links(state: StateCore, tokens: list[Token]) -> Iterator[Token]:
    """Yield the tokens of a line; links are put into its texts, but not into links."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or depth or "://" not in token.content:
            yield token
        else:
            before, after = tokens[at - 1] if at else None, tokens[at + 1] if at + 1 < len(tokens) else None
            yield from _parts(state, token, is_start=_can_be(before, _STARTS, "_open"), is_end=_can_be(after, _ENDS, "_close"))


def _can_be(token: Token | None, types: set[str], ending: str) -> bool:
    """Tell whether an address may touch a token."""
    return token is None or token.type in types or token.type.endswith(ending)


def _parts(state: StateCore, token: Token, *, is_start: bool, is_end: bool) -> Iterator[Token]:
    """Divide a text at its addresses."""
    text, at = token.content, 0
    last = len(text.rstrip(_PUNCTUATION))
    for match in _ADDRESS.finditer(text):
        address = _without_punctuation(match.group())
        start, end = match.start(), match.start() + len(address)
        touches = (start == 0 and not is_start) or (end >= last and not is_end)
        if touches or "*" in text[end : match.end()] or _is_own(address, state.env.get(OWN, "")):
            continue
        yield from _texts(text[at:start], token)
        yield Token("link_open", "a", 1, {"href": state.md.normalizeLink(address)}, markup="autolink", info="auto")
        yield from _texts(address, token)
        yield Token("link_close", "a", -1, markup="autolink", info="auto")
        at = end
    yield from _texts(text[at:], token)


def _is_own(address: str, own: str) -> bool:
    return bool(own) and f"{address}/".partition("://")[2].startswith(own.partition("://")[2])


def _texts(text: str, original: Token) -> Iterator[Token]:
    if text:
        yield original.copy(content=text)


def _without_punctuation(address: str) -> str:
    """Remove punctuation behind an address, and brackets that close a sentence's."""
    address = address.rstrip(_PUNCTUATION)
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(_PUNCTUATION)
    return address
