"""Pandoc, Quarto and R Markdown: title blocks, `% name 1`; and what their pages do not show: divs and code cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ranvier_builder.markdown.code import fences
from ranvier_builder.markdown.dialects.containers import matching_fences
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_BLOCK = re.compile(
    r"\A\s*^%[ \t]+(?P<title>[^\s%][^\n]*)(?P<more>(?:\n%(?!%)[^\n]*){0,2})(?=\n[ \t]*(?:\n|\Z)|\Z)", re.MULTILINE
)
_MANUAL = re.compile(r'"?(?P<name>[\w.\\-]+)"?(?: |\()(?P<section>[1-9][a-z]*)\)?(?=\s|\Z)')  # `podman-run 1`, `podman-run(1)`
_DIV = re.compile(r"[^\n{]*\{[^{}\n]*\.(?P<name>content-visible|(?:content-)?hidden)(?P<rest>[\s}][^\n]*)")
_SPAN = re.compile(
    r"\[[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*+\]"
    r"(?=\{[^{}\n]*\})\{[^{}\n]*\.(?P<name>content-visible|(?:content-)?hidden)(?P<rest>(?=[\s}])[^{}\n]*)\}"
)
_ENCRYPTED = re.compile(r"[ \t>]*:{3,}[ \t]*encrypt\b")  # of a theme of VuePress
_CONDITION = re.compile(r"\b(?P<when>when|unless)-(?P<what>\w+)=[\"']?(?P<value>\w*)")
_OPENER = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{\w", re.MULTILINE)
_CELL = re.compile(
    r"(?P<opener>[ \t>]*(?:`{3,}|~{3,})[ \t]*\{\w+(?P<options>[^{}\n]*)\}[ \t]*\n)"
    r"(?P<lines>(?:[ \t>]*(?:#|//|--|%)\|[^\n]*\n)*)"
)
# A tag alone on its line, directly above code or text; a summary may be between them.
_TAG_ABOVE_MARKDOWN = re.compile(
    r"^(?P<tag>[ \t>]*<(?:details|div|section|aside)(?=[\s>])(?![^<>\n]*\smarkdown[\s=>])[^<>\n]*)(?<!/)(?=>[ \t]*\n"
    r"(?:[ \t>]*<summary>[^\n]*</summary>[ \t]*\n)?[ \t>]*(?:`{3,}|~{3,}|[^\s<>`~]))",
    re.MULTILINE | re.IGNORECASE,
)
_UNSHOWN = re.compile(r"\b(?:echo|include)[ \t]*(?:[:=])[ \t]*(?:false|f)\b", re.IGNORECASE)


def pandoc(source: MarkdownSource) -> None:
    """Replace a title block by a heading, and remove code cells that are not shown, and the options of others."""
    if _OPENER.search(source.text):
        source.apply(_cells(source.text))
    _title_block(source)


def drop_hidden_divs(source: MarkdownSource) -> None:
    """Remove encrypted divs, and divs and spans that HTML does not have. A div could end in a comment: remove them before."""
    if "hidden" in source or ".content-visible" in source or "encrypt" in source:
        source.apply(_hidden_divs(source.text))
        source.replace(_SPAN, lambda span: "" if _is_hidden(span) else span[0])


def html_above_markdown(source: MarkdownSource) -> None:
    """Let elements directly above code or text contain Markdown, as Pandoc's `markdown_in_html_blocks` does."""
    if "<" in source:
        source.replace(_TAG_ABOVE_MARKDOWN, lambda match: f"{match['tag']} markdown")


def _title_block(source: MarkdownSource) -> None:
    """Write `name(section)` for a manual page. Another single line is a comment of MyST."""
    block = _BLOCK.match(source.text)
    manual = _MANUAL.match(block["title"]) if block else None
    if block is None or not (manual or block["more"]):
        return
    title = f"{manual['name']}({manual['section']})" if manual else block["title"].strip()
    lines_above = source.text.count("\n", 0, block.start("title"))
    source.apply([(0, block.end(), "\n" * lines_above + f"# {title}")])


def _hidden_divs(text: str) -> Iterator[Edit]:
    starts = [0, *(newline.end() for newline in re.finditer("\n", text)), len(text) + 1]
    pairs, unclosed = matching_fences(text)
    for first, last in (*pairs.items(), *((line, len(starts) - 2) for line, _ in unclosed)):
        div = _DIV.match(text, starts[first], starts[first + 1])
        if (div and _is_hidden(div)) or _ENCRYPTED.match(text, starts[first], starts[first + 1]):
            yield starts[first], starts[last + 1] - 1, ""


def _is_hidden(div: re.Match[str]) -> bool:
    """Return whether HTML has no such div or span. A condition that is no format, as a profile, is in doubt: so it hides."""
    condition = _CONDITION.search(div["rest"])
    if condition is None:
        return div["name"] != "content-visible"
    applies = condition["value"].startswith("html") == (condition["when"] == "when")
    return condition["what"] != "format" or applies != (div["name"] == "content-visible")


def _cells(text: str) -> Iterator[Edit]:
    for start, end in fences(text):
        cell = _CELL.match(text, start, end)
        if cell and (_UNSHOWN.search(cell["options"]) or _UNSHOWN.search(cell["lines"])):
            yield start, end, ""
        elif cell and cell["lines"]:
            yield start, cell.end(), "\n" * cell["lines"].count("\n") + cell["opener"]
