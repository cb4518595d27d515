"""Looking for better numbers: chosen by one half of the queries, and told by the other half what they are worth.

Whoever chooses and judges by the same queries finds gains that are not there. A query's half follows from its id alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from math import prod
from statistics import fmean
from typing import Any, NamedTuple

from ranvier_builder.errors import BuildError, ConfigError
from ranvier_builder.evaluate.bootstrap import Interval, paired
from ranvier_builder.evaluate.measures import MEASURES, scores
from ranvier_builder.evaluate.numbers import Axis, nested
from ranvier_builder.evaluate.queries import Query
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.model import Progress

LEAST = 10  # queries: with five to choose by and five to judge by, any setting looks good
PASSES = 4  # over all numbers; two or three are enough where they do not hang together
MOST = 5000  # settings of a grid
_GAIN = 1e-9  # less is none

Setting = tuple[int, ...]  # for each axis the place of its value; 0 is as it is now
Values = tuple[tuple[float, ...], ...]  # of a measure: for each collection, a value for each query


class Collection(NamedTuple):
    """An open site, and the queries that were judged for it."""

    site: Site
    queries: tuple[Query, ...]


class Compared(NamedTuple):
    """A measure as it is now and as it would be, and the difference query by query."""

    before: float
    after: float
    difference: Interval


@dataclass(frozen=True, slots=True)
class Tried:
    """One value of one number, all others being as in the best setting: the measure on the half that chose."""

    axis: Axis
    value: Any
    mean: float
    difference: Interval  # from the setting as it is now
    is_now: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a sweep found. `candidate` is best on the half that chose; it names only what differs from now."""

    measure: str
    candidate: Mapping[tuple[str, ...], Any]
    chosen_on: int  # queries
    judged_on: int
    settings: int  # that were tried
    chosen: Compared  # on the queries that chose
    held_out: Mapping[str, Compared]  # each measure, on the others
    tried: tuple[Tried, ...]

    @property
    def best(self) -> Mapping[tuple[str, ...], Any]:
        """The candidate, where the other half confirms it; else nothing: a gain within noise is none."""
        return self.candidate if self.is_better else {}

    @property
    def preset(self) -> dict[str, Any]:
        """The best setting as the table `[search.preset]`."""
        return nested(self.best)

    @property
    def is_better(self) -> bool:
        """Tell whether queries that did not choose it find it better, and not by chance."""
        return self.held_out[self.measure].difference.low > 0


