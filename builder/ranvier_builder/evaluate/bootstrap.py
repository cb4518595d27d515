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


def bootstrap(values: Sequence[float]) -> Interval:
    """Return the mean of some values, and its interval.

    The draws depend only on their number: the same values give the same bounds, and two runs of the same queries use the same
    draws.
    """
    rng = Random(SEED)
    means = sorted(fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Interval(*(round(number, _PLACES) for number in (fmean(values), means[_TAIL], means[-1 - _TAIL])))


def paired(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Return the mean difference of two runs of the same queries, and its interval."""
    return bootstrap([b - a for a, b in zip(before, after, strict=True)])
