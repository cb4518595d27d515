"""Syntax that is no Markdown until the settings of a site turn it on: extensions of Python-Markdown, variables of a plugin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of the pages in a folder: names of extensions, and values of variables.

    All are sorted: the `repr` of a config is a key of the build cache.
    """

    folder: str = ""  # a path in the content; "." for all of it
    extensions: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    def of(self, path: str) -> Syntax:
        """Return the syntax that a page has."""
        return self if self.folder == "." or path.startswith(f"{self.folder}/") else NO_SYNTAX


NO_SYNTAX = Syntax()
