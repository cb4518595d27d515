"""The uncertainty of a mean over queries: percentile bootstrap intervals (Efron & Tibshirani 1993, chapter 13), seeded."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

RESAMPLES = 1000
SEED = 7
_TAIL = RESAMPLES // 40  # 2.5 % on either side
_PLACES = 9


class Interval(NamedTuple):
    """A mean, and the bounds of 95 % of the resampled means."""

    mean: float
    low: float
    high: float

    @property
    def holds_zero(self) -> bool:
        """Tell whether a difference may be zero."""
        return self.low <= 0 <= self.high


def bootstrap(*groups: Sequence[float]) -> Interval:
    """Return the mean of the groups' means, and its interval.

    Queries are drawn within their group, so that a collection of a thousand queries counts as much as one of fifty. The draws
    depend only on the groups' sizes: the same values give the same bounds, and two runs of the same queries use the same draws.
    """
    rng = Random(SEED)
    means = sorted(fmean(fmean(rng.choices(values, k=len(values))) for values in groups) for _ in range(RESAMPLES))
    return Interval(*(round(number, _PLACES) for number in (fmean(map(fmean, groups)), means[_TAIL], means[-1 - _TAIL])))


def paired(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]]) -> Interval:
    """Return the mean difference of two runs of the same queries, group by group, and its interval."""
    return bootstrap(*([b - a for a, b in zip(old, new, strict=True)] for old, new in zip(before, after, strict=True)))
