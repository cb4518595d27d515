"""Other ways to say a query (Q7, [004]): they widen what is recalled; what is ranked by are the query's own words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ranvier import text

MAX_VARIANTS = 3
MIN_TERM = 2  # characters
CACHE_SIZE = 100  # queries


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """The contract of [004]: `queries` is the original one and then its variants."""

    queries: tuple[str, ...]
    salient_terms: tuple[str, ...]
    original_query: str
    expanded_queries: tuple[str, ...]


class Expander(Protocol):
    """Finds other words for a query: a list of synonyms, or on a server a language model."""

    def variants(self, query: str) -> Sequence[str]:
        """Return other ways to say it; whatever is raised means: none."""


class Synonyms:
    """An expander by a site's own table: `k8s` → `kubernetes`. Words are compared folded."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self._table = {" ".join(text.terms(word)): tuple(others) for word, others in table.items()}
        self._longest = max((key.count(" ") + 1 for key in self._table), default=0)

    def variants(self, query: str) -> Sequence[str]:
        """Put each synonym in the place of what it stands for."""
        words = query.split()
        phrases = []
        for start in range(len(words)):
            for end in range(start + 1, min(start + self._longest, len(words)) + 1):
                key = " ".join(text.terms(" ".join(words[start:end])))
                phrases += [" ".join((*words[:start], other, *words[end:])) for other in self._table.get(key, ())]
        return phrases


class Expansion:
    """Asks an expander, checks what it says, and remembers it for the last hundred queries."""

    def __init__(self, expander: Expander | None = None, max_variants: int = MAX_VARIANTS) -> None:
        self._expander = expander
        self._max = max_variants
        self._cache: OrderedDict[str, ExpandedQuery] = OrderedDict()

    def expand(self, query: str) -> ExpandedQuery:
        """Return a query with its variants; where the expander fails, its own terms alone, and it is asked again next time."""
        cached = self._cache.get(query)
        if cached is not None:
            self._cache.move_to_end(query)
            return cached
        try:
            variants = list(self._expander.variants(query)) if self._expander and query.strip() else []
        except Exception:  # an expander may be anything, a service included: a search never fails for it ([004])
            return expanded(query, ())
        expansion = self._cache[query] = expanded(query, variants, self._max)
        if len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        return expansion


def expanded(query: str, variants: Sequence[str], most: int = MAX_VARIANTS) -> ExpandedQuery:
    """Put the contract together: at most so many variants, none of them the query itself, none twice."""
    own = query.strip().casefold()
    kept: dict[str, str] = {}
    for variant in variants:
        text = variant.strip()
        if text and text.casefold() != own:
            kept.setdefault(text.casefold(), text)
    chosen = tuple(kept.values())[:most]
    return ExpandedQuery((query, *chosen), salient_terms(query), query, chosen)


def salient_terms(query: str) -> tuple[str, ...]:
    """The query's own words that say something, lower case, each once; `#tags` stay whole ([004])."""
    words = [word.strip(".,;:!?\"'()[]{}…").casefold() for word in query.split()]
    return tuple(dict.fromkeys(word for word in words if len(word) >= MIN_TERM and not text.is_stop(word)))
