"""Excalidraw drawings stored as Markdown: their words are kept, their data are removed."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import MarkdownSource

_DATA = re.compile(r"^(?:%%[ \t]*\n)?#{1,2} (?:Excalidraw Data|Text Elements|Drawing)[ \t]*$", re.MULTILINE)
_TEXTS = re.compile(r"^#{1,2} Text Elements[ \t]*$", re.MULTILINE)
_END = re.compile(r"^(?:#{1,2} (?:Drawing|Embedded Files|Element Links)[ \t]*|%%.*)$", re.MULTILINE)
_ID = re.compile(r"[ \t]\^\w+[ \t]*$", re.MULTILINE)
_NOTICE = re.compile(r"^==.*EXCALIDRAW VIEW.*==.*$", re.MULTILINE)


def is_drawing(path: str, fields: dict[str, object]) -> bool:
    """Return whether a file is a drawing, by its name or its frontmatter."""
    return path.lower().endswith(".excalidraw.md") or "excalidraw-plugin" in fields


def excalidraw(source: MarkdownSource) -> None:
    """Keep the notes beside a drawing, and the texts in it."""
    data = _DATA.search(source.text)
    if data is not None:
        texts = _TEXTS.search(source.text, data.start())
        end = _END.search(source.text, texts.end()) if texts else None
        stop = end.start() if end else len(source.text)
        words = source.text[texts.end() : stop] if texts else ""
        first = texts.end() if texts else data.start()
        source.apply([(data.start(), first, ""), (first, stop, _ID.sub("", words)), (stop, len(source.text), "")])
    source.apply((notice.start(), notice.end(), "") for notice in _NOTICE.finditer(source.text))
