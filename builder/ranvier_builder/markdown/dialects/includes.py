"""Includes of other files: `{{#include file.rs:2:10}}` of mdBook, `--8<-- "file.md:part"` of MkDocs.

A page is read before the set of published files is known. Outside of code a directive becomes a mark that no other dialect
changes; the included text is inserted behind the gate (`ranvier_builder.render.includes`).
"""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import MarkdownSource

_BOOK = r"(?<!\\)\{\{[ \t]*#(?:include|rustdoc_include|playground)[ \t]+(?P<book>[^{}\s]+)[^{}\n]*\}\}"
_SNIPPET = r"-{1,}8<-{1,}[ \t]+(?P<quote>[\"'])(?P<snippet>[^\"'\n]+)(?P=quote)[ \t]*"
DIRECTIVE = re.compile(rf"{_BOOK}|{_SNIPPET}")
MARK = re.compile(r"\ue001(?P<hex>(?:[0-9a-f]{2}){1,400})\ue002")


def includes(source: MarkdownSource) -> None:
    """Replace directives outside of code by marks."""
    if "8<-" not in source and "{{" not in source:
        return
    directives = DIRECTIVE.finditer(source.text)
    source.apply(
        (directive.start(), directive.end(), mark(directive))
        for directive in directives
        if not source.in_code(directive.start())
    )


def mark(directive: re.Match[str]) -> str:
    """Return the mark of a directive."""
    return f"\ue001{directive.group().strip().encode().hex()[:800]}\ue002"


def target(directive: re.Match[str]) -> tuple[str, bool]:
    """Return the file of a directive, with its part, and whether the path is relative to the including page."""
    return (directive["book"], True) if directive["book"] else (directive["snippet"], False)
