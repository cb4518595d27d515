"""The folder boost (R3, [004]): if many Neurons of a folder match, the query is probably about that folder."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

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
