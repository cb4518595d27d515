"""The intent of a query, keyword or semantic, by rules that read no files (Q2, [001])."""

from __future__ import annotations

import re

from ranvier.query.syntax import COLUMNS, EXCLUDABLE
from ranvier.types import IntentKind

KEYWORD: IntentKind = "keyword"
SEMANTIC: IntentKind = "semantic"

_QUOTED = re.compile(r"""(?:".*"|'.*')""", re.DOTALL)
_OPERATOR = re.compile(r"(?<!\S)\(*(?:AND|OR|NOT|NEAR)(?=[\s()]|$)")
_JOINS = re.compile(rf"(?<!\S)(?:\(*(?:OR|NOT|NEAR)(?=[\s()]|$)|-{EXCLUDABLE})")
_NAMED = re.compile(rf"""(?<!\S)[-(]*(?:"[^"\s]+\s[^"]+"|(?:{"|".join(COLUMNS)}):\S)""")  # a phrase, a word of a column
_DATE = re.compile(r"(?<!\d)\d{4}[-/]\d{2}[-/]\d{2}(?!\d)")
_SHORT_QUERY = 2  # words; a slug is one


def classify(query: str, *, tolerant: bool = True) -> IntentKind:
    """Classify a query as keyword or semantic.

    `tolerant`: ignore AND between words, and operators in a query that is all in capitals: neither shows that the user writes
    search syntax; phrases and names of columns do. Otherwise "Pros AND Cons" is a keyword query, a known limitation of [001].
    """
    bare = query.strip()
    has_operator = (_JOINS.search(bare) and bare != bare.upper()) or _NAMED.search(bare) if tolerant else _OPERATOR.search(bare)
    is_short = len(bare.split()) <= _SHORT_QUERY
    return KEYWORD if is_short or has_operator or _QUOTED.fullmatch(bare) or _DATE.search(bare) else SEMANTIC
