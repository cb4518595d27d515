"""Recall: choose the legs, fetch their files, run them, and fall back if they find too little or fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ranvier import text
from ranvier.legs import LEXICAL, SEMANTIC, Leg, Recall
from ranvier.legs.guaranteed import GuaranteedLeg
from ranvier.presets import Preset
from ranvier.query.scope import TOP, Condition, ScopeFilter, condition
from ranvier.query.syntax import MIN_TYPED, word_term
from ranvier.query.tree import Term
from ranvier.query.understand import ParsedQuery, reading
from ranvier.requests import SearchRequest
from ranvier.store.fetch import gather, hinting, prefetch
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.store.texts import Texts
from ranvier.types import BY_MEANING, PARTIAL, FilterHit, Notice, Ranking, Strategy

WORDS_SOON = 64_000  # bytes of the vocabulary to fetch with the postings; more is fetched only for an unknown word
PlannedReads = Callable[[ParsedQuery], tuple[list[Sought], tuple[str, ...]]]  # a query → the terms and packs to read


@dataclass(frozen=True, slots=True)
class Recalled:
    """The result of all legs. `query` may differ from the request: its spelling may be corrected."""

    query: ParsedQuery
    within: ScopeFilter
    rankings: tuple[Ranking, ...] = ()
    filter_hits: tuple[FilterHit, ...] = ()
    strategy: Strategy = "filter"
    semantic: frozenset[str] = frozenset()  # the semantic legs that ran
    failed: bool = False  # the index failed, so the texts were scanned (X2)
    unsettled: bool = False  # semantic legs wait until the reader pauses
    wants_all: bool = False  # a leg requires every word, and the query does not end with the first letters of a word


class Recaller:
    """Runs legs over one snapshot."""

    def __init__(self, snapshot: Snapshot, texts: Texts) -> None:
        self._snapshot = snapshot
        self._texts = texts

    def within(self, query: ParsedQuery, preset: Preset, packs: Sequence[str] = ()) -> Steps[ScopeFilter]:
        """Resolve the scope of the query. `packs` are fetched in the same round."""
        narrow = narrowing(query, preset)
        if narrow is None:
            yield from self._snapshot.have((), packs)
            return ScopeFilter()
        sql = f"SELECT n FROM neuron WHERE {narrow.sql}"
        rows = yield from self._snapshot.query(sql, narrow.values, (), (*sorted(narrow.packs), *packs))
        return ScopeFilter(n for (n,) in rows)

    def recall(
        self,
        query: ParsedQuery,
        preset: Preset,
        request: SearchRequest,
        legs: Sequence[Leg],
        after: Sequence[PlannedReads] = (),
    ) -> Steps[Recalled]:
        """Run the legs; mend the spelling, or turn to the legs of last resort, where nothing has every word.

        What several of them must fetch one after the other, they fetch side by side. `after` is what will be read of the hits.
        """
        chosen, notices = choose([leg for leg in legs if leg.fits(self._snapshot, query)], query, request)
        quick = [leg for leg in chosen if leg.kind == LEXICAL]
        waiting = request.typing and 0 < len(quick) < len(chosen)
        if waiting:
            chosen = quick
        manifest = self._snapshot.manifest
        if request.match == "substring" and manifest.chunk_count and "substring" not in manifest.packs:
            notices.append(_NO_SUBSTRING)
        query = replace(query, notices=(*query.notices, *notices))
        many = candidates(preset, request)
        if query.guaranteed.time:  # [004]: a date range returns only its days
            within = yield from self.within(query, preset, guaranteed_packs(query))
            return Recalled(query, within, (), (yield from self._guaranteed(query, within, many)))
        first = [leg for leg in chosen if not leg.last_resort]
        words = [leg for leg in first if leg.kind == LEXICAL]
        meaning = [leg for leg in first if leg.kind == SEMANTIC]
        mends = preset.understand.spelling and not request.exact and request.match != "substring"
        by_words = _ByWords(preset, mends, many, (*after, *(stage.planned_reads for stage in preset.adjust)), meaning)
        looking = self._by_words(words, query, by_words)
        if waiting and self._snapshot.vectors is not None:
            looking = hinting(looking, self._snapshot.vectors.hints(query.words))
        # Meaning comes first: if words turn out to be misspelled, its files are already here and are not fetched twice.
        *_, (query, within, outcome) = yield from gather(*self._prefetch_meaning(meaning, query, by_words), looking)
        rest = [leg for leg in chosen if leg.last_resort and not any(ranking.matches for ranking in outcome.rankings)]
        by_meaning, last = yield from gather(
            self._run(meaning, query, within, many, outcome.rankings), self._run(rest, query, within, many)
        )
        if not words and not by_meaning.rankings and by_meaning.notices:  # meaning alone, and not available: X1
            first = [leg for leg in legs if leg.kind == LEXICAL and not (leg.last_resort or leg.hybrid)]
            query, within, outcome = yield from self._by_words(first, query, replace(by_words, meaning=()))
        words_found = (last if rest else outcome).rankings
        outcome = _Outcome((*words_found, *by_meaning.rankings), by_meaning.notices)
        hits = yield from self._guaranteed(query, within, many)
        wants_all = any(leg.wants_all for leg in first) and not _is_begun(query)
        some = wants_all and len(query.terms) > 1 and _best_tier(outcome) == PARTIAL
        missing = (SOME_WORDS,) if some else (NEAR_ALONE,) if _only_near(first, outcome) else ()
        query = replace(query, notices=(*query.notices, *outcome.notices, *missing))
        semantic = frozenset(leg.name for leg in chosen if leg.kind == SEMANTIC)
        strategy = _strategy(outcome, chosen)
        return Recalled(query, within, outcome.rankings, hits, strategy, semantic, unsettled=waiting, wants_all=wants_all)

    def scanned(self, query: ParsedQuery, preset: Preset, request: SearchRequest) -> Steps[Recalled]:
        """Scan the texts. Only the scope is read from the database; if that fails, the search fails."""
        from ranvier.legs.scan import scan

        within = yield from self.within(query, preset)
        many = candidates(preset, request)
        ranking = yield from scan(Recall(self._snapshot, self._texts, query, within, many), many)
        query = replace(query, notices=(*query.notices, _SCANNED))
        return Recalled(query, within, (ranking,), strategy="bm25", failed=True)

    def prefetch(
        self, query: ParsedQuery, preset: Preset, request: SearchRequest, legs: Sequence[Leg], after: Sequence[PlannedReads]
    ) -> list[Steps[None]]:
        """Return steps to run beside another search that this one may follow. They fetch what `recall` reads first."""
        chosen, _ = choose([leg for leg in legs if leg.fits(self._snapshot, query)], query, request)
        words = [leg for leg in chosen if leg.kind == LEXICAL and not leg.last_resort]
        meaning = [leg for leg in chosen if leg.kind == SEMANTIC]
        mends = preset.understand.spelling and not request.exact and request.match != "substring"
        plan = _ByWords(preset, mends, 0, (*after, *(stage.planned_reads for stage in preset.adjust)))
        looking = self._first_round(words, query, plan)
        if not (request.typing and words):
            return [*self._prefetch_meaning(meaning, query, plan), prefetch(looking)]
        hints = self._snapshot.vectors.hints(query.words) if meaning and self._snapshot.vectors is not None else ()
        return [prefetch(hinting(looking, hints))]

    def _first_round(self, legs: Sequence[Leg], query: ParsedQuery, plan: _ByWords) -> Steps[None]:
        """Fetch in one round the planned reads of all legs and stages, and the vocabulary near the words of the query."""
        begins = _begins(term.spelling for term in query.terms) if plan.mends and legs else []
        narrow = narrowing(query, plan.preset)
        packs = {*(narrow.packs if narrow else ()), *guaranteed_packs(query)}
        words = self._snapshot.words_soon(begins, WORDS_SOON)
        yield from hinting(self._have(legs, query, plan, sorted(packs)), words)

    def _have(self, legs: Sequence[Leg], query: ParsedQuery, plan: _ByWords, packs: Sequence[str] = ()) -> Steps[None]:
        planned = [planned_reads(query) for planned_reads in (*(leg.planned_reads for leg in legs), *plan.after)]
        terms = [term for some, _ in planned for term in some]
        yield from self._snapshot.have(terms, [*packs, *(pack for _, some in planned for pack in some)])

    def _prefetch_meaning(self, legs: Sequence[Leg], query: ParsedQuery, plan: _ByWords) -> list[Steps[None]]:
        """Return the prefetch steps of the semantic legs, which do not depend on the words' hits."""
        narrowed = narrowing(query, plan.preset) is not None
        return [prefetch(leg.prefetch(self._snapshot, query, narrowed=narrowed)) for leg in legs]

    def _by_words(
        self, legs: Sequence[Leg], query: ParsedQuery, plan: _ByWords
    ) -> Steps[tuple[ParsedQuery, ScopeFilter, _Outcome]]:
        """Run the lexical legs. Return the query (corrected if that finds more), its scope and the rankings."""
        yield from self._first_round(legs, query, plan)
        within = yield from self.within(query, plan.preset)
        outcome = yield from self._run(legs, query, within, plan.many)
        if plan.mends and legs and not _has_every_word(outcome):
            query, outcome = yield from self._respelt(legs, query, within, plan, outcome)
        return query, within, outcome

    def _run(
        self, legs: Sequence[Leg], query: ParsedQuery, within: ScopeFilter, many: int, before: Sequence[Ranking] = ()
    ) -> Steps[_Outcome]:
        """Run legs one after the other; `before` has the rankings of earlier legs."""
        rankings: list[Ranking] = []
        notices: list[Notice] = []
        for leg in legs:
            earlier = [*before, *rankings]
            words = [ranking.matches for ranking in earlier if not ranking.semantic]
            wordless = bool(words) and not any(words)
            context = Recall(self._snapshot, self._texts, query, within, many, _neurons(earlier, self._snapshot), wordless)
            try:
                rankings.append((yield from leg.recall(context)))
            except Exception:
                # X1: if vectors fail, the words still answer. X3: a missing file of the index is an error, never a shorter
                # list. X2: if the index fails, the caller scans the texts.
                if leg.kind != SEMANTIC:
                    raise
                notices.append(_NO_VECTORS)
        return _Outcome(tuple(rankings), tuple(dict.fromkeys(notices)))

    def _respelt(
        self, legs: Sequence[Leg], query: ParsedQuery, within: ScopeFilter, plan: _ByWords, outcome: _Outcome
    ) -> Steps[tuple[ParsedQuery, _Outcome]]:
        """Search again with corrected spelling: of all doubtful words if that finds more, else of words that no page has."""
        from ranvier.query.spelling import RARE, is_sure

        standing = yield from self._doubtful(query, within)
        terms = [term for term in query.terms if standing.get(term.spelling, RARE + 1) <= RARE]
        begins = _begins(term.spelling for term in terms)
        counts = (yield from self._snapshot.words(begins)) if begins else {}
        if within.numbers is not None:
            yield from self._prefetch_candidates(legs, query, terms, plan, counts)
        slips: dict[str, str] = {}
        unknown: dict[str, str] = {}
        for term in terms:
            if right := (yield from self._right(term, standing[term.spelling], counts, within)):
                slips[term.spelling] = right
                if not standing[term.spelling] and is_sure(text.fold(term.spelling), right, counts[right]):
                    unknown[term.spelling] = right
        for some in [slips, unknown] if slips != unknown else [slips]:
            if some:
                mended = _mended(query, some, plan.preset)
                yield from gather(self._have(legs, mended, plan), *self._prefetch_meaning(plan.meaning, mended, plan))
                better = yield from self._run(legs, mended, within, plan.many)
                if some == unknown or _best_tier(better) < _best_tier(outcome):
                    return mended, better
        return query, outcome

    def _doubtful(self, query: ParsedQuery, within: ScopeFilter) -> Steps[dict[str, int]]:
        """Count the Neurons in the scope that have each doubtful word, up to `RARE` + 1."""
        from ranvier.query.spelling import RARE, may_be_mended

        standing: dict[str, int] = {}
        for term in query.terms:
            if term.spelling and may_be_mended(text.fold(term.spelling)):
                standing[term.spelling] = yield from self._standing(term, within, RARE + 1)
        return standing

    def _right(self, term: Term, standing: int, counts: Mapping[str, int], within: ScopeFilter) -> Steps[str]:
        """Return the correction of a word; "" if the word is right or has no near neighbour. `standing` Neurons have the word.

        `installs` is right if a page has `install`. Words outside of the scope are ignored, so no word that the caller may
        not see is revealed (A5).
        """
        from ranvier.query.spelling import nearby

        word = text.fold(term.spelling)
        others = {other: count for other, count in counts.items() if other != word or standing}
        for right in nearby(word, others, _MOST_TRIED):
            correction = self._correction(right)
            if within.numbers is None or (correction is not None and (yield from self._standing(correction, within, 1))):
                return right
        return ""

    def _correction(self, word: str) -> Term | None:
        return word_term(word, (*self._snapshot.manifest.langs, "und"))

    def _prefetch_candidates(
        self, legs: Sequence[Leg], query: ParsedQuery, doubtful: Sequence[Term], plan: _ByWords, counts: Mapping[str, int]
    ) -> Steps[None]:
        """Fetch in one round the postings of all candidate corrections, and the files of the likeliest one."""
        from ranvier.query.fts import sought
        from ranvier.query.spelling import nearby
        from ranvier.store.tables import NEURONS

        near = {term.spelling: [*nearby(text.fold(term.spelling), counts, _MOST_TRIED)] for term in doubtful}
        likeliest = {misspelling: words[0] for misspelling, words in near.items() if words}
        corrections = [term for words in near.values() for word in words if (term := self._correction(word)) is not None]
        terms = [lookup for term in corrections for lookup in sought(term, NEURONS)]
        if likeliest:
            mended = _mended(query, likeliest, plan.preset)
            read = self._snapshot.have(terms), self._have(legs, mended, plan)
            yield from gather(*read, *self._prefetch_meaning(plan.meaning, mended, plan))

    def _standing(self, term: Term, within: ScopeFilter, most: int) -> Steps[int]:
        """Count the Neurons in a scope that have a word in any form, up to `most`."""
        from ranvier.query.fts import expression, sought
        from ranvier.store.tables import NEURONS

        narrowed, values = within.of_neurons()
        sql = f"SELECT rowid FROM {NEURONS} WHERE {NEURONS} MATCH ?{narrowed} LIMIT {most}"
        rows = yield from self._snapshot.query(sql, (expression(term), *values), sought(term, NEURONS))
        return len(rows)

    def _guaranteed(self, query: ParsedQuery, within: ScopeFilter, many: int) -> Steps[tuple[FilterHit, ...]]:
        if not query.guaranteed:
            return ()
        context = Recall(self._snapshot, self._texts, query, within, many)
        return tuple((yield from GuaranteedLeg().recall(context)))


