"""The measures, as `ir-measures` computes them; it is an extra, since a build needs none of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType

from ranvier_builder.errors import BuildError
from ranvier_builder.evaluate.queries import Query

# Each measure, and how many hits it looks at. Recall and MRR see as far as a page of results goes (P4).
MEASURES = {"nDCG@10": 10, "recall@100": 100, "MRR": 100, "success@1": 1, "success@5": 5}
_NAMES = {
    "recall@100": "R@100",
    "MRR": "RR",
    "success@1": "Success@1",
    "success@5": "Success@5",
}  # what `ir-measures` calls them


def library() -> ModuleType:
    """Return `ir-measures`; raise `BuildError` where it is not installed. Ask before anybody waits for figures in vain."""
    try:
        import ir_measures
    except ImportError:
        raise BuildError("measuring needs the package ir-measures", cure='pip install "ranvier[eval]"') from None
    return ir_measures


def scores(queries: Sequence[Query], pages: Sequence[Sequence[str]], names: Iterable[str] = MEASURES) -> dict[str, list[float]]:
    """Measure what was found for each query, best first: measure → one value from 0 to 1 for each query, in their order.

    nDCG takes grades as they are (gain = grade, discount = log2(rank + 1)); to the others a grade of 1 or more is relevant.

    Raises:
        BuildError: `ir-measures` is not installed.

    """
    measuring = library()
    wanted = {measuring.parse_measure(_NAMES.get(name, name)): name for name in names}
    judged = {str(at): dict(query.grades) for at, query in enumerate(queries)}
    ranked = {str(at): {page: -float(rank) for rank, page in enumerate(paths)} for at, paths in enumerate(pages)}
    values = {name: [0.0] * len(queries) for name in wanted.values()}
    for score in measuring.iter_calc(list(wanted), judged, ranked):
        values[wanted[score.measure]][int(score.query_id)] = score.value
    return values
