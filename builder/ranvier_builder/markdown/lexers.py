"""The highlighters of Pygments by the names that authors write."""

from __future__ import annotations

from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

# Endings of files that Pygments knows, and that authors write as names, as GitHub reads them.
_ENDINGS = {"mjs": "js", "cjs": "js", "mts": "ts", "cts": "ts"}


@lru_cache(maxsize=256)  # an unknown name is searched in all plug-ins, and authors repeat the same names
def lexer_of(language: str) -> type[Lexer] | None:
    """Return the lexer of a language; `None` if there is none."""
    try:
        return find_lexer_class_by_name(_ENDINGS.get(language, language))
    except ClassNotFound:
        return None
