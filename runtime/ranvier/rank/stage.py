"""The base of stages after fusion: a stage may query the snapshot about the hits, and changes their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.store.snapshot import TermLookup


class SqlQuery(NamedTuple):
    """SQL over the snapshot, and its values."""

    sql: str
    values: tuple[Any, ...]


class Facts(NamedTuple):
    """Facts that need no query: one byte for each Neuron, at its number − 1."""

    weights: Sequence[int]  # × 16
    linked: Sequence[int]  # number of Neurons that link to it, at most 255


def hits_of(hits: list[Candidate], leg: str) -> list[Candidate]:
    """Return the hits of a leg, or all hits if no leg is named ([004] boosts only lexical hits)."""
    return [hit for hit in hits if not leg or any(rank.leg == leg for rank in hit.legs)]


class Stage:
    """A stage of `adjust`: a frozen dataclass of numbers. Presets and explanations refer to it by its `name`."""

    __slots__ = ()
    name: str
    packs: ClassVar[tuple[str, ...]] = ()  # the fact tables that its query reads

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the reads of its query, so that they are fetched in the first round."""
        return [], self.packs

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return its query about these hits, or `None`."""
        return None

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Change scores, given the answer; the engine sorts the hits anew before the next stage."""
        raise NotImplementedError
