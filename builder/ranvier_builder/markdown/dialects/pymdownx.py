"""Inline syntax of pymdownx: keys, `++ctrl+c++`, languages of inline code, `^[links](a.md)^`, and abbreviations."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from ranvier_builder.markdown.dialects import extensions
from ranvier_builder.markdown.dialects.inline import parse_part
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.lexers import lexer_of

_ABBREVIATION = re.compile(r"^ {0,3}\*\[[^\[\]\n]+\]:[^\n*]*$", re.MULTILINE)
_LANGUAGE = re.compile(r"#!(?P<name>[A-Za-z][\w+#.-]*)[ \t]+(?=\S)")
_LINK = re.compile(r"\^(?P<link>\[[^\[\]\n]+\]\([^()\s]+\))\^")
_KEYS = re.compile(r"""\+\+(?P<keys>(?:[a-z0-9-]+|"[^"\n]+")(?:\+(?:[a-z0-9-]+|"[^"\n]+"))*)\+\+(?![\w+])""", re.IGNORECASE)
_KEY = re.compile(r"""[^"+]+|"[^"]+\"""")
_NAMED_KEYS = frozenset(
    """alt alt-graph backspace backtab break cmd command context-menu control ctrl del delete down end enter esc escape fn home
    ins insert left menu meta option pause pg-dn pg-up return right shift space spacebar super tab up win windows""".split()
)
_PATTERN_OF_NAMES = re.compile(
    r"f(?:[1-9]|1\d|2[0-4])|(?:caps|num|scroll)-lock|page-(?:up|down)|arrow-(?:up|down|left|right)|print-screen"
    r"|(?:left|right)-(?:alt|command|control|meta|option|shift|super|windows)|(?:left|middle|right)-button"
)
_SIGNS = frozenset(
    """backslash bar brace-left brace-right bracket-left bracket-right colon comma double-quote equal exclam grave greater less
    minus period plus question semicolon single-quote slash tilde underscore""".split()
)


def abbreviations(source: MarkdownSource) -> None:
    """Remove definitions of abbreviations, `*[HTML]: Hyper Text Markup Language`."""
    if "*[" in source:
        source.drop(_ABBREVIATION)


def plugin(md: MarkdownIt) -> None:
    """Add the rules."""
    md.inline.ruler.before("emphasis", "superscript_link", _superscript_link)
    md.inline.ruler.before("emphasis", "keys", _keys)
    md.core.ruler.after("inline", "code_languages", _code_languages)


def _superscript_link(state: StateInline, silent: bool) -> bool:
    match = _LINK.match(state.src, state.pos, state.posMax) if state.src.startswith("^[", state.pos) else None
    if match is None:
        return False
    if not silent:
        state.push("sup_open", "sup", 1)
        parse_part(state, match.span("link"))
        state.push("sup_close", "sup", -1)
    state.pos = match.end()
    return True


def _keys(state: StateInline, silent: bool) -> bool:
    """Show keys. Unless the extension is on, one must have a name: `++x++` is an expression of a programming language."""
    match = _KEYS.match(state.src, state.pos, state.posMax) if state.src.startswith("++", state.pos) else None
    if match is None:
        return False
    is_on = extensions.is_on(extensions.KEYS, state.env)
    before = state.src[state.pos - 1] if state.pos else " "
    if before == "{" or not (is_on or before in " \t\n([*_|>/,"):  # `{++words++}` is an insertion of pymdownx.critic
        return False
    keys = _KEY.findall(match["keys"])
    if not is_on and not (any(map(_is_named, keys)) and all(_is_named(key) or _is_sign(key) for key in keys)):
        return False
    for number, key in enumerate(keys if not silent else ()):
        if number:
            state.push("text", "", 0).content = "+"
        state.push("kbd_open", "kbd", 1)
        state.push("text", "", 0).content = key[1:-1] if key[0] == '"' else key.replace("-", " ").title()
        state.push("kbd_close", "kbd", -1)
    state.pos = match.end()
    return True


def _is_named(key: str) -> bool:
    return key.lower() in _NAMED_KEYS or _PATTERN_OF_NAMES.fullmatch(key.lower()) is not None


def _is_sign(key: str) -> bool:
    return len(key) == 1 or key[0] == '"' or key.lower() in _SIGNS


def _code_languages(state: StateCore) -> None:
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "code_inline" and (language := _LANGUAGE.match(child.content)) and lexer_of(language["name"]):
                child.content = child.content[language.end() :]
