"""The tag boost (F2, [004]): boosts hits with a tag of the query."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from ranvier.query.filters import tag_key
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage, hits_of


@dataclass(frozen=True, slots=True)
class TagBoost(Stage):
    """×1.1 for a hit with a tag that the query names, as a filter or by a word: `alpha` names `#project/alpha`.

    `of`: only hits of this leg, and only if another leg has hits too, because [004] boosts tags while it blends.
    """

    factor: float = 1.1
    of: str = ""
    name: str = "tag"
    packs: ClassVar[tuple[str, ...]] = ("tag",)

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for the tags of the hits."""
        sql = "SELECT n, tag FROM tag WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n, tag"
        return SqlQuery(sql, (json.dumps(sorted({hit.neuron for hit in hits})),)) if hits else None

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Multiply the scores of hits with such a tag."""
        if self.of and all(rank.leg == self.of for hit in hits for rank in hit.legs):
            return
        tags = (*query.guaranteed.tags, *query.scope.tags, *query.expansion.salient_terms)
        keys = {tag_key(tag) for tag in tags}
        tagged = {n: tag for n, tag in rows if tag in keys or tag.rpartition("/")[2] in keys}
        for hit in hits_of(hits, self.of):
            if hit.neuron in tagged:
                hit.times(self.name, self.factor, f"#{tagged[hit.neuron]}")
