"""The legs of a search. Each returns a ranked list and is independent of the others."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.query.scope import ScopeFilter
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Snapshot, Steps, TermLookup
from ranvier.store.texts import Texts
from ranvier.types import Ranking

LEXICAL, SEMANTIC = "lexical", "semantic"


@dataclass(frozen=True, slots=True)
class Recall:
    """The input of a leg.

    `matched` counts the Neurons that earlier legs matched with all words of the query. `no_word_matches`: earlier legs searched
    for the words, and no Neuron has any of them.
    """

    snapshot: Snapshot
    texts: Texts
    query: ParsedQuery
    scope_filter: ScopeFilter
    candidates: int
    matched: int = 0
    no_word_matches: bool = False


class Leg:
    """One retrieval method: a frozen dataclass of numbers. Presets and explanations refer to it by its `name`."""

    __slots__ = ()
    name: str  # unique within a preset
    kind: str  # `lexical` or `semantic`: which strategies it takes part in (Q3)
    match: str  # `text`, `substring`, `auto`, or "" for all: which match modes it takes part in (Q4)
    last_resort: bool = False  # it runs only if the other legs find nothing
    hybrid: bool = False  # it runs only in the hybrid strategy
    requires_all: bool = True  # it requires every word before it accepts some

    def is_applicable(self, snapshot: Snapshot, query: ParsedQuery) -> bool:
        """Tell whether this leg can find anything for this query on this site."""
        return True

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the terms and packs that it will read, so that the files of all legs are fetched in one round."""
        return [], ()

    def prefetch(self, snapshot: Snapshot, query: ParsedQuery, *, narrowed: bool) -> Steps[None]:
        """Fetch files that need rounds of their own and do not depend on the hits of other legs."""
        yield from ()

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return the ranking, best first."""
        raise NotImplementedError
