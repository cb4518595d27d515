"""The middle of a search: which legs run, what is fetched before them, and what happens when they find too little or fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ranvier import text
from ranvier.legs import LEXICAL, SEMANTIC, Leg, Recall
from ranvier.legs.guaranteed import GuaranteedLeg
from ranvier.presets import Preset
from ranvier.query.scope import TOP, Condition, Within, condition
from ranvier.query.syntax import MIN_TYPED, word_term
from ranvier.query.tree import Term
from ranvier.query.understand import Understood, reading
from ranvier.rank.stage import Stage
from ranvier.requests import SearchRequest
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.store.texts import Texts
from ranvier.types import NEAR, SOME, FilterHit, Notice, Ranking


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the legs found. `query` may have other words than were asked for: a spelling that was mended."""

    query: Understood
    within: Within
    rankings: tuple[Ranking, ...] = ()
    filter_hits: tuple[FilterHit, ...] = ()
    strategy: str = "filter"
    semantic: frozenset[str] = frozenset()  # the legs of meaning that ran
    failed: bool = False  # the index failed, and the texts themselves were read (X2)
    unsettled: bool = False  # legs of meaning wait until the reader pauses


class Recaller:
    """Runs legs over one snapshot."""

    def __init__(self, snapshot: Snapshot, texts: Texts) -> None:
        self._snapshot = snapshot
        self._texts = texts

    def within(self, query: Understood, preset: Preset, packs: Sequence[str] = ()) -> Steps[Within]:
        """Resolve what the query is narrowed to. `packs` are fetched in the same round."""
        asked = narrowing(query, preset)
        if asked is None:
            yield from self._snapshot.have((), packs)
            return Within()
        sql = f"SELECT n FROM neuron WHERE {asked.sql}"
        rows = yield from self._snapshot.query(sql, asked.values, (), (*sorted(asked.packs), *packs))
        return Within(n for (n,) in rows)

    def recall(self, query: Understood, preset: Preset, request: SearchRequest, legs: Sequence[Leg]) -> Steps[Recalled]:
        """Run the legs; mend the spelling, or turn to the legs of last resort, where nothing has every word."""
        chosen, notices = choose([leg for leg in legs if leg.fits(self._snapshot, query)], query, request)
        quick = [leg for leg in chosen if leg.kind == LEXICAL]
        waiting = request.typing and 0 < len(quick) < len(chosen)
        if waiting:
            chosen = quick
        manifest = self._snapshot.manifest
        if request.match == "substring" and manifest.chunk_count and "substring" not in manifest.packs:
            notices.append(_NO_SUBSTRING)
        query = replace(query, notices=(*query.notices, *notices))
        first = [leg for leg in chosen if not leg.last_resort]
        yield from self._ahead(first, query, preset)
        within = yield from self.within(query, preset)
        many = candidates(preset, request)
        if query.guaranteed.time:  # [004]: a range of days is answered by its days alone
            hits = yield from self._guaranteed(query, within, many)
            return Recalled(query, within, (), hits)
        found = yield from self._run(first, query, within, many)
        if not found.rankings and found.notices:  # meaning alone was asked for, and cannot be had: X1
            first = [leg for leg in legs if leg.kind == LEXICAL and not (leg.last_resort or leg.hybrid)]
            words = yield from self._run(first, query, within, many)
            found = _Found(words.rankings, found.notices)
        mend = preset.understand.spelling and not request.exact and request.match != "substring"
        if mend and not _has_every_word(found):
            query, found = yield from self._respelt(first, query, preset, within, many, found)
        rest = [leg for leg in chosen if leg not in first]
        if rest and not any(ranking.found for ranking in found.rankings if not ranking.semantic):
            last = yield from self._run(rest, query, within, many)
            meant = (ranking for ranking in found.rankings if ranking.semantic)
            found = _Found((*last.rankings, *meant), (*found.notices, *last.notices))
        hits = yield from self._guaranteed(query, within, many)
        told = (_SOME_WORDS,) if _only_some(first, query, found) else (_NEAR,) if _only_near(first, found) else ()
        query = replace(query, notices=(*query.notices, *found.notices, *told))
        semantic = frozenset(leg.name for leg in chosen if leg.kind == SEMANTIC)
        return Recalled(query, within, found.rankings, hits, _strategy(found, chosen), semantic, unsettled=waiting)

    def scanned(self, query: Understood, preset: Preset, request: SearchRequest) -> Steps[Recalled]:
        """Read the texts themselves; only the scope is asked of the database, and where that fails it is an error."""
        from ranvier.legs.scan import scan

        within = yield from self.within(query, preset)
        many = candidates(preset, request)
        ranking = yield from scan(Recall(self._snapshot, self._texts, query, within, many), many)
        query = replace(query, notices=(*query.notices, _SCANNED))
        return Recalled(query, within, (ranking,), strategy="bm25", failed=True)

    def _ahead(self, legs: Sequence[Leg], query: Understood, preset: Preset) -> Steps[None]:
        """Fetch in one round what all legs and stages are known to read."""
        sought: list[Sought] = []
        packs: list[str] = []
        readers: list[Leg | Stage] = [*legs, *preset.adjust]
        for one in readers:
            terms, some = one.foresee(query)
            sought += terms
            packs += some
        asked = narrowing(query, preset)
        packs += sorted(asked.packs) if asked else ()
        yield from self._snapshot.have(sought, packs)

    def _run(self, legs: Sequence[Leg], query: Understood, within: Within, many: int) -> Steps[_Found]:
        rankings: list[Ranking] = []
        notices: list[Notice] = []
        for leg in legs:
            words = [ranking.found for ranking in rankings if not ranking.semantic]
            wordless = bool(words) and not any(words)
            given = Recall(self._snapshot, self._texts, query, within, many, _neurons(rankings, self._snapshot), wordless)
            try:
                rankings.append((yield from leg.recall(given)))
            except Exception:
                # X1: whatever happens to vectors, the words answer without them. X3: a file of theirs that cannot be had is an
                # error, never a shorter list. X2: so is an index that fails; who called reads the texts instead.
                if leg.kind != SEMANTIC:
                    raise
                notices.append(_NO_VECTORS)
        return _Found(tuple(rankings), tuple(dict.fromkeys(notices)))

    def _respelt(
        self, legs: Sequence[Leg], query: Understood, preset: Preset, within: Within, many: int, found: _Found
    ) -> Steps[tuple[Understood, _Found]]:
        """Search again with unknown words mended, if that finds more than some of the words."""
        from ranvier.query import spelling

        slips: dict[str, str] = {}
        doubtful = [term for term in query.terms if term.said]
        begins = {start for term in doubtful for start in spelling.beginnings(text.fold(term.said))}
        counts = (yield from self._snapshot.words(sorted(begins))) if begins else {}
        for term in doubtful:
            if right := (yield from self._right(term, counts, within)):
                slips[term.said] = right
        if not slips:
            return query, found
        words = spelling.mended(query.words, slips)
        told = Notice("corrected", f"Searched for “{words.strip()}”.", words.strip())
        mended = query.reparsed(words, told, reading(preset.understand))
        yield from self._ahead(legs, mended, preset)
        better = yield from self._run(legs, mended, within, many)
        return (mended, better) if _best_tier(better) < _best_tier(found) else (query, found)

    def _right(self, term: Term, counts: Mapping[str, int], within: Within) -> Steps[str]:
        """Return the word that was meant; "" where a word is right, or nothing is near.

        `installs` is right where `install` stands. What stands outside of the scope alone is neither a reason nor a cure: of
        what a caller may not see no word is named, and none is known (A5).
        """
        from ranvier.query.spelling import RARE, nearest

        word = text.fold(term.said)
        if not nearest(word, counts):
            return ""
        standing = yield from self._standing(term, within, RARE + 1)
        if standing > RARE:
            return ""
        others = {other: count for other, count in counts.items() if other != word or standing}
        for _ in range(_MOST_TRIED):
            right = nearest(word, others)
            if right is None or within.numbers is None:
                return right or ""
            meant = word_term(right, (*self._snapshot.manifest.langs, "und"))
            if meant is not None and (yield from self._standing(meant, within, 1)):
                return right
            del others[right]
        return ""

    def _standing(self, term: Term, within: Within, most: int) -> Steps[int]:
        """Count the Neurons within a scope in which a word stands in whatever form, up to `most`."""
        from ranvier.query.fts import expression, sought
        from ranvier.store.tables import NEURONS

        narrowed, values = within.of_neurons()
        sql = f"SELECT rowid FROM {NEURONS} WHERE {NEURONS} MATCH ?{narrowed} LIMIT {most}"
        rows = yield from self._snapshot.query(sql, (expression(term), *values), sought(term, NEURONS))
        return len(rows)

    def _guaranteed(self, query: Understood, within: Within, many: int) -> Steps[tuple[FilterHit, ...]]:
        if not query.guaranteed:
            return ()
        given = Recall(self._snapshot, self._texts, query, within, many)
        return tuple((yield from GuaranteedLeg().recall(given)))


