"""Recall: choose the legs, fetch their files, run them, and fall back if they find too little or fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ranvier.correction import Corrector, initials
from ranvier.legs import LEXICAL, SEMANTIC, Leg, Recall
from ranvier.legs.guaranteed import guaranteed
from ranvier.legs.text import TextLeg
from ranvier.presets import Preset
from ranvier.query.fts import matching_rows, term_lookups
from ranvier.query.scope import TOP, Condition, ScopeFilter, condition
from ranvier.query.syntax import MIN_TYPED
from ranvier.query.tree import excluded, join
from ranvier.query.understand import ParsedQuery, as_words, phrases
from ranvier.requests import SearchRequest
from ranvier.store.fetch import gather, hinting, prefetch
from ranvier.store.snapshot import Snapshot, Steps, TermLookup
from ranvier.store.tables import NEURONS
from ranvier.store.texts import Texts
from ranvier.types import BY_MEANING, PARTIAL, PREFIX, FilterHit, Notice, Ranking, Strategy

MAX_VOCABULARY = 64_000  # bytes of the vocabulary to fetch with the postings; more is fetched only for an unknown word
PlannedReads = Callable[[ParsedQuery], tuple[list[TermLookup], tuple[str, ...]]]  # a query → the terms and packs to read


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The result of all legs. `query` may differ from the request: its spelling may be corrected."""

    query: ParsedQuery
    scope_filter: ScopeFilter
    rankings: tuple[Ranking, ...] = ()
    filter_hits: tuple[FilterHit, ...] = ()
    strategy: Strategy = "filter"
    semantic: frozenset[str] = frozenset()  # the semantic legs that ran
    failed: bool = False  # the index failed, so the texts were scanned (X2)
    unsettled: bool = False  # semantic legs wait until the reader pauses
    requires_all: bool = False  # a leg requires every word, and the query does not end with the first letters of a word

    @property
    def truncated(self) -> bool:
        """Whether a leg reached its limit of rows."""
        return any(ranking.truncated for ranking in self.rankings)