@dataclass(frozen=True, slots=True)
class _ByWords:
    """How words are looked for: `mends`, whether slips are put right; `after`, what stages after the legs will read; `meaning`,
    the legs of meaning, which a mended query is for as well.
    """

    preset: Preset
    mends: bool
    many: int
    after: tuple[PlannedReads, ...]
    meaning: Sequence[Leg] = ()


@dataclass(frozen=True, slots=True)
class _Outcome:
    rankings: tuple[Ranking, ...]
    notices: tuple[Notice, ...] = ()


_MOST_TRIED = 5  # candidate corrections that are tried in a scope
_NO_VECTORS = Notice("no-vectors", "Only words were searched: search by meaning is not available.")
_NO_SUBSTRING = Notice("no-substring", "This site was built without an index of parts of words.")
SOME_WORDS = Notice("some-words", "No page has all of these words; these pages have some of them.")
LITTLE = Notice("little", "No page seems to be about this; these pages have some of the words.")
NEAR_ALONE = Notice("near", "No page has all of these words; these pages are near in meaning.")
_SCANNED = Notice("scanned", "The index could not be used; the texts themselves were searched.")


def guaranteed_packs(query: ParsedQuery) -> tuple[str, ...]:
    """Return the packs that resolve the filters in a query ([004])."""
    return ("neuron", *(("tag",) if query.guaranteed.tags else ())) if query.guaranteed else ()


