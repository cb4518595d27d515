"""The legs of a search: each recalls a ranked list, and knows nothing of the others."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.query.scope import ScopeFilter
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.store.texts import Texts
from ranvier.types import Ranking

LEXICAL, SEMANTIC = "lexical", "semantic"


@dataclass(frozen=True, slots=True)
class Recall:
    """What a leg works with.

    `matched` counts the Neurons that earlier legs matched with every word of the query. `wordless`: earlier legs looked for
    its words and no Neuron has any of them.
    """

    snapshot: Snapshot
    texts: Texts
    query: ParsedQuery
    within: ScopeFilter
    candidates: int
    matched: int = 0
    wordless: bool = False


class Leg:
    """A way to find things: a frozen dataclass with its numbers and a `name`, which presets and explanations call it by."""

    __slots__ = ()
    name: str  # unique within a preset
    kind: str  # `lexical` or `semantic`: which strategies it takes part in (Q3)
    match: str  # `text`, `substring`, `auto`, or "" for all: which match modes it takes part in (Q4)
    last_resort: bool = False  # it runs only where the other legs find nothing
    hybrid: bool = False  # it takes part in the hybrid strategy alone
    wants_all: bool = True  # it looks for every word before it makes do with some

    def fits(self, snapshot: Snapshot, query: ParsedQuery) -> bool:
        """Tell whether it can find anything here at all."""
        return True

    def planned_reads(self, query: ParsedQuery) -> tuple[list[Sought], tuple[str, ...]]:
        """Say what it will read, so that all legs' files are fetched in one round: terms, and packs."""
        raise NotImplementedError

    def prefetch(self, snapshot: Snapshot, query: ParsedQuery, *, narrowed: bool) -> Steps[None]:
        """Fetch, beside what is foreseen, what takes rounds of its own and does not depend on what other legs find."""
        yield from ()

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Find, best first."""
        raise NotImplementedError
