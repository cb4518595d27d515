"""One variant on one built site, measured: the data of the table, the JSON and the report of `ranvier eval`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ranvier_builder.evaluate.bootstrap import Interval, bootstrap, paired
from ranvier_builder.evaluate.measures import MEASURES, Query, scores
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.model import Progress, silent

_PERFECT = 1 - 1e-9


class Measurement(NamedTuple):
    """The hits of a site for some queries, and their quality.

    `pages` and each measure of `values` have one item for each query of `judged`, which have a relevant page. `unanswerable`
    queries have none; `false_positives` are those of them whose hits look like an answer, with the first hit of each.
    """

    name: str
    site: str
    variant: Variant
    judged: tuple[Query, ...]
    pages: tuple[tuple[str, ...], ...]
    values: Mapping[str, list[float]]
    reduced: Mapping[str, int]
    unanswerable: tuple[Query, ...]
    false_positives: Mapping[str, str]  # text of the query → path

    @property
    def means(self) -> dict[str, Interval]:
        """Return each measure's mean; empty if no query has a relevant page."""
        return {name: bootstrap(self.values[name]) for name in MEASURES} if self.judged else {}

    def differences(self, first: Measurement) -> dict[str, Interval]:
        """Return the difference of each measure from a first run of the same queries."""
        return {name: paired(first.values[name], self.values[name]) for name in MEASURES} if self.judged else {}

    def imperfect(self) -> list[int]:
        """Return the queries that are not perfect: lowest nDCG@10 first; of equals, lowest MRR first."""
        queries = (at for at, value in enumerate(self.values["nDCG@10"]) if value < _PERFECT)
        return sorted(queries, key=lambda at: (*(self.values[name][at] for name in ("nDCG@10", "MRR", "recall@100")), at))

    def ranks(self, at: int) -> list[tuple[str, int | None]]:
        """Return a query's relevant pages, best grade first, and their ranks."""
        grades = self.judged[at].grades
        ranks = {page: rank for rank, page in enumerate(self.pages[at], 1)}
        relevant = sorted((page for page, grade in grades.items() if grade > 0), key=lambda page: (-grades[page], page))
        return [(page, ranks.get(page)) for page in relevant]


def measure(
    name: str, site: Site, queries: Sequence[Query], variant: Variant, limit: int, progress: Progress = silent
) -> Measurement:
    """Run all queries, with `limit` hits of each; raise `BuildError` if `ir-measures` is not installed."""
    judged = tuple(query for query in queries if query.grades)
    unanswerable = tuple(query for query in queries if not query.grades)
    judged_run, unanswerable_run = (site.run(group, variant, limit, progress) for group in (judged, unanswerable))
    answers = zip(unanswerable, unanswerable_run.pages, unanswerable_run.answered, strict=True)
    reduced = Counter(judged_run.reduced) + Counter(unanswerable_run.reduced)
    return Measurement(
        name,
        str(site.folder),
        variant,
        judged,
        judged_run.pages,
        scores(judged, judged_run.pages),
        dict(sorted(reduced.items())),
        unanswerable,
        {query.text: pages[0] for query, pages, answered in answers if answered},
    )
