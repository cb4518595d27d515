"""What the settings of a site add to Markdown: extensions of Python-Markdown, variables of a plugin, and addresses of links."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of the pages in a folder: names of extensions, values of variables, and definitions of links by name.

    `snippets` are folders of included files, in the order of the settings. The rest is sorted: the `repr` of a
    config is a key of the build cache.
    """

    folder: str = ""  # a path in the content; "." for all of it
    extensions: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    definitions: tuple[tuple[str, str], ...] = ()
    snippets: tuple[str, ...] = ()
    substitutions: tuple[tuple[str, str], ...] = ()  # of MyST: variables that are not replaced in code

    def of(self, path: str) -> Syntax:
        """Return the syntax that a page has."""
        return self if self.folder == "." or path.startswith(f"{self.folder}/") else NO_SYNTAX

    def definitions_for(self, text: str) -> str:
        """Return the definitions of the links that a text names, to be added below it."""
        folded = text.casefold()
        lines = [line for name, line in self.definitions if f"[{name}]" in folded]
        return "\n".join(("\n", *lines)) if lines else ""


NO_SYNTAX = Syntax()
