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
from ranvier_builder.evaluate.measures import MEASURES, Query, scores
from ranvier_builder.evaluate.numbers import Axis, nested
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.model import Progress, silent

MIN_QUERIES = 10  # queries: with five to choose and five to judge, any setting looks good
PASSES = 4  # over all numbers; two or three are enough if the numbers are independent
MAX_SETTINGS = 5000  # settings of a grid
_MIN_GAIN = 1e-9  # smallest gain that counts

Setting = tuple[int, ...]  # for each axis the index of its value; 0 is the current value
Values = list[float]  # of a measure: a value for each query


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
    trials: tuple[Trial, ...]

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
    site: Site,
    queries: Sequence[Query],
    axes: Sequence[Axis],
    *,
    measure: str = "nDCG@10",
    grid: bool = False,
    strategy: str = "auto",
    progress: Progress = silent,
) -> Tuning:
    """Find the best values of some numbers for the default ranking of a site.

    Each number in turn is set to its best value, repeated until no number changes; with `grid` all combinations are tried.

    Raises:
        BuildError: there are too few queries; an unknown measure or a missing package.
        ConfigError: there is nothing to try, or too many combinations.

    """
    if len(queries) < MIN_QUERIES:
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
    first_half, second_half = (_Bench(site, half, axes, strategy) for half in halves(queries))
    all_settings = [*product(*(range(len(axis.values)) for axis in axes))] if grid else None
    best = first_half.best(all_settings, measure, progress)
    return _result(first_half, second_half, axes, best, measure, progress)


class _Bench:
    """Measures settings on some queries, each setting once."""

    def __init__(self, site: Site, queries: Sequence[Query], axes: Sequence[Axis], strategy: str) -> None:
        self._site = site
        self._queries = queries
        self._axes = axes
        self._strategy = strategy
        self._results: dict[tuple[Setting, tuple[str, ...]], Mapping[str, Values]] = {}
        self.size = len(queries)

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
            pages = self._site.run(self._queries, variant, limit, progress).pages
            self._results[setting, names] = scores(self._queries, pages, names)
        return self._results[setting, names]

    def mean(self, setting: Setting, measure: str, progress: Progress = silent) -> float:
        return _mean(self.measure(setting, measure, progress=progress)[measure])

    def best(self, settings: Sequence[Setting] | None, measure: str, progress: Progress) -> Setting:
        if settings is not None:
            progress(f"{len(settings):,} settings", len(settings) * self.size)
            return self._best_of(settings, measure, progress)
        best = (0,) * len(self._axes)
        for number in range(1, PASSES + 1):
            previous_best = best
            for at, axis in enumerate(self._axes):
                candidates = [_with_value(best, at, value_index) for value_index in range(len(axis.values))]
                new_settings = sum((setting, (measure,)) not in self._results for setting in candidates)
                progress(f"Pass {number}: {axis.name}", new_settings * self.size)
                best = self._best_of(candidates, measure, progress)
            if best == previous_best:
                break
        return best

    def _best_of(self, settings: Sequence[Setting], measure: str, progress: Progress) -> Setting:
        best = settings[0]  # of equal settings the first wins: the current one if there is no gain
        for setting in settings:
            if self.mean(setting, measure, progress) > self.mean(best, measure, progress) + _MIN_GAIN:
                best = setting
        return best


def _with_value(setting: Setting, at: int, value_index: int) -> Setting:
    return (*setting[:at], value_index, *setting[at + 1 :])


def _result(
    first_half: _Bench, second_half: _Bench, axes: Sequence[Axis], best: Setting, measure: str, progress: Progress
) -> Tuning:
    current = (0,) * len(axes)
    progress("Judging", second_half.size * len({current, best}))
    current_values, best_values = (second_half.measure(setting, *MEASURES, progress=progress) for setting in (current, best))
    progress("Comparing", 0)
    trials = tuple(_trials(first_half, axes, best, measure))
    return Tuning(
        measure,
        first_half.changes(best),
        first_half.size,
        second_half.size,
        first_half.settings,
        _compare(first_half.measure(current, measure)[measure], first_half.measure(best, measure)[measure]),
        {name: _compare(current_values[name], best_values[name]) for name in MEASURES},
        trials,
    )


def _trials(bench: _Bench, axes: Sequence[Axis], best: Setting, measure: str) -> Iterator[Trial]:
    current = bench.measure((0,) * len(axes), measure)[measure]
    for at, axis in enumerate(axes):
        for index in range(len(axis.values)):
            values = bench.measure(_with_value(best, at, index), measure)[measure]
            yield Trial(axis, axis.values[index], _mean(values), paired(current, values), index == 0, index == best[at])


def _compare(before: Values, after: Values) -> Comparison:
    return Comparison(_mean(before), _mean(after), paired(before, after))


def _mean(values: Values) -> float:
    return round(fmean(values), 9)
