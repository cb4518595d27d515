"""The pipeline: understand → recall → fuse → adjust → gate → diversify → present.

A search is a generator: it yields a `Need` and is sent the bytes of its files. `Library.run` answers from a folder; a browser
answers each need with one round of parallel fetches. Both use the same code path.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ranvier.legs import Leg
from ranvier.listing import backlinks, count_facets, everything, facet_packs, facet_reads, sort_hits
from ranvier.present.retrieve import retrieve_result
from ranvier.present.search import Presenter, planned_reads
from ranvier.presets import Preset, overlay, preset
from ranvier.query.expansion import Expander
from ranvier.query.scope import TOP, ScopeFilter
from ranvier.query.understand import ParsedQuery, QueryReader
from ranvier.rank.candidate import Candidate, order
from ranvier.rank.fuse import TYPICAL_BM25, collapse_repeats
from ranvier.rank.pins import apply_pins
from ranvier.rank.stage import Facts
from ranvier.recall import PARTIAL_MATCHES, SEMANTIC_ONLY, WEAK_MATCHES, WITHOUT_PHRASE, PlannedReads, Recaller, RecallResult
from ranvier.requests import RetrieveRequest, SearchRequest
from ranvier.store.fetch import gather, map_needs, prefetch, resume
from ranvier.store.format import checked_by_name
from ranvier.store.manifest import read_manifest
from ranvier.store.snapshot import PageFile, Snapshot, Steps, TermLookup
from ranvier.store.texts import Texts
from ranvier.types import Backlink, FilterHit, Need, Notice, RetrieveResult, SearchResult

T = TypeVar("T")
if TYPE_CHECKING:
    from ranvier.suggest import Suggester, Suggestion

SMALL = 150_000  # bytes of a site's index and texts that are fetched at once
CANDIDATE_FACTOR = 3  # [000]: top_k × 3 chunks are candidates


class Engine:
    """The search core over one snapshot. It is not thread-safe. `rounds` counts its needs so far.

    `expander` returns variants of a query (Q7); by default the synonyms of the site.
    """

    def __init__(self, snapshot: Snapshot, expander: Expander | None = None) -> None:
        self.snapshot = snapshot
        self.rounds = 0
        self._all_requested = False
        self.texts = Texts(snapshot.manifest)
        self._reader = QueryReader(snapshot.manifest.langs, snapshot.tuning, expander)
        self._recaller = Recaller(snapshot, self.texts)
        self._presets: dict[str, Preset] = {}
        self._suggester: Suggester | None = None

    @classmethod
    def open(cls, files: Mapping[str, bytes], pages: PageFile, expander: Expander | None = None) -> Engine:
        """Open the manifest and the hot pack by their names in the entry file; `pages` stores the database pages.

        Raises:
            IntegrityError: a file does not match the digest in its name.
            FormatError: the snapshot has another format.

        """
        contents = {name.partition("-")[0]: checked_by_name(name, data) for name, data in files.items()}
        return cls(Snapshot(read_manifest(contents["manifest"]), contents["hot"], pages), expander)

    def close(self) -> None:
        """Close the database."""
        self.snapshot.close()

    def _with_round_count(self, steps: Steps[T]) -> Steps[T]:
        """Count the rounds. The first round of a small site fetches all of its files."""

        def count(_: int, need: Need) -> Need:
            self.rounds += 1
            return need

        return map_needs(self._with_all(steps), count)

    def _with_all(self, steps: Steps[T]) -> Steps[T]:
        if (
            self._all_requested
            or not (self.texts.names_all_files and self.snapshot.names_all_files)
            or self.snapshot.size + self.texts.size > SMALL
        ):
            return (yield from steps)
        try:
            need = next(steps)
        except StopIteration as stop:
            value: T = stop.value
            return value
        self._all_requested = True
        prefetches = (self.snapshot.everything(), self.texts.everything())
        *_, result = yield from gather(*map(prefetch, prefetches), resume(need, steps))
        answer: T = result
        return answer

    def preset(self, name: str) -> Preset:
        """Return a preset; the site's own numbers override the default."""
        if name not in self._presets:
            stages = preset(name)
            overrides = self.snapshot.tuning.get("preset", {}) if name == "default" else {}
            self._presets[name] = overlay(stages, overrides) if overrides else stages
        return self._presets[name]

    def search(self, request: SearchRequest) -> Steps[SearchResult]:
        """Search Neurons (P1); a query of filters only lists them."""
        return self._with_round_count(self._search(request))

    def retrieve(self, request: RetrieveRequest) -> Steps[RetrieveResult]:
        """Retrieve passages for a language model (P2): it ranks chunks, not Neurons."""
        return self._with_round_count(self._retrieve(request))

    def backlinks(self, item: str, level: int = TOP) -> Steps[tuple[Backlink, ...]]:
        """Return the links to a Neuron, which is given by id, path, slug or title (S2), sorted by title."""
        return self._with_round_count(backlinks(self.snapshot, item, level))

    def _search(self, request: SearchRequest) -> Steps[SearchResult]:
        stages = self.preset(request.preset)
        query = self._reader.understand(request, stages.understand)
        # `<!--` is not a word, but a preset that searches substrings first can find it.
        substrings = request.match == "substring" or any(
            leg.match == "substring" and not leg.last_resort for leg in stages.legs
        )
        if query.tree is None and not query.guaranteed and not query.filter_texts and not (substrings and query.words.strip()):
            recalled, hits = yield from self._list_scope(request, query, stages)
        else:
            recalled, hits = yield from self._recall_and_rank(
                request, query, stages, stages.legs, after=_reads_after_ranking(request, stages)
            )
            if recalled.query.tree is None and not hits and not query.guaranteed and not query.words.strip():
                hits = yield from everything(self.snapshot, recalled.scope_filter)
        if request.sort != "relevance":
            hits = yield from sort_hits(self.snapshot, hits, request.sort)
        # A leg returns a limited number of the Neurons with all words.
        uncounted = recalled.query.tree if recalled.truncated and request.match != "substring" else None
        counts = yield from count_facets(self.snapshot, request.facets, hits, uncounted, recalled.scope_filter)
        presenter = Presenter(self.snapshot, self.texts, recalled, stages)
        limit = stages.limits.return_all if request.return_all else request.limit or stages.limits.results
        return replace((yield from presenter.page(hits, request, limit)), facets=counts)

    def _retrieve(self, request: RetrieveRequest) -> Steps[RetrieveResult]:
        stages = self.preset(request.preset)
        candidate_count = request.top_k * CANDIDATE_FACTOR
        search = replace(request.search, limit=request.top_k, candidates=max(candidate_count, stages.limits.candidates))
        query = self._reader.understand(search, stages.understand)
        recalled, hits = yield from self._recall_and_rank(search, query, stages, stages.retrieve or stages.legs, "chunk")
        filter_hits = [hit for hit in hits if hit.match_type]
        repeats = self.snapshot.repeats if stages.fuse.collapse_repeats else {}
        distinct_passages: dict[int, Candidate] = {}
        for hit in hits[len(filter_hits) :]:
            distinct_passages.setdefault(repeats.get(hit.key, hit.key), hit)
        ranked = stages.diversify.in_turn([*distinct_passages.values()], request.top_k, candidate_count)
        chunks = [chunk for hit in filter_hits for chunk in self.snapshot.manifest.chunks_of(hit.neuron)]
        passages = yield from self.texts.passages([*chunks, *(hit.key for hit in ranked)])
        return retrieve_result(request, recalled.query.notices, filter_hits, ranked, passages, self.snapshot)

    def suggest(self, query: str, limit: int = 8, page_lang: str = "") -> Steps[tuple[Suggestion, ...]]:
        """Return the titles, aliases, headings and tags that match an unfinished query, best first."""
        if self._suggester is None:
            from ranvier.suggest import Suggester  # in a browser, JavaScript suggests instead

            self._suggester = Suggester(self.snapshot.manifest.titles.digest(0))
        return (yield from self._suggester.suggest(query, limit, page_lang, self.snapshot.translations))

    def _recall_and_rank(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        stages: Preset,
        legs: Sequence[Leg],
        unit: str = "neuron",
        after: Sequence[PlannedReads] = (),
    ) -> Steps[tuple[RecallResult, list[Candidate]]]:
        """Recall and rank. If the database fails, scan the texts (X2).

        If the corrected query has no likely answer either, return the hits of the query as typed, if there are any.
        """
        try:
            recalled = yield from self._recall(request, query, stages, legs, after)
            recalled, hits = yield from self._rank(recalled, stages, request, unit)
            notices = recalled.query.notices
            if WEAK_MATCHES in notices and any(notice.code == "corrected" for notice in notices):
                as_typed = replace(stages, understand=replace(stages.understand, spelling=False))
                uncorrected = yield from self._recall(request, query, as_typed, legs, after)
                uncorrected, typed_hits = yield from self._rank(uncorrected, stages, request, unit)
                return (uncorrected, typed_hits) if typed_hits else (recalled, hits)
            return recalled, hits
        except sqlite3.Error:
            recalled = yield from self._recaller.scan(query, stages, request)
            return (yield from self._rank(recalled, stages, request, unit))

    def _recall(
        self, request: SearchRequest, query: ParsedQuery, stages: Preset, legs: Sequence[Leg], after: Sequence[PlannedReads]
    ) -> Steps[RecallResult]:
        """Recall. If no page matches the filters in the query, search again, with the filters as words, such as `#include`.

        Not if a filter has a minus: as words, the filters would find what they leave out.
        """
        recalled = yield from self._recaller.recall(query, stages, request, legs, after)
        can_be_words = query.filter_texts and not any(text[0] == "-" for text in query.filter_texts)
        if not (can_be_words and recalled.scope_filter.is_empty):
            return recalled
        if not (yield from self._recaller.scope_filter(query, stages)).is_empty:  # excluded words have emptied the scope
            return recalled
        as_words = self._reader.understand(request, replace(stages.understand, filters="off"))
        filters = " ".join(query.filter_texts)
        notice = Notice("unknown-filter", f"No page matches the filter {filters}; it was searched as words.", filters)
        as_words = replace(as_words, notices=(*as_words.notices, notice))
        return (yield from self._recaller.recall(as_words, stages, request, legs, after))

    def _list_scope(
        self, request: SearchRequest, query: ParsedQuery, stages: Preset
    ) -> Steps[tuple[RecallResult, list[Candidate]]]:
        """Return all Neurons of the scope. An empty query without a scope finds nothing."""
        is_listing = bool(query.scope) or bool(request.facets) or request.sort != "relevance" or request.return_all
        if query.words.strip() or not is_listing:
            return RecallResult(query, ScopeFilter()), []
        scope_filter = yield from self._recaller.scope_filter(
            query, _with_early_filter(stages), ("neuron", *facet_packs(request.facets))
        )
        return RecallResult(query, scope_filter), (yield from everything(self.snapshot, scope_filter))

    def _rank(
        self, recalled: RecallResult, stages: Preset, request: SearchRequest, unit: str = "neuron"
    ) -> Steps[tuple[RecallResult, list[Candidate]]]:
        """Fuse, adjust, gate. Neurons that a filter names come first, whatever their score."""
        query = recalled.query
        fusion = replace(stages.fuse, by="raw") if recalled.failed else stages.fuse
        rankings = recalled.rankings
        if fusion.collapse_repeats and self.snapshot.repeats:
            rankings = collapse_repeats(rankings, self.snapshot.repeats)
        typical = TYPICAL_BM25
        if fusion.by == "sum" and len({ranking.semantic for ranking in rankings if ranking.matches}) > 1:
            from ranvier.rank.share import typical_sum  # a search by words alone, or by meaning alone, does not need it

            typical = yield from typical_sum(self.snapshot, query, rankings)
        hits = fusion.fuse(rankings, unit, self.snapshot.manifest.neuron_of, typical)
        facts = Facts(self.snapshot.weights, self.snapshot.linked)
        for stage in () if recalled.failed else stages.adjust:
            sql_query = stage.sql_query(hits, query)
            rows = (yield from self.snapshot.query(*sql_query)) if sql_query else []
            stage.apply(hits, rows, query, facts)
            hits.sort(key=order)
        scope_filter = recalled.scope_filter
        if stages.limits.overfetch and query.level < TOP:  # filtered after recall ([000]); other presets filtered before
            scope_filter = yield from self._recaller.scope_filter(query, _with_early_filter(stages))
            hits = [hit for hit in hits if hit.neuron in scope_filter]
        if self.snapshot.newest and stages.diversify.versions and not recalled.failed:
            from ranvier.rank.versions import lead_by_newest  # most sites have one version of each page

            lead_by_newest(hits, self.snapshot.newest, query)
            hits.sort(key=order)
        if self.snapshot.translations and stages.diversify.translations and not recalled.failed:
            from ranvier.rank.versions import lead_by_language  # most sites have one language

            lead_by_language(hits, self.snapshot.translations, query, request.page_lang)
            hits.sort(key=order)
        hits = apply_pins(hits, self.snapshot.tuning.get("pins", {}), query, scope_filter, unit)
        stages.gate.judge(hits)
        if (yield from self._is_doubtful(recalled, hits, stages)):
            notices = tuple(notice for notice in query.notices if notice != PARTIAL_MATCHES)
            recalled = replace(recalled, query=replace(query, notices=(*notices, WEAK_MATCHES)))
            stages.gate.doubt(hits)
        elif stages.gate.by == "evidence" and {SEMANTIC_ONLY, WITHOUT_PHRASE} & {*query.notices}:
            stages.gate.doubt(hits)  # every query has a nearest chunk
        hits = [hit for hit in hits if recalled.failed or stages.gate.passes(hit, request.min_confidence)]
        recalled = replace(recalled, scope_filter=scope_filter)  # lists and counts show only Neurons that the caller may see
        return recalled, with_filter_hits(hits, recalled.filter_hits)

    def _is_doubtful(self, recalled: RecallResult, hits: Sequence[Candidate], stages: Preset) -> Steps[bool]:
        """Tell whether the best hits are unlikely to answer the query. A matching note or substring is always an answer."""
        query = recalled.query
        doubtful = PARTIAL_MATCHES in query.notices or (recalled.requires_all and stages.gate.by == "evidence")
        by_words = not any(ranking.matches and (ranking.note_matches or ranking.pieces) for ranking in recalled.rankings)
        if {SEMANTIC_ONLY, WITHOUT_PHRASE} & {*query.notices} or not (doubtful and query.query.plain and by_words):
            return False
        from ranvier.rank.share import MAX_HITS, lacks_answer  # many queries never need it

        ranks = (rank for hit in hits[:MAX_HITS] for rank in hit.legs)
        cosine = max((rank.raw for rank in ranks if rank.leg in recalled.semantic), default=0.0)
        by_meaning = any(ranking.semantic for ranking in recalled.rankings)
        return (yield from lacks_answer(self.snapshot, query, recalled.scope_filter, hits, cosine if by_meaning else None))


