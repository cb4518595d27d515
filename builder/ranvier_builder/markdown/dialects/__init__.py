"""Markdown of other systems: template syntax is removed, and visible words stay.

There is one module for each system, and there are two kinds. The modules that `to_markdown` calls convert a body to Markdown
when it is read; line numbers do not change. The modules that `use` adds to the parser parse blocks and inline syntax when a
page is rendered. In code, no syntax is interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from markdown_it import MarkdownIt

from ranvier_builder.markdown.dialects import (
    admonitions,
    attributes,
    bare_addresses,
    callouts,
    claim_signs,
    comments,
    containers,
    extensions,
    formulas,
    html_elements,
    inline,
    list_tables,
    pymdownx,
    references,
    roles,
    tabs,
)
from ranvier_builder.markdown.dialects.attributes import drop_attributes
from ranvier_builder.markdown.dialects.azure import azure
from ranvier_builder.markdown.dialects.comments import drop_comments
from ranvier_builder.markdown.dialects.emoji import emoji
from ranvier_builder.markdown.dialects.excalidraw import excalidraw, is_drawing
from ranvier_builder.markdown.dialects.extensions import ATTRIBUTES, MDX, MYST
from ranvier_builder.markdown.dialects.html_indent import html_indent
from ranvier_builder.markdown.dialects.hugo import hugo
from ranvier_builder.markdown.dialects.includes import includes
from ranvier_builder.markdown.dialects.learn import learn
from ranvier_builder.markdown.dialects.liquid import liquid
from ranvier_builder.markdown.dialects.logseq import docsify_tabs, logseq
from ranvier_builder.markdown.dialects.mdc import mdc
from ranvier_builder.markdown.dialects.mdn import mdn
from ranvier_builder.markdown.dialects.mdx import has_jsx, is_mdx, jsx, mdx
from ranvier_builder.markdown.dialects.mkdocs import macros, mkdocs, substitutions
from ranvier_builder.markdown.dialects.myst import drop_line_comments, is_myst, myst
from ranvier_builder.markdown.dialects.pandoc import drop_hidden_divs, html_above_markdown, pandoc
from ranvier_builder.markdown.dialects.pymdownx import abbreviations
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.dialects.vue import badges, changes, page_fields, preferences
from ranvier_builder.paths import suffix
from ranvier_builder.syntax import NO_SYNTAX, Syntax

__all__ = ["is_drawing", "to_markdown", "use"]

_EMPTY_ITEM = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]*")


def to_markdown(
    body: str, path: str, *, drawing: bool = False, syntax: Syntax = NO_SYNTAX, fields: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, list[tuple[int, str]]]:
    """Convert a body to Markdown; also return its problems: line numbers in the body, from 1, and messages.

    `fields` are those of the front matter that a text in VitePress may name.
    """
    source = MarkdownSource(body)
    if drawing:
        excalidraw(source)
    azure(source)
    html_indent(source)  # before all below, which skip code
    pandoc(source)
    is_of_myst = MYST in syntax.extensions or is_myst(source)
    myst(source)
    includes(source)
    docsify_tabs(source)
    hugo(source)
    drop_comments(source)
    if is_of_myst:
        drop_line_comments(source)
        roles.simplify_roles(source)
    drop_hidden_divs(source)
    macros(source, dict(syntax.variables))  # a value cannot end a comment
    substitutions(source, dict(syntax.substitutions))
    page_fields(source, fields)
    logseq(source)
    mdn(source)
    liquid(source)
    html_indent(source)  # again: a tag of Liquid was on a line of its own
    learn(source)
    mkdocs(source)
    mdc(source)
    preferences(source)
    badges(source)
    changes(source)
    if MDX in syntax.extensions or is_mdx(source, path):
        mdx(source)
    elif has_jsx(source):
        jsx(source)
    if suffix(path) in (".qmd", ".rmd"):
        html_above_markdown(source)
    abbreviations(source)
    emoji(source)
    drop_attributes(source, with_buttons=ATTRIBUTES in syntax.extensions)
    text = _with_items(body, source.text)
    return text + syntax.definitions_for(text), source.problems


def _with_items(body: str, text: str) -> str:
    """Return a text in which the items that have lost their words stay items: below a text, `-` makes it a heading."""
    lines, changes = body.split("\n"), []
    for line, new in zip(lines, text.split("\n"), strict=False):
        is_empty = line != new and _EMPTY_ITEM.fullmatch(new) and not _EMPTY_ITEM.fullmatch(line)
        changes.append(f"{new.rstrip()} <!---->" if is_empty else new)
    return "\n".join(changes)


def use(md: MarkdownIt) -> None:
    """Add the blocks and the inline syntax of other systems to a parser."""
    blocks = (comments, containers, admonitions, callouts, list_tables, tabs, attributes)
    lines = (roles, references, pymdownx, extensions, inline, formulas)
    for family in (*blocks, *lines, claim_signs, html_elements, bare_addresses):
        family.plugin(md)
