"""The link boost (R2, [002]): raises hits that other hits link to, as a reader follows citations."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage

_SQL = """
SELECT source, target FROM link
WHERE source IN (SELECT value FROM json_each(?1)) AND target IN (SELECT value FROM json_each(?1))
ORDER BY source, target
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
        return SqlQuery(_SQL, (json.dumps(sorted({hit.neuron for hit in hits})),)) if len(hits) > 1 else None

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add the bonus for links from other hits."""
        top = {hit.neuron for hit in hits[: self.top]}
        linking = Counter(target for source, target in rows if source in top and source != target)
        for hit in hits:
            if count := linking[hit.neuron]:
                hit.add(self.name, min(count * self.per_link, self.max_gain), f"{count} linking")
