"""Search for better preset numbers: one half of the queries chooses them, the other half measures their value.

If the same queries choose and judge, the measured gains are too large. A query's half depends only on the ids.
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
from ranvier_builder.evaluate.query import Query
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.model import Progress, silent

MIN_QUERIES = 10  # queries: with five to choose and five to judge, any setting looks good
PASSES = 4  # over all numbers; two or three are enough if the numbers are independent
MAX_SETTINGS = 5000  # settings of a grid
_MIN_GAIN = 1e-9  # smallest gain that counts

Setting = tuple[int, ...]  # for each axis the index of its value; 0 is the current value
Values = tuple[tuple[float, ...], ...]  # of a measure: for each collection, a value for each query


class Collection(NamedTuple):
    """An open site, and its judged queries."""

    site: Site
    queries: tuple[Query, ...]


class Comparison(NamedTuple):
    """A measure with the current and the new setting, and the difference, paired by query."""

    before: float
    after: float
    difference: Interval


@dataclass(frozen=True, slots=True)
class Trial:
    """One value of one number, all others as in the best setting: the measure on the half that chose."""

    axis: Axis
    value: Any
    mean: float
    difference: Interval  # from the current setting
    is_now: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class Tuning:
    """The result of a sweep. `candidate` is best on the half that chose; it has only the changed values."""

    measure: str
    candidate: Mapping[tuple[str, ...], Any]
    chosen_on: int  # queries
    judged_on: int
    settings: int  # number of tried settings
    chosen: Comparison  # on the queries that chose
    held_out: Mapping[str, Comparison]  # all measures, on the other queries
    tried: tuple[Trial, ...]

    @property
    def best(self) -> Mapping[tuple[str, ...], Any]:
        """The candidate if the other half confirms it; else empty: a gain within noise does not count."""
        return self.candidate if self.is_better else {}

    @property
    def preset(self) -> dict[str, Any]:
        """The best setting as the table `[search.preset]`."""
        return nested(self.best)

    @property
    def is_better(self) -> bool:
        """Tell whether it is significantly better on the queries that did not choose it."""
        return self.held_out[self.measure].difference.low > 0


def halves(queries: Sequence[Query]) -> tuple[tuple[Query, ...], tuple[Query, ...]]:
    """Split queries by the digests of their ids: the lower half chooses. A new query moves at most one other query."""
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
    progress: Progress = silent,
) -> Tuning:
    """Find the best values of some numbers for the default ranking of one or several sites.

    Each number in turn is set to its best value, repeated until no number changes; with `grid` all combinations are tried. A
    measure is the mean over the collections, each with the same weight.

    Raises:
        BuildError: there are too few queries; an unknown measure or a missing package.
        ConfigError: there is nothing to try, or too many combinations.

    """
    if min(len(collection.queries) for collection in collections) < MIN_QUERIES:
        cure = "judge more queries; ranvier eval accepts any number"
        raise BuildError(
            f"at least {MIN_QUERIES} queries are needed: one half to choose the numbers, the other to measure them", cure=cure
        )
    if not axes or all(len(axis.values) == 1 for axis in axes):
        raise ConfigError("there is no number to tune", cure="--over fuse.k=10,30,60")
    settings = prod(len(axis.values) for axis in axes)
    if grid and settings > MAX_SETTINGS:
        raise ConfigError(
            f"a grid of {settings:,} settings is too large; the maximum is {MAX_SETTINGS:,}", cure="remove --grid"
        )
    halves_of = [halves(collection.queries) for collection in collections]
    choosing = _Bench(
        [Collection(collection.site, half) for collection, (half, _) in zip(collections, halves_of, strict=True)],
        axes,
        strategy,
    )
    judging = _Bench(
        [Collection(collection.site, half) for collection, (_, half) in zip(collections, halves_of, strict=True)],
        axes,
        strategy,
    )
    best = choosing.best(_all_settings(axes) if grid else None, measure, progress)
    return _result(choosing, judging, axes, best, measure, progress)


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
        """Number of tried settings."""
        return len({setting for setting, _ in self._results})

    def changes(self, setting: Setting) -> dict[tuple[str, ...], Any]:
        """Return the values of a setting that differ from the current ones."""
        return {axis.path: axis.values[at] for axis, at in zip(self._axes, setting, strict=True) if at}

    def measure(self, setting: Setting, *names: str, progress: Progress = silent) -> Mapping[str, Values]:
        """Return the values of measures for a setting; only as many hits as needed are requested."""
        if (setting, names) not in self._results:
            variant = Variant(strategy=self._strategy, changes=nested(self.changes(setting)))
            limit = max(MEASURES[name] for name in names)
            measure = [
                scores(queries, site.run(queries, variant, limit, progress).pages, names) for site, queries in self._collections
            ]
            self._results[setting, names] = {name: tuple(tuple(score[name]) for score in measure) for name in names}
        return self._results[setting, names]

    def mean(self, setting: Setting, measure: str, progress: Progress = silent) -> float:
        return _mean(self.measure(setting, measure, progress=progress)[measure])

    def best(self, settings: Sequence[Setting] | None, measure: str, progress: Progress) -> Setting:
        current = (0,) * len(self._axes)
        if settings is not None:
            progress(f"{len(settings):,} settings", len(settings) * self.size)
            return self._best_of(settings, measure, progress)
        best = current
        for number in range(1, PASSES + 1):
            before = best
            for at, axis in enumerate(self._axes):
                others = [_with_value(best, at, value_index) for value_index in range(len(axis.values))]
                new_settings = sum((setting, (measure,)) not in self._results for setting in others)
                progress(f"Pass {number}: {axis.name}", new_settings * self.size)
                best = self._best_of(others, measure, progress)
            if best == before:
                break
        return best

    def _best_of(self, settings: Sequence[Setting], measure: str, progress: Progress) -> Setting:
        best = settings[0]  # of equal settings the first wins: the current one if there is no gain
        for setting in settings:
            if self.mean(setting, measure, progress) > self.mean(best, measure, progress) + _MIN_GAIN:
                best = setting
        return best


def _all_settings(axes: Sequence[Axis]) -> list[Setting]:
    return list(product(*(range(len(axis.values)) for axis in axes)))


def _with_value(setting: Setting, at: int, place: int) -> Setting:
    return (*setting[:at], place, *setting[at + 1 :])


def _result(choosing: _Bench, judging: _Bench, axes: Sequence[Axis], best: Setting, measure: str, progress: Progress) -> Tuning:
    current = (0,) * len(axes)
    progress("Judging", judging.size * len({current, best}))
    before, after = (judging.measure(setting, *MEASURES, progress=progress) for setting in (current, best))
    progress("Comparing", 0)
    tried = tuple(_trials(choosing, axes, best, measure))
    return Tuning(
        measure,
        choosing.changes(best),
        choosing.size,
        judging.size,
        choosing.settings,
        _compare(choosing.measure(current, measure)[measure], choosing.measure(best, measure)[measure]),
        {name: _compare(before[name], after[name]) for name in MEASURES},
        tried,
    )


def _trials(bench: _Bench, axes: Sequence[Axis], best: Setting, measure: str) -> Iterator[Trial]:
    current = bench.measure((0,) * len(axes), measure)[measure]
    for at, axis in enumerate(axes):
        for place in range(len(axis.values)):
            values = bench.measure(_with_value(best, at, place), measure)[measure]
            yield Trial(axis, axis.value(place), _mean(values), paired(current, values), place == 0, place == best[at])


def _compare(before: Values, after: Values) -> Comparison:
    return Comparison(_mean(before), _mean(after), paired(before, after))


def _mean(values: Values) -> float:
    """Return the mean over the collections."""
    return round(fmean(map(fmean, values)), 9)
