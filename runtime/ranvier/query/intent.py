"""The intent of a query, keyword or semantic, by rules that read no files (Q2, [001])."""

from __future__ import annotations

import re
from typing import NamedTuple

from ranvier.query.syntax import COLUMNS, EXCLUDABLE
from ranvier.types import IntentKind

KEYWORD: IntentKind = "keyword"
SEMANTIC: IntentKind = "semantic"

_QUOTED = re.compile(r"""(?:".*"|'.*')""", re.DOTALL)
_OPERATOR = re.compile(r"(?<!\S)\(*(?:AND|OR|NOT|NEAR)(?=[\s()]|$)")
_JOINS = re.compile(rf"(?<!\S)(?:\(*(?:OR|NOT|NEAR)(?=[\s()]|$)|-{EXCLUDABLE})")
_NAMED = re.compile(rf"""(?<!\S)[-(]*(?:"[^"\s]+\s[^"]+"|(?:{"|".join(COLUMNS)}):\S)""")  # a phrase, a word of a column
_DATE = re.compile(r"(?<!\d)\d{4}[-/]\d{2}[-/]\d{2}(?!\d)")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_SHORT_QUERY = 2  # words


class Intent(NamedTuple):
    """The kind, and the rule that decided it."""

    kind: IntentKind
    rule: str


def classify(query: str, *, tolerant: bool = True) -> Intent:
    """Classify a query as keyword or semantic.

    `tolerant`: ignore AND between words, and operators in a query that is all in capitals: neither shows that the user writes
    search syntax; phrases and names of columns do. Otherwise "Pros AND Cons" is a keyword query, a known limitation of [001].
    """
    bare = query.strip()
    if not bare:
        return Intent(KEYWORD, "empty")
    if len(bare) > 1 and _QUOTED.fullmatch(bare):
        return Intent(KEYWORD, "quoted")
    if (_JOINS.search(bare) and bare != bare.upper()) if tolerant else _OPERATOR.search(bare):
        return Intent(KEYWORD, "operator")
    if tolerant and _NAMED.search(bare):
        return Intent(KEYWORD, "quoted")
    if _DATE.search(bare):
        return Intent(KEYWORD, "date")
    if _SLUG.fullmatch(bare):
        return Intent(KEYWORD, "slug")
    return Intent(KEYWORD, "short") if len(bare.split()) <= _SHORT_QUERY else Intent(SEMANTIC, "sentence")
