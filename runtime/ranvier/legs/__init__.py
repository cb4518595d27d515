"""The legs of a search: each recalls a ranked list, and knows nothing of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ranvier.query.scope import Within
from ranvier.query.understand import Understood
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.store.texts import Texts
from ranvier.types import Ranking

LEXICAL, SEMANTIC = "lexical", "semantic"


@dataclass(frozen=True, slots=True)
class Recall:
    """What a leg is given. `found` tells how many Neurons the legs before it found with every word of the query."""

    snapshot: Snapshot
    texts: Texts
    query: Understood
    within: Within
    candidates: int
    found: int = 0


class Leg(Protocol):
    """A way to find things. `name` is what presets and explanations call it."""

    @property
    def name(self) -> str:
        """Its name: unique within a preset."""

    @property
    def kind(self) -> str:
        """`lexical` or `semantic`: which strategies it takes part in (Q3)."""

    @property
    def match(self) -> str:
        """`text`, `substring`, or "" for both: which match modes it takes part in (Q4)."""

    def foresee(self, query: Understood) -> tuple[list[Sought], tuple[str, ...]]:
        """Say what it will read, so that all legs' files are fetched in one round: terms, and packs."""

    def recall(self, given: Recall) -> Steps[Ranking]:
        """Find, best first."""