@dataclass(frozen=True, slots=True)
class _Found:
    rankings: tuple[Ranking, ...]
    notices: tuple[Notice, ...] = ()


_MOST_TRIED = 5  # words that may have been meant, where only some stand within the scope
_NO_VECTORS = Notice("no-vectors", "Only words were searched for: the search by meaning is not to be had.")
_NO_SUBSTRING = Notice("no-substring", "This site was built without an index of parts of words.")
_SOME_WORDS = Notice("some-words", "No page has all of these words; these have some of them.")
_NEAR = Notice("near", "No page has all of these words; these are near in meaning.")
_SCANNED = Notice("scanned", "The index could not be used; the texts themselves were searched.")


def narrowing(query: Understood, preset: Preset) -> Condition | None:
    """Write down what a query is narrowed to. A preset that looks over its limit filters by audience afterwards (A5, [000])."""
    return condition(query.scope, TOP if preset.limits.over else query.level, query.level)


def candidates(preset: Preset, request: SearchRequest) -> int:
    """Say how many rows each leg hands on."""
    if preset.limits.over:
        return (request.offset + (request.limit or preset.limits.results)) * preset.limits.over
    most = preset.limits.return_all if request.return_all else request.limit or preset.limits.results
    far = request.offset if preset.limits.grows else 0
    return request.candidates or max(preset.limits.candidates, far + most + 1)


