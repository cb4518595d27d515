"""The title block of Pandoc and go-md2man at the start of a page: `% name 1`, and lines of authors and a date with `%`."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import MarkdownSource

_BLOCK = re.compile(
    r"\A\s*^%[ \t]+(?P<title>[^\s%][^\n]*)(?P<more>(?:\n%(?!%)[^\n]*){0,2})(?=\n[ \t]*(?:\n|\Z)|\Z)", re.MULTILINE
)
_MANUAL = re.compile(r'"?(?P<name>[\w.\\-]+)"?(?: |\()(?P<section>[1-9][a-z]*)\)?(?=\s|\Z)')  # `podman-run 1`, `podman-run(1)`


def pandoc(source: MarkdownSource) -> None:
    """Replace a title block by a heading, `name(section)` for a manual page. Another single line is a comment of MyST."""
    block = _BLOCK.match(source.text)
    manual = _MANUAL.match(block["title"]) if block else None
    if block is None or not (manual or block["more"]):
        return
    title = f"{manual['name']}({manual['section']})" if manual else block["title"].strip()
    lines_above = source.text.count("\n", 0, block.start("title"))
    source.apply([(0, block.end(), "\n" * lines_above + f"# {title}")])
