"""The graph boost (R4, [004]): hits that the other hits are connected with, by links, by common citers, by common tags."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from ranvier.query.understand import Understood
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, Question, Stage, hits_of

# Links to the hits from anywhere (two hits that a third page links to are cited together), and the tags of the hits.
_SQL = """
SELECT 'link', source, target FROM link WHERE target IN (SELECT value FROM json_each(?1))
UNION ALL SELECT 'tag', tag, n FROM tag WHERE own = 1 AND n IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class GraphBoost(Stage):
    """1 + strength × ln(1 + connections), at most `most`, for the first `top` hits.

    A connection is a link from another hit, a page that links to both, or a tag of both. [004] names the three and not their
    weights: each counts one.
    """

    top: int = 20
    strength: float = 0.1
    most: float = 1.15
    of: str = ""  # only hits of this leg count, and gain
    name: str = "graph"
    packs: ClassVar[tuple[str, ...]] = ("link", "tag")

    def question(self, hits: list[Candidate], query: Understood) -> Question | None:
        """Ask for what connects the hits."""
        first = self._first(hits)
        return Question(_SQL, (json.dumps(sorted(first)),)) if len(first) > 1 else None

    def apply(self, hits: list[Candidate], rows: list[Any], query: Understood, facts: Facts) -> None:
        """Multiply the scores of connected hits."""
        first = self._first(hits)
        connections = self.connections(set(first), rows)
        for one in hits_of(hits, self.of):
            if one.neuron in first and (count := connections[one.neuron]):
                one.times(self.name, self.factor(count), f"{count} connections")

    def factor(self, connections: int) -> float:
        """Return the boost of a hit with so many connections."""
        return round(min(1 + self.strength * math.log(1 + connections), self.most), 9)

    def _first(self, hits: list[Candidate]) -> list[int]:
        return list(dict.fromkeys(one.neuron for one in hits_of(hits, self.of)))[: self.top]

    @staticmethod
    def connections(among: set[int], rows: list[Any]) -> Counter[int]:
        """Count each hit's connections from rows of `link, source, target` and `tag, tag, n`."""
        counted: Counter[int] = Counter()
        together: dict[tuple[str, Any], set[int]] = defaultdict(set)
        for kind, by, n in rows:
            if kind == "link" and by in among and by != n:
                counted[n] += 1
            together[kind, by].add(n)
        for (_, by), group in together.items():
            for one, other in combinations(sorted(group & among - {by}), 2):
                counted[one] += 1
                counted[other] += 1
        return counted
