"""Candidates and passages → hits (P1)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ranvier.present.excerpt import excerpt
from ranvier.present.highlight import Marker
from ranvier.presets import Preset
from ranvier.query.fts import expression, term_lookups, words
from ranvier.query.tree import join
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.confidence import level
from ranvier.recall import RecallResult
from ranvier.requests import MAX_LIMIT, SearchRequest
from ranvier.store.snapshot import Snapshot, Steps, TermLookup
from ranvier.store.tables import CHUNKS
from ranvier.store.texts import Passage, Texts
from ranvier.types import BY_MEANING, PARTIAL, PREFIX, WHOLE, Coverage, Explanation, Hit, MatchedField, SearchResult, SubResult

SUB_RESULTS = 3
COVERAGE: dict[int, Coverage] = {WHOLE: "all", PREFIX: "all", PARTIAL: "some", BY_MEANING: "none"}  # by tier
CONSIDERED = 4  # chunks of a Neuron whose text is fetched; most lie in one shard

_BEST = f"SELECT rowid FROM {CHUNKS} WHERE {CHUNKS} MATCH ? AND +rowid IN (SELECT value FROM json_each(?)) ORDER BY rank, rowid"


def planned_reads(query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
    """Return the reads that find the chunks to show of a Neuron that matched as a whole."""
    return [lookup for term in query.terms for lookup in term_lookups(term, CHUNKS)], ()


class Presenter:
    """Makes the requested page of hits."""

    def __init__(self, snapshot: Snapshot, texts: Texts, recalled: RecallResult, preset: Preset) -> None:
        self._snapshot = snapshot
        self._texts = texts
        self._query = recalled.query
        self._strategy = recalled.strategy
        self._preset = preset
        self._pieces = tuple(
            dict.fromkeys(piece for ranking in recalled.rankings if ranking.matches for piece in ranking.pieces)
        )
        self._truncated = recalled.truncated
        self._unsettled = recalled.unsettled
        self._lexical = {ranking.leg for ranking in recalled.rankings if ranking.chunks} - recalled.semantic
        self._note_matches = {n: note for ranking in recalled.rankings for n, note in ranking.note_matches.items()}

    def page(self, hits: list[Candidate], request: SearchRequest, limit: int) -> Steps[SearchResult]:
        """Return `limit` hits from the request's offset on."""
        # Neurons that filters name come in addition to the limit ([004]), a hundred to a page.
        filter_count = (
            min(sum(bool(hit.match_type) for hit in hits), request.offset + MAX_LIMIT) if self._query.guaranteed else 0
        )
        last = max(request.offset, filter_count) + limit
        page = hits[request.offset : last]
        yield from self._add_chunks(page)
        chunks = [chunk for candidate in page for chunk in candidate.chunks[:CONSIDERED]]
        first = {candidate.neuron: self._snapshot.manifest.chunks_of(candidate.neuron)[0] for candidate in page}
        passages = yield from self._texts.passages(chunks, first.values())
        k = self._preset.fuse.k if self._preset.fuse.by.startswith("rrf") else 0
        maker = HitMaker(self._marker(), passages, first, self._note_matches, k if request.explain else None)
        return SearchResult(
            hits=tuple(maker.hit(candidate, rank) for rank, candidate in enumerate(page, request.offset + 1)),
            total_hits=len(hits),
            next_offset=last if last < len(hits) else None,
            truncated=self._truncated,
            strategy=self._strategy,
            notices=self._query.notices,
            intent=self._query.intent,
            unsettled=self._unsettled,
        )

    def _marker(self) -> Marker:
        whole, prefixes = words(join("OR", [*self._query.terms, *self._query.rewrites.values()]))
        return Marker(whole, prefixes, self._query.langs[0], substrings=self._pieces)

    def _add_chunks(self, page: list[Candidate]) -> Steps[None]:
        """Find the chunks to show if no lexical leg returned any: chunks with the words first, else any."""
        without_chunks = [
            candidate
            for candidate in page
            if not (candidate.chunks and self._lexical.intersection(leg.leg for leg in candidate.legs))
        ]
        if not without_chunks:
            return
        chunks_of = self._snapshot.manifest.chunks_of
        rows: list[tuple[int]] = []
        tree = join("OR", list(self._query.terms))
        if tree is not None:
            chunks_json = json.dumps([chunk for candidate in without_chunks for chunk in chunks_of(candidate.neuron)])
            rows = yield from self._snapshot.query(_BEST, (expression(tree), chunks_json), term_lookups(tree, CHUNKS))
        by_neuron: dict[int, list[int]] = {}
        for (chunk,) in rows:
            by_neuron.setdefault(self._snapshot.manifest.neuron_of(chunk), []).append(chunk)
        for candidate in without_chunks:
            chunks = (*by_neuron.get(candidate.neuron, ()), *candidate.chunks)
            candidate.chunks = list(dict.fromkeys(chunks)) or [chunks_of(candidate.neuron)[0]]


