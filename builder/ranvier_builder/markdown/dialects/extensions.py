"""Extensions of Python-Markdown, each only where the settings of the site turn it on: `H~2~O`, `A^T^`, classes of buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.subscript import sub_plugin
from mdit_py_plugins.superscript import superscript_plugin

EXTENSIONS = "extensions"  # key in the environment: the names of the extensions that are on
ATTRIBUTES = "attr_list"
MDX = "mdx"  # all pages are MDX
MYST = "myst"  # all pages are of MyST
AUTOREFS = "autorefs"  # a plugin: `[a][b]` is a reference to a heading
ARITHMATEX, CARET, KEYS, TILDE = (f"pymdownx.{name}" for name in ("arithmatex", "caret", "keys", "tilde"))
# All that are read, each with the option that turns off the part that is read.
OPTIONS = {ARITHMATEX: "", ATTRIBUTES: "", CARET: "superscript", KEYS: "", TILDE: "subscript"}
# The plugins read no markup inside, so text with signs of markup stays as it is.
_PLAIN = re.compile(r"([~^])[^\s~^\\`*\[\]<>&${}]+\1")
_ADDRESS = re.compile(r"://\S*\Z")
_MAX_ADDRESS = 200  # characters that are searched for its begin


def plugin(md: MarkdownIt) -> None:
    """Add the rules."""
    md.use(sub_plugin).use(superscript_plugin).use(attrs_plugin, after=("link_close",), allowed=("class",))
    rules = {rule.name: rule.fn for rule in md.inline.ruler.__rules__}
    for name, extension in (("sub", TILDE), ("sup", CARET)):
        md.inline.ruler.at(name, partial(_if_plain, extension, rules[name]))
    md.inline.ruler.at("attr", partial(_if_on, ATTRIBUTES, rules["attr"]))


def is_on(extension: str, env: Any) -> bool:
    """Return whether an extension is on in an environment."""
    return extension in env.get(EXTENSIONS, ())


def _if_on(extension: str, rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    return is_on(extension, state.env) and rule(state, silent)


def _if_plain(extension: str, rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    if not (is_on(extension, state.env) and _PLAIN.match(state.src, state.pos, state.posMax)):
        return False
    return not _ADDRESS.search(state.src, max(0, state.pos - _MAX_ADDRESS), state.pos) and rule(state, silent)