def narrowing(query: ParsedQuery, preset: Preset) -> Condition | None:
    """Return the conditions of a query's scope. A preset with `limits.over` filters by audience afterwards (A5, [000])."""
    return condition(query.scope, TOP if preset.limits.over else query.level, query.level)


def candidates(preset: Preset, request: SearchRequest) -> int:
    """Return how many rows each leg returns."""
    if preset.limits.over:
        return (request.offset + (request.limit or preset.limits.results)) * preset.limits.over
    most = preset.limits.return_all if request.return_all else request.limit or preset.limits.results
    far = request.offset if preset.limits.grows else 0
    return request.candidates or max(preset.limits.candidates, far + most + 1)


def choose(legs: Sequence[Leg], query: ParsedQuery, request: SearchRequest) -> tuple[list[Leg], list[Notice]]:
    """Choose the legs of a strategy (Q3) and a match mode (Q4). If none is left, the lexical legs run, with a notice."""
    if request.match == "substring":
        from ranvier.legs.substring import refuse_short

        refuse_short(query.words)
    fitting = [leg for leg in legs if request.match == "auto" or leg.match in ("", request.match)]
    if request.match == "substring":
        fitting = [replace(leg, last_resort=False) if leg.last_resort else leg for leg in fitting]  # type: ignore[type-var]
    kinds = {"bm25": (LEXICAL,), "vector": (SEMANTIC,), "rag": (LEXICAL, SEMANTIC)}[query.strategy]
    chosen = [leg for leg in fitting if leg.kind in kinds]
    if query.strategy == "bm25" and request.match == "auto":
        chosen = [leg for leg in chosen if not leg.hybrid]
    if request.exact and request.strategy == "auto":  # the words as they are
        chosen = [leg for leg in chosen if leg.kind == LEXICAL]
    without = query.strategy != "bm25" and not any(leg.kind == SEMANTIC for leg in fitting)
    if not chosen:
        chosen = [leg for leg in fitting if leg.kind == LEXICAL]
    return chosen, [_NO_VECTORS] if without and request.strategy in ("vector", "rag") else []


