"""The pipeline: understand → recall → fuse → adjust → gate → diversify → present.

A search is a generator: it yields what it `Need`s next and is sent the bytes. `Library.run` answers from a folder; a
browser answers each need with one round of parallel fetches. There is one code path, and nothing in it knows which it serves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ranvier.legs import Leg
from ranvier.listing import Facets, Lister
from ranvier.present.retrieve import retrieve_result
from ranvier.present.search import Presenter
from ranvier.presets import Preset, laid_over, preset
from ranvier.query.expansion import Expander
from ranvier.query.scope import TOP, Within
from ranvier.query.understand import Reader, Understood
from ranvier.rank.candidate import Candidate, order
from ranvier.rank.pins import pinned
from ranvier.rank.stage import Facts
from ranvier.recall import Recalled, Recaller
from ranvier.requests import RetrieveRequest, SearchRequest
from ranvier.store.format import checked_by_name
from ranvier.store.manifest import read_manifest
from ranvier.store.snapshot import PageFile, Snapshot, Steps
from ranvier.store.texts import Texts
from ranvier.types import FilterHit, Linking, Notice, RetrieveResult, SearchResult

CANDIDATE_FACTOR = 3  # [000]: top_k × 3 chunks are looked at


class Engine:
    """The search core over one snapshot. Not for several threads at once.

    `expander` finds other ways to say a query (Q7); without one, the site's own synonyms do.
    """

    def __init__(self, snapshot: Snapshot, expander: Expander | None = None) -> None:
        self.snapshot = snapshot
        self.texts = Texts(snapshot.manifest)
        self._reader = Reader(snapshot.manifest.langs, snapshot.tuning, expander)
        self._recaller = Recaller(snapshot, self.texts)
        self._presets: dict[str, Preset] = {}

    @classmethod
    def open(cls, files: Mapping[str, bytes], pages: PageFile, expander: Expander | None = None) -> Engine:
        """Start from the manifest and the hot pack, by their names as the entry file gives them, and a file to keep pages in.

        Raises:
            IntegrityError: one of them is not what its name says.
            FormatError: the snapshot is of another format.

        """
        inner = {name.partition("-")[0]: checked_by_name(name, data) for name, data in files.items()}
        return cls(Snapshot(read_manifest(inner["manifest"]), inner["hot"], pages), expander)

    def close(self) -> None:
        """Let go of the database."""
        self.snapshot.close()

    @property
    def rounds(self) -> int:
        """How many rounds of files were asked for so far."""
        return self.snapshot.rounds + self.texts.rounds

    def preset(self, name: str) -> Preset:
        """Return a preset; the site's own numbers are laid over the default."""
        if name not in self._presets:
            found = preset(name)
            own = self.snapshot.tuning.get("preset", {}) if name == "default" else {}
            self._presets[name] = laid_over(found, own) if own else found
        return self._presets[name]

    def search(self, request: SearchRequest) -> Steps[SearchResult]:
        """Find Neurons (P1); with filters and no words, list them."""
        stages = self.preset(request.preset)
        query = self._reader.understand(request, stages.understand)
        lister = Lister(self.snapshot)
        # `<!--` is no word, but a piece of text where substrings are searched from the start.
        pieces = request.match == "substring" or any(leg.match == "substring" and not leg.last_resort for leg in stages.legs)
        if query.tree is None and not query.guaranteed and not query.said_filters and not (pieces and query.words.strip()):
            recalled, hits = yield from self._listed(request, query, stages, lister)
        else:
            recalled, hits = yield from self._found(request, query, stages, stages.legs)
            if stages.limits.over:  # lists and counts show what the caller sees, however far the legs looked
                recalled = replace(recalled, within=(yield from self._recaller.within(recalled.query, _seen(stages))))
            if recalled.query.tree is None and not hits and not query.guaranteed and not query.words.strip():
                hits = yield from lister.everything(recalled.within)
        if request.sort != "relevance":
            hits = yield from lister.sorted(hits, request.sort)
        counts = yield from Facets(self.snapshot).count(request.facets, recalled.query, recalled.within, hits)
        presenter = Presenter(self.snapshot, self.texts, recalled, stages)
        most = stages.limits.return_all if request.return_all else request.limit or stages.limits.results
        return replace((yield from presenter.page(hits, request, most)), facets=counts)

    def retrieve(self, request: RetrieveRequest) -> Steps[RetrieveResult]:
        """Find passages for a language model (P2): chunks are ranked, not Neurons."""
        stages = self.preset(request.preset)
        many = request.top_k * CANDIDATE_FACTOR
        search = replace(request.search, limit=request.top_k, candidates=max(many, stages.limits.candidates))
        query = self._reader.understand(search, stages.understand)
        recalled, hits = yield from self._found(search, query, stages, stages.retrieve or stages.legs, "chunk")
        named = [one for one in hits if one.match_type]
        chosen = stages.diversify.in_turn([one for one in hits if not one.match_type], request.top_k, many)
        chunks = [chunk for one in named for chunk in self.snapshot.manifest.chunks_of(one.neuron)]
        passages = yield from self.texts.passages([*chunks, *(one.key for one in chosen)])
        return retrieve_result(request, recalled.query.notices, named, chosen, passages, self.snapshot)

    def backlinks(self, item: str, level: int | None = None) -> Steps[tuple[Linking, ...]]:
        """Return what links to a Neuron, named by id, path, slug or title (S2); in the order of their titles."""
        return (yield from Lister(self.snapshot).backlinks(item, level))

    def _found(
        self, request: SearchRequest, query: Understood, stages: Preset, legs: Sequence[Leg], unit: str = "neuron"
    ) -> Steps[tuple[Recalled, list[Candidate]]]:
        """Recall and rank; wherever the database fails, the texts themselves are read (X2)."""
        try:
            recalled = yield from self._recalled(request, query, stages, legs)
            return recalled, (yield from self._ranked(recalled, stages, request, unit))
        except sqlite3.Error:
            recalled = yield from self._recaller.scanned(query, stages, request)
            return recalled, (yield from self._ranked(recalled, stages, request, unit))

    def _recalled(self, request: SearchRequest, query: Understood, stages: Preset, legs: Sequence[Leg]) -> Steps[Recalled]:
        """Recall; filters in the query that nothing answers to are words after all: `#include` of a program, for one."""
        recalled = yield from self._recaller.recall(query, stages, request, legs)
        if not query.said_filters or recalled.within.numbers != frozenset():
            return recalled
        as_words = self._reader.understand(request, replace(stages.understand, filters="off"))
        said = " ".join(query.said_filters)
        told = Notice("unknown-filter", f"Nothing here answers to {said}: it was taken for words.", said)
        as_words = replace(as_words, notices=(*as_words.notices, told))
        return (yield from self._recaller.recall(as_words, stages, request, legs))

    def _listed(
        self, request: SearchRequest, query: Understood, stages: Preset, lister: Lister
    ) -> Steps[tuple[Recalled, list[Candidate]]]:
        """Return everything within the scope, where there is one; an empty query by itself finds nothing."""
        wanted = bool(query.scope) or bool(request.facets) or request.sort != "relevance" or request.return_all
        if query.words.strip() or not wanted:
            return Recalled(query, Within()), []
        within = yield from self._recaller.within(query, _seen(stages), ("neuron",))
        return Recalled(query, within), (yield from lister.everything(within))

    def _ranked(
        self, recalled: Recalled, stages: Preset, request: SearchRequest, unit: str = "neuron"
    ) -> Steps[list[Candidate]]:
        """Fuse, adjust, gate; what a filter names comes first, whatever its score."""
        query = recalled.query
        fusion = replace(stages.fuse, by="raw") if recalled.failed else stages.fuse
        hits = fusion.fuse(recalled.rankings, unit, self.snapshot.manifest.neuron_of)
        facts = Facts(self.snapshot.weights, self.snapshot.linked)
        for stage in () if recalled.failed else stages.adjust:
            question = stage.question(hits, query)
            rows = (yield from self.snapshot.query(*question)) if question else []
            stage.apply(hits, rows, query, facts)
            hits.sort(key=order)
        hits = pinned(hits, self.snapshot.tuning.get("pins", {}), query, recalled.within, unit)
        stages.gate.judge(hits)
        if stages.limits.over and query.level < TOP:  # looked at over the limit, filtered now ([000]); others filtered before
            seen = yield from self._recaller.within(query, _seen(stages))
            hits = [one for one in hits if one.neuron in seen]
        hits = [one for one in hits if recalled.failed or stages.gate.passes(one, request.min_confidence)]
        return with_filter_hits(hits, recalled.filter_hits, unit)


def _seen(stages: Preset) -> Preset:
    """The same preset, filtering by audience before it looks for anything."""
    return replace(stages, limits=replace(stages.limits, over=0))


def with_filter_hits(hits: list[Candidate], named: Sequence[FilterHit], unit: str) -> list[Candidate]:
    """Put what filters name first; a search hit in one of those Neurons is dropped, never the other way round ([004])."""
    covered = {one.neuron for one in named}
    found = {one.neuron: one for one in reversed(hits) if one.neuron in covered}
    first = []
    for one in named:
        known = found.get(one.neuron)
        candidate = Candidate(one.neuron, one.neuron, list(known.chunks) if known else [])
        candidate.match_type, candidate.tier = one.match_type, 0
        candidate.base = candidate.score = candidate.confidence = 1.0
        first.append(candidate)
    return [*first, *(one for one in hits if one.neuron not in covered)]
