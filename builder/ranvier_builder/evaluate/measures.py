"""Judged queries, and the measures, computed by `ir-measures`; it is an extra, because a build does not need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from ranvier_builder.errors import BuildError

# Each measure, and its number of hits. Recall and MRR use one page of results (P4).
MEASURES = {"nDCG@10": 10, "recall@100": 100, "MRR": 100, "success@1": 1, "success@5": 5}


@dataclass(frozen=True, slots=True)
class Query:
    """A query and its judgments: path of a page → grade. 1 or more is relevant, and more is better.

    Without grades, no page of the site answers it.
    """

    id: str
    text: str
    grades: Mapping[str, int]


def library() -> ModuleType:
    """Return `ir-measures`; raise `BuildError` if it is not installed. Call it before long computations."""
    try:
        import ir_measures
    except ImportError:
        raise BuildError("measuring needs the package ir-measures", cure='pip install "ranvier[eval]"') from None
    return ir_measures


def scores(queries: Sequence[Query], pages: Sequence[Sequence[str]], names: Iterable[str] = MEASURES) -> dict[str, list[float]]:
    """Measure the hits of each query, best first: measure → one value from 0 to 1 for each query, in their order.

    nDCG uses grades as they are (gain = grade, discount = log2(rank + 1)); for the others a grade of 1 or more is relevant.

    Raises:
        BuildError: `ir-measures` is not installed.

    """
    measuring = library()
    # `parse_measure` of ir-measures 0.4.3 fails on Python 3.14.
    ndcg, recall, success = measuring.nDCG @ 10, measuring.R @ 100, (measuring.Success @ 1, measuring.Success @ 5)
    by_name = dict(zip(MEASURES, (ndcg, recall, measuring.RR, *success), strict=True))
    measures = {by_name[name]: name for name in names}
    qrels = {str(at): dict(query.grades) for at, query in enumerate(queries)}
    rankings = {str(at): {page: -float(rank) for rank, page in enumerate(paths)} for at, paths in enumerate(pages)}
    values = {name: [0.0] * len(queries) for name in measures.values()}
    for score in measuring.iter_calc(list(measures), qrels, rankings):
        values[measures[score.measure]][int(score.query_id)] = score.value
    return values
