"""Whether the best hits are likely to answer the query: the share of its words in each hit, and in one chunk of the hit.

Rare words weigh more than common ones. The numbers were chosen on questions that the pages answer and on questions about
something else (see "The default ranking" in the manual's decisions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from ranvier.query.fts import matching_rows
from ranvier.query.scope import ScopeFilter
from ranvier.query.tree import Term
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import PLACES, Candidate
from ranvier.rank.fuse import TYPICAL_BM25
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.store.tables import CHUNKS, NEURONS
from ranvier.types import PARTIAL, Ranking

MIN_PAGE_SHARE = 0.4  # minimum share of the query in a page
MIN_CHUNK_SHARE = 0.45  # minimum share of the query in a chunk with its title and headings, if no hit is near in meaning
MIN_PAIR_SHARE = 0.8  # the same for queries of two words: a chunk should have both
NEAR, FAR = 0.48, 0.35  # cosines: a hit above NEAR is likely to be an answer, a hit below FAR is not
MAX_HITS = 3  # hits that are judged
SHORT_QUERY = 3  # words of a short query
MAX_WORDS = 12  # longer queries are not judged: a good page may have few of their words
MAX_EXPECTED = 8  # words of a query that a page may all have
MAX_COUNT = 1000  # pages with a word; a more frequent word has almost no weight


def lacks_answer(
    snapshot: Snapshot, query: ParsedQuery, scope_filter: ScopeFilter, hits: Sequence[Candidate], cosine: float | None
) -> Steps[bool]:
    """Tell whether the best hits are unlikely to answer the query; `cosine` is their highest one, if meaning was searched.

    Two words must be in one chunk, or in the title and headings of one page. Of a longer query, a page must have a share, and
    so must a chunk if no hit is near in meaning: a long table or list has the words of any query, far from each other.
    """
    terms = list(dict.fromkeys(term for term in query.terms if not term.stop))
    # In a short query, a page with every word may follow pages with some of them, and answer it.
    best = sorted(hits, key=lambda hit: len(terms) <= SHORT_QUERY and hit.tier >= PARTIAL)[:MAX_HITS]
    if not best or not 1 < len(terms) <= MAX_WORDS or (cosine is not None and cosine >= NEAR):
        return False
    is_far = cosine is not None and cosine < FAR
    if len(terms) > 2 and not is_far and any(hit.tier < PARTIAL for hit in best):
        return False
    scope = ScopeFilter(hit.neuron for hit in best)
    for tree in (query.tree, *query.variants):
        if tree is not None and (yield from matching_rows(snapshot, CHUNKS, tree, scope, 1)):
            return False
    total = 0.0
    in_page = {hit.neuron: 0.0 for hit in best}
    in_chunk: dict[int, float] = {}
    for term in terms:
        count = len((yield from matching_rows(snapshot, NEURONS, term, scope_filter, MAX_COUNT)))
        weight = _idf(count, snapshot.manifest.neuron_count)
        total = round(total + weight, PLACES)
        chunks = yield from matching_rows(snapshot, CHUNKS, term, scope)
        for shares, rows in ((in_chunk, set(chunks)), (in_page, set(map(snapshot.manifest.neuron_of, chunks)))):
            shares.update((row, round(shares.get(row, 0.0) + weight, PLACES)) for row in rows)
    chunk_share = max(in_chunk.values(), default=0.0)
    if len(terms) == 2:
        return chunk_share < MIN_PAIR_SHARE * total and not (yield from _in_headings(snapshot, terms, scope))
    return max(in_page.values()) < MIN_PAGE_SHARE * total or (is_far and chunk_share < MIN_CHUNK_SHARE * total)


def typical_sum(snapshot: Snapshot, query: ParsedQuery, rankings: Sequence[Ranking]) -> Steps[float]:
    """Return the bm25 sum of a page that has each word of the query once, and all of them in one section.

    If the best page is far below it, the words say little about which page answers, and meaning says more.
    """
    terms = [term for term in query.terms if not term.stop]
    if len(terms) > MAX_EXPECTED:
        return TYPICAL_BM25
    total = 0.0
    for term in terms:
        count = len((yield from matching_rows(snapshot, NEURONS, term, ScopeFilter())))  # bm25 counts all pages, too
        total = round(total + _idf(count, snapshot.manifest.neuron_count), PLACES)
    lists = 1 + sum(ranking.weight for ranking in rankings if ranking.chunks and not ranking.semantic)
    return max(TYPICAL_BM25, round(total * lists, PLACES))


def _in_headings(snapshot: Snapshot, terms: Sequence[Term], scope: ScopeFilter) -> Steps[bool]:
    """Tell whether the title and headings of one page have all terms: then it has a section about each."""
    pages = []
    for term in terms:
        rows = yield from matching_rows(snapshot, CHUNKS, replace(term, columns=term.columns or ("title", "heading")), scope)
        pages.append({snapshot.manifest.neuron_of(row) for row in rows})
    return bool(set.intersection(*pages))


def _idf(count: int, pages: int) -> float:
    """Weigh a word by how many pages have it; the idf of BM25, positive, rounded to be the same on every machine."""
    return round(log(1 + (max(pages, count) - count + 0.5) / (count + 0.5)), PLACES)
