"""Is a chunk in a language that the model reads? What its page says, and the script that it is written in."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from ranvier.text.scripts import LANGUAGES

_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


def readable(langs: Collection[str], lang: str, text: str) -> bool:
    """Tell whether a model reads a text.

    Pages in Japanese that say nothing of it are taken to be in the site's language: where most letters are of another script,
    that is not so. Code among them is Latin, so a majority decides.

    Args:
        langs: primary languages that the model reads; empty: any.
        lang: the primary language that the page is said to be in.
        text: the chunk's own.

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
    """Match a character of any script that none of some languages is written in."""
    return re.compile("|".join(f"[{characters}]" for characters, codes in LANGUAGES if not langs.intersection(codes)))