def _strategy(outcome: _Outcome, chosen: Sequence[Leg]) -> Strategy:
    ran = {ranking.leg for ranking in outcome.rankings}
    kinds = {leg.kind for leg in chosen if leg.name in ran}
    if SEMANTIC in kinds:
        return "rag" if LEXICAL in kinds else "vector"
    return "bm25"


def _neurons(rankings: Sequence[Ranking], snapshot: Snapshot) -> int:
    """Count the Neurons that have every word."""
    neuron_of = snapshot.manifest.neuron_of
    return len(
        {
            neuron_of(match.row) if ranking.chunks else match.row
            for ranking in rankings
            for match in ranking.matches
            if match.tier < PARTIAL
        }
    )


def _best_tier(outcome: _Outcome) -> int:
    return min((match.tier for ranking in outcome.rankings for match in ranking.matches), default=BY_MEANING)


def _begins(words: Iterable[str]) -> list[str]:
    """Return the possible first letters of the corrections of doubtful words."""
    from ranvier.query import spelling

    doubtful = filter(spelling.may_be_mended, map(text.fold, words))
    return sorted({start for word in doubtful for start in spelling.beginnings(word)})


def _mended(query: ParsedQuery, slips: Mapping[str, str], preset: Preset) -> ParsedQuery:
    from ranvier.query import spelling

    words = spelling.mended(query.words, slips)
    notice = Notice("corrected", f"Searched for “{words.strip()}”.", words.strip())
    return query.reparsed(words, notice, reading(preset.understand))


def _is_begun(query: ParsedQuery) -> bool:
    """Tell whether a query ends with the first letters of an unfinished word, which say nothing about missing words."""
    unfinished = query.prefix and bool(query.terms) and not query.words[-1:].isspace()
    return unfinished and len(query.words.split()[-1]) < MIN_TYPED


def _only_near(legs: Sequence[Leg], outcome: _Outcome) -> bool:
    return (
        any(leg.kind == LEXICAL for leg in legs)
        and _best_tier(outcome) == BY_MEANING
        and any(ranking.matches for ranking in outcome.rankings)
    )


def _has_every_word(outcome: _Outcome) -> bool:
    return _best_tier(outcome) < PARTIAL