def choose(legs: Sequence[Leg], query: Understood, request: SearchRequest) -> tuple[list[Leg], list[Notice]]:
    """Choose the legs of a strategy (Q3) and a match mode (Q4); where none is left, words answer, and a notice says so."""
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


def _strategy(found: _Found, chosen: Sequence[Leg]) -> str:
    ran = {ranking.leg for ranking in found.rankings}
    kinds = {leg.kind for leg in chosen if leg.name in ran}
    return {frozenset((SEMANTIC,)): "vector", frozenset((LEXICAL, SEMANTIC)): "rag"}.get(frozenset(kinds), "bm25")


def _neurons(rankings: Sequence[Ranking], snapshot: Snapshot) -> int:
    """Count the Neurons that have every word."""
    neuron_of = snapshot.manifest.neuron_of
    return len(
        {neuron_of(one.row) if ranking.chunks else one.row for ranking in rankings for one in ranking.found if one.tier < SOME}
    )


def _best_tier(found: _Found) -> int:
    return min((one.tier for ranking in found.rankings for one in ranking.found), default=NEAR)


def _only_some(legs: Sequence[Leg], query: Understood, found: _Found) -> bool:
    """Tell whether legs that look for every word had to make do with some; where any word will do, that says nothing."""
    looked = any(leg.wants_all for leg in legs)
    if query.prefix and query.terms and not query.words[-1:].isspace() and len(query.words.split()[-1]) < MIN_TYPED:
        return False  # one letter or two of a word are no word that any page lacks
    return looked and len(query.terms) > 1 and _best_tier(found) == SOME


def _only_near(legs: Sequence[Leg], found: _Found) -> bool:
    return any(leg.kind == LEXICAL for leg in legs) and _best_tier(found) == NEAR and any(one.found for one in found.rankings)


def _has_every_word(found: _Found) -> bool:
    return _best_tier(found) < SOME
