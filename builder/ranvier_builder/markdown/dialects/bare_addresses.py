"""Addresses without brackets, `https://example.org`, are links.

Only finished text is searched, after all inline syntax, so an address contains no note, wikilink or code. An address that other
syntax or a placeholder continues, such as `https://example.org/<name>` or `http://localhost:{port}`, is no link: it is an
example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # of scripts with blanks between words; also digits and `_`
_ADDRESS = re.compile(
    rf"(?<![^\s(\"'“„«])https?://(?=[^\W_])(?:{_LETTER}|-)++(?:\.(?:{_LETTER}|-)++)*+(?::\d++)?+"
    rf"(?:[/?#](?:{_LETTER}|[-!#$%&'()*+,./:;=?@~]){{0,2000}}+)?+(?![\w:@$%{{}}\\^`|<-])"
)
_PUNCTUATION = ".,:;!?'*~_"  # not the end of an address
_IN_TAGS = re.compile(r"<(?P<close>/?)(?:a|code|kbd|pre|samp|tt)(?=[\s>])", re.IGNORECASE)
_ENDS = {"softbreak", "hardbreak", "footnote_ref", "link_open"}  # tokens that may follow an address without a blank
_STARTS = {"softbreak", "hardbreak"}


def plugin(md: MarkdownIt) -> None:
    """Add the rule behind all others."""
    md.core.ruler.push("bare_addresses", _bare_addresses)


def _bare_addresses(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children and "://" in token.content:
            token.children = [*_with_links(state.md, token.children)]


def _with_links(md: MarkdownIt, tokens: list[Token]) -> Iterator[Token]:
    """Yield the tokens of a line; links are put into their texts, but not into links and code."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "html_inline" and (tag := _IN_TAGS.match(token.content)):
            depth = max(0, depth - 1) if tag["close"] else depth + 1
        if token.type != "text" or depth > 0 or "://" not in token.content:
            yield token
        else:
            before, after = tokens[at - 1] if at else None, tokens[at + 1] if at + 1 < len(tokens) else None
            yield from _parts(md, token, is_start=_can_be(before, _STARTS, "_open"), is_end=_can_be(after, _ENDS, "_close"))


def _can_be(token: Token | None, types: set[str], ending: str) -> bool:
    """Tell whether an address may touch a token."""
    if token is None or token.type in types or token.type.endswith(ending):
        return True
    return token.type == "html_inline" and token.content.lower().startswith(("<br", "</"))


def _parts(md: MarkdownIt, token: Token, *, is_start: bool, is_end: bool) -> Iterator[Token]:
    """Divide a text at its addresses."""
    text, at = token.content, 0
    for match in _ADDRESS.finditer(text):
        address = _without_punctuation(match.group())
        start, end = match.start(), match.start() + len(address)
        if (start == 0 and not is_start) or (match.end() == len(text) and not is_end):
            continue
        yield from _texts(text[at:start], token)
        yield Token("link_open", "a", 1, {"href": md.normalizeLink(address)}, markup="autolink", info="auto")
        yield from _texts(address, token)
        yield Token("link_close", "a", -1, markup="autolink", info="auto")
        at = end
    yield from _texts(text[at:], token)


def _texts(text: str, original: Token) -> Iterator[Token]:
    if text:
        yield original.copy(content=text)


def _without_punctuation(address: str) -> str:
    """Remove punctuation behind an address, and brackets that close a sentence's."""
    address = address.rstrip(_PUNCTUATION)
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(_PUNCTUATION)
    return address