class Recaller:
    """Runs legs over one snapshot."""

    def __init__(self, snapshot: Snapshot, texts: Texts) -> None:
        self._snapshot = snapshot
        self._texts = texts

    def scope_filter(self, query: ParsedQuery, preset: Preset, packs: Sequence[str] = ()) -> Steps[ScopeFilter]:
        """Resolve the scope of the query. `packs` are fetched in the same round."""
        narrow = narrowing(query, preset)
        if narrow is None:
            yield from self._snapshot.fetch_terms((), packs)
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
    ) -> Steps[RecallResult]:
        """Run the legs. If no hit has every word, correct the spelling, or run the legs of last resort.

        Steps that need several rounds run side by side. `after` are the planned reads of later stages.
        """
        selected, notices = choose([leg for leg in legs if leg.is_applicable(self._snapshot, query)], query, request)
        lexical = [leg for leg in selected if leg.kind == LEXICAL]
        by_meaning = len(lexical) < len(selected)
        waiting = request.typing and bool(lexical) and by_meaning
        if waiting:
            selected = lexical
        manifest = self._snapshot.manifest
        if request.match == "substring" and manifest.chunk_count and "substring" not in manifest.packs:
            notices.append(_NO_SUBSTRING)
        # In a search for parts of words, a minus is a sign.
        former = (notice for notice in query.notices if notice.code != "excluded" or request.match != "substring")
        query = replace(query, notices=(*former, *notices))
        limit = candidate_count(preset, request)
        if query.guaranteed.time:  # [004]: a date range returns only its days
            scope_filter = yield from self.scope_filter(query, preset, guaranteed_packs(query))
            return RecallResult(query, scope_filter, (), (yield from self._filter_hits(query, scope_filter)))
        first = [leg for leg in selected if not leg.last_resort]
        lexical_legs = [leg for leg in first if leg.kind == LEXICAL]
        semantic_legs = [leg for leg in first if leg.kind == SEMANTIC]
        corrects = preset.understand.spelling and not request.exact and request.match != "substring"
        reads = (*after, *(stage.planned_reads for stage in preset.adjust))
        plan = _LexicalPlan(preset, corrects, limit, reads, semantic_legs, by_meaning)
        lexical_steps = self._run_lexical(lexical_legs, query, plan)
        if waiting and self._snapshot.vectors is not None:
            lexical_steps = hinting(lexical_steps, self._snapshot.vectors.hints(query.words))
        # Semantic legs come first: after a spelling correction their files are already here and are not fetched twice.
        *_, (query, scope_filter, outcome) = yield from gather(
            *self._prefetch_meaning(semantic_legs, query, plan), lexical_steps
        )
        lacks_phrase = request.match != "substring" and (yield from self._lacks_phrase(query, scope_filter, outcome))
        if lacks_phrase and corrects:
            query, scope_filter, outcome = yield from self._run_as_words(lexical_legs, query, scope_filter, plan, outcome)
        falls_back = not scope_filter.is_empty and not _has_matches(outcome.rankings)
        fallback_legs = [leg for leg in selected if leg.last_resort and falls_back]
        semantic_outcome, fallback_outcome = yield from gather(
            self._run(semantic_legs, query, scope_filter, limit, outcome.rankings),
            self._run(fallback_legs, query, scope_filter, limit),
        )
        if not lexical_legs and not semantic_outcome.rankings and semantic_outcome.notices:  # X1
            first = [leg for leg in legs if leg.kind == LEXICAL and not (leg.last_resort or leg.hybrid)]
            query, scope_filter, outcome = yield from self._run_lexical(first, query, replace(plan, semantic_legs=()))
        lexical_rankings = (fallback_outcome if fallback_legs else outcome).rankings
        outcome = _Outcome((*lexical_rankings, *semantic_outcome.rankings), semantic_outcome.notices)
        hits = yield from self._filter_hits(query, scope_filter)
        requires_all = any(leg.requires_all for leg in first) and not _ends_in_short_prefix(query)
        is_partial = requires_all and len(query.terms) > 1 and _best_tier(outcome) == PARTIAL
        missing = (PARTIAL_MATCHES,) if is_partial else (SEMANTIC_ONLY,) if _is_semantic_only(first, outcome) else ()
        if lacks_phrase and _has_matches(lexical_rankings):
            missing = (WITHOUT_PHRASE,)
        query = replace(query, notices=(*query.notices, *outcome.notices, *missing))
        semantic = frozenset(leg.name for leg in selected if leg.kind == SEMANTIC)
        strategy = _strategy(outcome, selected)
        return RecallResult(
            query, scope_filter, outcome.rankings, hits, strategy, semantic, unsettled=waiting, requires_all=requires_all
        )

    def scan(self, query: ParsedQuery, preset: Preset, request: SearchRequest) -> Steps[RecallResult]:
        """Scan the texts. Only the scope is read from the database; if that fails, the search fails."""
        from ranvier.legs.scan import scan

        scope_filter = yield from self.scope_filter(query, preset)
        limit = candidate_count(preset, request)
        ranking = yield from scan(Recall(self._snapshot, self._texts, query, scope_filter, limit), limit)
        query = replace(query, notices=(*query.notices, _SCANNED))
        return RecallResult(query, scope_filter, (ranking,), strategy="bm25", failed=True)

    def _first_round(self, legs: Sequence[Leg], query: ParsedQuery, plan: _LexicalPlan) -> Steps[None]:
        """Fetch in one round the planned reads of all legs and stages, and the vocabulary near the words of the query.

        A phrase that no page has is searched as words, which may then be corrected.
        """
        words = query if '"' not in query.words else as_words(query, plan.preset.understand)
        letters = initials(term.spelling for term in words.terms) if plan.corrects and legs else []
        narrow = narrowing(query, plan.preset)
        packs = {*(narrow.packs if narrow else ()), *guaranteed_packs(query)}
        hints = self._snapshot.vocabulary.hints(letters, MAX_VOCABULARY)
        yield from hinting(self._fetch_reads(legs, query, plan, sorted(packs)), hints)

    def _fetch_reads(
        self, legs: Sequence[Leg], query: ParsedQuery, plan: _LexicalPlan, packs: Sequence[str] = ()
    ) -> Steps[None]:
        planned = [planned_reads(query) for planned_reads in (*(leg.planned_reads for leg in legs), *plan.after)]
        terms = [term for lookups, _ in planned for term in lookups]
        terms += [term for node in excluded(query.tree) for term in term_lookups(node, NEURONS)]
        yield from self._snapshot.fetch_terms(terms, [*packs, *(pack for _, more in planned for pack in more)])

    def _prefetch_meaning(self, legs: Sequence[Leg], query: ParsedQuery, plan: _LexicalPlan) -> list[Steps[None]]:
        """Return the prefetch steps of the semantic legs, which do not depend on the words' hits."""
        narrowed = narrowing(query, plan.preset) is not None
        return [prefetch(leg.prefetch(self._snapshot, query, narrowed=narrowed)) for leg in legs]

    def _run_lexical(
        self, legs: Sequence[Leg], query: ParsedQuery, plan: _LexicalPlan
    ) -> Steps[tuple[ParsedQuery, ScopeFilter, _Outcome]]:
        """Run the lexical legs. Return the query (corrected if that finds more), its scope and the rankings."""
        yield from self._first_round(legs, query, plan)
        scope_filter = yield from self.scope_filter(query, plan.preset)
        text_leg = next((leg for leg in legs if isinstance(leg, TextLeg)), None)
        if text_leg is not None:
            scope_filter = yield from self._without_excluded(query, scope_filter, text_leg)
        outcome = yield from self._run(legs, query, scope_filter, plan.limit)
        if plan.corrects and legs and not scope_filter.is_empty and not _has_every_word(outcome):
            query, outcome = yield from self._run_corrected(legs, query, scope_filter, plan, outcome)
        return query, scope_filter, outcome

    def _without_excluded(self, query: ParsedQuery, scope_filter: ScopeFilter, leg: TextLeg) -> Steps[ScopeFilter]:
        """Remove Neurons with an excluded word in a column of the leg: a leg over chunks sees one chunk at a time."""
        if (node := join("OR", list(excluded(query.tree)))) is None:
            return scope_filter
        sql = f"SELECT rowid FROM {NEURONS} WHERE {NEURONS} MATCH ?"
        rows = yield from self._snapshot.query(
            sql, (leg.match_expression(node, as_prefixes=True),), term_lookups(node, NEURONS)
        )
        if not (numbers := {n for (n,) in rows}):
            return scope_filter
        others = range(1, self._snapshot.manifest.neuron_count + 1) if scope_filter.numbers is None else scope_filter.numbers
        return ScopeFilter(number for number in others if number not in numbers)

    def _lacks_phrase(self, query: ParsedQuery, scope_filter: ScopeFilter, outcome: _Outcome) -> Steps[bool]:
        """Tell whether the query has a phrase in quotes that no Neuron in the scope has."""
        if '"' not in query.words or _has_every_word(outcome):
            return False
        for phrase in phrases(query):
            if not (yield from matching_rows(self._snapshot, NEURONS, phrase, scope_filter, 1)):
                return True
        return False

    def _run_as_words(
        self, legs: Sequence[Leg], query: ParsedQuery, scope_filter: ScopeFilter, plan: _LexicalPlan, outcome: _Outcome
    ) -> Steps[tuple[ParsedQuery, ScopeFilter, _Outcome]]:
        """Search for the words of phrases that no page has. Without a match, the query stays as it is."""
        by_words = yield from self._run_lexical(legs, as_words(query, plan.preset.understand), plan)
        return by_words if _has_matches(by_words[2].rankings) else (query, scope_filter, outcome)

    def _run(
        self,
        legs: Sequence[Leg],
        query: ParsedQuery,
        scope_filter: ScopeFilter,
        limit: int,
        earlier_rankings: Sequence[Ranking] = (),
    ) -> Steps[_Outcome]:
        """Run legs one after the other; `earlier_rankings` are those of other legs."""
        rankings: list[Ranking] = []
        notices: list[Notice] = []
        for leg in legs:
            earlier = [*earlier_rankings, *rankings]
            words = [ranking.matches for ranking in earlier if not ranking.semantic]
            no_word_matches = bool(words) and not any(words)
            context = Recall(
                self._snapshot,
                self._texts,
                query,
                scope_filter,
                limit,
                _count_whole_matches(earlier, self._snapshot),
                no_word_matches,
            )
            try:
                rankings.append((yield from leg.recall(context)))
            except Exception:
                # X1: if vectors fail, the words still answer. X3: a missing file of the index is an error, never a shorter
                # list. X2: if the index fails, the caller scans the texts.
                if leg.kind != SEMANTIC:
                    raise
                notices.append(_NO_VECTORS)
        return _Outcome(tuple(rankings), tuple(dict.fromkeys(notices)))

    def _run_corrected(
        self, legs: Sequence[Leg], query: ParsedQuery, scope_filter: ScopeFilter, plan: _LexicalPlan, outcome: _Outcome
    ) -> Steps[tuple[ParsedQuery, _Outcome]]:
        """Search again with corrected spelling: of all doubtful words if that finds more, else of words that no page has."""

        def fetch(corrected: ParsedQuery) -> list[Steps[None]]:
            return [self._fetch_reads(legs, corrected, plan), *self._prefetch_meaning(plan.semantic_legs, corrected, plan)]

        corrector = Corrector(self._snapshot, query, scope_filter, plan.preset, fetch, by_meaning=plan.by_meaning)
        corrections, unknown = yield from corrector.corrections()
        for replacements in [corrections, unknown] if corrections != unknown else [corrections]:
            if replacements:
                corrected = corrector.corrected(replacements)
                yield from gather(*fetch(corrected))
                corrected_outcome = yield from self._run(legs, corrected, scope_filter, plan.limit)
                if replacements == unknown or _best_tier(corrected_outcome) < _best_tier(outcome) > PREFIX:
                    return corrected, corrected_outcome
        return query, outcome

    def _filter_hits(self, query: ParsedQuery, scope_filter: ScopeFilter) -> Steps[tuple[FilterHit, ...]]:
        if not query.guaranteed:
            return ()
        return (yield from guaranteed(self._snapshot, query.guaranteed, scope_filter, query.level))


