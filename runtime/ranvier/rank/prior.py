"""Query-independent weights of pages. They are small, so that they only order hits with similar scores."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from ranvier.query.scope import TOP
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage
from ranvier.store.snapshot import TermLookup

UNIT = 16  # weights of pages are stored in sixteenths
MAX_LINKS = 255  # higher numbers of links count as this

_VISIBLE = """
SELECT target, count(*) FROM link JOIN neuron ON neuron.n = link.source
WHERE level <= ? AND target IN (SELECT value FROM json_each(?)) GROUP BY target ORDER BY target
"""


@dataclass(frozen=True, slots=True)
class Weight(Stage):
    """score × the page's `weight`, as its author set it; the default is 1."""

    name: str = "weight"

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Multiply the scores."""
        for hit in hits:
            factor = facts.weights[hit.neuron - 1] / UNIT
            if factor != 1:
                hit.times(self.name, factor)


@dataclass(frozen=True, slots=True)
class Linked(Stage):
    """score × (1 + strength × log2(1 + links to it) / 8): a page with the most links gains `strength`."""

    strength: float = 0.05
    name: str = "linked"

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return nothing for a caller who sees everything."""
        return [], (("neuron", "link") if query.level < TOP else ())

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for links from Neurons that the caller may see, unless that is all of them (A5)."""
        if query.level == TOP or not hits:
            return None
        return SqlQuery(_VISIBLE, (query.level, json.dumps([hit.neuron for hit in hits])))

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Multiply the scores."""
        visible_links = dict(rows)
        for hit in hits:
            sees_all = query.level == TOP
            count = facts.linked[hit.neuron - 1] if sees_all else min(visible_links.get(hit.neuron, 0), MAX_LINKS)
            if count:
                reason = "1 link to it" if count == 1 else f"{count} links to it"
                hit.times(self.name, round(1 + self.strength * math.log2(1 + count) / 8, 9), reason)
