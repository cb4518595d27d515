"""Boosts of groups, [004]: of a folder if many of its Neurons match (R3), and of a tag that the query names (F2)."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from ranvier.query.filters import tag_key
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage, hits_of

_SQL = "SELECT n, folder FROM neuron WHERE level <= ? ORDER BY n"  # Neurons that the caller may not see do not count (A5)


@dataclass(frozen=True, slots=True)
class FolderBoost(Stage):
    """1 + log2(count + 1) × √ratio, at most `max_factor`; ratio: the share of the folder's Neurons that are hits."""

    min_hits: int = 2  # in the folder
    min_ratio: float = 0.4
    max_factor: float = 1.15
    of: str = ""  # only hits of this leg count and get a boost
    name: str = "folder"
    packs: ClassVar[tuple[str, ...]] = ("neuron",)

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for the folders of all Neurons: the share refers to all of them."""
        return SqlQuery(_SQL, (query.level,)) if hits else None

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Multiply the scores of hits in folders with many hits."""
        hits = hits_of(hits, self.of)
        folder_of = dict(rows)
        total = Counter(folder_of.values())
        count = Counter(folder_of.get(n, "") for n in {hit.neuron for hit in hits})
        for hit in hits:
            folder = folder_of.get(hit.neuron, "")
            factor = self.factor(count[folder], total[folder])
            if factor > 1:
                hit.times(self.name, factor, f"{folder or '/'}: {count[folder]} of {total[folder]}")

    def factor(self, count: int, total: int) -> float:
        """Return the boost of a folder with `count` hits among `total` Neurons."""
        ratio = count / total if total else 0.0
        if count < self.min_hits or ratio < self.min_ratio:
            return 1.0
        return round(min(1 + math.log2(count + 1) * math.sqrt(ratio), self.max_factor), 9)


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
