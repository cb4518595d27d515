"""Names of signs between colons: `:tada:` becomes its emoji, and an icon of a theme, `:material-home:`, is not shown."""

from __future__ import annotations

import re

from rich.emoji import Emoji

from ranvier_builder.markdown.dialects.attributes import LIST
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

# Addresses and names of files, which stay as they are: tags, autolinks, targets of links, wikilinks, link definitions.
_TARGET = r"<[^<>\n]*>|\]\([^()\n]*\)|\[\[[^\[\]\n]*\]\]|^[ \t]*\[[^\[\]\n]+\]:[^\n]*"
_NAMES = re.compile(
    rf"{_TARGET}|(?<![\w/:.\\])(?P<names>(?::[a-z0-9_+-]+:)++)(?![\w:/])(?P<attributes>(?:\{{[^{{}}\n]*\}})?)[ \t]?",
    re.MULTILINE,
)
_HEADING = re.compile(r" {0,3}#{2,6}[ \t]")
_NAME = re.compile(r":[a-z0-9_+-]+:")
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple|lucide)-[a-z0-9-]+:")
# In a table, these two are all that a cell says.
_ANSWERS = re.compile(r":(?:material|octicons|lucide)-(?:(?P<yes>check)|x|close)(?:-(?:all|bold|thick|circle|16|24))*:")


def emoji(source: MarkdownSource) -> None:
    """Replace the names outside of code, mathematics and addresses; an unknown name is text.

    In headings below the title only icons are removed: an emoji's name is a part of the anchor, as on GitHub.
    """
    if ":" in source:
        source.apply(_edit(source.text, match) for match in source.matches(_NAMES, tex=True) if match["names"])


def _edit(text: str, match: re.Match[str]) -> Edit:
    in_heading = _HEADING.match(text, text.rfind("\n", 0, match.start()) + 1) is not None
    replacement = "".join(_shown(name, in_heading) for name in _NAME.findall(match["names"]))
    if not replacement:  # the blank after an icon is removed with it
        return match.start(), match.end(), ""
    is_sign = replacement != match["names"] and re.fullmatch(LIST, match["attributes"])
    return match.start(), match.end("attributes" if is_sign else "names"), replacement


def _shown(name: str, in_heading: bool) -> str:
    if answer := _ANSWERS.fullmatch(name):
        return "✔" if answer["yes"] else "✘"
    return "" if _ICON.fullmatch(name) else name if in_heading else Emoji.replace(name)