@dataclass(frozen=True, slots=True)
class _LexicalPlan:
    """How the lexical legs run. `corrects`: correct the spelling; `after`: planned reads of later stages; `semantic_legs`
    search the corrected query too; `by_meaning`: they do, or will when the reader pauses.
    """

    preset: Preset
    corrects: bool
    limit: int
    after: tuple[PlannedReads, ...]
    semantic_legs: Sequence[Leg]
    by_meaning: bool


@dataclass(frozen=True, slots=True)
class _Outcome:
    rankings: tuple[Ranking, ...]
    notices: tuple[Notice, ...]


_NO_VECTORS = Notice("no-vectors", "Only words were searched: search by meaning is not available.")
_NO_SUBSTRING = Notice("no-substring", "This site was built without an index of parts of words.")
PARTIAL_MATCHES = Notice("some-words", "No page has all of these words; these pages have some of them.")
WEAK_MATCHES = Notice("little", "No page seems to be about this; these pages have some of the words.")
WITHOUT_PHRASE = Notice("no-phrase", "No page has this phrase; these pages have words from it.")
SEMANTIC_ONLY = Notice("near", "No page has all of these words; these pages are near in meaning.")
_SCANNED = Notice("scanned", "The index could not be used; the texts themselves were searched.")


def guaranteed_packs(query: ParsedQuery) -> tuple[str, ...]:
    """Return the packs that resolve the filters in a query ([004])."""
    return ("neuron", *(("tag",) if query.guaranteed.tags else ())) if query.guaranteed else ()


