"""Queries of the fact tables: lists, orders, counts, backlinks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ranvier import text
from ranvier.query.fts import matching_rows, term_lookups
from ranvier.query.scope import IS, ScopeFilter, names
from ranvier.query.tree import Node
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.store.snapshot import Snapshot, Steps, TermLookup
from ranvier.store.tables import NEURONS
from ranvier.types import WHOLE, Backlink, FacetCount

MAX_VALUES = 100  # of a facet

_DATED = {
    "created": "coalesce(nullif(created, ''), nullif(day, ''), updated)",
    "updated": "coalesce(nullif(updated, ''), nullif(day, ''), created)",
}
_BACKLINKS = f"""
SELECT id, title, url, path FROM neuron JOIN link ON link.source = neuron.n
WHERE level <= ? AND link.target IN (
  SELECT n FROM neuron WHERE level <= ? AND {IS}
)
ORDER BY n
"""


def everything(snapshot: Snapshot, scope_filter: ScopeFilter) -> Steps[list[Candidate]]:
    """Return every Neuron within a scope, in the site's order."""
    rows = yield from snapshot.query("SELECT n FROM neuron ORDER BY n", (), (), ("neuron",))
    neurons = [n for (n,) in rows if n in scope_filter]
    return [Candidate(n, n, tier=WHOLE, score=1.0, base=1.0, confidence=1.0, match_type="filter") for n in neurons]


def sort_hits(snapshot: Snapshot, hits: list[Candidate], by: str) -> Steps[list[Candidate]]:
    """Sort by title or path from A to Z, or by a date, most recent first; hits without a date come last."""
    column = _DATED.get(by, by)
    rows = yield from snapshot.query(f"SELECT n, {column} FROM neuron ORDER BY n", (), (), ("neuron",))
    values = dict(rows)
    if by in _DATED:
        in_site_order = sorted(hits, key=lambda hit: hit.neuron)
        return sorted(in_site_order, key=lambda hit: str(values[hit.neuron] or ""), reverse=True)
    return sorted(hits, key=lambda hit: (_sort_key(str(values[hit.neuron])), hit.neuron))


def backlinks(snapshot: Snapshot, item: str, level: int) -> Steps[tuple[Backlink, ...]]:
    """Return the Neurons that link to a Neuron (S2, [003])."""
    rows = yield from snapshot.query(_BACKLINKS, (level, level, *names(item)), (), ("neuron", "link"))
    links = (Backlink(*row) for row in dict.fromkeys(rows))
    return tuple(sorted(links, key=lambda link: (_sort_key(link.title), link.path)))


def count_facets(
    snapshot: Snapshot, facets: Sequence[str], hits: Sequence[Candidate], tree: Node | None, scope_filter: ScopeFilter
) -> Steps[dict[str, tuple[FacetCount, ...]]]:
    """Count the facet values of all hits, and of every Neuron of the scope that `tree` matches, if there are hits."""
    if not facets:
        return {}
    neurons = {hit.neuron for hit in hits}
    if tree is not None and neurons:
        neurons.update((yield from matching_rows(snapshot, NEURONS, tree, scope_filter)))
    numbers = json.dumps(sorted(neurons))
    counts = {}
    for facet in facets:
        rows = yield from snapshot.query(_facet_sql(facet), (numbers, MAX_VALUES), (), facet_packs((facet,)))
        counts[facet] = tuple(FacetCount(str(value), number) for value, number in rows)
    return counts


def facet_packs(facets: Sequence[str]) -> tuple[str, ...]:
    """Return the packs that counting reads."""
    return tuple(dict.fromkeys("tag" if facet == "tags" else "neuron" for facet in facets))


def facet_reads(facets: Sequence[str], query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
    """Return the reads of counting, so that they are fetched in the first round."""
    terms = list(term_lookups(query.tree, NEURONS)) if facets and query.tree is not None else []
    return terms, facet_packs(facets)


def _facet_sql(facet: str) -> str:
    grouped = "IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?"
    if facet == "tags":
        return f"SELECT tag, count(*) FROM tag WHERE n {grouped}"
    return f"SELECT {facet}, count(*) FROM neuron WHERE coalesce({facet}, '') <> '' AND n {grouped}"


def _sort_key(title: str) -> tuple[str, str]:
    """Return the alphabetical sort key: case and accents only break ties."""
    return " ".join(text.fold(word) for word, _, _ in text.words(title)), title
