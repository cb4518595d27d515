"""The kinds of callouts, with their names in other systems, and the Markdown of a container."""

from __future__ import annotations

import re

# Each kind, which sets colour and class, and its names.
_KINDS = {
    "note": "note info information abstract summary tldr todo seealso remark hinweis remarque",
    "tip": "tip hint success check done best-practice",
    "warning": "warning caution attention warn question help faq",
    "danger": "danger error bug failure fail missing critical alert",
    "important": "important",
    "quote": "quote cite",
    "example": "example",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
NAMES = frozenset(_KIND_OF)
FOLDED = frozenset("details collapse expand spoiler accordion accordion-item collapsible expandable toggle dropdown".split())
TABS = frozenset({"tab", "tabitem", "tab-item", "tabs-item", "codegroupitem", "code-group-item"})
TAB_GROUPS = frozenset({"tabs", "synctabs", "codegroup", "code-group", "codetabs"})  # containers of tabs
STEPS = frozenset({"step"})


def css_class(name: str) -> str:
    """Return the CSS class of a callout by its name: `hint` → `callout callout-tip`."""
    return f"callout callout-{_KIND_OF.get(name.lower(), 'note')}"


def title_of(name: str) -> str:
    """Return the default title of a callout: `best-practice` → `Best practice`."""
    return re.sub(r"[-_]+", " ", name).strip().capitalize()


def opening(name: str, title: str = "") -> str:
    """Return the line that opens a container; `containers` parses it."""
    return f"::: {name.lower()} {' '.join(title.split())}".rstrip()


CLOSING = ":::"