def narrowing(query: ParsedQuery, preset: Preset) -> Condition | None:
    """Return the conditions of a query's scope. A preset with `limits.overfetch` filters by audience afterwards (A5, [000])."""
    return condition(query.scope, TOP if preset.limits.overfetch else query.level, query.level)


def candidate_count(preset: Preset, request: SearchRequest) -> int:
    """Return how many rows each leg returns."""
    if preset.limits.overfetch:
        return (request.offset + (request.limit or preset.limits.results)) * preset.limits.overfetch
    limit = preset.limits.return_all if request.return_all else request.limit or preset.limits.results
    offset = request.offset if preset.limits.candidates_grow else 0
    return request.candidates or max(preset.limits.candidates, offset + limit + 1)


def choose(legs: Sequence[Leg], query: ParsedQuery, request: SearchRequest) -> tuple[list[Leg], list[Notice]]:
    """Choose the legs of a strategy (Q3) and a match mode (Q4). If none is left, the lexical legs run, with a notice."""
    if request.match == "substring":
        from ranvier.legs.substring import refuse_short

        refuse_short(query.words)
    fitting = [leg for leg in legs if request.match == "auto" or leg.match in ("", request.match)]
    if request.match == "substring":
        fitting = [replace(leg, last_resort=False) if leg.last_resort else leg for leg in fitting]  # type: ignore[type-var]
    kinds = {"bm25": (LEXICAL,), "vector": (SEMANTIC,), "rag": (LEXICAL, SEMANTIC)}[query.strategy]
    selected = [leg for leg in fitting if leg.kind in kinds]
    if query.strategy == "bm25" and request.match == "auto":
        selected = [leg for leg in selected if not leg.hybrid]
    if request.exact and request.strategy == "auto":  # only the exact words
        selected = [leg for leg in selected if leg.kind == LEXICAL]
    lacks_meaning = query.strategy != "bm25" and not any(leg.kind == SEMANTIC for leg in fitting)
    if not selected:
        selected = [leg for leg in fitting if leg.kind == LEXICAL]
    return selected, [_NO_VECTORS] if lacks_meaning and request.strategy in ("vector", "rag") else []


