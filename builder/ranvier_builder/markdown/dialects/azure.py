"""Azure DevOps and GitLab: diagrams between colons are code; results of queries and ids of persons are not known here."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import MarkdownSource

_DIAGRAM = re.compile(
    r"^(?P<indent>[ \t]*):::[ \t]*mermaid[ \t]*\n(?P<lines>(?:(?![ \t]*(?::::|```|~~~))[^\n]*\n)*+)[ \t]*:::[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_UNKNOWN = re.compile(
    rf"^[ \t]*:::[ \t]*query-table[ \t]+{_ID}[ \t]*\n[ \t]*:::[ \t]*$|[ \t]?@<{_ID}>", re.MULTILINE | re.IGNORECASE
)
_QUOTE = re.compile(r"^>>>[ \t]*\n(?P<lines>(?:(?!>>>[ \t]*$)[^\n]*\n)*+)>>>[ \t]*$", re.MULTILINE)  # of GitLab


def azure(source: MarkdownSource) -> None:
    """Make fences of code of the diagrams, and remove what has no words. Nothing in a diagram is a comment."""
    if ":::" in source:
        source.replace_blocks(_DIAGRAM, _fence)
    source.drop(_UNKNOWN)
    if ">>>" in source:
        source.replace_blocks(_QUOTE, lambda match: re.sub(r"^", "> ", f"\n{match['lines']}", flags=re.MULTILINE))


def _fence(match: re.Match[str]) -> str:
    """Return a diagram as code; a line with a smaller indent would end a list item, and the code in it."""
    indent = match["indent"]
    lines = re.sub(rf"^(?!{indent})[ \t]*(?=\S)", indent, match["lines"], flags=re.MULTILINE)
    return f"{indent}```mermaid\n{lines}{indent}```"