@dataclass(frozen=True, slots=True)
class HitMaker:
    """Makes hits for one query.

    `first`: the first chunk of each Neuron. `note_matches`: for Neurons whose match is in no chunk, the text and the piece of
    it to mark. `k`: the constant of the fusion, if hits are explained.
    """

    marker: Marker
    passages: dict[int, Passage]
    first: dict[int, int]
    note_matches: dict[int, tuple[str, str]]
    k: int | None

    def hit(self, candidate: Candidate, rank: int) -> Hit:
        """Make the hit of a Neuron; `rank` counts from 1."""
        best = self.passages[candidate.chunks[0]]
        card = best.neuron
        snippet = excerpt(self.marker, self._summary(candidate, best))
        field, highlight = self._field(candidate, best, snippet.text)
        return Hit(
            id=card.id,
            seq_id=card.seq_id,
            slug=card.slug,
            title=card.title,
            title_highlight=self.marker.mark(card.title, card.lang),
            url=card.url,
            path=card.path,
            kind=card.kind,
            modality=card.modality,
            tags=tuple(card.tags),
            field=field,
            highlight=highlight,
            snippet=snippet.text,
            snippet_kind=snippet.kind,
            breadcrumb=best.breadcrumb,
            anchor=best.anchor,
            score=candidate.score,
            rank=rank,
            confidence=candidate.confidence,
            level=level(candidate.confidence),
            matched_in=tuple(dict.fromkeys(leg.leg for leg in candidate.legs))
            or ((candidate.match_type,) if candidate.match_type else ()),
            coverage=COVERAGE[candidate.tier],
            sub_results=self._sub_results(candidate),
            lang=card.lang,
            updated=card.updated,
            is_filter_result=bool(candidate.match_type),
            match_type=candidate.match_type,
            explain=None
            if self.k is None
            else Explanation(tuple(candidate.legs), self.k, candidate.base, tuple(candidate.steps), candidate.score),
        )

    def _summary(self, candidate: Candidate, best: Passage) -> Passage:
        """Return the best passage; if it matches neither by words nor by meaning, the page's first one."""
        if candidate.tier == BY_MEANING or self.marker.terms_in(best.body, best.neuron.lang):
            return best
        return self.passages.get(self.first[candidate.neuron], best)

    def _field(self, candidate: Candidate, passage: Passage, snippet: str) -> tuple[MatchedField, str]:
        """Return the field with most query words: (field, that field marked)."""
        lang = passage.neuron.lang
        if candidate.neuron in self.note_matches:
            note, piece = self.note_matches[candidate.neuron]
            return "note", Marker(frozenset(), (), lang, substrings=(piece,)).snippet(note, lang=lang)
        card = passage.neuron
        fields: list[tuple[MatchedField, str]] = [("title", card.title), *(("alias", alias) for alias in card.aliases)]
        fields += [("heading", passage.heading), ("tags", " ".join(card.tags))]
        counts = [(len(self.marker.terms_in(plain, lang)), -at) for at, (_, plain) in enumerate(fields)]
        best_count, at = max(counts)
        if best_count and best_count >= len(self.marker.terms_in(passage.body, lang)):
            name, plain = fields[-at]
            return name, self.marker.mark(plain, lang)
        return "body", snippet

    def _sub_results(self, candidate: Candidate) -> tuple[SubResult, ...]:
        """Return the sections with a query word in their own text or heading; best first, one for each anchor."""
        results: dict[str, SubResult] = {}
        for chunk in candidate.chunks[:CONSIDERED]:
            passage = self.passages[chunk]
            section = f"{passage.heading}\n{passage.body}"
            if passage.anchor and passage.anchor not in results and self.marker.terms_in(section, passage.neuron.lang):
                results[passage.anchor] = self._sub_result(passage, candidate.score)
        return tuple(results.values())[:SUB_RESULTS]

    def _sub_result(self, passage: Passage, score: float) -> SubResult:
        lang = passage.neuron.lang
        quote = excerpt(self.marker, passage)
        return SubResult(
            title=passage.heading,
            title_highlight=self.marker.mark(passage.heading, lang),
            url=f"{passage.neuron.url}#{passage.anchor}",
            anchor=passage.anchor,
            breadcrumb=passage.breadcrumb,
            snippet=quote.text,
            snippet_kind=quote.kind,
            score=score,
        )
