"""Claim anchors, `{#claim-XXXXXXXX}`: they stay in the source, and their ids are never published (A6)."""

from __future__ import annotations

import re

from ranvier_builder.markdown.code import code, outside

# A hyphen in every spelling of Markdown or HTML.
_CLAIM_NAME = r"claim(?:\\?[-\u2010-\u2015\u2212]|&#45;|&#x2d;|&hyphen;)"
_CLAIM = re.compile(rf"[ \t]?\{{#{_CLAIM_NAME}[0-9A-Za-z]+\}}", re.IGNORECASE)  # with the blank before it
# `{.note #claim-1}`
_IN_LIST = re.compile(rf"([ \t]?\{{[^{{}}\n]{{0,200}}?)#{_CLAIM_NAME}[\w.:-]*([^{{}}\n]{{0,200}}\}})", re.IGNORECASE)
_EMPTY = re.compile(r"[ \t]?\{:?[ \t]*\}\Z")
_IN_TEXT = re.compile(rf"[ \t]?#{_CLAIM_NAME}[0-9a-f]{{8}}(?![0-9a-z])", re.IGNORECASE)  # in a sentence
_IN_TARGET = re.compile(rf"(?<=[^\s#{{])#{_CLAIM_NAME}[\w-]*", re.IGNORECASE)  # `[[page#claim-1]]`, `(page.md#claim-1)`
_IN_HTML = re.compile(r"""\s(?:id|name)\s?=\s?(["']?)claim-[0-9a-z]+\1(?=[\s/>])""", re.IGNORECASE)  # `<a id="claim-1">`
_NESTED = re.compile(rf"(?<=\{{)#{_CLAIM_NAME}", re.IGNORECASE)


SIGN = "\ue003"  # stands for a claim anchor in the body of a page for curators


def mark_claims(text: str) -> str:
    """Replace each claim anchor outside of code by `SIGN`; its id is lost."""
    return outside(text, code(text), _CLAIM, SIGN) if "claim" in text.casefold() else text


def strip_claims(text: str) -> str:
    """Strip claim anchors (A6), also anchors that result from stripping, as in `{#cl{#claim-1}aim-2}`."""
    if "claim" not in text.casefold():
        return text
    for _ in range(4):
        stripped = _IN_LIST.sub(_strip_from_list, _CLAIM.sub("", text))
        if stripped == text:
            break
        text = stripped
    # Deeper nesting is not a real anchor: inserted blanks break it without joining other text.
    return _NESTED.sub("# claim ", _IN_TEXT.sub("", _IN_TARGET.sub("#", _IN_HTML.sub("", text))))


def _strip_from_list(match: re.Match[str]) -> str:
    """Remove an anchor from an attribute list, and the list if it is empty then."""
    attributes = f"{match[1].rstrip()}{match[2]}"
    return "" if _EMPTY.fullmatch(attributes) else attributes