def _reads_after_ranking(request: SearchRequest, stages: Preset) -> tuple[PlannedReads, ...]:
    """Return the reads that follow the ranking of the hits."""
    needs_neurons = request.sort != "relevance" or (stages.limits.overfetch and request.caller.level < TOP)

    def neuron_reads(query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        return [], ("neuron",) if needs_neurons else ()

    reads = (partial(facet_reads, request.facets), neuron_reads)
    # Substrings are found in chunks; a match of a whole Neuron needs a query for its chunks.
    return reads if request.match == "substring" else (planned_reads, *reads)


def _with_early_filter(stages: Preset) -> Preset:
    """Return the preset with the audience filter before recall."""
    return replace(stages, limits=replace(stages.limits, overfetch=0))


def with_filter_hits(hits: list[Candidate], filter_hits: Sequence[FilterHit]) -> list[Candidate]:
    """Put the Neurons that filters name first. A search hit of one of them is dropped, never the reverse ([004])."""
    in_filter = {hit.neuron for hit in filter_hits}
    by_neuron = {hit.neuron: hit for hit in reversed(hits) if hit.neuron in in_filter}
    first = []
    for hit in filter_hits:
        search_hit = by_neuron.get(hit.neuron)
        candidate = Candidate(hit.neuron, hit.neuron, list(search_hit.chunks) if search_hit else [])
        candidate.match_type, candidate.tier = hit.match_type, 0
        candidate.base = candidate.score = candidate.confidence = 1.0
        first.append(candidate)
    return [*first, *(hit for hit in hits if hit.neuron not in in_filter)]
