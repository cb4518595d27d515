"""The guaranteed leg (L6, [004]): what a filter names is here, whatever its score. No top-K takes it away."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ranvier.legs import Recall
from ranvier.query.filters import days
from ranvier.query.scope import Condition, condition
from ranvier.requests import Scope
from ranvier.store.snapshot import Steps
from ranvier.types import FilterHit

# [004]: the daily notes of those days, and whatever was changed then (a daily note of another day included); the most recent
# first, by that of the two which lies within.
_CHANGED = "substr(coalesce(nullif(updated, ''), created), 1, 10)"
_WITHIN = f"(day BETWEEN ?1 AND ?2 OR {_CHANGED} BETWEEN ?1 AND ?2)"
_RECENT = f"max(iif(day BETWEEN ?1 AND ?2, day, ''), iif({_CHANGED} BETWEEN ?1 AND ?2, {_CHANGED}, ''))"


@dataclass(frozen=True, slots=True)
class GuaranteedLeg:
    """`most`: how many a time range may bring [004]."""

    most: int = 100

    def recall(self, given: Recall) -> Steps[list[FilterHit]]:
        """Return Neurons: titles first, then tags, then what lies in a range of days, the most recent first."""
        scope = given.query.guaranteed
        found: dict[int, FilterHit] = {}
        for kind, part in (
            ("title", Scope(titles=scope.titles)),
            ("tag", Scope(tags=scope.tags)),
            ("time", Scope(time=scope.time)),
            ("filter", replace(scope, titles=(), tags=(), time="")),
        ):
            asked = _changed_within(part.time) if kind == "time" else condition(part)
            if asked is None:
                continue
            order = f"{_RECENT} DESC, n" if kind == "time" else "n"
            sql = f"SELECT n FROM neuron WHERE {asked.sql} ORDER BY {order}"
            rows = yield from given.snapshot.query(sql, asked.values, (), tuple(sorted(asked.packs)))
            named = [n for (n,) in rows if n in given.within]
            for n in named[: self.most] if kind == "time" else named:
                found.setdefault(n, FilterHit(n, kind))
        return list(found.values())


def _changed_within(time: str) -> Condition | None:
    bounds = days(time) if time else None
    return Condition(_WITHIN, bounds, frozenset(("neuron",))) if bounds else None
