"""Patterns in the syntax of `.gitignore` → the files that `exclude_docs` and `draft_docs` of MkDocs keep out of a site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_STARS = re.compile(r"\*+")
_MAX_ANY_FOLDERS = 3  # `**` in a pattern: with more, a comparison takes long


def patterns(texts: Iterable[object], folder: str) -> tuple[tuple[str, bool], ...]:
    """Return regular expressions for paths of a content folder, and whether each excludes; `folder` is that of the pages."""
    lines = (line.strip() for text in texts if isinstance(text, str) for line in text.splitlines())
    return tuple(_patterns(lines, "" if folder == "." else f"{re.escape(folder)}/"))


def is_ignored(path: str, rules: Sequence[tuple[str, bool]]) -> bool:
    """Return whether the last pattern that matches a path, or a folder of it, excludes it."""
    return next((excludes for pattern, excludes in reversed(rules) if re.match(pattern, path)), False)


def _patterns(lines: Iterable[str], prefix: str) -> Iterator[tuple[str, bool]]:
    for line in lines:
        glob = line.removeprefix("!")
        names = glob.strip("/").split("/")
        if not any(names) or glob.startswith("#") or glob.count("**") > _MAX_ANY_FOLDERS:
            continue
        if "/" not in glob.rstrip("/"):  # in any folder
            names = ["**", *names]
        *folders, name = names
        above = "".join("(?:[^/]+/)*" if folder == "**" else f"{_expression(folder)}/" for folder in folders)
        end = "/" if glob.endswith("/") else r"(?:/|\Z)"
        yield f"{prefix}{above}{'.+' if name == '**' else _expression(name)}{end}", not line.startswith("!")


def _expression(name: str) -> str:
    """Translate a name. Each part between two stars matches where it occurs first, so that the time is linear."""
    first, *parts = (re.escape(part).replace(r"\?", "[^/]") for part in _STARS.split(name.replace("\\", "")))
    if not parts:
        return first
    return f"{first}{''.join(f'(?>[^/]*?{part})' for part in parts[:-1])}[^/]*{parts[-1]}"
