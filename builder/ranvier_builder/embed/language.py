"""Tells whether a chunk is in a language that the model supports, from its page's language and its script."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from ranvier.text.scripts import LANGUAGES

_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


def readable(langs: Collection[str], lang: str, text: str) -> bool:
    """Tell whether a model supports the language of a text.

    A page without a language gets the site's language, even if it is Japanese. So a text is not supported if most of its
    letters are of a foreign script. The majority decides, because code in such pages is Latin. The languages are
    primary ones; without `langs`, the model supports any.
    """
    if not langs:
        return True
    if lang not in langs:
        return False
    if text.isascii():
        return True
    foreign = _foreign(frozenset(langs))
    return len(foreign.findall(text)) <= len(_LATIN.findall(text))


@lru_cache(maxsize=8)
def _foreign(langs: frozenset[str]) -> re.Pattern[str]:
    """Match a character of any script that is not used by these languages."""
    return re.compile("|".join(f"[{characters}]" for characters, codes in LANGUAGES if not langs.intersection(codes)))
