"""Other systems' Markdown: what a template engine would eat is taken out, what a reader would see stays.

Two kinds of modules, one for each family. Those that `to_markdown` calls put a body's text into Markdown as it is read; lines
keep their numbers. Those that `use` adds to the parser understand blocks and signs as a page is rendered. In code, every
syntax is an example of itself.
"""

from __future__ import annotations

from markdown_it import MarkdownIt

from ranvier_builder.markdown.dialects import admonitions, attributes, callouts, comments, containers, inline, tabs
from ranvier_builder.markdown.dialects.attributes import drop_attributes
from ranvier_builder.markdown.dialects.comments import drop_comments
from ranvier_builder.markdown.dialects.excalidraw import excalidraw, is_drawing
from ranvier_builder.markdown.dialects.hugo import hugo
from ranvier_builder.markdown.dialects.includes import includes
from ranvier_builder.markdown.dialects.learn import learn
from ranvier_builder.markdown.dialects.liquid import liquid
from ranvier_builder.markdown.dialects.mdn import mdn
from ranvier_builder.markdown.dialects.mdx import is_mdx, mdx
from ranvier_builder.markdown.dialects.mkdocs import mkdocs
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.dialects.vue import changes, preferences

__all__ = ["is_drawing", "to_markdown", "use"]


def to_markdown(body: str, path: str, *, drawing: bool = False) -> tuple[str, list[tuple[int, str]]]:
    """Put a body into Markdown; also say what was odd: lines of the body, from 1, and messages."""
    source = MarkdownSource(body)
    if drawing:
        excalidraw(source)
    includes(source)
    hugo(source)
    drop_comments(source)
    mdn(source)
    liquid(source)
    learn(source)
    mkdocs(source)
    preferences(source)
    changes(source)
    if is_mdx(source, path):
        mdx(source)
    drop_attributes(source)
    return source.text, source.problems


def use(md: MarkdownIt) -> None:
    """Teach a parser the blocks and signs of other systems."""
    for family in (comments, containers, admonitions, callouts, tabs, attributes, inline):
        family.plugin(md)
