"""Links of ExDoc and quartodoc to objects of a program, with code as their address: `` [words](`Enum.map/2`) ``."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import MarkdownSource

# A backtick cannot be in an address. Without words, the name is shown; after `~`, only its last part.
_LINK = re.compile(
    r"(?<!!)\[(?P<words>(?:`[^`\n]+`|[^\[\]`\n]|\n(?![ \t]*\n))*)\]"
    r"\(`(?:~(?:\w+\.)*+(?=\w))?(?P<name>[^`~\s][^`\s]*)`\)"
)


def objects(source: MarkdownSource) -> None:
    """Keep the words of such a link, or the name of its object: a program makes the page of an object."""
    if "](`" in source:
        links = (match for match in _LINK.finditer(source.text) if not source.in_code(match.start()))
        source.apply((link.start(), link.end(), link["words"] or f"`{link['name']}`") for link in links)
