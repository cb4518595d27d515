"""Variables of mkdocs-macros: `{{ name }}` becomes its value in the settings. Nothing is run: other expressions are text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ranvier_builder.markdown.dialects.source import MarkdownSource

_VARIABLE = re.compile(
    r"\{%-?\s*raw\s*-?%\}.*?(?:\{%-?\s*endraw|\Z)"
    r"|(?<!\{)\{\{-?[ \t]*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)[ \t]*-?\}\}(?!\})",
    re.DOTALL,
)


def macros(source: MarkdownSource, variables: Mapping[str, str]) -> None:
    """Replace the names of variables, in code too: the plugin works before Markdown is parsed."""
    if variables and "{{" in source:
        names = (match for match in _VARIABLE.finditer(source.text) if match["name"] in variables)
        source.apply((*match.span(), variables[match["name"]]) for match in names)