def _strategy(outcome: _Outcome, selected: Sequence[Leg]) -> Strategy:
    ran = {ranking.leg for ranking in outcome.rankings}
    kinds = {leg.kind for leg in selected if leg.name in ran}
    if SEMANTIC in kinds:
        return "rag" if LEXICAL in kinds else "vector"
    return "bm25"


def _count_whole_matches(rankings: Sequence[Ranking], snapshot: Snapshot) -> int:
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


def _has_matches(rankings: Iterable[Ranking]) -> bool:
    return any(ranking.matches for ranking in rankings)


def _best_tier(outcome: _Outcome) -> int:
    return min((match.tier for ranking in outcome.rankings for match in ranking.matches), default=BY_MEANING)


def _ends_in_short_prefix(query: ParsedQuery) -> bool:
    """Tell whether a query ends with the first letters of an unfinished word, so missing words do not matter yet."""
    unfinished = query.prefix and bool(query.terms) and not query.words[-1:].isspace()
    return unfinished and len(query.words.split()[-1]) < MIN_TYPED


def _is_semantic_only(legs: Sequence[Leg], outcome: _Outcome) -> bool:
    return any(leg.kind == LEXICAL for leg in legs) and _best_tier(outcome) == BY_MEANING and _has_matches(outcome.rankings)


def _has_every_word(outcome: _Outcome) -> bool:
    """Rows that have them only as a name have no score."""
    return any(match.tier < PARTIAL and match.micro for ranking in outcome.rankings for match in ranking.matches)
