"""The share of a query that the best hits cover. Rare words weigh more than common ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from ranvier.query.fts import expression, sought
from ranvier.query.scope import ScopeFilter
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import PLACES, Candidate
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.store.tables import NEURONS

LITTLE = 0.4  # measured: 55 to 100 % of foreign questions have less, 0 to 2 % of a site's own
BEST = 3  # hits that are looked at
WORDS = 12  # longer queries are not judged: a good page may have few of their words
COUNTED = 1000  # pages with a word are counted up to this; a word on more says next to nothing


def has_little(snapshot: Snapshot, query: ParsedQuery, within: ScopeFilter, hits: Sequence[Candidate]) -> Steps[bool]:
    """Tell whether each of the best hits has less of the query than `LITTLE`, by the weights of its words."""
    terms = [term for term in query.terms if not term.stop]
    neurons = sorted({hit.neuron for hit in hits[:BEST]})
    if not neurons or len(terms) > WORDS:
        return False
    total, shares = 0.0, dict.fromkeys(neurons, 0.0)
    best = ScopeFilter(neurons)
    for term in terms:
        rows = []
        for scope, most in ((within, COUNTED), (best, BEST)):
            narrowed, values = scope.of_neurons()
            sql = f"SELECT rowid FROM {NEURONS} WHERE {NEURONS} MATCH ?{narrowed} LIMIT {most}"
            rows.append((yield from snapshot.query(sql, (expression(term), *values), sought(term, NEURONS))))
        weight = _idf(len(rows[0]), snapshot.manifest.neuron_count)
        total = round(total + weight, PLACES)
        for (neuron,) in rows[1]:
            shares[neuron] = round(shares[neuron] + weight, PLACES)
    return max(shares.values()) < LITTLE * total


def _idf(count: int, pages: int) -> float:
    """Weigh a word by how many pages have it; above 0, and rounded, so that it is the same on every machine (BM25's)."""
    return round(log(1 + (max(pages, count) - count + 0.5) / (count + 0.5)), PLACES)
