"""What kinds of callouts there are, by all the names that other systems give them, and the Markdown that stands for one."""

from __future__ import annotations

import re

# Each name that is met, and the kind whose colour and class it takes.
_KINDS = {
    "note": "note info information abstract summary tldr todo seealso remark hinweis remarque",
    "tip": "tip hint success check done best-practice",
    "warning": "warning caution attention warn question help faq",
    "danger": "danger error bug failure fail missing critical alert",
    "important": "important",
    "quote": "quote cite",
    "example": "example",
}
_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
NAMES = frozenset(_OF)
FOLDED = frozenset({"details", "collapse", "expand", "spoiler", "accordion", "toggle"})
TABS = frozenset({"tab", "tabitem", "tab-item", "tabs-item"})
TAB_GROUPS = frozenset({"tabs", "synctabs", "codegroup", "code-group", "codetabs"})  # what stands around them
STEPS = frozenset({"step"})


def css_class(name: str) -> str:
    """Say the class of a callout by what its author called it: `hint` → `callout callout-tip`."""
    return f"callout callout-{_OF.get(name.lower(), 'note')}"


def title_of(name: str) -> str:
    """Say the title of a callout that has none: `best-practice` → `Best practice`."""
    return re.sub(r"[-_]+", " ", name).strip().capitalize()


def opened(name: str, title: str = "") -> str:
    """Write the line that opens a container; `containers` reads it."""
    return f"::: {name.lower()} {' '.join(title.split())}".rstrip()


CLOSED = ":::"
