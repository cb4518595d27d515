"""Query variants (Q7, [004]). They widen recall; ranking uses the words of the original query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from ranvier import text

MAX_VARIANTS = 3
MIN_TERM = 2  # characters
CACHE_SIZE = 100  # queries
_UNITS = re.compile(r'(?:[^\s"]|"[^"]*"?)+')  # a phrase in quotes is one unit


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """The contract of [004]: `queries` has the original query first, then its variants."""

    queries: tuple[str, ...]
    salient_terms: tuple[str, ...]
    expanded_queries: tuple[str, ...]


class Expander(Protocol):
    """A source of query variants: a table of synonyms, or a language model on a server."""

    def variants(self, query: str) -> Sequence[str]:
        """Return variants. An exception means that there are none."""


class Synonyms:
    """An expander with the site's synonyms: `k8s` → `kubernetes`. Words are compared folded."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self._table = {" ".join(text.terms(word)): tuple(others) for word, others in table.items()}
        self._longest = max((key.count(" ") + 1 for key in self._table), default=0)

    def variants(self, query: str) -> Sequence[str]:
        """Replace all words outside of quotes by their first synonyms, then each by each of its synonyms."""
        words = _UNITS.findall(query)
        every, at, variants = list[str](), 0, list[str]()
        for start in range(len(words)):
            for end in range(start + 1, min(start + self._longest, len(words)) + 1):
                replaced = " ".join(words[start:end])
                key = "" if '"' in replaced else " ".join(text.terms(replaced))
                others = self._table.get(key, ())
                variants += [" ".join((*words[:start], other, *words[end:])) for other in others]
                if others and start >= at:
                    every += (*words[at:start], others[0])
                    at = end
        return (*dict.fromkeys([" ".join((*every, *words[at:])), *variants]),) if variants else ()


class Expansion:
    """Calls an expander, validates its variants, and caches them for the last hundred queries."""

    def __init__(self, expander: Expander | None = None) -> None:
        # `strip` fails here if a variant is no text
        self._variants = lru_cache(CACHE_SIZE)(lambda query: (*map(str.strip, expander.variants(query)),)) if expander else None

    def expand(self, query: str, limit: int = MAX_VARIANTS) -> ExpandedQuery:
        """Return a query with its variants. If the expander fails, there are none, and the next search calls it again."""
        try:
            variants = self._variants(query) if self._variants and limit and query.strip() else ()
        except Exception:  # an expander may be a remote service; its errors never fail a search ([004])
            variants = ()
        return expanded(query, variants, min(limit, MAX_VARIANTS))


def expanded(query: str, variants: Sequence[str], limit: int = MAX_VARIANTS) -> ExpandedQuery:
    """Apply the contract: at most `limit` variants, without the query itself and without duplicates."""
    original = query.strip().casefold()
    unique: dict[str, str] = {}
    for variant in variants:
        text = variant.strip()
        if text and text.casefold() != original:
            unique.setdefault(text.casefold(), text)
    expansions = tuple(unique.values())[:limit]
    return ExpandedQuery((query, *expansions), salient_terms(query), expansions)


def salient_terms(query: str) -> tuple[str, ...]:
    """Return the content words of the query in lower case, without duplicates; `#tags` stay whole ([004])."""
    words = [word.strip(".,;:!?\"'()[]{}…").casefold() for word in query.split()]
    return tuple(dict.fromkeys(word for word in words if len(word) >= MIN_TERM and not text.is_stop(word)))
