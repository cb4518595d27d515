"""Names of signs between colons: `:tada:` becomes its emoji, and an icon of a theme, `:material-home:`, is not shown."""

from __future__ import annotations

import re

from rich.emoji import Emoji

from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_NAMES = re.compile(r"(?<![\w/:.])(?::[a-z0-9_+-]+:)++(?![\w:/])(?P<icon>(?:\{[^{}\n]*\})?[ \t]?)")
_NAME = re.compile(r":[a-z0-9_+-]+:")
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple|lucide)-[a-z0-9-]+:")
# In a table, these two are all that a cell says.
_ANSWERS = re.compile(r":(?:material|octicons|lucide)-(?:(?P<yes>check)|x|close)(?:-(?:all|bold|thick|circle|16|24))*:")


def emoji(source: MarkdownSource) -> None:
    """Replace the names outside of code and mathematics; an unknown name is text."""
    if ":" in source:
        source.apply(_edit(names) for names in _NAMES.finditer(source.text) if not source.in_tex(names.start()))


def _edit(names: re.Match[str]) -> Edit:
    shown = "".join(_shown(name) for name in _NAME.findall(names.group()[: names.start("icon") - names.start()]))
    # The attributes and the blank after an icon are removed with it.
    return names.start(), names.end() if not shown else names.start("icon"), shown


def _shown(name: str) -> str:
    if answer := _ANSWERS.fullmatch(name):
        return "✔" if answer["yes"] else "✘"
    return "" if _ICON.fullmatch(name) else Emoji.replace(name)
