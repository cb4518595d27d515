"""Boosts by links: from other hits (R2, [002]), as a reader follows citations; by links, citing pages and tags (R4, [004])."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from ranvier.query.scope import TOP
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage, hits_of
from ranvier.store.snapshot import TermLookup

_LINKS_SQL = """
SELECT source, target FROM link
WHERE source IN (SELECT value FROM json_each(?1)) AND target IN (SELECT value FROM json_each(?1))
ORDER BY source, target
"""
# Neurons that the caller may not see connect nothing (A5); a caller who may see everything does not need the levels.
_VISIBLE = "AND source IN (SELECT n FROM neuron WHERE level <= ?2)"
# Links to the hits from anywhere (two hits that a third page links to are cited together), and the tags of the hits.
_SQL = """
SELECT 'link', source, target FROM link WHERE target IN (SELECT value FROM json_each(?1)) {seen}
UNION ALL SELECT 'tag', tag, n FROM tag WHERE own = 1 AND n IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class LinkBoost(Stage):
    """+0.15 for each of the `top` hits that links to it, at most +0.45 together."""

    per_link: float = 0.15
    max_gain: float = 0.45
    top: int = 20
    name: str = "links"
    packs: ClassVar[tuple[str, ...]] = ("link",)

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for links between hits."""
        return SqlQuery(_LINKS_SQL, (json.dumps(sorted({hit.neuron for hit in hits})),)) if len(hits) > 1 else None

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add the bonus for links from other hits."""
        top = {hit.neuron for hit in hits[: self.top]}
        linking = Counter(target for source, target in rows if source in top and source != target)
        for hit in hits:
            if count := linking[hit.neuron]:
                hit.add(self.name, min(count * self.per_link, self.max_gain), f"{count} linking")


@dataclass(frozen=True, slots=True)
class GraphBoost(Stage):
    """1 + strength × ln(1 + connections), at most `max_factor`, for the first `top` hits.

    A connection is a link from another hit, a page that links to both, or a tag of both. [004] does not
    give the weights of these three: each counts as one.
    """

    top: int = 20
    strength: float = 0.1
    max_factor: float = 1.15
    of: str = ""  # only hits of this leg count and get a boost
    name: str = "graph"
    packs: ClassVar[tuple[str, ...]] = ("link", "tag")

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return its packs; the levels only if they matter."""
        return [], (*self.packs, *(("neuron",) if query.level < TOP else ()))

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for the connections of the hits."""
        first = self._first(hits)
        if len(first) < 2:
            return None
        values = json.dumps(sorted(first))
        return (
            SqlQuery(_SQL.format(seen=""), (values,))
            if query.level == TOP
            else SqlQuery(_SQL.format(seen=_VISIBLE), (values, query.level))
        )

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Multiply the scores of connected hits."""
        first = self._first(hits)
        connections = self.connections(set(first), rows)
        for hit in hits_of(hits, self.of):
            if hit.neuron in first and (count := connections[hit.neuron]):
                hit.times(self.name, self.factor(count), "1 connection" if count == 1 else f"{count} connections")

    def factor(self, connections: int) -> float:
        """Return the boost of a hit with so many connections."""
        return round(min(1 + self.strength * math.log(1 + connections), self.max_factor), 9)

    def _first(self, hits: list[Candidate]) -> list[int]:
        return list(dict.fromkeys(hit.neuron for hit in hits_of(hits, self.of)))[: self.top]

    @staticmethod
    def connections(among: set[int], rows: list[Any]) -> Counter[int]:
        """Count each hit's connections from rows of `link, source, target` and `tag, tag, n`."""
        counts: Counter[int] = Counter()
        groups: dict[tuple[str, Any], set[int]] = defaultdict(set)
        for kind, source, n in rows:
            if kind == "link" and source in among and source != n:
                counts[n] += 1
            groups[kind, source].add(n)
        for (_, source), group in groups.items():
            for neuron, other in combinations(sorted(group & among - {source}), 2):
                counts[neuron] += 1
                counts[other] += 1
        return counts