def halves(queries: Sequence[Query]) -> tuple[tuple[Query, ...], tuple[Query, ...]]:
    """Part queries by the digests of their ids: the lower half chooses. A query more moves at most one of the others."""
    by_digest = sorted(queries, key=lambda query: (sha256(query.id.encode("utf-8", "replace")).digest(), query.id))
    first = {query.id for query in by_digest[: (len(queries) + 1) // 2]}
    return tuple(query for query in queries if query.id in first), tuple(query for query in queries if query.id not in first)


def tune(
    collections: Sequence[Collection],
    axes: Sequence[Axis],
    *,
    measure: str = "nDCG@10",
    grid: bool = False,
    strategy: str = "auto",
    tell: Progress | None = None,
) -> Tuning:
    """Find the best values of some numbers for the default ranking of one or several sites.

    One number at a time is changed to its best value, all of them again until none changes; with `grid` every combination is
    tried. A measure is the mean over the collections, each counting the same.

    Raises:
        BuildError: there are too few queries; a measure or package that there is not.
        ConfigError: there is nothing to try, or too many combinations.

    """
    if min(len(collection.queries) for collection in collections) < LEAST:
        cure = "judge more of what your readers look for; ranvier eval takes any number"
        raise BuildError(f"{LEAST} queries are the least that can be tuned by: half choose, half judge", cure=cure)
    if not axes or all(len(axis.values) == 1 for axis in axes):
        raise ConfigError("there is no number to try another value of", cure="--over fuse.k=10,30,60")
    settings = prod(len(axis.values) for axis in axes)
    if grid and settings > MOST:
        raise ConfigError(f"a grid of {settings:,} settings is too large; {MOST:,} are the most", cure="leave --grid out")
    parted = [halves(collection.queries) for collection in collections]
    choosing = _Bench(
        [Collection(collection.site, half) for collection, (half, _) in zip(collections, parted, strict=True)], axes, strategy
    )
    judging = _Bench(
        [Collection(collection.site, half) for collection, (_, half) in zip(collections, parted, strict=True)], axes, strategy
    )
    tell = tell or _silent
    best = choosing.best(_everything(axes) if grid else None, measure, tell)
    return _outcome(choosing, judging, axes, best, measure, tell)


class _Bench:
    """Measures settings on some queries, each setting once."""

    def __init__(self, collections: Sequence[Collection], axes: Sequence[Axis], strategy: str) -> None:
        self._collections = collections
        self._axes = axes
        self._strategy = strategy
        self._results: dict[tuple[Setting, tuple[str, ...]], Mapping[str, Values]] = {}
        self.size = sum(len(collection.queries) for collection in collections)

    @property
    def settings(self) -> int:
        """How many settings were tried."""
        return len({setting for setting, _ in self._results})

    def changes(self, setting: Setting) -> dict[tuple[str, ...], Any]:
        """Return what a setting has otherwise than now."""
        return {axis.path: axis.values[at] for axis, at in zip(self._axes, setting, strict=True) if at}

    def measured(self, setting: Setting, *names: str, tell: Progress | None = None) -> Mapping[str, Values]:
        """Return the values of measures for a setting; no more hits are looked at than they need."""
        if (setting, names) not in self._results:
            variant = Variant(strategy=self._strategy, changes=nested(self.changes(setting)))
            limit = max(MEASURES[name] for name in names)
            measured = [
                scores(queries, site.run(queries, variant, limit, tell).pages, names) for site, queries in self._collections
            ]
            self._results[setting, names] = {name: tuple(tuple(score[name]) for score in measured) for name in names}
        return self._results[setting, names]

    def mean(self, setting: Setting, measure: str, tell: Progress | None = None) -> float:
        return _mean(self.measured(setting, measure, tell=tell)[measure])

    def best(self, settings: Sequence[Setting] | None, measure: str, tell: Progress) -> Setting:
        now = (0,) * len(self._axes)
        if settings is not None:
            tell(f"{len(settings):,} settings", len(settings) * self.size)
            return self._best_of(settings, measure, tell)
        best = now
        for number in range(1, PASSES + 1):
            before = best
            for at, axis in enumerate(self._axes):
                others = [_changed(best, at, place) for place in range(len(axis.values))]
                fresh = sum((setting, (measure,)) not in self._results for setting in others)
                tell(f"Pass {number}: {axis.name}", fresh * self.size)
                best = self._best_of(others, measure, tell)
            if best == before:
                break
        return best

    def _best_of(self, settings: Sequence[Setting], measure: str, tell: Progress) -> Setting:
        best = settings[0]  # of equal ones the first stays: what is there now, where nothing is gained
        for setting in settings:
            if self.mean(setting, measure, tell) > self.mean(best, measure, tell) + _GAIN:
                best = setting
        return best


def _everything(axes: Sequence[Axis]) -> list[Setting]:
    return list(product(*(range(len(axis.values)) for axis in axes)))


def _changed(setting: Setting, at: int, place: int) -> Setting:
    return (*setting[:at], place, *setting[at + 1 :])


def _outcome(choosing: _Bench, judging: _Bench, axes: Sequence[Axis], best: Setting, measure: str, tell: Progress) -> Tuning:
    now = (0,) * len(axes)
    tell("Judging", judging.size * len({now, best}))
    before, after = (judging.measured(setting, *MEASURES, tell=tell) for setting in (now, best))
    tell("Comparing", 0)
    tried = tuple(_tried(choosing, axes, best, measure))
    return Tuning(
        measure,
        choosing.changes(best),
        choosing.size,
        judging.size,
        choosing.settings,
        _compared(choosing.measured(now, measure)[measure], choosing.measured(best, measure)[measure]),
        {name: _compared(before[name], after[name]) for name in MEASURES},
        tried,
    )


def _tried(bench: _Bench, axes: Sequence[Axis], best: Setting, measure: str) -> Iterator[Tried]:
    now = bench.measured((0,) * len(axes), measure)[measure]
    for at, axis in enumerate(axes):
        for place in range(len(axis.values)):
            values = bench.measured(_changed(best, at, place), measure)[measure]
            yield Tried(axis, axis.value(place), _mean(values), paired(now, values), place == 0, place == best[at])


def _compared(before: Values, after: Values) -> Compared:
    return Compared(_mean(before), _mean(after), paired(before, after))


def _mean(values: Values) -> float:
    """Return the mean over the collections."""
    return round(fmean(map(fmean, values)), 9)


def _silent(stage: str, count: int) -> None:
    """Take the place of a progress bar."""
