"""The guaranteed leg (L6, [004]): Neurons that a filter names are always in the result, whatever their score."""

from __future__ import annotations

from dataclasses import replace

from ranvier.query.filters import days
from ranvier.query.scope import Condition, ScopeFilter, condition
from ranvier.requests import Scope
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.types import FilterHit, MatchType

MAX_BY_DATE = 100  # Neurons that a range of days may add [004]

# [004]: the daily notes of those days, and Neurons changed on them (daily notes of other days too), most recent first. The
# sort key is the date that lies within the range.
_CHANGED = "substr(coalesce(nullif(updated, ''), created), 1, 10)"
_WITHIN = f"(day BETWEEN ?1 AND ?2 OR {_CHANGED} BETWEEN ?1 AND ?2)"
_RECENT = f"max(iif(day BETWEEN ?1 AND ?2, day, ''), iif({_CHANGED} BETWEEN ?1 AND ?2, {_CHANGED}, ''))"


def guaranteed(snapshot: Snapshot, scope: Scope, scope_filter: ScopeFilter, level: int) -> Steps[tuple[FilterHit, ...]]:
    """Return the Neurons that a scope names: titles first, then tags, then those in a range of days, the most recent first."""
    hits: dict[int, FilterHit] = {}
    parts: tuple[tuple[MatchType, Scope], ...] = (
        ("title", Scope(titles=scope.titles)),
        ("tag", Scope(tags=scope.tags)),
        ("time", Scope(time=scope.time)),
        ("filter", replace(scope, titles=(), tags=(), time="")),
    )
    for kind, part in parts:
        clause = _changed_within(part.time) if kind == "time" else condition(part, sees=level)
        if clause is None:
            continue
        order = f"{_RECENT} DESC, n" if kind == "time" else "n"
        sql = f"SELECT n FROM neuron WHERE {clause.sql} ORDER BY {order}"
        rows = yield from snapshot.query(sql, clause.values, (), tuple(sorted(clause.packs)))
        neurons = [n for (n,) in rows if n in scope_filter]
        for n in neurons[:MAX_BY_DATE] if kind == "time" else neurons:
            hits.setdefault(n, FilterHit(n, kind))
    return tuple(hits.values())


def _changed_within(time: str) -> Condition | None:
    bounds = days(time) if time else None
    return Condition(_WITHIN, bounds, frozenset(("neuron",))) if bounds else None
