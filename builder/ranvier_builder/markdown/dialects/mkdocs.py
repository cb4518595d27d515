"""Syntax of mkdocs plugins: included files, variables, and mkdocstrings' `::: package.name`, whose name stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

# Includes of other plugins, and the lines around a part of a file that other pages include.
_INCLUDE = re.compile(r"\{\*[^{}\n]*\*\}|\{![^{}\n]*!\}|^[ \t]*-+8<-+[ \t]+\[[^\]\n]*\][ \t]*$", re.MULTILINE)
_OBJECT = re.compile(
    r"^[ \t]*(?P<heading>#{1,6}[ \t]+)?(?P<mark>:::[ \t]+)(?P<name>[A-Za-z_]\w*(?:\.\w+)+|[a-z_][\w-]*)[ \t]*$", re.MULTILINE
)

_OPTIONS = re.compile(r"(?:\n(?: {4}|\t)[^\n]*)*")
_COMMAND_OPTION = re.compile(r"\n[ \t]+:\w+:")
_VARIABLE = re.compile(
    r"\{%-?\s*raw\s*-?%\}.*?(?:\{%-?\s*endraw|\Z)"
    r"|(?<!\{)\{\{-?[ \t]*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)[ \t]*-?\}\}(?!\})",
    re.DOTALL,
)
_MAX_SIZE = 200_000  # characters of all values on a page: a page of short names would become a hundred times as long


def substitutions(source: MarkdownSource, values: Mapping[str, str]) -> None:
    """Replace the names of MyST's substitutions by their values, outside of code."""
    if values and "{{" in source:
        source.replace(_VARIABLE, _value_of(values), tex=True)


def macros(source: MarkdownSource, variables: Mapping[str, str]) -> None:
    """Replace the names of mkdocs-macros' variables by their values, in code too: the plugin works before Markdown is parsed.

    Nothing is run: `{{ name }}` is a name in the settings, and other expressions are text.
    """
    if variables and "{{" in source:
        names = (match for match in _VARIABLE.finditer(source.text) if match["name"] in variables)
        value = _value_of(variables)
        source.apply((*match.span(), value(match)) for match in names)


def _value_of(values: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    """Return a function that returns the value of a name, or the name if it has none, or the page has too many."""
    size = 0

    def value_of(match: re.Match[str]) -> str:
        nonlocal size
        size += len(values.get(match["name"], ""))
        return values.get(match["name"], match.group()) if size <= _MAX_SIZE else match.group()

    return value_of


def mkdocs(source: MarkdownSource) -> None:
    """Remove includes; keep the name of a documented object as code, and remove its options."""
    if any(mark in source for mark in ("*}", "!}", "-8<-")):
        source.drop(_INCLUDE)
    if ":::" in source:
        source.apply(edit for match in source.matches(_OBJECT) if (edit := _object(source, match)) is not None)


def _object(source: MarkdownSource, match: re.Match[str]) -> Edit | None:
    """`::: note` opens a container. A name in a heading, with dots or with indented options is the name of an object."""
    options = _OPTIONS.match(source.text, match.end())
    end = options.end() if options else match.end()
    if end == match.end() and "." not in match["name"] and not match["heading"]:
        return None
    is_generated = _COMMAND_OPTION.match(source.text, match.end())  # mkdocs-click: the text is made by a program
    return match.start("mark"), end, "" if is_generated else f"`{match['name']}`"
